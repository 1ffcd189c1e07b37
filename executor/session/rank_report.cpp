// SPDX-License-Identifier: Apache-2.0
#include "executor/session/rank_report.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <type_traits>

#include "executor/process/file_descriptor.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

struct FrameHeader {
  std::uint32_t kind = 0;  // index of the variant
  std::uint32_t size = 0;  // bytes that follow
};
constexpr std::uint32_t kMaxFrame = 1U << 30U;

template <class T>
void append_value(std::string& out, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::array<char, sizeof(T)> bytes{};
  std::memcpy(bytes.data(), &value, sizeof(T));
  out.append(bytes.data(), bytes.size());
}

template <class T>
T take_value(std::string_view& in) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (in.size() < sizeof(T))
    throw model::EnvironmentError("a rank's report is shorter than it says");
  T value{};
  std::memcpy(&value, in.data(), sizeof(T));
  in.remove_prefix(sizeof(T));
  return value;
}

struct BodyWriter {
  std::string operator()(const PhaseReport& r) const {
    std::string out;
    append_value(out, r.phase);
    return out;
  }
  std::string operator()(const StepReport& r) const {
    std::string out;
    append_value(out, r.step);
    append_value(out, r.common_start);
    for (const TaskStamp& stamp : r.tasks)
      append_value(out, stamp);
    return out;
  }
  std::string operator()(const FinishedReport& r) const {
    std::string out;
    append_value(out, r.peak_memory_bytes);
    return out;
  }
  std::string operator()(const FailureReport& r) const { return (r.in_communication ? "c" : "o") + r.text; }
};

RankReport read_body(std::uint32_t kind, std::string_view body) {
  switch (kind) {
    case 0:
      return PhaseReport{take_value<RankPhase>(body)};
    case 1: {
      StepReport report;
      report.step = take_value<std::int64_t>(body);
      report.common_start = take_value<SteadyNs>(body);
      while (!body.empty())
        report.tasks.push_back(take_value<TaskStamp>(body));
      return report;
    }
    case 2:
      return FinishedReport{take_value<std::int64_t>(body)};
    default:
      return FailureReport{!body.empty() && body.front() == 'c', std::string(body.empty() ? body : body.substr(1))};
  }
}

}  // namespace

std::string_view to_word(RankPhase phase) {
  switch (phase) {
    case RankPhase::connecting:
      return "connecting";
    case RankPhase::verifying:
      return "verifying";
    case RankPhase::warming_up:
      return "warming-up";
    case RankPhase::measuring:
      return "measuring";
  }
  return "unknown";
}

std::string encode(const RankReport& report) {
  const std::string body = std::visit(BodyWriter{}, report);
  std::string out;
  append_value(out, FrameHeader{static_cast<std::uint32_t>(report.index()), static_cast<std::uint32_t>(body.size())});
  return out + body;
}

void write_report(int fd, const RankReport& report) {
  const std::string bytes = encode(report);
  for (std::string_view rest = bytes; !rest.empty();) {
    const ssize_t written = ::write(fd, rest.data(), rest.size());
    if (written >= 0)
      rest.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      throw model::EnvironmentError("the launcher cannot be told: " + error_text(errno));
  }
}

std::optional<RankReport> ReportReader::next() {
  std::string_view in = buffer_;
  if (in.size() < sizeof(FrameHeader))
    return std::nullopt;
  const auto header = take_value<FrameHeader>(in);
  if (header.kind >= std::variant_size_v<RankReport> || header.size > kMaxFrame)
    throw model::EnvironmentError("a rank's report is not one");
  if (in.size() < header.size)
    return std::nullopt;
  RankReport report = read_body(header.kind, in.substr(0, header.size));
  buffer_.erase(0, sizeof(FrameHeader) + header.size);
  return report;
}

}  // namespace trainwright::executor
