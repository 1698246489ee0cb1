// SPDX-License-Identifier: MIT
#define NEARMISS_PATH baseline
#include "narrow/pair_search_loop.h"
