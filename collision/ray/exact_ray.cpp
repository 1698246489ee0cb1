// SPDX-License-Identifier: MIT
#include "ray/exact_ray.h"

#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <tuple>

#include "geometry/exact_arithmetic.h"
#include "geometry/exact_predicates.h"

namespace nearmiss {
namespace {

using exact::Expansion;

constexpr Real realEpsilon = std::numeric_limits<Real>::epsilon();
/// Rounded positions with a larger relative error are computed exactly.
constexpr Real wantedDigits = 1e-13;
/// Relative error of an exact position: a sum, a quotient, and what sums of expansions lose.
constexpr Real exactDigits = 16.0 * realEpsilon;

int signOf(Real value) noexcept { return value > 0.0 ? 1 : value < 0.0 ? -1 : 0; }

/// The exact difference of a point from the ray's start.
struct FromStart {
  FromStart(const Vec3& p, const Vec3& origin) noexcept
      : x(exact::difference(p.x, origin.x)),
        y(exact::difference(p.y, origin.y)),
        z(exact::difference(p.z, origin.z)) {}
  [[nodiscard]] const Expansion<2>& operator[](int axis) const noexcept {
    return axis == 0 ? x : axis == 1 ? y : z;
  }
  Expansion<2> x, y, z;
};

Expansion<16> areaOfTwo(const FromStart& p, const FromStart& q, int x, int y) noexcept {
  return p[x] * q[y] - p[y] * q[x];
}

/// Returns direction . (p x q), the volume that tells on which side of a ray an edge passes.
Expansion<96> turnAbout(const Vec3& direction, const FromStart& p, const FromStart& q) noexcept {
  return areaOfTwo(p, q, 1, 2) * direction.x + areaOfTwo(p, q, 2, 0) * direction.y +
         areaOfTwo(p, q, 0, 1) * direction.z;
}

Expansion<8> sideExpansion(int axis, const Vec3& direction, const FromStart& p) noexcept {
  const int x = (axis + 1) % 3, y = (axis + 2) % 3;
  return p[y] * direction[x] - p[x] * direction[y];
}

RayMeeting exactly(Real t) noexcept { return {t, exactDigits * std::abs(t), true}; }

}  // namespace

ExactRay::ExactRay(const Vec3& origin, const Vec3& direction, const Vec3& near, Real off,
                   Real reach, Real end) noexcept
    : origin_(origin), direction_(direction), near_(near), end_(end) {
  for (int axis = 1; axis < 3; ++axis)
    if (std::abs(direction[axis]) > std::abs(direction[longest_])) longest_ = axis;
  // Twelve products of a coordinate below 2 and two within reach: their rounding, and the position
  // of `near`
  const Real rounded = 2.0 * TrianglePlane::filterError * 12.0 * reach * reach;
  edgeError_ = rounded + 48.0 * off * (reach + off);
}

int ExactRay::sideOfEdge(const Vec3& p, const Vec3& q) const noexcept {
  const Real turn = glm::dot(direction_, glm::cross(p - near_, q - near_));
  if (turn > edgeError_) return 1;
  if (turn < -edgeError_) return -1;
  return turnAbout(direction_, {p, origin_}, {q, origin_}).sign();
}

std::optional<RayMeeting> ExactRay::meeting(const Triangle& t) const noexcept {
  const int first = sideOfEdge(t[0], t[1]);
  const int second = sideOfEdge(t[1], t[2]);
  if (first * second < 0) return std::nullopt;
  const int third = sideOfEdge(t[2], t[0]);
  if (first * third < 0 || second * third < 0) return std::nullopt;
  const int facing = first != 0 ? first : second != 0 ? second : third;
  if (facing == 0) return inPlane(t);
  // The line passes through the triangle. Is that ahead of the start?
  const int ahead = facing * orientation(t[0], t[1], t[2], origin_);
  if (ahead < 0) return std::nullopt;
  if (ahead == 0) return RayMeeting{};
  // Not by the plane, which differs between triangles with a common edge or corner
  const std::array<int, 3> side{first, second, third};
  for (std::size_t i = 0; i < 3; ++i) {
    if (side[i] != 0) continue;
    const std::size_t next = (i + 1) % 3, last = (i + 2) % 3;
    if (side[next] == 0) return withCorner(t[next]);
    if (side[last] == 0) return withCorner(t[i]);
    return withEdge(t[i], t[next]);
  }
  return withPlane(t);
}

/// Returns true if a hit that was rounded to lie beyond the end may not be beyond it.
bool ExactRay::isDoubtful(const RayMeeting& at) const noexcept {
  return at.t > end_ && at.t - at.error <= end_;
}

/// Judges the position `part` / `whole`, both exact.
RayMeeting ExactRay::judged(RayMeeting at, const auto& part, const auto& whole) const noexcept {
  at.byEnd = isDoubtful(at) ? (part - whole * end_).sign() * whole.sign() <= 0 : at.t <= end_;
  return at;
}

RayMeeting ExactRay::withPlane(const Triangle& t) const noexcept {
  const Vec3 u = t[1] - t[0], v = t[2] - t[0], w = t[0] - origin_;
  const Vec3 normal = glm::cross(u, v);
  const Vec3 size(std::abs(u.y * v.z) + std::abs(u.z * v.y),
                  std::abs(u.z * v.x) + std::abs(u.x * v.z),
                  std::abs(u.x * v.y) + std::abs(u.y * v.x));
  const Real height = glm::dot(w, normal), descent = glm::dot(direction_, normal);
  const Real heightError = TrianglePlane::filterError * glm::dot(glm::abs(w), size);
  const Real descentError = TrianglePlane::filterError * glm::dot(glm::abs(direction_), size);
  const bool wanted = heightError < wantedDigits * std::abs(height) &&
                      descentError < wantedDigits * std::abs(descent);
  RayMeeting met;
  if (wanted) {
    const Real at = height / descent;
    const Real share = heightError / std::abs(height) + descentError / std::abs(descent);
    met = {at, std::abs(at) * (1.01 * share + 4.0 * realEpsilon), at <= end_};
    if (!isDoubtful(met)) return met;
  }
  const FromStart a(t[0], origin_), b(t[1], origin_), c(t[2], origin_);
  const auto volume =
      areaOfTwo(b, c, 1, 2) * a.x + areaOfTwo(b, c, 2, 0) * a.y + areaOfTwo(b, c, 0, 1) * a.z;
  const auto turn =
      turnAbout(direction_, a, b) + turnAbout(direction_, b, c) + turnAbout(direction_, c, a);
  if (!wanted) met = exactly(volume.estimate() / turn.estimate());
  return judged(met, volume, turn);
}

/// The line lies in the plane of the triangle, or hits a degenerate one. They share a segment whose
/// ends are corners or lie on edges.
std::optional<RayMeeting> ExactRay::inPlane(const Triangle& t) const noexcept {
  std::array<int, 3> side{};
  int axis = 0;
  // Within the plane all distances from the line have the same direction: use any axis with a
  // nonzero one
  for (;; ++axis) {
    for (std::size_t i = 0; i < 3; ++i) side[i] = sideSeenAlong(axis, t[i]);
    if (axis == 2 || (side[0] | side[1] | side[2]) != 0) break;
  }
  bool behind = false, ahead = false;
  RayMeeting nearest{std::numeric_limits<Real>::infinity(), 0.0, true};
  const auto take = [&](int sign, const RayMeeting& at) {
    behind = behind || sign <= 0;
    ahead = ahead || sign >= 0;
    if (sign > 0 && at.t < nearest.t) nearest = at;
  };
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 &p = t[i], &q = t[(i + 1) % 3];
    const int sideP = side[i], sideQ = side[(i + 1) % 3];
    if (sideP == 0)
      take(signOf(p[longest_] - origin_[longest_]) * signOf(direction_[longest_]), withCorner(p));
    else if (sideP * sideQ < 0)
      take(sideQ * orientation2d(projections[axis], origin_, p, q), withEdge(p, q));
  }
  if (!ahead) return std::nullopt;
  return behind ? RayMeeting{} : nearest;
}

