// Lets the compiler make a version of a loop for wide vector units beside the portable one; the loader picks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sanitizers run before the loader may call the resolver, so they get the portable version.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define TRAINWRIGHT_VECTOR_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define TRAINWRIGHT_VECTOR_CLONES
#endif
