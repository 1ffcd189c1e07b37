// `trainwright-execute rank`: one rank of a job. Started by the launcher, not by people.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "executor/app/job.hpp"

namespace trainwright::executor {

/// Returns the process's exit code; failures are reported to the launcher and on standard error.
[[nodiscard]] int rank_command(std::vector<std::string> words, const Parts& parts);

}  // namespace trainwright::executor
