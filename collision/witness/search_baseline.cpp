// SPDX-License-Identifier: MIT
#define NEARMISS_PATH baseline
#include "witness/search_loop.h"
