// SPDX-License-Identifier: MIT
#include "lab/experiments.h"

#include <algorithm>
#include <array>

#include "lab/bounds.h"
#include "lab/budget.h"
#include "lab/checks.h"
#include "lab/detectors.h"
#include "lab/equal_spheres_run.h"
#include "lab/fig14.h"
#include "lab/fig15.h"
#include "lab/fit.h"
#include "lab/flat_sets.h"
#include "lab/profiles.h"
#include "lab/projection.h"
#include "lab/triangles.h"
#include "lab/turk.h"
#include "lab/x7.h"

namespace nearmiss::app {
namespace {

/// The command of an experiment with its usual settings.
template <class Command, int (*runIt)(const Command&)>
int runUsual(const LabCommand& common) {
  Command command;
  static_cast<LabCommand&>(command) = common;
  return runIt(command);
}

}  // namespace

std::span<const ExperimentEntry> experimentCatalog() noexcept {
  static constexpr std::array entries{
      ExperimentEntry{"bounds", boundsSummary, runUsual<BoundsCommand, runBounds>},
      ExperimentEntry{"budget", budgetSummary, runUsual<BudgetCommand, runBudget>},
      ExperimentEntry{"checks", checksSummary, runUsual<ChecksCommand, runChecks>},
      ExperimentEntry{"detectors", detectorsSummary, runUsual<DetectorsCommand, runDetectors>},
      ExperimentEntry{"equal-spheres", equalSpheresSummary,
                      runUsual<EqualSpheresCommand, runEqualSpheres>},
      ExperimentEntry{"fig14", fig14Summary, runUsual<Fig14Command, runFig14>},
      ExperimentEntry{"fig15", fig15Summary, runUsual<Fig15Command, runFig15>},
      ExperimentEntry{"fit", fitSummary, runUsual<FitCommand, runFit>},
      ExperimentEntry{"flat-sets", flatSetsSummary, runUsual<FlatSetsCommand, runFlatSets>},
      ExperimentEntry{"profiles", profilesSummary, runUsual<ProfilesCommand, runProfiles>,
                      finishProfiles},
      ExperimentEntry{"projection", projectionSummary, runUsual<ProjectionCommand, runProjection>},
      ExperimentEntry{"triangles", trianglesSummary, runUsual<TrianglesCommand, runTriangles>,
                      finishTriangles},
      ExperimentEntry{"turk", turkSummary, runUsual<TurkCommand, runTurk>},
      ExperimentEntry{"x7", x7Summary, runUsual<X7Command, runX7>, finishX7}};
  return entries;
}

const ExperimentEntry* findExperiment(std::string_view name) noexcept {
  const auto all = experimentCatalog();
  const auto at = std::find_if(all.begin(), all.end(),
                               [name](const ExperimentEntry& entry) { return entry.name == name; });
  return at == all.end() ? nullptr : &*at;
}

}  // namespace nearmiss::app
