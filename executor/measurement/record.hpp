// What a measuring rank tells its parent through a pipe: finished points, progress, remarks. Plain bytes, as both are
// the same program.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <type_traits>
#include <variant>

#include "model/calibration/measurement.hpp"

namespace trainwright::executor {

/// Text of limited length that can be copied as bytes; longer text is cut.
template <std::size_t Size>
class FixedText {
 public:
  FixedText() = default;
  explicit FixedText(std::string_view text) : size_(std::min(text.size(), Size)) {
    std::copy_n(text.begin(), size_, text_.begin());
  }
  [[nodiscard]] std::string_view view() const { return {text_.data(), size_}; }

 private:
  std::array<char, Size> text_{};
  std::size_t size_ = 0;
};

struct ProgressRecord {
  double done = 0.0;  ///< of this group of ranks, 0 .. 1
  FixedText<96> what;
};

/// Something the reader of the measurement should know.
struct RemarkRecord {
  FixedText<480> text;
};

/// A library that takes part, for the environment.
struct VersionRecord {
  FixedText<48> library;
  FixedText<96> version;
};

/// A rank cannot go on.
struct FailureRecord {
  FixedText<480> text;
};

using Record = std::variant<model::GemmPoint, model::MemoryPoint, model::CollectivePoint, model::TransferPoint,
                            model::StoragePoint, model::InterferencePoint, ProgressRecord, RemarkRecord, VersionRecord,
                            FailureRecord>;
static_assert(std::is_trivially_copyable_v<Record>);
static_assert(sizeof(Record) <= 4096, "writes to a pipe up to PIPE_BUF are not mixed with those of others");

}  // namespace trainwright::executor
