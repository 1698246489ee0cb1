// SPDX-License-Identifier: MIT
/// `nearmiss lab fit`: how tightly builders fit meshes of all kinds, level by level, against the
/// octree: by H as in [H96 Fig. 14], and by Ho, which bounds the distance of solids.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lab/lab_result.h"

namespace nearmiss::app {

inline constexpr std::string_view fitSummary =
    "accuracy of tree builders on twenty thick, thin, open and robot meshes, against the octree";

struct FitCommand : LabCommand {
  std::vector<std::string> models;  ///< names of the lab's, or files; empty: the lab's
  std::vector<std::string> builders{"variational", "dag", "medial"};  ///< beside the octree
  int levels = 3;
  /// As `tree build` names it, of all builders that heed one; empty: what each usually makes small.
  std::string objective;
  int workers = 1;  ///< never changes the spheres
};

/// One level of one tree. Lengths in metres, ratios to the octree's same level.
struct FitRow {
  std::string model, kind, builder;
  std::size_t triangles = 0;
  bool solid = false;  ///< without an inside Ho is H
  int level = 0;
  std::size_t spheres = 0;
  double hMean = 0.0, hMax = 0.0;              ///< H over the surface of each sphere
  double outsideMean = 0.0, outsideMax = 0.0;  ///< Ho
  double hMeanRatio = 0.0, hMaxRatio = 0.0;
  double outsideMeanRatio = 0.0, outsideMaxRatio = 0.0;
  double buildSeconds = 0.0;  ///< of the whole tree
};

/// Prints tables; writes fit.csv. Returns an ExitCode.
int runFit(const FitCommand& command);

}  // namespace nearmiss::app
