// SPDX-License-Identifier: Apache-2.0
#include "model/validation/row_reader.hpp"

#include <charconv>
#include <cmath>

namespace trainwright::model::validation {
namespace {

constexpr double kMaxWhole = 9.0e15;  // below 2^53: exact in a double

}  // namespace

RowReader::RowReader(const Csv& csv, const std::string& source, Diagnostics& diagnostics)
    : source_(source), diagnostics_(diagnostics) {
  for (std::size_t i = 0; i < csv.header.size(); ++i)
    columns_.emplace(csv.header[i], i);
}

std::string RowReader::text(std::string_view column) const {
  const auto found = columns_.find(column);
  return found == columns_.end() ? std::string() : row_->cells[found->second];
}

std::string RowReader::required_text(std::string_view column) {
  std::string value = text(column);
  if (value.empty())
    error(column, "is empty; it is needed");
  return value;
}

std::optional<double> RowReader::number(std::string_view column) {
  const std::string value = text(column);
  if (value.empty())
    return std::nullopt;
  double result = 0.0;
  const char* const end = value.data() + value.size();
  const auto [at, problem] = std::from_chars(value.data(), end, result);
  if (problem != std::errc() || at != end || !std::isfinite(result)) {
    error(column, "\"" + value + "\" is not a number");
    return std::nullopt;
  }
  return result;
}

std::optional<std::int64_t> RowReader::integer(std::string_view column, std::int64_t min) {
  const std::optional<double> value = number(column);
  if (!value)
    return std::nullopt;
  if (*value != std::floor(*value) || *value < static_cast<double>(min) || *value > kMaxWhole) {
    error(column, "\"" + text(column) + "\" is not a whole number of " + std::to_string(min) + " or above");
    return std::nullopt;
  }
  return static_cast<std::int64_t>(*value);
}

std::int64_t RowReader::required_integer(std::string_view column, std::int64_t min) {
  if (text(column).empty())
    error(column, "is empty; it is needed");
  return integer(column, min).value_or(min);
}

std::optional<double> RowReader::positive(std::string_view column) {
  const std::optional<double> value = number(column);
  if (!value || *value > 0.0)
    return value;
  error(column, "\"" + text(column) + "\" is not above 0");
  return std::nullopt;
}

double RowReader::required_positive(std::string_view column) {
  if (text(column).empty())
    error(column, "is empty; it is needed");
  return positive(column).value_or(1.0);
}

std::optional<double> RowReader::not_negative(std::string_view column) {
  const std::optional<double> value = number(column);
  if (!value || *value >= 0.0)
    return value;
  error(column, "\"" + text(column) + "\" is below 0");
  return std::nullopt;
}

std::optional<bool> RowReader::boolean(std::string_view column) {
  const std::string value = text(column);
  if (value.empty())
    return std::nullopt;
  if (value == "1" || value == "true")
    return true;
  if (value == "0" || value == "false")
    return false;
  error(column, "\"" + value + "\" is neither 1 nor 0");
  return std::nullopt;
}

void RowReader::error(std::string_view column, const std::string& message, const std::string& hint) {
  diagnostics_.add_error(source_, "line " + std::to_string(row_->line) + ", column " + std::string(column), message,
                         hint);
}

}  // namespace trainwright::model::validation
