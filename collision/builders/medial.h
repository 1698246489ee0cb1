// SPDX-License-Identifier: MIT
/// A sphere tree of the balls of an axis: level by level they are merged into as many as a sphere
/// may have children, where that costs least tightness, and made to cover [H96 §8, §9].
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/polyhedron.h>
#include <nearmiss/result.h>
#include <nearmiss/sphere_tree.h>

#include <cstddef>
#include <functional>

#include "builders/medial_axis.h"
#include "spheres/build_plan.h"

namespace nearmiss {

/// The balls to merge, from about `count` points of the surface; empty if cancelled.
using FindAxis = std::function<MedialAxis(std::size_t count)>;

/// Errors: Cancelled; those of lacking memory.
Result<SphereTree> buildMergedTree(const Polyhedron& polyhedron,
                                   const BuildPlan<MedialSettings>& plan, const FindAxis& findAxis,
                                   BuildProgress* progress);

}  // namespace nearmiss
