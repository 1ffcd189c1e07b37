// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/measure_options.hpp"

#include <charconv>
#include <functional>
#include <map>
#include <string_view>

#include "executor/measurement/shared_area.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

constexpr double kShortestBudget = 1.0;
constexpr double kLongestBudget = 86400.0;

template <class Number>
bool parse_whole(const std::string& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

class Parser {
 public:
  explicit Parser(const std::vector<std::string>& words) : words_(words) {}

  MeasureOptions parse() {
    const std::map<std::string_view, std::function<void(const std::string&)>> with_value{
        {"--nproc", [this](const std::string& text) { parse_ranks(text); }},
        {"--budget", [this](const std::string& text) { parse_budget(text); }},
        {"--out", [this](const std::string& text) { parse_path("--out", text, options_.out); }},
        {"--run-dir", [this](const std::string& text) { parse_path("--run-dir", text, options_.run_dir); }}};
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::string& word = words_[i];
      const std::size_t equals = word.find('=');
      const std::string name = word.substr(0, equals);
      if (word == "--quick") {
        options_.quick = true;
      } else if (word == "--help") {
        options_.help = true;
      } else if (const auto found = with_value.find(name); found == with_value.end()) {
        problem(word, "is not an option of measure", "allowed: --nproc, --out, --budget, --quick, --run-dir, --help");
      } else if (equals != std::string::npos) {
        found->second(word.substr(equals + 1));
      } else if (i + 1 < words_.size()) {
        found->second(words_[++i]);
      } else {
        problem(name, "needs a value", "");
      }
    }
    model::throw_if_errors(diagnostics_);
    return options_;
  }

 private:
  void problem(const std::string& option, const std::string& message, const std::string& hint) {
    diagnostics_.add_error("command line", option, message, hint);
  }

  void parse_ranks(const std::string& text) {
    int ranks = 0;
    if (parse_whole(text, ranks) && ranks >= 1 && ranks <= SharedArea::kMaxRanks)
      options_.ranks = ranks;
    else
      problem("--nproc", "\"" + text + "\" is not a whole number from 1 to " + std::to_string(SharedArea::kMaxRanks),
              "");
  }

  void parse_budget(const std::string& text) {
    double seconds = 0.0;
    if (parse_whole(text, seconds) && seconds >= kShortestBudget && seconds <= kLongestBudget)
      options_.budget = model::Seconds(seconds);
    else
      problem("--budget", "\"" + text + "\" is not a number of seconds from 1 to 86400", "write 30 for half a minute");
  }

  void parse_path(const std::string& option, const std::string& text, std::filesystem::path& path) {
    if (text.empty())
      problem(option, "is empty", "name a file or folder");
    path = text;
  }

  const std::vector<std::string>& words_;
  MeasureOptions options_;
  model::Diagnostics diagnostics_;
};

}  // namespace

MeasureOptions parse_measure_options(const std::vector<std::string>& words) {
  return Parser(words).parse();
}

std::string measure_help() {
  return "trainwright-execute measure [options]\n"
         "Micro-benchmarks of this machine: matrix products, memory, collectives and messages between ranks, storage.\n"
         "\n"
         "  --nproc N      ranks that measure at the same time (default: one for each core this process may use)\n"
         "  --out FILE     measurement file (default: measurement.json)\n"
         "  --budget S     seconds the whole run may take, about (default: 30)\n"
         "  --quick        fewer points\n"
         "  --run-dir DIR  folder whose storage is measured (default: .)\n"
         "  --help         this text\n"
         "\n"
         "Progress is one JSON object a line on standard output. An interrupt writes what has been measured, marked "
         "as\n"
         "partial. Exit: 0 done, 1 partial, 2 wrong options, 3 the machine does not allow it.\n";
}

}  // namespace trainwright::executor
