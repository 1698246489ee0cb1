// SPDX-License-Identifier: MIT
/// The whole core of the library: shapes and their trees, one pair, many bodies, queries, files.
/// Rival methods are in nearmiss/methods/.
#pragma once

#include <nearmiss/body_queries.h>
#include <nearmiss/body_set.h>
#include <nearmiss/body_state.h>
#include <nearmiss/broad_phase.h>
#include <nearmiss/bsp_tree.h>
#include <nearmiss/build_progress.h>
#include <nearmiss/collide.h>
#include <nearmiss/contact_manifold.h>
#include <nearmiss/detector.h>
#include <nearmiss/distance.h>
#include <nearmiss/fallbacks.h>
#include <nearmiss/files.h>
#include <nearmiss/flat_set.h>
#include <nearmiss/load_mesh.h>
#include <nearmiss/mass_properties.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/mesh_faults.h>
#include <nearmiss/narrow_phase.h>
#include <nearmiss/point_query.h>
#include <nearmiss/primitives.h>
#include <nearmiss/protrusion.h>
#include <nearmiss/ray.h>
#include <nearmiss/refit.h>
#include <nearmiss/result.h>
#include <nearmiss/self_contact.h>
#include <nearmiss/shape.h>
#include <nearmiss/space_time_bound.h>
#include <nearmiss/sphere_tree.h>
#include <nearmiss/time_budget.h>
#include <nearmiss/tree_builders.h>
#include <nearmiss/tree_quality.h>
#include <nearmiss/uncovered_surface.h>
#include <nearmiss/worker_pool.h>
