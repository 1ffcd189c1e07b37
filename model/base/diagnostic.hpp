// Problems found in input, collected so that the user sees all of them at once. docs/errors.md is the policy.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace trainwright::model {

enum class Severity { error, warning, note };

/// One problem: where (source file and JSON path or option), what was seen and what is allowed, how to mend it.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string source;     ///< file name, "command line", or empty
  std::string path;       ///< JSON pointer ("/layout/tp") or option ("--tp"), or empty
  std::string message;    ///< value seen and what is allowed
  std::string hint;       ///< what to do; may be empty
  std::string rule = {};  ///< id of the broken rule ("layout.tp-divides-heads"), or empty

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// "clusters/a.json: /links/0/bandwidth: \"400Gb/s\" has no known unit; write \"50 GB/s\""; a rule follows in brackets.
[[nodiscard]] std::string to_text(const Diagnostic& diagnostic);

/// Ordered list of problems. Appending never throws away or merges anything.
class Diagnostics {
 public:
  void add(Diagnostic diagnostic) { list_.push_back(std::move(diagnostic)); }
  void add_error(std::string source, std::string path, std::string message, std::string hint = {}) {
    list_.push_back({Severity::error, std::move(source), std::move(path), std::move(message), std::move(hint)});
  }
  void add_warning(std::string source, std::string path, std::string message, std::string hint = {}) {
    list_.push_back({Severity::warning, std::move(source), std::move(path), std::move(message), std::move(hint)});
  }
  void append(const Diagnostics& other) { list_.insert(list_.end(), other.list_.begin(), other.list_.end()); }

  [[nodiscard]] bool has_errors() const;
  [[nodiscard]] bool empty() const { return list_.empty(); }
  [[nodiscard]] const std::vector<Diagnostic>& list() const { return list_; }
  /// One line per problem, in the order found.
  [[nodiscard]] std::string to_text() const;

 private:
  std::vector<Diagnostic> list_;
};

}  // namespace trainwright::model
