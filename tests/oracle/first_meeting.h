// SPDX-License-Identifier: MIT
/// When two bounds in space and time first meet, in rational numbers: exact, and written apart from
/// what it judges.
#pragma once

#include <nearmiss/advanced/space_time_bound.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "oracle/rational.h"

namespace nearmiss::test {

/// dot(n, (x, y, z, t)) <= limit.
template <class Number>
struct Inequality {
  std::array<Number, 4> n;
  Number limit;
};

/// A bound as the inequalities that it is made of, in absolute time.
template <class Number>
void addInequalities(const SpaceTimeBound& bound, std::vector<Inequality<Number>>& all) {
  const Number start(bound.start), radius(bound.radius);
  const Number life = Number(bound.end) - start;
  const Number growth = Number(bound.acceleration) * life / 2;
  for (int axis = 0; axis < 3; ++axis) {
    const Number x0(bound.position[axis]), v0(bound.velocity[axis]);
    const Number base = x0 - v0 * start, half = radius - growth * start;
    // +-(y - x0 - v0 (t - start)) <= R + growth (t - start)
    Inequality<Number> high{{0, 0, 0, -v0 - growth}, half + base};
    Inequality<Number> low{{0, 0, 0, v0 - growth}, half - base};
    high.n[static_cast<std::size_t>(axis)] = 1;
    low.n[static_cast<std::size_t>(axis)] = -1;
    all.push_back(high);
    all.push_back(low);
  }
  for (const CuttingPlane& plane : bound.planes) {
    // -d (y - x0 - v0 (t - start)) <= R + falling (t - start)
    const Number falling = Number(plane.reverse) * life / 2;
    Number along = 0, speed = 0;
    Inequality<Number> half{{0, 0, 0, 0}, 0};
    for (int axis = 0; axis < 3; ++axis) {
      const Number d(plane.direction[axis]);
      half.n[static_cast<std::size_t>(axis)] = -d;
      along += d * Number(bound.position[axis]);
      speed += d * Number(bound.velocity[axis]);
    }
    half.n[3] = speed - falling;
    half.limit = radius - falling * start - along + speed * start;
    all.push_back(half);
  }
  all.push_back({{0, 0, 0, -1}, -start});
  all.push_back({{0, 0, 0, 1}, Number(bound.end)});
}

template <class Number>
std::vector<Inequality<Number>> inequalitiesOf(const SpaceTimeBound& a, const SpaceTimeBound& b) {
  std::vector<Inequality<Number>> all;
  addInequalities(a, all);
  addInequalities(b, all);
  return all;
}

/// The sum of positive multiples of two in which a variable cancels. @pre high.n[variable] > 0 and
/// low.n[variable] < 0
template <class Number>
Inequality<Number> combined(const Inequality<Number>& high, const Inequality<Number>& low,
                            std::size_t variable) {
  Inequality<Number> sum;
  const Number p = -low.n[variable], q = high.n[variable];
  for (std::size_t k = 0; k < 4; ++k) sum.n[k] = p * high.n[k] + q * low.n[k];
  sum.n[variable] = 0;
  sum.limit = p * high.limit + q * low.limit;
  return sum;
}

/// Removes one variable: every lower bound of it lies below every upper one [Fourier, Motzkin].
inline std::vector<Inequality<Rational>> eliminated(const std::vector<Inequality<Rational>>& all,
                                                    std::size_t variable) {
  std::vector<Inequality<Rational>> rest, above, below;
  for (const Inequality<Rational>& one : all) {
    const int sign = one.n[variable].sign();
    (sign > 0 ? above : sign < 0 ? below : rest).push_back(one);
  }
  for (const Inequality<Rational>& high : above)
    for (const Inequality<Rational>& low : below) rest.push_back(combined(high, low, variable));
  return rest;
}

/// The least t with a point in both bounds, planes included; nothing if there is none.
inline std::optional<Rational> firstMeeting(const SpaceTimeBound& a, const SpaceTimeBound& b) {
  auto all = inequalitiesOf<Rational>(a, b);
  for (std::size_t variable = 0; variable < 3; ++variable) all = eliminated(all, variable);
  std::optional<Rational> first, last;
  for (const Inequality<Rational>& one : all) {
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

/// The same by whichever of them is the quicker.
inline std::optional<Rational> exactMeeting(const SpaceTimeBound& a, const SpaceTimeBound& b) {
  const bool plain = a.planes.empty() && b.planes.empty();
  return plain ? firstTrapezoidMeeting(a, b) : firstMeeting(a, b);
}

}  // namespace nearmiss::test
