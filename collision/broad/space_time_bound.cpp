// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/space_time_bound.h>
#include <nearmiss/detail/assertion.h>
#include <nearmiss/detail/number_text.h>

#include "broad/body_bounds.h"
#include "broad/small_linear_program.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <string>
#include <utility>

namespace nearmiss {
namespace {

/// Relative margin added to every bound before a decision. It is far above the rounding errors of
/// the few operations involved, and far below any distance that matters.
constexpr Real widening = 1e-13;
/// The margin for the linear program, whose eliminations lose more digits.
constexpr Real programWidening = 1e-11;

constexpr Real never = std::numeric_limits<Real>::infinity();

/// Maximum number of planes per bound in the linear program; more would only tighten the result.
constexpr std::size_t maxPlanes = 8;

/// A bound relative to a common start: s seconds after it, the cube has centre c + v s and
/// half-width h + g s. No operand exceeds `size` until `end`, so `size` scales the rounding errors.
/// c may be small because large numbers cancelled.
struct Cubes {
  Vec3 c, v;
  Real h = 0.0, g = 0.0;
  Real size = 0.0;
};

Cubes cubesFrom(const SpaceTimeBound& bound, Real start, Real end) noexcept {
  const Real passed = start - bound.start;
  const Real growth = 0.5 * bound.acceleration * (bound.end - bound.start);
  return {bound.position + bound.velocity * passed, bound.velocity, bound.radius + growth * passed,
          growth,
          largestCoordinate(bound.position) + bound.radius +
              (largestCoordinate(bound.velocity) + growth) * (end - bound.start)};
}

/// Narrows [first, last] to the part with slope * s <= limit.
void cutBelow(Real slope, Real limit, Real& first, Real& last) noexcept {
  if (slope > 0.0)
    last = std::min(last, limit / slope);
  else if (slope < 0.0)
    first = std::max(first, limit / slope);
  else if (limit < 0.0)
    last = -1.0;
}

/// Rounds a time in seconds after a start down, so that rounding never makes a meeting late.
Real earlier(Real s, Real start, Real duration) noexcept {
  return std::max(start, start + s - widening * (std::abs(start) + duration));
}
Real later(Real s, Real start, Real end) noexcept {
  return std::min(end, start + s + widening * (std::abs(start) + end - start));
}

/// The common lifetime of two bounds; empty unless start <= end.
struct Life {
  Real start = 0.0, end = 0.0;
};
Life commonLife(const SpaceTimeBound& a, const SpaceTimeBound& b) noexcept {
  return {std::max(a.start, b.start), std::min(a.end, b.end)};
}

using Program = std::array<HalfSpace<4>, 12 + 2 * maxPlanes>;

/// Adds the six faces of one bound's cubes, over (y - origin, s).
void addFaces(const Cubes& cubes, const Vec3& origin, Real slack, Program& program,
              std::size_t& count) noexcept {
  for (int axis = 0; axis < 3; ++axis)
    for (const Real sign : {1.0, -1.0}) {
      HalfSpace<4>& face = program[count++];
      face = {};
      face.normal[static_cast<std::size_t>(axis)] = sign;
      face.normal[3] = -sign * cubes.v[axis] - cubes.g;
      face.limit = sign * (cubes.c[axis] - origin[axis]) + cubes.h + slack;
    }
}

/// Adds dot(d, y - x0 - v0 t) >= -radius - reverse * T / 2 * t for each plane, over (y - origin,
/// s).
void addPlanes(const SpaceTimeBound& bound, const Vec3& origin, Real start, Real slack,
               Program& program, std::size_t& count) noexcept {
  const Real passed = start - bound.start;
  const Vec3 centre = bound.position + bound.velocity * passed;
  const std::size_t used = std::min(bound.planes.size(), maxPlanes);
  for (const CuttingPlane& plane : bound.planes.first(used)) {
    const Real falling = 0.5 * plane.reverse * (bound.end - bound.start);
    HalfSpace<4>& half = program[count++];
    half = {{-plane.direction.x, -plane.direction.y, -plane.direction.z,
             glm::dot(plane.direction, bound.velocity) - falling},
            bound.radius + falling * passed - glm::dot(plane.direction, centre - origin) + slack};
  }
}

/// Returns a power of two that scales the program so that no product of its coefficients overflows.
Real scaleFor(Real reach) noexcept {
  constexpr Real large = 1e20;
  return reach > large ? std::ldexp(1.0, -std::ilogb(reach)) : 1.0;
}

}  // namespace

SpaceTimeBound spaceTimeBound(const BodyState& body, Real start, Real end) noexcept {
  return {start,
          std::min(end, body.boundHoldsUntil),
          body.pose.position,
          body.velocity,
          body.shape.radius(),
          body.accelerationBound,
          body.planes};
}

const char* faultOf(const SpaceTimeBound& bound) noexcept {
  const auto isAmount = [](Real value) { return value >= 0.0 && value <= maxPoseMagnitude; };
  if (!(std::abs(bound.start) <= maxBoundTime)) return "start";
  if (!(std::abs(bound.end) <= maxBoundTime && bound.end > bound.start)) return "end";
  if (!isWithin(bound.position, maxPoseMagnitude)) return "position";
  if (!isWithin(bound.velocity, maxPoseMagnitude)) return "velocity";
  if (!isAmount(bound.radius)) return "radius";
  if (!isAmount(bound.acceleration)) return "acceleration";
  for (const CuttingPlane& plane : bound.planes) {
    if (!(std::abs(glm::length(plane.direction) - 1.0) <= 1e-9)) return "plane direction";
    if (!isAmount(plane.reverse)) return "plane reverse";
  }
  return nullptr;
}

Box crossSection(const SpaceTimeBound& bound, Real time) noexcept {
  NEARMISS_ASSERT(bound.start <= time && time <= bound.end, bound.start, time, bound.end);
  const Cubes cubes = cubesFrom(bound, time, time);
  const Real half = cubes.h + widening * cubes.size;
  return {cubes.c - half, cubes.c + half};
}

bool contains(const SpaceTimeBound& bound, const Vec3& point, Real time) noexcept {
  if (!crossSection(bound, time).contains(point)) return false;
  const Real passed = time - bound.start;
  const Vec3 centre = bound.position + bound.velocity * passed;
  const Real slack = widening * (largestCoordinate(bound.position) + largestCoordinate(point) +
                                 largestCoordinate(bound.velocity) * passed + bound.radius);
  return std::all_of(bound.planes.begin(), bound.planes.end(), [&](const CuttingPlane& plane) {
    const Real falling = 0.5 * plane.reverse * (bound.end - bound.start) * passed;
    return glm::dot(plane.direction, point - centre) >= -bound.radius - falling - slack;
  });
}

std::optional<TimeSpan> trapezoidOverlap(const SpaceTimeBound& a,
                                         const SpaceTimeBound& b) noexcept {
  const Life life = commonLife(a, b);
  if (!(life.start <= life.end)) return std::nullopt;
  const Real duration = life.end - life.start;
  const Cubes p = cubesFrom(a, life.start, life.end);
  const Cubes q = cubesFrom(b, life.start, life.end);

  // |dc + dv s| <= h + g s on every axis
  const Real h = p.h + q.h + widening * (p.size + q.size);
  const Real g = p.g + q.g;
  const Vec3 dc = q.c - p.c;
  const Vec3 dv = q.v - p.v;
  Real first = 0.0, last = duration;
  for (int axis = 0; axis < 3; ++axis) {
    cutBelow(dv[axis] - g, h - dc[axis], first, last);
    cutBelow(-dv[axis] - g, h + dc[axis], first, last);
  }
  // The quotients are rounded, so keep near misses within the rounding error
  if (first > last + widening * (first + duration)) return std::nullopt;
  return TimeSpan{earlier(first, life.start, duration),
                  later(std::max(first, last), life.start, life.end)};
}

std::optional<Real> earliestMeeting(const SpaceTimeBound& a, const SpaceTimeBound& b) noexcept {
  const auto overlap = trapezoidOverlap(a, b);
  if (!overlap) return std::nullopt;
  if (a.planes.empty() && b.planes.empty()) return overlap->first;

  // Minimise s over the faces and planes of both bounds, starting at the first overlap
  const Real start = overlap->first;
  const Real duration = overlap->last - overlap->first;
  const Cubes p = cubesFrom(a, start, overlap->last);
  const Cubes q = cubesFrom(b, start, overlap->last);
  const Vec3 origin = p.c;
  const Real reach = largestCoordinate(q.c - origin) +
                     (largestCoordinate(p.v) + largestCoordinate(q.v) + p.g + q.g) * duration +
                     p.h + q.h;
  const Real slack = programWidening * reach + widening * (p.size + q.size);
  Program program;
  std::size_t count = 0;
  addFaces(p, origin, slack, program, count);
  addFaces(q, origin, slack, program, count);
  addPlanes(a, origin, start, slack, program, count);
  addPlanes(b, origin, start, slack, program, count);

  const Real scale = scaleFor(reach);
  for (HalfSpace<4>& half : std::span(program).first(count)) {
    half.normal[3] *= scale;
    half.limit *= scale;
  }
  const Real room = (2.0 * reach + 1.0) * scale;
  std::array<Real, 4> x{};
  if (!minimise<4>({0.0, 0.0, 0.0, 1.0}, {-room, -room, -room, 0.0}, {room, room, room, duration},
                   program, count, slack * scale, x))
    return std::nullopt;
  return earlier(std::clamp(x[3], 0.0, duration), start, duration);
}

std::optional<Real> retightenedMeeting(const SpaceTimeBound& a, const SpaceTimeBound& b,
                                       Real gain) noexcept {
  const auto meeting = earliestMeeting(a, b);
  if (!meeting) return std::nullopt;

  // Bounds are apart until `safe`; those that end at `end` meet. Bisect: a trial end between the
  // two moves one of them
  Real safe = *meeting;
  Real end = std::min(a.end, b.end);
  const Real start = std::max(a.start, b.start);
  constexpr int maxRounds = 40;
  for (int round = 0; round < maxRounds && end - safe > gain; ++round) {
    const Real tried = safe + 0.5 * (end - safe);
    if (!(tried > start) || !(tried < end)) break;
    SpaceTimeBound shortA = a, shortB = b;
    shortA.end = shortB.end = tried;
    const auto again = earliestMeeting(shortA, shortB);
    if (!again) {
      safe = tried;
      continue;
    }
    const Real gained = *again - safe;
    end = tried;
    safe = std::max(safe, *again);
    // Bounds that meet at once do so however short they are
    if (*again <= start || (gained >= 0.0 && gained <= gain)) break;
  }
  return safe;
}

std::optional<Real> hornMeeting(const SpaceTimeBound& a, const SpaceTimeBound& b,
                                Real gain) noexcept {
  const Life life = commonLife(a, b);
  if (!(life.start <= life.end)) return std::nullopt;
  const Real duration = life.end - life.start;

  // s seconds after the start, the centres are dc + dv s apart and the radii add up to r0 + r1 s +
  // r2 s^2
  Vec3 dc(0.0);
  Real r0 = 0.0, r1 = 0.0, r2 = 0.0;
  for (const auto& [bound, sign] : {std::pair{&a, -1.0}, std::pair{&b, 1.0}}) {
    const Real passed = life.start - bound->start;
    const Real most = life.end - bound->start;
    dc += sign * (bound->position + bound->velocity * passed);
    const Real size =
        largestCoordinate(bound->position) + bound->radius +
        (largestCoordinate(bound->velocity) + 0.5 * bound->acceleration * most) * most;
    r0 += bound->radius + 0.5 * bound->acceleration * passed * passed + 4.0 * widening * size;
    r1 += bound->acceleration * passed;
    r2 += 0.5 * bound->acceleration;
  }
  const Vec3 dv = b.velocity - a.velocity;

  // The distance of two points on lines is convex, so it never falls below its tangent: if the
  // radii have just reached the tangent, they have not yet reached the distance [Newton's method,
  // from below]
  Real s = 0.0;
  constexpr int maxSteps = 12;
  for (int step = 0; step < maxSteps; ++step) {
    const Vec3 between = dc + dv * s;
    const Real distance = glm::length(between);
    const Real gap = distance - (r0 + s * (r1 + s * r2));
    if (!(gap > 0.0)) break;
    const Real opening = glm::dot(between, dv) / distance - (r1 + 2.0 * s * r2);
    const Real root = std::sqrt(opening * opening + 4.0 * r2 * gap);
    // Two forms of the same root, each without cancellation
    Real further = never;
    if (opening < 0.0)
      further = 2.0 * gap / (root - opening);
    else if (r2 > 0.0)
      further = (opening + root) / (2.0 * r2);
    else if (!(opening >= 0.0))
      break;
    s += further * (1.0 - 1e-9);
    if (s > duration + widening * (std::abs(life.start) + duration)) return std::nullopt;
    if (!(further > gain)) break;
  }
  return earlier(std::min(s, duration), life.start, duration);
}

Result<Success> checkSearch(std::span<const SpaceTimeBound> bounds, Real from, Real until) {
  const auto refusal = [](std::string sentence) {
    return Error{ErrorCode::Unsupported, std::move(sentence)};
  };
  const auto span = [](Real first, Real last, int digits) {
    return "from " + textOf(first, digits) + " to " + textOf(last, digits);
  };
  if (bounds.size() >= std::size_t{1} << 31)
    return refusal(std::to_string(bounds.size()) +
                   " bounds are too many: fewer than 2147483648 can be told apart");
  if (!std::isfinite(from) || !(until >= from))
    return refusal("a search goes " + span(from, until, digitsToTell(from, until)) +
                   ", but must end no sooner than it begins");
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (const char* field = faultOf(bounds[i]))
      return refusal("bound " + std::to_string(i) + ": " + field + " makes no bound");
    const Real start = bounds[i].start, end = bounds[i].end;
    if (start <= from && end >= until) continue;
    const int digits = std::max(digitsToTell(start, from), digitsToTell(end, until));
    return refusal("bound " + std::to_string(i) + " holds " + span(start, end, digits) +
                   ", but must hold " + span(from, until, digits));
  }
  return Success{};
}

}  // namespace nearmiss
