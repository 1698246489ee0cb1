// SPDX-License-Identifier: MIT
/// Compiled for AVX2.
#define NEARMISS_PATH avx2
#include "narrow/box_search_loop.h"
#include "narrow/inner_search_loop.h"
#include "narrow/pair_search_loop.h"
#include "narrow/relative_motion_loop.h"
