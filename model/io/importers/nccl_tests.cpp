// SPDX-License-Identifier: Apache-2.0
#include "model/io/importers/nccl_tests.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "model/io/importers/text_lines.hpp"

namespace trainwright::model {
namespace {

constexpr double kGiga = 1e9;
constexpr double kMicro = 1e-6;

constexpr std::array<std::pair<std::string_view, CollectiveKind>, 6> kPrograms{
    {{"all_reduce_perf", CollectiveKind::all_reduce},
     {"all_gather_perf", CollectiveKind::all_gather},
     {"reduce_scatter_perf", CollectiveKind::reduce_scatter},
     {"broadcast_perf", CollectiveKind::broadcast},
     {"reduce_perf", CollectiveKind::reduce},
     {"alltoall_perf", CollectiveKind::all_to_all}}};

// "1_048_576", "1,048,576", "64M": people reformat sizes.
std::optional<std::int64_t> size_of(std::string_view word) {
  std::string digits;
  std::int64_t unit = 1;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    if (c >= '0' && c <= '9')
      digits += c;
    else if ((c == '_' || c == ',') && i > 0)
      continue;
    else if (i + 1 == word.size() && i > 0 && (c == 'K' || c == 'M' || c == 'G'))
      unit = c == 'K' ? 1024L : c == 'M' ? 1024L * 1024 : 1024L * 1024 * 1024;
    else
      return std::nullopt;
  }
  constexpr std::size_t kMostDigits = 15;
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || digits.size() > kMostDigits || problem != std::errc() || value > (1L << 60) / unit)
    return std::nullopt;
  return value * unit;
}

std::optional<double> decimal(std::string_view word) {
  double value = 0.0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc() || end != word.data() + word.size() || !std::isfinite(value) || value < 0.0)
    return std::nullopt;
  return value;
}

// Words of a line behind what launchers put before it: "[1,0]<stdout>:" (mpirun), "0: " (srun), "host: ".
std::vector<std::string> words_behind_prefix(const std::string& line) {
  std::string_view rest = line;
  if (const std::size_t tag = rest.find(">:"); rest.starts_with('[') && tag != std::string_view::npos)
    rest.remove_prefix(tag + 2);
  std::vector<std::string> words = words_of(rest);
  if (words.size() > 1 && words.front().ends_with(':') && words.front().size() > 1 && words.front().front() != '#')
    words.erase(words.begin());
  return words;
}

class Reader {
 public:
  Reader(const std::string& source, Diagnostics& diagnostics) : source_(source), diagnostics_(diagnostics) {}

  std::optional<NcclTestsLog> read(std::string_view text) {
    std::size_t number = 0;
    for (const std::string& line : lines_of(text)) {
      where_ = "line " + std::to_string(++number);
      read_program(line);
      std::vector<std::string> words = words_behind_prefix(line);
      if (words.empty())
        continue;
      if (words.front() == "#") {
        words.erase(words.begin());
        read_comment(words, line);
      } else if (words.front().starts_with('#')) {
        words.front().erase(0, 1);
        read_comment(words, line);
      } else if (!read_header(words)) {
        read_row(words);
      }
    }
    where_.clear();
    if (columns_.empty())
      error("holds no table of nccl-tests: no line with the columns size, time, algbw, busbw",
            "give the whole output of all_reduce_perf or one of its kin");
    else if (log_.rows.empty() && !has_errors_)
      error("has the header of a table, but no rows", "the run ended before its first size");
    if (has_errors_)
      return std::nullopt;
    return std::move(log_);
  }

 private:
  void error(std::string message, std::string hint = {}) {
    diagnostics_.add_error(source_, where_, std::move(message), std::move(hint));
    has_errors_ = true;
  }

  void read_program(const std::string& line) {
    for (const auto& [program, kind] : kPrograms)
      if (line.find(program) != std::string::npos &&
          !(kind == CollectiveKind::reduce && line.find("all_reduce_perf") != std::string::npos))
        log_.kind = kind;
    if (const std::size_t at = line.find("NCCL version "); at != std::string::npos && log_.version.empty()) {
      const std::vector<std::string> words = words_of(std::string_view(line).substr(at + 13));
      log_.version = words.empty() ? "" : words.front();
    }
  }

