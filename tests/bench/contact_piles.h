// SPDX-License-Identifier: MIT
/// Stacks of boxes and heaps of concave bodies, held by their manifolds: how still they lie, and
/// what a step costs.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <chrono>
#include <cstddef>
#include <span>
#include <vector>

#include "contact_meshes.h"

namespace nearmiss::bench {

/// Of the solver: steps a second, as in the page about physics.
inline constexpr int hertz = 120;

struct StackResult {
  double energy = 0.0;   ///< joules, the most after 5 s
  double fastest = 0.0;  ///< metres per second, seconds 5 to 6
  double flips = 0.0;  ///< a second: points with a normal that no point of the pair had a step ago
  double kept = 1.0;   ///< share of the ids that the next step has again
};

/// Eight boxes of a metre and a kilogram on each other.
/// @param ideal points at the corners, worked out without a search
[[nodiscard]] StackResult stackOfBoxes(Real margin, std::size_t points, bool ideal);

/// A body that is dropped; null: a unit box.
struct Dropped {
  const TriangleMesh* mesh = nullptr;
  Pose pose;
};

/// Thirty bodies of some meshes over a floor whose top is y = 0.
[[nodiscard]] std::vector<Dropped> droppedBodies(std::span<const ContactMesh> meshes);

struct HeapResult {
  double restAfter = -1.0;  ///< seconds until the kinetic energy stays below 1e-3 J; below 0: never
  double energy = 0.0;      ///< joules at the end
  double deepest = 0.0;     ///< metres at the end
  int fallen = 0;           ///< bodies below the floor
  std::vector<double> falling, resting;  ///< milliseconds of each step, before rest and after
  std::vector<double> calls;             ///< microseconds, ascending
  std::vector<double> unchanged;  ///< microseconds of a call at an unchanged pose, by pair at rest
  double kept = 1.0;              ///< share of ids, in the last second
  std::size_t cut = 0;            ///< calls that ran out of time
};

/// @param allowed for one call; 0: without limit
[[nodiscard]] HeapResult heapOf(std::span<const ContactMesh> meshes, double seconds,
                                std::chrono::microseconds allowed);

/// Nanoseconds of one call for two boxes that lie on each other.
struct BoxCalls {
  double first = 0.0, next = 0.0, unchanged = 0.0;
};
[[nodiscard]] BoxCalls boxCalls(int rounds);

}  // namespace nearmiss::bench
