// SPDX-License-Identifier: MIT
/// The narrow phase that looks for one colliding pair of spheres, on instructions of one's choice.
#pragma once

#include <nearmiss/narrow_phase.h>
#include <nearmiss/shape.h>

#include <memory>

#include "narrow/pair_search.h"

namespace nearmiss {

/// As makeSphereTreeNarrowPhase(), which takes the last of searchPaths().
[[nodiscard]] std::unique_ptr<NarrowPhase> makeSphereTreeNarrowPhase(const Shapes& shapes,
                                                                     const SearchPath& path);

}  // namespace nearmiss
