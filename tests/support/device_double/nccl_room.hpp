// One communicator as the hub sees it: what each member asks for, and the moment when that can be answered. Members
// must ask for the same: operation, count, root; what one sends another must receive. What does not match is said,
// where real members would hang or mix up data.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/device_double/nccl_wire.hpp"

namespace trainwright::test {

struct NcclQuestion {
  NcclRequest request;
  std::vector<NcclPart> parts;
  std::vector<float> values;
};

struct NcclAnswer {
  NcclReply reply;
  std::vector<float> values;
  std::string text;  ///< of a failure
};

class NcclRoom {
 public:
  /// `new_room` gives numbers for what is split off.
  NcclRoom(int size, std::function<std::uint32_t()> new_room);

  void ask(int member, NcclQuestion question);
  /// Without goodbye: all others hear of it.
  void lose(int member);
  /// Answers that can be given now, by member.
  [[nodiscard]] std::vector<std::optional<NcclAnswer>> answers();
  [[nodiscard]] int size() const { return static_cast<int>(questions_.size()); }

 private:
  using Answers = std::vector<std::optional<NcclAnswer>>;
  [[nodiscard]] bool all_ask() const;
  void fail_all(Answers& answers, int code, const std::string& text);
  void answer_messages(Answers& answers);
  void answer_collective(Answers& answers);
  void answer_split(Answers& answers);

  std::function<std::uint32_t()> new_room_;
  std::vector<std::optional<NcclQuestion>> questions_;
  std::string broken_;
};

}  // namespace trainwright::test
