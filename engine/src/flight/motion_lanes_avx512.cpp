// SPDX-License-Identifier: MIT
/// Compiled for AVX-512.
#define NEARMISS_PATH avx512
#include "flight/motion_lanes_loop.h"
