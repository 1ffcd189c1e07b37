// Options of a command as --name value, --name=value or --name. Every problem is collected, with the option as its
// path.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/diagnostic.hpp"

namespace trainwright::executor {

class Arguments {
 public:
  /// `words` without the program's and the command's name.
  explicit Arguments(std::vector<std::string> words);

  /// Value of an option; asking makes it known. Given twice is a problem.
  [[nodiscard]] std::optional<std::string> text(const std::string& name);
  /// A required option; "" and a problem when it is missing.
  [[nodiscard]] std::string required_text(const std::string& name);
  /// A whole number within [min, max], or `otherwise` when not given; anything else is a problem.
  [[nodiscard]] std::int64_t integer(const std::string& name, std::int64_t min, std::int64_t max,
                                     std::int64_t otherwise);
  [[nodiscard]] std::optional<std::int64_t> optional_integer(const std::string& name, std::int64_t min,
                                                             std::int64_t max);
  [[nodiscard]] bool flag(const std::string& name);

  /// Reports words that nobody asked for, and throws InputError when there is any problem.
  void finish();
  [[nodiscard]] model::Diagnostics& diagnostics() { return diagnostics_; }

 private:
  [[nodiscard]] std::vector<std::size_t> places_of(const std::string& name) const;

  std::vector<std::string> words_;
  std::vector<bool> used_;
  std::vector<std::string> known_;
  model::Diagnostics diagnostics_;
};

}  // namespace trainwright::executor
