// Options of one command over CLI11. Every value is taken as text and judged here, so that all wrong values and unknown
// options are reported together, each with what is allowed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/base/diagnostic.hpp"
#include "model/units/byte_count.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace trainwright::cli {

class OptionSet {
 public:
  explicit OptionSet(CLI::App& app);

  /// Options added from here on are listed under `heading` in the help.
  void group(std::string heading);

  // An option that is not given leaves its target as it is. Names: "--tp"; targets outlive the set.
  void integer(const std::string& name, const std::string& help, std::optional<std::int64_t>& target);
  /// Whole numbers with commas between: "7,8,8,7".
  void integers(const std::string& name, const std::string& help, std::optional<std::vector<std::int64_t>>& target);
  void number(const std::string& name, const std::string& help, std::optional<double>& target);
  void text(const std::string& name, const std::string& help, std::optional<std::string>& target);
  void path(const std::string& name, const std::string& help, std::optional<std::filesystem::path>& target);
  void byte_count(const std::string& name, const std::string& help, std::optional<model::ByteCount>& target);
  /// "--json"
  void flag(const std::string& name, const std::string& help, bool& target);
  /// "--overlap" and "--no-overlap"
  void on_off(const std::string& name, const std::string& help, std::optional<bool>& target);
  /// One word of a list; the help names them.
  template <class Enum, std::size_t Count>
  void word(const std::string& name, const std::string& help,
            const std::array<std::pair<std::string_view, Enum>, Count>& words, std::optional<Enum>& target) {
    std::vector<std::string> known;
    for (const auto& [text, value] : words)
      known.emplace_back(text);
    value_option(name, help, join(known, "|"),
                 [name, known, &words, &target](const std::string& given, model::Diagnostics& problems) {
                   for (const auto& [text, value] : words)
                     if (text == given) {
                       target = value;
                       return;
                     }
                   unknown_word(name, given, known, problems);
                 });
  }

  // Positional arguments.
  void argument(const std::string& name, const std::string& help, std::optional<std::string>& target);
  void arguments(const std::string& name, const std::string& help, std::vector<std::string>& target);

  /// After the command line was parsed: converts the values given, and adds a problem for each that is wrong and for
  /// each word that no option knows.
  void finish(model::Diagnostics& problems);

 private:
  using Convert = std::function<void(const std::string&, model::Diagnostics&)>;
  struct Pending {
    std::string given;
    CLI::Option* option = nullptr;
    Convert convert;
  };

  void value_option(const std::string& name, const std::string& help, const std::string& value_name, Convert convert);
  static void unknown_word(const std::string& name, const std::string& given, const std::vector<std::string>& known,
                           model::Diagnostics& problems);
  static std::string join(const std::vector<std::string>& words, std::string_view separator);

  CLI::App& app_;
  std::string group_ = "Options";
  std::deque<Pending> pending_;  // stable addresses: CLI11 writes into `given`
  std::deque<bool> switches_;
  std::vector<std::function<void(model::Diagnostics&)>> switch_results_;
};

/// Problems for words that no option or command knows: "--tpp" with the options it may have meant. A word after an
/// unknown option is taken for its value.
void report_unknown_words(const std::vector<std::string>& words, const std::vector<std::string>& known_options,
                          model::Diagnostics& problems);

}  // namespace trainwright::cli
