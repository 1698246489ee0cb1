// SPDX-License-Identifier: MIT
/// Compiled for AVX2.
#define NEARMISS_PATH avx2
#include "geometry/crossings_loop.h"
