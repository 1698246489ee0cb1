// SPDX-License-Identifier: MIT
#include "broad/space_time_broad_phase.h"

#include "broad/projection_sweep.h"

namespace nearmiss {

std::unique_ptr<BroadPhase> makeSpaceTimeBroadPhase(Promises promises) {
  return std::make_unique<SpaceTimeBroadPhase<ProjectionSweep>>("space-time-queue", promises);
}

}  // namespace nearmiss
