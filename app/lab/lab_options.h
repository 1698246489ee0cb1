// SPDX-License-Identifier: MIT
/// The options of `nearmiss lab`.
#pragma once

#include <CLI/CLI.hpp>
#include <string_view>

#include "lab/bounds.h"
#include "lab/budget.h"
#include "lab/checks.h"
#include "lab/detectors.h"
#include "lab/equal_spheres_run.h"
#include "lab/experiments.h"
#include "lab/fig14.h"
#include "lab/fig15.h"
#include "lab/fit.h"
#include "lab/flat_sets.h"
#include "lab/lab_all.h"
#include "lab/merge.h"
#include "lab/profiles.h"
#include "lab/projection.h"
#include "lab/triangles.h"
#include "lab/turk.h"
#include "lab/x7.h"

namespace nearmiss::app {

/// What CLI11 fills while it parses.
struct TypedLab {
  LabAllCommand all;
  MergeCommand merge;
  BoundsCommand bounds;
  BudgetCommand budget;
  ChecksCommand checks;
  DetectorsCommand detectors;
  EqualSpheresCommand equalSpheres;
  Fig14Command fig14;
  Fig15Command fig15;
  FitCommand fit;
  FlatSetsCommand flatSets;
  ProfilesCommand profiles;
  ProjectionCommand projection;
  TrianglesCommand triangles;
  TurkCommand turk;
  X7Command x7;
};

/// @param name of a subcommand of `lab`
[[nodiscard]] ExperimentCommand experimentOf(const TypedLab& typed, std::string_view name);

/// @param typed must outlive the parsing
void addLabCommands(CLI::App& app, TypedLab& typed);

}  // namespace nearmiss::app
