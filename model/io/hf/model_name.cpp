// SPDX-License-Identifier: Apache-2.0
#include "model/io/hf/model_name.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "model/units/format.hpp"
#include "model/workload/parameters.hpp"

namespace trainwright::model::hf {
namespace {

// Published names round generously; beyond this the numbers describe another network.
constexpr double kNameTolerance = 0.03;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The file's name and its folder; what is above them is somebody's disk.
std::string_view last_two_components(std::string_view path) {
  const std::size_t last = path.rfind('/');
  if (last == std::string_view::npos || last == 0)
    return path;
  const std::size_t before = path.rfind('/', last - 1);
  return before == std::string_view::npos ? path : path.substr(before + 1);
}

}  // namespace

std::optional<StatedSize> size_in_name(std::string_view name) {
  for (std::size_t begin = 0; begin < name.size(); ++begin) {
    if (!is_digit(name[begin]))
      continue;
    std::size_t end = begin;
    while (end < name.size() && (is_digit(name[end]) || name[end] == '.'))
      ++end;
    const std::string_view digits = name.substr(begin, end - begin);
    const bool glued = begin > 0 && is_letter(name[begin - 1]);
    const char unit = end < name.size() ? name[end] : ' ';
    const bool word_goes_on = end + 1 < name.size() && (is_letter(name[end + 1]) || is_digit(name[end + 1]));
    const double scale = unit == 'b' || unit == 'B' ? 1e9 : unit == 'm' || unit == 'M' ? 1e6 : 0.0;
    double value = 0.0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = error == std::errc{} && stop == digits.data() + digits.size();
    if (!glued && !word_goes_on && scale > 0.0 && whole && value > 0.0) {
      const std::size_t point = digits.find('.');
      const auto decimals = static_cast<int>(point == std::string_view::npos ? 0 : digits.size() - point - 1);
      return StatedSize{std::string(name.substr(begin, end + 1 - begin)), value * scale,
                        0.5 * std::pow(10.0, -decimals) * scale};
    }
    begin = end;
  }
  return std::nullopt;
}

std::string size_text(double parameters) {
  if (parameters >= 0.9995e9)
    return format_significant(parameters / 1e9, parameters >= 99.95e9 ? 4 : 3) + "b";
  if (parameters >= 0.9995e6)
    return format_significant(parameters / 1e6, 3) + "m";
  return format_significant(parameters / 1e3, 3) + "k";
}

void name_model(HfReader& config, const std::string& title, const std::string& source, Model& model) {
  const auto counted = static_cast<double>(parameter_count(model).total);
  const std::string stated_name = config.word("_name_or_path").value_or("");
  std::string type = config.model_type();
  if (type.empty())
    type = title;
  std::transform(type.begin(), type.end(), type.begin(), [](char c) {
    return c == '_' || c == ' ' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  model.id = type + "-" + size_text(counted);
  model.name = title + " " + size_text(counted);
  model.sources.push_back({{}, "Hugging Face config " + source});

  std::string_view name = stated_name;
  std::optional<StatedSize> stated = size_in_name(last_two_components(name));
  if (!stated) {
    name = source;
    stated = size_in_name(last_two_components(name));
  }
  if (!stated)
    return;
  const double off = std::abs(counted - stated->parameters);
  if (off > kNameTolerance * stated->parameters && off > stated->half_digit)
    config.add_warning("",
                       "the name \"" + std::string(last_two_components(name)) + "\" states " + stated->text +
                           " parameters; these numbers make " + size_text(counted),
                       "check that the file belongs to the model you mean");
}

}  // namespace trainwright::model::hf
