// SPDX-License-Identifier: MIT
/// FCL's dynamic tree of boxes, told of the same bodies and asked for the same pairs.
#pragma once

#include <nearmiss/advanced/broad_phase.h>

#include <memory>

namespace nearmiss::bench {

/// Moves every object, updates the manager and collects the pairs whose spheres meet, in the order
/// they come: a peer need not sort.
[[nodiscard]] std::unique_ptr<BroadPhase> makeFclPeer();

}  // namespace nearmiss::bench
