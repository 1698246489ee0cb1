// SPDX-License-Identifier: MIT
#define NEARMISS_PATH baseline
#include "narrow/box_search_loop.h"
#include "narrow/inner_search_loop.h"
#include "narrow/pair_search_loop.h"
#include "narrow/relative_motion_loop.h"
