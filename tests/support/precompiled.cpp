// SPDX-License-Identifier: MIT
#include "support/precompiled.h"
