// Small valid documents of each kind, to be broken by tests, and the problems that reading a text yields.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "model/base/diagnostic.hpp"

namespace trainwright::model::documents {

std::string accelerator();
std::string cluster();
std::string model();
std::string plan();
std::string measurement();
std::string calibration();
std::string estimate();

/// `text` with its only occurrence of `from` replaced; fails the test when there is not exactly one.
std::string with(const std::string& text, std::string_view from, std::string_view to);

/// What reading says, one line per problem.
template <class Read>
std::string problems(Read read, const std::string& text) {
  Diagnostics diagnostics;
  const auto value = read(text, "a.json", diagnostics);
  return (value.has_value() == diagnostics.has_errors() ? "VALUE DOES NOT FIT THE PROBLEMS\n" : "") +
         diagnostics.to_text();
}

}  // namespace trainwright::model::documents
