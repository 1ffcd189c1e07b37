// What the doctor asks of a machine: files, environment, programs, limits. An interface, so that tests examine machines
// that do not exist.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/units/byte_count.hpp"

namespace trainwright::cli {

struct DiskSpace {
  model::ByteCount total;
  model::ByteCount free;  ///< for this user
};

enum class ProcessLimit { open_files, locked_memory, processes };

class Machine {
 public:
  virtual ~Machine() = default;

  /// Content of a file given by its absolute path; empty when it cannot be read.
  [[nodiscard]] virtual std::optional<std::string> read_file(std::string_view path) const = 0;
  /// Names in a folder, sorted; none when there is no such folder.
  [[nodiscard]] virtual std::vector<std::string> list_folder(std::string_view path) const = 0;
  [[nodiscard]] virtual std::optional<std::string> environment(std::string_view name) const = 0;
  /// Full path of a program: beside our own program first, then along PATH.
  [[nodiscard]] virtual std::optional<std::string> find_program(std::string_view name) const = 0;
  /// What a program prints; empty when it does not start, fails, or takes longer than ten seconds.
  [[nodiscard]] virtual std::optional<std::string> output_of(const std::vector<std::string>& command) const = 0;
  /// Processor cores that the scheduler lets this process use.
  [[nodiscard]] virtual int affinity_cores() const = 0;
  /// Of the file system that holds `path`; empty when there is no such path.
  [[nodiscard]] virtual std::optional<DiskSpace> disk_space(std::string_view path) const = 0;
  /// The soft limit; empty: unlimited. Bytes for locked memory, else a count.
  [[nodiscard]] virtual std::optional<std::uint64_t> limit(ProcessLimit limit) const = 0;
  [[nodiscard]] virtual bool is_root() const = 0;
};

}  // namespace trainwright::cli
