// SPDX-License-Identifier: MIT
/// The hash of all vector operations as a module: compiled once with the vectors of WebAssembly,
/// and once without.
#include "support/vector_hash.h"

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED std::uint64_t vectors_found(void) { return nearmiss::test::vectorHash(); }
EXPORTED std::uint64_t vectors_recorded(void) { return nearmiss::test::recordedVectorHash; }
/// Returns 1 if it was compiled with the vectors of WebAssembly.
EXPORTED int vectors_wide(void) {
#if defined(__wasm_simd128__)
  return 1;
#else
  return 0;
#endif
}