/// Returns the sign of one coordinate of direction x (p - origin).
int ExactRay::sideSeenAlong(int axis, const Vec3& p) const noexcept {
  return sideExpansion(axis, direction_, {p, origin_}).sign();
}

RayMeeting ExactRay::withCorner(const Vec3& p) const noexcept {
  const auto ahead = exact::difference(p[longest_], origin_[longest_]);
  Expansion<1> steepness;
  steepness.push(direction_[longest_]);
  return judged(exactly((p[longest_] - origin_[longest_]) / direction_[longest_]), ahead,
                steepness);
}

/// @pre The line crosses the edge between its ends.
RayMeeting ExactRay::withEdge(const Vec3& p, const Vec3& q) const noexcept {
  // Use the lower end first, so that the reversed edge gives the same result
  const bool ordered = std::tie(p.x, p.y, p.z) < std::tie(q.x, q.y, q.z);
  const FromStart a(ordered ? p : q, origin_), b(ordered ? q : p, origin_);
  int axis = 0;
  while (axis < 2 && sideExpansion(axis, direction_, a).sign() == 0) ++axis;
  const auto area = areaOfTwo(a, b, (axis + 1) % 3, (axis + 2) % 3);
  const auto descent = sideExpansion(axis, direction_, b) - sideExpansion(axis, direction_, a);
  return judged(exactly(area.estimate() / descent.estimate()), area, descent);
}

}  // namespace nearmiss