  void read_comment(const std::vector<std::string>& words, const std::string& line) {
    if (words.empty() || read_header(words))
      return;
    if (words.front() == "Rank" && words.size() > 2) {
      ++log_.ranks;
      // "Rank 0 Group 0 Pid 1 on HOST device 0 [0x0f] NVIDIA A100-SXM4-80GB"
      const auto on = std::find(words.begin(), words.end(), "on");
      if (on != words.end() && on + 1 != words.end() &&
          std::find(log_.hosts.begin(), log_.hosts.end(), *(on + 1)) == log_.hosts.end())
        log_.hosts.push_back(*(on + 1));
      if (const std::size_t at = line.rfind("] "); at != std::string::npos && log_.device.empty())
        log_.device = line.substr(at + 2);
    }
    if (line.find("Out of bounds values") != std::string::npos) {
      log_.has_summary = true;
      if (line.find("FAILED") != std::string::npos)
        error("the log says that values were out of bounds: its collectives were wrong",
              "times of wrong results are no measurement; mend the run first");
    }
  }

  bool read_header(const std::vector<std::string>& words) {
    const auto has = [&](std::string_view name) { return std::find(words.begin(), words.end(), name) != words.end(); };
    if (!has("size") || !has("time") || !has("algbw") || !has("busbw"))
      return false;
    columns_ = words;
    return true;
  }

  void read_row(const std::vector<std::string>& words) {
    const std::optional<std::int64_t> bytes = size_of(words.front());
    if (columns_.empty() || !bytes)
      return;
    if (words.size() != columns_.size()) {
      error("a row has " + std::to_string(words.size()) + " columns, the header " + std::to_string(columns_.size()),
            "the log is cut or columns were removed");
      return;
    }
    NcclTestsRow row;
    row.bytes = *bytes;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::string& name = columns_[c];
      if (name == "time")
        row.times.emplace_back();
      if (name != "time" && name != "algbw" && name != "busbw" && name != "#wrong" && name != "error")
        continue;
      const std::optional<double> value = decimal(words[c]);
      if (!value && words[c] != "N/A") {
        error("column " + name + " is \"" + words[c] + "\", no number");
        return;
      }
      if (row.times.empty())
        continue;
      NcclTestsTime& time = row.times.back();
      if (name == "time")
        time.seconds = value.value_or(0.0) * kMicro;
      else if (name == "algbw")
        time.algorithm_bandwidth = value.value_or(0.0) * kGiga;
      else if (name == "busbw")
        time.bus_bandwidth = value.value_or(0.0) * kGiga;
      else if (name == "#wrong")
        time.wrong = static_cast<std::int64_t>(value.value_or(0.0));
    }
    check(row);
    log_.rows.push_back(std::move(row));
  }

  void check(const NcclTestsRow& row) {
    constexpr double kResolution = 0.006 * kGiga;  // half of the last printed digit, and a little
    constexpr double kTolerance = 0.02;
    for (const NcclTestsTime& time : row.times) {
      if (!(time.seconds > 0.0)) {
        error("time is 0", "a row without a time is no measurement");
        continue;
      }
      const double expected = static_cast<double>(row.bytes) / time.seconds;
      if (std::abs(expected - time.algorithm_bandwidth) > kResolution + kTolerance * expected)
        error("size " + std::to_string(row.bytes) + " B over its time is not the algbw beside it",
              "sizes are bytes, times microseconds, bandwidths GB/s; were columns or units changed?");
    }
  }

  std::string source_;
  Diagnostics& diagnostics_;
  bool has_errors_ = false;
  std::string where_;
  std::vector<std::string> columns_;
  NcclTestsLog log_;
};

}  // namespace

std::optional<NcclTestsLog> read_nccl_tests(std::string_view text, const std::string& source,
                                            Diagnostics& diagnostics) {
  return Reader(source, diagnostics).read(text);
}

}  // namespace trainwright::model
