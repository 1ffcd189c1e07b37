// SPDX-License-Identifier: Apache-2.0
#include "executor/app/arguments.hpp"

#include <charconv>

#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

constexpr const char* kSource = "command line";

}  // namespace

// "--name=value" becomes two words, so that both spellings are one afterwards.
Arguments::Arguments(std::vector<std::string> words) {
  for (std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (word.rfind("--", 0) == 0 && equals != std::string::npos) {
      words_.push_back(word.substr(0, equals));
      words_.push_back(word.substr(equals + 1));
    } else {
      words_.push_back(std::move(word));
    }
  }
  used_.assign(words_.size(), false);
}

std::vector<std::size_t> Arguments::places_of(const std::string& name) const {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < words_.size(); ++i)
    if (!used_[i] && words_[i] == name)
      places.push_back(i);
  return places;
}

std::optional<std::string> Arguments::text(const std::string& name) {
  known_.push_back(name);
  const std::vector<std::size_t> places = places_of(name);
  std::optional<std::string> value;
  for (const std::size_t place : places) {
    used_[place] = true;
    if (place + 1 >= words_.size() || words_[place + 1].rfind("--", 0) == 0) {
      diagnostics_.add_error(kSource, name, "has no value");
      continue;
    }
    used_[place + 1] = true;
    if (value)
      diagnostics_.add_error(kSource, name, "is given more than once");
    value = words_[place + 1];
  }
  return value;
}

std::string Arguments::required_text(const std::string& name) {
  const std::size_t problems = diagnostics_.list().size();
  auto value = text(name);
  if (!value && diagnostics_.list().size() == problems)
    diagnostics_.add_error(kSource, name, "is required");
  return value.value_or("");
}

std::optional<std::int64_t> Arguments::optional_integer(const std::string& name, std::int64_t min, std::int64_t max) {
  const auto value = text(name);
  if (!value)
    return std::nullopt;
  std::int64_t number = 0;
  const char* const end = value->data() + value->size();
  const auto [stop, error] = std::from_chars(value->data(), end, number);
  if (error != std::errc{} || stop != end || number < min || number > max) {
    diagnostics_.add_error(
        kSource, name,
        "\"" + *value + "\" is not a whole number from " + std::to_string(min) + " to " + std::to_string(max));
    return std::nullopt;
  }
  return number;
}

std::int64_t Arguments::integer(const std::string& name, std::int64_t min, std::int64_t max, std::int64_t otherwise) {
  return optional_integer(name, min, max).value_or(otherwise);
}

bool Arguments::flag(const std::string& name) {
  known_.push_back(name);
  const std::vector<std::size_t> places = places_of(name);
  for (const std::size_t place : places)
    used_[place] = true;
  return !places.empty();
}

void Arguments::finish() {
  std::string known;
  for (const std::string& name : known_)
    known += (known.empty() ? "" : ", ") + name;
  for (std::size_t i = 0; i < words_.size(); ++i)
    if (!used_[i])
      diagnostics_.add_error(kSource, words_[i], "is not known", "allowed: " + known);
  model::throw_if_errors(diagnostics_);
}

}  // namespace trainwright::executor
