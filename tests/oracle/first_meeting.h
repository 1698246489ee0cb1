// SPDX-License-Identifier: MIT
/// When two bounds in space and time first meet, in rational numbers: exact, and written apart from
/// what it judges.
#pragma once

#include <nearmiss/space_time_bound.h>

#include <array>
#include <optional>
#include <vector>

#include "oracle/rational.h"

namespace nearmiss::test {

/// dot(n, (x, y, z, t)) <= limit.
struct Inequality {
  std::array<Rational, 4> n;
  Rational limit;
};

/// A bound as the inequalities that it is made of, in absolute time.
inline void addInequalities(const SpaceTimeBound& bound, std::vector<Inequality>& all) {
  const Rational start(bound.start);
  const Rational life = Rational(bound.end) - start;
  const RationalPoint x0 = rational(bound.position), v0 = rational(bound.velocity);
  const Rational growth = Rational(bound.acceleration) * life / 2;
  for (int axis = 0; axis < 3; ++axis)
    for (const int sign : {1, -1}) {
      // sign (y - x0 - v0 (t - start)) <= R + growth (t - start)
      Inequality face{
          {0, 0, 0, -sign * v0[axis] - growth},
          sign * (x0[axis] - v0[axis] * start) + Rational(bound.radius) - growth * start};
      face.n[axis] = sign;
      all.push_back(face);
    }
  for (const CuttingPlane& plane : bound.planes) {
    // -d (y - x0 - v0 (t - start)) <= R + falling (t - start)
    const RationalPoint d = rational(plane.direction);
    const Rational falling = Rational(plane.reverse) * life / 2;
    all.push_back({{-d[0], -d[1], -d[2], dot(d, v0) - falling},
                   Rational(bound.radius) - falling * start - dot(d, x0) + dot(d, v0) * start});
  }
  all.push_back({{0, 0, 0, -1}, -start});
  all.push_back({{0, 0, 0, 1}, Rational(bound.end)});
}

/// Removes one variable: every lower bound of it lies below every upper one [Fourier, Motzkin].
inline std::vector<Inequality> eliminated(const std::vector<Inequality>& all, int variable) {
  std::vector<Inequality> rest, above, below;
  for (const Inequality& one : all) {
    const int sign = one.n[variable].sign();
    (sign > 0 ? above : sign < 0 ? below : rest).push_back(one);
  }
  for (const Inequality& high : above)
    for (const Inequality& low : below) {
      Inequality sum;
      const Rational p = -low.n[variable], q = high.n[variable];
      for (int k = 0; k < 4; ++k) sum.n[k] = p * high.n[k] + q * low.n[k];
      sum.limit = p * high.limit + q * low.limit;
      rest.push_back(sum);
    }
  return rest;
}

/// The least t with a point in both bounds, planes included; nothing if there is none.
inline std::optional<Rational> firstMeeting(const SpaceTimeBound& a, const SpaceTimeBound& b) {
  std::vector<Inequality> all;
  addInequalities(a, all);
  addInequalities(b, all);
  for (int variable = 0; variable < 3; ++variable) all = eliminated(all, variable);
  std::optional<Rational> first, last;
  for (const Inequality& one : all) {
    const int sign = one.n[3].sign();
    if (sign == 0 && one.limit < 0) return std::nullopt;
    if (sign == 0) continue;
    const Rational at = one.limit / one.n[3];
    if (sign < 0 && (!first || at > *first)) first = at;
    if (sign > 0 && (!last || at < *last)) last = at;
  }
  if (*first > *last) return std::nullopt;
  return first;
}

/// The same for bounds without planes: six inequalities in t alone.
inline std::optional<Rational> firstTrapezoidMeeting(const SpaceTimeBound& a,
                                                     const SpaceTimeBound& b) {
  Rational first = std::max(Rational(a.start), Rational(b.start));
  Rational last = std::min(Rational(a.end), Rational(b.end));
  const auto growth = [](const SpaceTimeBound& bound) -> Rational {
    return Rational(bound.acceleration) * (Rational(bound.end) - Rational(bound.start)) / 2;
  };
  const Rational g = growth(a) + growth(b);
  const Rational h = Rational(a.radius) + Rational(b.radius) - growth(a) * Rational(a.start) -
                     growth(b) * Rational(b.start);
  for (int axis = 0; axis < 3; ++axis)
    for (const int sign : {1, -1}) {
      const Rational dv = Rational(b.velocity[axis]) - Rational(a.velocity[axis]);
      const Rational dc = Rational(b.position[axis]) - Rational(a.position[axis]) -
                          Rational(b.velocity[axis]) * Rational(b.start) +
                          Rational(a.velocity[axis]) * Rational(a.start);
      // sign (dc + dv t) <= h + g t
      const Rational slope = sign * dv - g, limit = h - sign * dc;
      if (slope == 0 && limit < 0) return std::nullopt;
      if (slope > 0) last = std::min<Rational>(last, limit / slope);
      if (slope < 0) first = std::max<Rational>(first, limit / slope);
    }
  if (first > last) return std::nullopt;
  return first;
}

}  // namespace nearmiss::test
