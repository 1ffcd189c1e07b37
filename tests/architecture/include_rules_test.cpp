// The include rules on small trees made here: what is planted must be found, and nothing else.
// SPDX-License-Identifier: Apache-2.0
#include "tests/architecture/include_rules.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace trainwright::architecture {
namespace {

std::vector<SourceFile> one_file(const std::string& path, const std::string& line) {
  return {{path, {line}}};
}

// A folder that goes away with the test.
class TemporaryTree {
 public:
  TemporaryTree() : root_(std::filesystem::temp_directory_path() / ("trainwright_tree_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(root_);
  }
  TemporaryTree(const TemporaryTree&) = delete;
  TemporaryTree& operator=(const TemporaryTree&) = delete;
  ~TemporaryTree() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  void write(const std::string& path, const std::string& content) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << content;
  }
  [[nodiscard]] const std::filesystem::path& root() const { return root_; }

 private:
  std::filesystem::path root_;
};

TEST(IncludeRules, FindWhatIsPlantedInATreeOnDisk) {
  const TemporaryTree tree;
  tree.write("model/units/quantity.hpp", "#pragma once\n#include <vector>\n");
  tree.write("model/cost/roofline.cpp",
             "#include \"model/units/quantity.hpp\"\n#include \"simulator/client/request.hpp\"\n");
  tree.write("gui/pages/plans_page.cpp",
             "#include <QLabel>\n#include \"ui_plans_page.h\"\n#include <simgrid/s4u.hpp>\n");
  tree.write("build/dev/generated.cpp", "#include <simgrid/s4u.hpp>\n");
  EXPECT_EQ(
      to_text(forbidden_includes(read_tree(tree.root()))),
      "gui/pages/plans_page.cpp:3: includes \"simgrid/s4u.hpp\" (SimGrid); sources of gui may include: Qt, generated\n"
      "model/cost/roofline.cpp:2: includes \"simulator/client/request.hpp\"; model may include model/\n");
}

TEST(IncludeRules, ReadEveryFormOfAnInclude) {
  const SourceFile file{"a.cpp",
                        {"#include <vector>", "  #  include \"model/a.hpp\"  // why", "// #include <gone>",
                         "#include\t<b.h>", "text about #include <c.h>", "#include MACRO"}};
  std::vector<std::string> targets;
  for (const Include& include : includes_of(file))
    targets.push_back(std::to_string(include.line) + " " + include.target);
  EXPECT_EQ(targets, (std::vector<std::string>{"1 vector", "2 model/a.hpp", "4 b.h"}));
}

TEST(IncludeRules, KnowTheLibraryOfAHeader) {
  EXPECT_EQ(library_of("vector"), "std");
  EXPECT_EQ(library_of("sys/mman.h"), "system");
  EXPECT_EQ(library_of("model/base/id.hpp"), "ours");
  EXPECT_EQ(library_of("boost/graph/adjacency_list.hpp"), "Boost.Graph");
  EXPECT_EQ(library_of("nlohmann/json.hpp"), "json");
  EXPECT_EQ(library_of("nlohmann/json_fwd.hpp"), "json_fwd");
  EXPECT_EQ(library_of("QString"), "Qt");
  EXPECT_EQ(library_of("QtCharts/QChart"), "Qt");
  EXPECT_EQ(library_of("cuda_runtime.h"), "CUDA");
  EXPECT_EQ(library_of("nccl.h"), "NCCL");
  EXPECT_EQ(library_of("openssl/ssl.h"), "");
}

TEST(IncludeRules, RefuseAHeaderOfNoKnownLibrary) {
  EXPECT_EQ(to_text(forbidden_includes(one_file("cli/main.cpp", "#include <openssl/ssl.h>"))),
            "cli/main.cpp:1: includes \"openssl/ssl.h\", which is in no list; a new dependency is added to "
            "tests/architecture/include_rules.cpp\n");
}

TEST(IncludeRules, KeepThirdPartyHeadersOutOfOurHeaders) {
  EXPECT_EQ(forbidden_includes(one_file("model/graph/graph.hpp", "#include <boost/graph/adjacency_list.hpp>")).size(),
            1U);
  EXPECT_EQ(forbidden_includes(one_file("model/graph/graph.cpp", "#include <boost/graph/adjacency_list.hpp>")).size(),
            0U);
  EXPECT_EQ(forbidden_includes(one_file("model/io/reader.hpp", "#include <nlohmann/json_fwd.hpp>")).size(), 0U);
  EXPECT_EQ(forbidden_includes(one_file("model/cost/cost.hpp", "#include <nlohmann/json_fwd.hpp>")).size(), 1U);
}

TEST(IncludeRules, KeepSimulatorAndExecutorApart) {
  EXPECT_EQ(forbidden_includes(one_file("executor/app/main.cpp", "#include \"simulator/client/report.hpp\"")).size(),
            1U);
  EXPECT_EQ(forbidden_includes(one_file("simulator/client/a.cpp", "#include \"executor/session/run.hpp\"")).size(), 1U);
}

TEST(IncludeRules, LetTheWorkerSeeOneDoorOfTheEngine) {
  EXPECT_EQ(
      forbidden_includes(one_file("simulator/worker/main.cpp", "#include \"simulator/engine/simulate.hpp\"")).size(),
      0U);
  EXPECT_EQ(
      forbidden_includes(one_file("simulator/worker/main.cpp", "#include \"simulator/engine/session.hpp\"")).size(),
      1U);
}

TEST(IncludeRules, LetNobodyIncludeTheFrontEnds) {
  for (const char* path : {"model/base/a.cpp", "simulator/client/a.cpp", "executor/app/a.cpp"}) {
    EXPECT_EQ(forbidden_includes(one_file(path, "#include \"gui/format/display_format.hpp\"")).size(), 1U) << path;
    EXPECT_EQ(forbidden_includes(one_file(path, "#include \"cli/doctor/doctor.hpp\"")).size(), 1U) << path;
  }
}

TEST(ModelOrder, ReportsAnIncludeAgainstIt) {
  const std::vector<SourceFile> tree{
      {"model/units/a.hpp", {"#include \"model/plan/plan.hpp\""}},
      {"model/graph/task.hpp", {"#include \"model/plan/placement.hpp\""}},
      {"model/plan/plan.cpp", {"#include \"model/graph/task.hpp\""}},
      {"model/stray/a.hpp", {}},
  };
  EXPECT_EQ(to_text(against_model_order(tree)),
            "model/units/a.hpp:1: includes \"model/plan/plan.hpp\", which comes later in the order\n"
            "model/stray/a.hpp: is in a folder that the order of docs/architecture.md does not name\n");
}

TEST(FolderCycles, AreNamedOnceWhateverTheStart) {
  const std::vector<SourceFile> tree{
      {"executor/b/b.hpp", {"#include \"executor/c/c.hpp\""}},
      {"executor/c/c.hpp", {"#include \"executor/a/a.hpp\""}},
      {"executor/a/a.hpp", {"#include \"executor/b/b.hpp\""}},
      {"executor/d/d.hpp", {"#include \"executor/a/a.hpp\"", "#include \"model/base/id.hpp\""}},
  };
  EXPECT_EQ(folder_cycles(tree), (std::vector<std::string>{"executor/a -> executor/b -> executor/c -> executor/a"}));
}

}  // namespace
}  // namespace trainwright::architecture
