// A random word per job: without it nobody on the machine can read or change the job's rendezvous store.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace trainwright::executor {

inline constexpr std::size_t kSecretSize = 32;  ///< hexadecimal digits: 128 bits
/// Ranks get it in their environment, which only the same user can read; a command line is public.
inline constexpr const char* kSecretVariable = "TRAINWRIGHT_JOB_SECRET";

[[nodiscard]] std::string make_job_secret();
/// Takes the same time wherever the two differ.
[[nodiscard]] bool equal_secrets(std::string_view a, std::string_view b);

}  // namespace trainwright::executor
