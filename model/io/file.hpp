// Whole files in and out. Writing goes to a temporary file beside the target, is flushed to disk and renamed, so that a
// half-written file is never taken for a whole one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "model/base/diagnostic.hpp"

namespace trainwright::model {

/// The file's content; a missing, unreadable or oversized file is an error in `diagnostics` and yields "".
[[nodiscard]] std::string read_file(const std::filesystem::path& path, Diagnostics& diagnostics,
                                    std::size_t max_bytes = 1UL << 30);

/// Replaces `path` by `content`, all or nothing; of a link, the file that it leads to. Devices and pipes are written to
/// and stay what they are. Throws EnvironmentError (no space, no permission, no folder).
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

}  // namespace trainwright::model
