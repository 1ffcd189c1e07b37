// SPDX-License-Identifier: Apache-2.0
#include "cli/options/option_set.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <charconv>

#include "model/io/profile_library.hpp"
#include "model/plan/plan_fields.hpp"
#include "model/units/parse.hpp"

namespace trainwright::cli {
namespace {

const std::string kSource(model::kCommandLineSource);

std::string did_you_mean(const std::string& text, const std::vector<std::string>& candidates) {
  const std::vector<std::string> close = model::close_matches(text, candidates);
  std::string hint;
  for (const std::string& candidate : close)
    hint += (hint.empty() ? "did you mean " : " or ") + candidate;
  return hint.empty() ? hint : hint + "?";
}

}  // namespace

OptionSet::OptionSet(CLI::App& app) : app_(app) {
  app_.allow_extras();
}

void OptionSet::group(std::string heading) {
  group_ = std::move(heading);
}

void OptionSet::value_option(const std::string& name, const std::string& help, const std::string& value_name,
                             Convert convert) {
  Pending& pending = pending_.emplace_back();
  pending.convert = std::move(convert);
  pending.option = app_.add_option(name, pending.given, help);
  pending.option->group(group_);
  pending.option->type_name(value_name);
}

void OptionSet::integer(const std::string& name, const std::string& help, std::optional<std::int64_t>& target) {
  value_option(name, help, "N", [name, &target](const std::string& given, model::Diagnostics& problems) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
    if (error == std::errc{} && end == given.data() + given.size())
      target = value;
    else
      problems.add_error(kSource, name, "\"" + given + "\" is not a whole number", "for example " + name + " 8");
  });
}

void OptionSet::integers(const std::string& name, const std::string& help,
                         std::optional<std::vector<std::int64_t>>& target) {
  value_option(name, help, "N,N,...", [name, &target](const std::string& given, model::Diagnostics& problems) {
    std::vector<std::int64_t> values;
    const char* const end = given.data() + given.size();
    for (const char* at = given.data();;) {
      std::int64_t value = 0;
      const auto [next, error] = std::from_chars(at, end, value);
      if (error != std::errc{} || (next != end && *next != ',')) {
        problems.add_error(kSource, name, "\"" + given + "\" is not a list of whole numbers",
                           "for example " + name + " 7,8,8,7");
        return;
      }
      values.push_back(value);
      if (next == end)
        break;
      at = next + 1;
    }
    target = std::move(values);
  });
}

void OptionSet::number(const std::string& name, const std::string& help, std::optional<double>& target) {
  value_option(name, help, "X", [name, &target](const std::string& given, model::Diagnostics& problems) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
    if (error == std::errc{} && end == given.data() + given.size())
      target = value;
    else
      problems.add_error(kSource, name, "\"" + given + "\" is not a number", "for example " + name + " 1.5");
  });
}

void OptionSet::text(const std::string& name, const std::string& help, std::optional<std::string>& target) {
  value_option(name, help, "TEXT", [name, &target](const std::string& given, model::Diagnostics& problems) {
    if (given.empty())
      problems.add_error(kSource, name, "is empty");
    else
      target = given;
  });
}

void OptionSet::path(const std::string& name, const std::string& help, std::optional<std::filesystem::path>& target) {
  value_option(name, help, "FILE", [name, &target](const std::string& given, model::Diagnostics& problems) {
    if (given.empty())
      problems.add_error(kSource, name, "is empty; a path is needed");
    else
      target = given;
  });
}

void OptionSet::byte_count(const std::string& name, const std::string& help, std::optional<model::ByteCount>& target) {
  value_option(name, help, "SIZE", [name, &target](const std::string& given, model::Diagnostics& problems) {
    const model::Parsed<model::ByteCount> parsed = model::parse_byte_count(given);
    if (parsed.value)
      target = *parsed.value;
    else
      problems.add_error(kSource, name, parsed.problem, parsed.hint);
  });
}

void OptionSet::flag(const std::string& name, const std::string& help, bool& target) {
  bool& given = switches_.emplace_back(false);
  app_.add_flag(name, given, help)->group(group_);
  switch_results_.push_back([&given, &target](model::Diagnostics&) { target = given; });
}

void OptionSet::on_off(const std::string& name, const std::string& help, std::optional<bool>& target) {
  const std::string opposite = "--no-" + name.substr(2);
  bool& on = switches_.emplace_back(false);
  bool& off = switches_.emplace_back(false);
  app_.add_flag(name, on, help)->group(group_);
  app_.add_flag(opposite, off, "The opposite")->group(group_);
  switch_results_.push_back([&on, &off, &target, name, opposite](model::Diagnostics& problems) {
    if (on && off)
      problems.add_error(kSource, name, "contradicts " + opposite, "leave one of the two out");
    else if (on || off)
      target = on;
  });
}

void OptionSet::argument(const std::string& name, const std::string& help, std::optional<std::string>& target) {
  Pending& pending = pending_.emplace_back();
  pending.option = app_.add_option(name, pending.given, help);
  pending.option->type_name("");
  pending.convert = [&target](const std::string& given, model::Diagnostics&) { target = given; };
}

void OptionSet::arguments(const std::string& name, const std::string& help, std::vector<std::string>& target) {
  app_.add_option(name, target, help)->type_name("");
}

void OptionSet::finish(model::Diagnostics& problems) {
  for (const Pending& pending : pending_)
    if (pending.option->count() > 0)
      pending.convert(pending.given, problems);
  for (const auto& result : switch_results_)
    result(problems);
  std::vector<std::string> known;
  for (const CLI::Option* option : app_.get_options())
    for (const std::string& name : option->get_lnames())
      known.push_back("--" + name);
  report_unknown_words(app_.remaining(), known, problems);
}

void OptionSet::unknown_word(const std::string& name, const std::string& given, const std::vector<std::string>& known,
                             model::Diagnostics& problems) {
  const std::string close = did_you_mean(given, known);
  problems.add_error(kSource, name, "\"" + given + "\" is not known; allowed: " + join(known, ", "), close);
}

std::string OptionSet::join(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : std::string(separator)) + word;
  return text;
}

void report_unknown_words(const std::vector<std::string>& words, const std::vector<std::string>& known_options,
                          model::Diagnostics& problems) {
  bool after_unknown_option = false;
  for (const std::string& word : words) {
    if (word.size() > 1 && word[0] == '-') {
      const std::string name = word.substr(0, word.find('='));
      const std::string close = did_you_mean(name, known_options);
      problems.add_error(kSource, name, "no such option", close.empty() ? "--help lists the options" : close);
      after_unknown_option = word.find('=') == std::string::npos;
      continue;
    }
    if (!after_unknown_option)
      problems.add_error(kSource, {}, "\"" + word + "\" is not expected here", "--help shows how the command is used");
    after_unknown_option = false;
  }
}

}  // namespace trainwright::cli
