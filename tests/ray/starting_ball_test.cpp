// SPDX-License-Identifier: MIT
/// Moving balls that touch where they start.
#include <gtest/gtest.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/ray.h>

#include <cmath>

#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;

/// However the start is rounded: beside an edge, a face and a corner of a triangle.
TEST(SweptBall, MeetsWhatItStartsToTouch) {
  Random random(46);
  for (int i = 0; i < 150; ++i) {
    SCOPED_TRACE(i);
    const TriangleMesh mesh{{random.inCube(1.0), random.inCube(1.0), random.inCube(1.0)},
                            {{0, 1, 2}}};
    const Shape triangle = Shape::of(Polyhedron(mesh));
    const Triangle corners = mesh.corners(0);
    const Vec3 along = glm::normalize(corners[1] - corners[0]);
    const Vec3 up = glm::normalize(glm::cross(along, corners[2] - corners[0]));
    const Vec3 out = glm::cross(along, up);
    // Of the edge between the first two, the face and the first corner
    Vec3 place = 0.5 * (corners[0] + corners[1]), away = glm::normalize(out + random.unit() * up);
    if (i % 3 == 1) {
      place = (corners[0] + corners[1] + corners[2]) / 3.0;
      away = up;
    } else if (i % 3 == 2) {
      place = corners[0];
      away = glm::normalize(2.0 * corners[0] - corners[1] - corners[2]);
    }
    const Vec3 slant = glm::normalize(0.3 * random.inCube(1.0) - away);
    const auto cast = [&](Real height) {
      return raycast(triangle, {}, {place + height * away, slant, 10.0, 0.25});
    };
    // The farthest from where it touches at once
    Real near = 0.2, far = 0.3;
    for (int k = 0; k < 60; ++k) {
      const Real middle = 0.5 * (near + far);
      const RayHit found = cast(middle);
      (found.hit() && found.t == 0.0 ? near : far) = middle;
    }
    Real height = near;
    for (int k = 0; k < 4; ++k) height = std::nextafter(height, 0.0);
    for (int k = 0; k < 12; ++k, height = std::nextafter(height, 1.0)) {
      ASSERT_TRUE(cast(height).hit()) << k;
      ASSERT_LT(cast(height).t, 1e-6);
    }
  }
}

}  // namespace
}  // namespace nearmiss
