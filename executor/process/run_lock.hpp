// One run per run folder: a lock file held with flock, so that it disappears with the process whatever happens to it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "executor/process/file_descriptor.hpp"

namespace trainwright::executor {

/// Makes the folder if needed and holds it until the value is destroyed. Throws EnvironmentError when another run holds
/// it (naming its process) or the folder cannot be written.
[[nodiscard]] FileDescriptor lock_run_folder(const std::filesystem::path& folder);

}  // namespace trainwright::executor
