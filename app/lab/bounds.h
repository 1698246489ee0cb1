// SPDX-License-Identifier: MIT
/// `nearmiss lab bounds`: what the spheres of each level say of how far apart two bodies can be,
/// against how far apart they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/lab_result.h"

namespace nearmiss::app {

inline constexpr std::string_view boundsSummary =
    "separation bounds and false alarms of tree builders on twenty models, level by level";

struct BoundsCommand : LabCommand {
  std::vector<std::string> builders{"octree", "variational", "dag"};
  std::vector<std::string>
      models;          ///< names of the lab's, or files; empty: the ships and the lab's
  int poses = 20'000;  ///< of each model against itself
  int levels = 3;
  std::uint64_t seed = 1;
};

/// One level of one tree over all poses. Metres and microseconds.
struct BoundsRow {
  std::string model, kind, builder;
  std::size_t triangles = 0;
  int level = 0;
  std::size_t spheres = 0;
  std::size_t poses = 0, contacts = 0;
  std::size_t possible = 0;                ///< poses whose spheres collide at this level
  std::size_t falseAlarms = 0;             ///< of these, poses in which the bodies do not touch
  double boundMean = 0.0, boundMax = 0.0;  ///< over the possible ones
  double boundMeanRatio = 0.0, boundMaxRatio = 0.0;  ///< to the first builder's same level
  double gapMean = 0.0;                              ///< by how much the bound exceeds the truth
  std::size_t broken = 0;                            ///< bounds below the true distance
  double witnessUs = 0.0;  ///< wall time until this level is known, a mean over all poses
};

/// Prints a table; writes bounds.csv. Returns an ExitCode: ValidationFailed where a bound is below
/// the true distance.
int runBounds(const BoundsCommand& command);

}  // namespace nearmiss::app
