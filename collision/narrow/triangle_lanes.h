// SPDX-License-Identifier: MIT
/// Compares eight triangles with one, with a bounded error. Compiled once for each instruction set,
/// like pair_search_loop.h.
#pragma once

#include "base/lanes.h"
#include "geometry/surface_boxes.h"

namespace nearmiss::NEARMISS_PATH {

/// Minimum squared length that keeps its digits.
constexpr float minSquare = 1e-30f;
/// Maximum size of triangles for which all products here are finite.
constexpr float maxSize = 1e9f;

/// Three corners; each lane is one triangle.
struct Corners {
  Lanes of[3][3];  ///< corner, coordinate
};

/// Returns bit k if along `axis` the triangles of lane k are farther apart than `room` times its
/// length. Rounding of the axis does not matter, because any axis is valid; only the products with
/// it err. If it is so short that its square underflows, nothing is concluded.
inline std::uint32_t apartAlong(const Lanes (&axis)[3], const Corners& p, const Corners& q,
                                Lanes room) noexcept {
  const auto along = [&axis](const Lanes(&corner)[3]) {
    return axis[0] * corner[0] + axis[1] * corner[1] + axis[2] * corner[2];
  };
  const Lanes p0 = along(p.of[0]), p1 = along(p.of[1]), p2 = along(p.of[2]);
  const Lanes q0 = along(q.of[0]), q1 = along(q.of[1]), q2 = along(q.of[2]);
  const Lanes gap = larger(smaller(smaller(p0, p1), p2) - larger(larger(q0, q1), q2),
                           smaller(smaller(q0, q1), q2) - larger(larger(p0, p1), p2));
  const Lanes square = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
  return atMost(room * root(square), gap) & atMost(Lanes::all(minSquare), square);
}

inline void cross(const Lanes (&p)[3], const Lanes (&q)[3], Lanes (&out)[3]) noexcept {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    out[i] = p[j] * q[k] - p[k] * q[j];
  }
}

/// Returns bit k if the boxes of the triangles of lane k, along the coordinate axes, are farther
/// apart than `room`.
inline std::uint32_t boxesApart(const Corners& p, const Corners& q, Lanes room) noexcept {
  std::uint32_t apart = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const auto least = [axis](const Corners& c) {
      return smaller(smaller(c.of[0][axis], c.of[1][axis]), c.of[2][axis]);
    };
    const auto most = [axis](const Corners& c) {
      return larger(larger(c.of[0][axis], c.of[1][axis]), c.of[2][axis]);
    };
    apart |= lessThan(room, larger(least(p) - most(q), least(q) - most(p)));
  }
  return apart;
}

/// Returns the bits k of `perhaps` for which triangle k of a leaf may intersect the given triangle,
/// in the units of the leaf. Corners are taken relative to the given triangle, so that products do
/// not lose what is small compared with the distance from the origin.
inline std::uint32_t trianglesThatMayMeet(const SurfaceBoxes::Facets& leaf, const Point (&given)[3],
                                          float slack, std::uint32_t perhaps) noexcept {
  Corners p, q;
  Lanes size = Lanes::all(0.0f);
  const Lanes zero = Lanes::all(0.0f);
  const float origin[3] = {given[0].at<0>(), given[0].at<1>(), given[0].at<2>()};
  for (int corner = 0; corner < 3; ++corner) {
    const float at[3] = {given[corner].at<0>(), given[corner].at<1>(), given[corner].at<2>()};
    for (int axis = 0; axis < 3; ++axis) {
      p.of[corner][axis] = Lanes::all(at[axis] - origin[axis]);
      q.of[corner][axis] = Lanes::load(leaf.corner[corner][axis]) - Lanes::all(origin[axis]);
      size = size + larger(p.of[corner][axis], zero - p.of[corner][axis]) +
             larger(q.of[corner][axis], zero - q.of[corner][axis]);
    }
  }
  // Infinite products would be classified as apart
  if (atMost(size, Lanes::all(maxSize)) != 0xff) return perhaps;
  // Corners err by the slack each, the differences and products by a few ulps of their size
  const Lanes room = Lanes::all(2.0f * slack) + size * Lanes::all(0x1p-20f);
  perhaps &= ~boxesApart(p, q, room);
  if (perhaps == 0) return 0;
  Lanes edgeP[3][3], edgeQ[3][3], axis[3];
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      edgeP[i][k] = p.of[(i + 1) % 3][k] - p.of[i][k];
      edgeQ[i][k] = q.of[(i + 1) % 3][k] - q.of[i][k];
    }
  cross(edgeP[0], edgeP[1], axis);
  perhaps &= ~apartAlong(axis, p, q, room);
  if (perhaps == 0) return 0;
  cross(edgeQ[0], edgeQ[1], axis);
  perhaps &= ~apartAlong(axis, p, q, room);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      if (perhaps == 0) return 0;
      cross(edgeP[i], edgeQ[j], axis);
      perhaps &= ~apartAlong(axis, p, q, room);
    }
  return perhaps;
}

}  // namespace nearmiss::NEARMISS_PATH
