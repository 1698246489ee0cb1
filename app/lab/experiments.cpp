// SPDX-License-Identifier: MIT
#include "lab/experiments.h"

#include <array>

#include "lab/bounds.h"
#include "lab/detectors.h"
#include "lab/equal_spheres_run.h"
#include "lab/fig14.h"
#include "lab/fig15.h"
#include "lab/profiles.h"
#include "lab/projection.h"
#include "lab/triangles.h"
#include "lab/turk.h"

namespace nearmiss::app {

std::span<const ExperimentEntry> experimentCatalog() noexcept {
  static constexpr std::array entries{ExperimentEntry{"bounds", boundsSummary},
                                      ExperimentEntry{"detectors", detectorsSummary},
                                      ExperimentEntry{"equal-spheres", equalSpheresSummary},
                                      ExperimentEntry{"fig14", fig14Summary},
                                      ExperimentEntry{"fig15", fig15Summary},
                                      ExperimentEntry{"profiles", profilesSummary},
                                      ExperimentEntry{"projection", projectionSummary},
                                      ExperimentEntry{"triangles", trianglesSummary},
                                      ExperimentEntry{"turk", turkSummary}};
  return entries;
}

}  // namespace nearmiss::app
