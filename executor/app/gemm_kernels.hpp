// OpenBLAS chooses its kernels while it is loaded, so choosing others means starting the program anew.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace trainwright::executor {

/// Where OpenBLAS does not know the processor and nobody has set OPENBLAS_CORETYPE: sets it to the kernels that suit
/// and starts the program again with the same arguments, ranks inheriting the choice. Returns where there is nothing to
/// choose, or where starting anew is not possible; then the slow kernels compute, and the measurement says so.
void use_suitable_gemm_kernels(char** argv);

}  // namespace trainwright::executor
