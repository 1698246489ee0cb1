// SPDX-License-Identifier: MIT
/// How few spheres fit as well as those of the paper's builder: part of `lab fig14`.
#pragma once

#include <nearmiss/polyhedron.h>
#include <nearmiss/result.h>
#include <nearmiss/sphere_tree_measure.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::app {

/// What to reach: the spheres of one level and the mean, over even points of the surface, of the
/// least H of a sphere that holds the point (Hw, metres).
struct WantedFit {
  std::size_t spheres = 0;
  double hWeighted = 0.0;
};

struct EqualSpheresRow {
  std::string model, builder;
  WantedFit wanted;
  std::size_t spheres =
      0;  ///< of the smallest tree found whose deepest level fits as well; 0: none
  double hWeighted = 0.0;
  int branching = 0, levels = 0;  ///< of that tree
};

/// Builds trees of that builder for the least Hw of any number of children and levels, and bisects
/// their sizes for the smallest that reaches `wanted` with no more spheres.
/// @param measure as `wanted` was measured; its threads build as well
/// Errors: the builder's.
[[nodiscard]] Result<EqualSpheresRow> equalSpheres(const std::string& model,
                                                   std::string_view builder,
                                                   const Polyhedron& polyhedron,
                                                   const WantedFit& wanted,
                                                   const LevelMeasureSettings& measure);

[[nodiscard]] std::string equalSpheresCsv(std::span<const EqualSpheresRow> rows);
void printEqualSpheres(std::span<const EqualSpheresRow> rows);

}  // namespace nearmiss::app
