// Constants of a fit as the text of a profile: value to four digits, and where it comes from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace trainwright::model::validation {

class ConstantList {
 public:
  void add(const std::string& name, double value, const std::string& origin);
  /// trainwright/calibration/v1
  [[nodiscard]] std::string text() const;

 private:
  struct Entry {
    std::string name;
    double value;
    std::string origin;
  };
  std::vector<Entry> entries_;
};

}  // namespace trainwright::model::validation
