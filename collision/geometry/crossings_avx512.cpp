// SPDX-License-Identifier: MIT
/// Compiled for AVX-512.
#define NEARMISS_PATH avx512
#include "geometry/crossings_loop.h"
