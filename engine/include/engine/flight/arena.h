// SPDX-License-Identifier: MIT
/// The sphere that ships fly in.
#pragma once

#include <nearmiss/advanced/body_state.h>

namespace nearmiss::engine {

/// A sphere around the origin. Ships outside it are pushed back with a force that grows with
/// distance.
struct Arena {
  Real radius = 9.0;   ///< metres; inside there is no push
  Real rim = 3.0;      ///< metres over which the push grows to its full strength
  Real pushMax = 0.6;  ///< metres per squared simulation second, towards the origin
};

}  // namespace nearmiss::engine
