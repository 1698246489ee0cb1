// SPDX-License-Identifier: MIT
/// Compiled for AVX-512 with eight lanes: comparisons return masks, and there are more registers.
#define NEARMISS_PATH avx512
#include "narrow/box_search_loop.h"
#include "narrow/inner_search_loop.h"
#include "narrow/pair_search_loop.h"
#include "narrow/relative_motion_loop.h"
