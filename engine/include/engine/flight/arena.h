// SPDX-License-Identifier: MIT
/// Where ships fly.
#pragma once

#include <nearmiss/body_state.h>

namespace nearmiss::engine {

/// A sphere about the origin that pushes back ships that leave it, the harder the farther out.
struct Arena {
  Real radius = 9.0;   ///< metres; inside there is no push
  Real rim = 3.0;      ///< metres over which the push grows to its full strength
  Real pushMax = 0.6;  ///< metres per squared simulation second, towards the origin
};

}  // namespace nearmiss::engine
