// Reads the config texts of tests/fixtures/hf, and the real files of a samples folder where there is one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "model/base/diagnostic.hpp"
#include "model/io/file.hpp"
#include "model/io/hf_config.hpp"

namespace trainwright::model::test {

inline std::filesystem::path tests_folder() {
  return TRAINWRIGHT_TESTS_FOLDER;
}

inline std::string hf_fixture(const std::string& name) {
  Diagnostics diagnostics;
  return read_file(tests_folder() / "fixtures" / "hf" / (name + ".json"), diagnostics);
}

/// TRAINWRIGHT_SAMPLES, or shared/samples beside the project; empty if neither has config files.
inline std::filesystem::path hf_samples() {
  const char* stated = std::getenv("TRAINWRIGHT_SAMPLES");
  const std::filesystem::path folder =
      stated != nullptr ? std::filesystem::path(stated) : tests_folder() / ".." / ".." / "shared" / "samples";
  return std::filesystem::is_directory(folder / "hf_config") ? folder / "hf_config" : std::filesystem::path();
}

struct Imported {
  std::optional<Model> model;
  Diagnostics diagnostics;
};

inline Imported import_text(const std::string& text, const std::string& source = "config.json") {
  Imported result;
  result.model = model_from_hf_config(text, source, result.diagnostics);
  return result;
}

inline Imported import_fixture(const std::string& name) {
  return import_text(hf_fixture(name));
}

}  // namespace trainwright::model::test
