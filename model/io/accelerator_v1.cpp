// SPDX-License-Identifier: Apache-2.0
#include "model/io/accelerator_v1.hpp"

#include <nlohmann/json.hpp>

#include "model/io/document.hpp"
#include "model/io/json_writer.hpp"

namespace trainwright::model {
namespace {

using nlohmann::ordered_json;

constexpr int kMaxMultiprocessors = 1'000'000;
constexpr double kMaxWatts = 1e6;

void read_peaks(JsonObject& object, Accelerator& accelerator) {
  JsonObject peaks = object.object("dense_peak");
  bool any = false;
  for (const auto& [word, precision] : kPrecisionWords) {
    const std::optional<FlopsPerSecond> peak = peaks.optional_flops_per_second(word);
    if (peak && *peak == FlopsPerSecond::zero())
      peaks.add_error(word, "is 0", "leave out a precision that the device cannot do");
    accelerator.dense_peak[static_cast<std::size_t>(precision)] = peak;
    any = any || peaks.has(word);
  }
  peaks.finish();
  if (object.has("dense_peak") && !any && peaks.keys().empty())
    object.add_error("dense_peak", "is empty", "at least one precision is needed");
}

void fill(const Accelerator& accelerator, ordered_json& value) {
  value["id"] = accelerator.id;
  value["name"] = accelerator.name;
  value["kind"] = word_of(kAcceleratorKindWords, accelerator.kind);
  value["family"] = accelerator.family;
  value["memory"] = exact_text(accelerator.memory);
  value["memory_bandwidth"] = exact_text(accelerator.memory_bandwidth);
  auto peaks = ordered_json::object();
  for (const auto& [word, precision] : kPrecisionWords)
    if (const auto peak = accelerator.peak(precision))
      peaks[std::string(word)] = exact_text(*peak);
  value["dense_peak"] = std::move(peaks);
  value["multiprocessors"] = accelerator.multiprocessors;
  if (accelerator.power_watts)
    value["power_watts"] = *accelerator.power_watts;
  value["sources"] = sources_value(accelerator.sources);
}

}  // namespace

ordered_json accelerator_value(const Accelerator& accelerator) {
  auto value = ordered_json::object();
  fill(accelerator, value);
  return value;
}

Accelerator read_accelerator(JsonObject& object) {
  Accelerator accelerator;
  accelerator.id = required_text(object, "id");
  accelerator.name = object.string("name");
  accelerator.kind = object.choice<AcceleratorKind>("kind", kAcceleratorKindWords);
  accelerator.family = required_text(object, "family");
  accelerator.memory = positive_byte_count(object, "memory");
  accelerator.memory_bandwidth = positive_bytes_per_second(object, "memory_bandwidth");
  read_peaks(object, accelerator);
  accelerator.multiprocessors = read_int(object, "multiprocessors", 1, kMaxMultiprocessors);
  accelerator.power_watts = object.optional_number("power_watts", {0.0, kMaxWatts});
  accelerator.sources = read_sources(object);
  object.finish();
  return accelerator;
}

std::string to_accelerator_json(const Accelerator& accelerator) {
  ordered_json value{{"format", "trainwright/accelerator/v1"}};
  fill(accelerator, value);
  return canonical_text(value);
}

std::optional<Accelerator> accelerator_from_json(std::string_view text, std::string source, Diagnostics& diagnostics) {
  return read_document(text, std::move(source), "accelerator", diagnostics, read_accelerator);
}

}  // namespace trainwright::model
