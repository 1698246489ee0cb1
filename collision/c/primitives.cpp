// SPDX-License-Identifier: MIT
#include <nearmiss/mesh.h>

#include <limits>
#include <vector>

#include "c/handles.h"

using namespace nearmiss;
using namespace nearmiss::c;

nearmiss_status nearmiss_shape_box(const double half_extents[3],
                                   const nearmiss_shape_settings* settings,
                                   nearmiss_shape** shape) {
  if (const char* missing = firstNull(Named{"half_extents", half_extents}, Named{"shape", shape}))
    return isNull(missing);
  return guarded([&] { return makeFrom(boxMesh(vectorOf(half_extents)), settings, shape); });
}

nearmiss_status nearmiss_shape_sphere(double radius, int subdivisions,
                                      const nearmiss_shape_settings* settings,
                                      nearmiss_shape** shape) {
  if (const char* missing = firstNull(Named{"shape", shape})) return isNull(missing);
  return guarded([&] { return makeFrom(sphereMesh(radius, subdivisions), settings, shape); });
}

nearmiss_status nearmiss_shape_capsule(double radius, double half_height, int segments,
                                       const nearmiss_shape_settings* settings,
                                       nearmiss_shape** shape) {
  if (const char* missing = firstNull(Named{"shape", shape})) return isNull(missing);
  return guarded(
      [&] { return makeFrom(capsuleMesh(radius, half_height, segments), settings, shape); });
}

nearmiss_status nearmiss_shape_cylinder(double radius, double half_height, int segments,
                                        const nearmiss_shape_settings* settings,
                                        nearmiss_shape** shape) {
  if (const char* missing = firstNull(Named{"shape", shape})) return isNull(missing);
  return guarded(
      [&] { return makeFrom(cylinderMesh(radius, half_height, segments), settings, shape); });
}

nearmiss_status nearmiss_shape_convex_hull(const double* points, size_t point_count,
                                           const nearmiss_shape_settings* settings,
                                           nearmiss_shape** shape) {
  if (const char* missing = firstNull(Named{"points", points}, Named{"shape", shape}))
    return isNull(missing);
  if (point_count > std::numeric_limits<std::uint32_t>::max())
    return failed(NEARMISS_TOO_LARGE, "a convex hull must have fewer than 2^32 points");
  return guarded([&] {
    std::vector<Vec3> positions;
    positions.reserve(point_count);
    for (std::size_t i = 0; i < point_count; ++i) positions.push_back(vectorOf(points + 3 * i));
    return makeFrom(convexHullMesh(positions), settings, shape);
  });
}

nearmiss_status nearmiss_shape_mass_properties(const nearmiss_shape* shape,
                                               nearmiss_mass_properties* mass) {
  if (const char* missing = firstNull(Named{"shape", shape}, Named{"mass", mass}))
    return isNull(missing);
  return guarded([&] {
    return withValue(massProperties(shape->shape), [mass](const MassProperties& found) {
      mass->volume = found.volume;
      put(found.centre, mass->centre);
      for (int row = 0; row < 3; ++row) put(found.inertia[row], mass->inertia + 3 * row);
    });
  });
}
