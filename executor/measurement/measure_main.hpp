// The command `measure`: micro-benchmarks of this machine into a measurement file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace trainwright::executor {

/// argv[0] is the command's name and is not looked at; options follow (measure_options.hpp). Progress goes to standard
/// output as JSON lines, problems to standard error. Returns the exit code (model/base/error.hpp): 1 when an interrupt
/// or a failure left a partial file. Forks, so it is to be called before any thread is started.
[[nodiscard]] int measure_main(int argc, char** argv);

}  // namespace trainwright::executor
