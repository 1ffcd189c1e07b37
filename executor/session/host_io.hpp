// Host I/O tasks as real file traffic in the run folder: a read task reads a file of its size, a write task writes one
// and flushes it. The file to read was written before, so reads usually come from the page cache: storage is not
// measured here.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "model/graph/execution_graph.hpp"

namespace trainwright::executor {

class HostIo {
 public:
  /// Prepares what `program` reads; files are named after `prefix` and removed at the end. Throws EnvironmentError.
  HostIo(const std::filesystem::path& prefix, const model::Program& program);
  HostIo(const HostIo&) = delete;
  HostIo& operator=(const HostIo&) = delete;
  ~HostIo();

  /// Called from one thread. Throws EnvironmentError (no space, no permission).
  void run(const model::HostIoWork& work);

 private:
  std::filesystem::path read_path_;
  std::filesystem::path write_path_;
  std::vector<char> chunk_;
};

}  // namespace trainwright::executor
