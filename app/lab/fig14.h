// SPDX-License-Identifier: MIT
/// `nearmiss lab fig14`: how tightly each builder's spheres fit, level by level, against the octree
/// [H96 Fig. 14]. H is the Hausdorff distance.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/lab_result.h"

namespace nearmiss::app {

inline constexpr std::string_view fig14Summary =
    "accuracy and false alarms of every tree builder against the octree, level by level";

struct Fig14Command : LabCommand {
  std::vector<std::string> models;    ///< empty: the built-in ones
  std::vector<std::string> builders;  ///< of fig14Builders(), beside the octree; empty: all
  int levels = 3;
  std::string coverage = "guaranteed";  ///< or "paper", to see how many contacts that misses
  int workers = 1;
};

/// The builders of the catalogue, and variational with boxes beside its spheres.
[[nodiscard]] std::vector<std::string_view> fig14Builders();

/// The figures of one level of one tree. Lengths in metres, ratios to the octree's same level.
struct Fig14Row {
  std::string model, builder;
  std::size_t triangles = 0;
  int level = 0;
  std::size_t spheres = 0;
  double hMean = 0.0, hMax = 0.0;                       ///< over the surface of each sphere
  double meanRatio = 0.0, maxRatio = 0.0;               ///< of these
  std::optional<double> paperMeanRatio, paperMaxRatio;  ///< medial axis, Fig. 14
  double outsideMean = 0.0, outsideMax = 0.0;           ///< Ho
  double ballMean = 0.0, ballMax = 0.0;                 ///< Hb
  double sampledMean = 0.0, sampledMax = 0.0;           ///< the paper's estimate of H (E6)
  double correctedMean = 0.0, correctedMax = 0.0;       ///< the same with its correction
  double sampledRatio = 0.0, correctedRatio = 0.0;      ///< of their means
  double hWeighted = 0.0, weightedRatio = 0.0;          ///< Hw
  double uncoveredPercent = 0.0;
  std::size_t separatedPoses = 0;
  double falseAlarmPercent = 0.0;  ///< of these, spheres still collide at this level
  std::size_t contactPoses = 0, missedContacts = 0;
  double separatedMicroseconds = 0.0;  ///< wall time for a pair of these to its final answer, mean
  double contactMicroseconds = 0.0;    ///< the same of those in contact
  double buildSeconds = 0.0;           ///< of the whole tree
};

/// Prints tables; writes fig14 and fig14.svg. Returns an ExitCode.
int runFig14(const Fig14Command& command);

}  // namespace nearmiss::app
