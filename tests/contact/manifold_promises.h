// SPDX-License-Identifier: MIT
/// Checks each promise of a contact manifold for one pose.
#pragma once

#include <gtest/gtest.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iomanip>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "contact/contact_body.h"
#include "contact/feature_cones.h"
#include "contact/manifold_strata.h"
#include "support/random.h"

namespace nearmiss::test {

inline constexpr Real slack = 1e-9;  ///< of the bodies' sizes and distance

/// Prints the first faults and counts the others.
class Faults {
 public:
  ~Faults() { EXPECT_EQ(count_, 0) << "faults; the first are printed above"; }
  void add(int number, const ManifoldCase& of, const std::string& text) {
    constexpr int printed = 5;
    if (count_++ < printed) ADD_FAILURE() << "case " << number << ": " << of << "\n  " << text;
  }

 private:
  int count_ = 0;
};

inline std::string textOf(const ManifoldPoint& point) {
  std::ostringstream out;
  out << std::setprecision(12) << "point " << std::hex << point.id << std::dec << " depth "
      << point.depth << " normal (" << point.normal.x << ", " << point.normal.y << ", "
      << point.normal.z << ") onA (" << point.onA.x << ", " << point.onA.y << ", " << point.onA.z
      << "): ";
  return out.str();
}

/// With and without a margin, in turn.
inline ManifoldSettings settingsOf(int number, std::size_t points) {
  constexpr Real margins[]{0.0, 0.01, 1e-6};
  return {margins[number % 3], points};
}

inline ContactManifold freshly(const ManifoldCase& of, const ManifoldSettings& settings) {
  return contactManifold(of.a->shape, of.poseA, of.b->shape, of.poseB, settings);
}

inline const FeatureCones& conesOf(const Shape& shape) {
  static std::map<const Shape*, FeatureCones> all;
  return all.try_emplace(&shape, shape).first->second;
}

/// Identity, sign, order and ids of points.
inline void checkPoints(const ContactManifold& found, int number, const ManifoldCase& of,
                        Faults& faults) {
  const bool meet = nearmiss::distance(of.a->shape, of.poseA, of.b->shape, of.poseB).upper == 0.0;
  if (meet && (found.points.empty() || found.points.front().depth < -slack * of.size()))
    faults.add(number, of,
               found.points.empty() ? "they meet, without a point"
                                    : "they meet, but the deepest point is a gap");
  const auto isClosed = [](const NamedShape& body) {
    return body.shape.polyhedron().report().closed();
  };
  if (isClosed(*of.a) && isClosed(*of.b) && !found.depthKnown)
    faults.add(number, of, "the depth of closed surfaces is not known");
  std::set<std::uint64_t> ids;
  Real before = std::numeric_limits<Real>::infinity();
  for (const ManifoldPoint& point : found.points) {
    const Vec3 between = point.onB - point.onA;
    const Real along = glm::dot(between, point.normal);
    if (!(std::abs(glm::length(point.normal) - 1.0) < 1e-12))
      faults.add(number, of, textOf(point) + "the normal is not of unit length");
    if (!(glm::distance(between, point.depth * point.normal) <= slack * of.size()))
      faults.add(number, of, textOf(point) + "onB - onA is not depth * normal");
    if ((point.depth > 0.0) != (along > 0.0) || (point.depth < 0.0) != (along < 0.0)) {
      std::ostringstream text;
      text << textOf(point) << "the points say " << along;
      faults.add(number, of, text.str());
    }
    if (!ids.insert(point.id).second) faults.add(number, of, textOf(point) + "the id occurs twice");
    if (!(point.depth >= -settingsOf(number, 1).margin - slack * of.size()))
      faults.add(number, of, textOf(point) + "beyond the margin");
    if (&point == &found.points.front()) before = point.depth;
    if (point.depth > before + slack * of.size())
      faults.add(number, of, textOf(point) + "deeper than the first");
  }
}

inline void checkNormals(const ContactManifold& found, int number, const ManifoldCase& of,
                         Faults& faults) {
  for (const ManifoldPoint& point : found.points) {
    const std::string fault = faultOfNormal(conesOf(of.a->shape), of.poseA, conesOf(of.b->shape),
                                            of.poseB, point, of.size());
    if (!fault.empty()) faults.add(number, of, textOf(point) + fault);
  }
}

/// Compares a kept manifold with a fresh one; empty: they are the same.
inline std::string difference(const ContactManifold& kept, const ContactManifold& fresh,
                              Real size) {
  std::map<std::uint64_t, ManifoldPoint> wanted;
  for (const ManifoldPoint& point : fresh.points) wanted[point.id] = point;
  std::ostringstream text;
  text << std::setprecision(12);
  for (const ManifoldPoint& point : kept.points) {
    const auto same = wanted.find(point.id);
    if (same == wanted.end()) {
      text << textOf(point) << "only in the kept manifold; ";
      continue;
    }
    if (!(std::abs(point.depth - same->second.depth) <= slack * size))
      text << textOf(point) << "fresh depth " << same->second.depth << "; ";
    if (!(glm::distance(point.normal, same->second.normal) <= 1e-9 * std::max(1.0, size)))
      text << textOf(point) << "fresh normal (" << same->second.normal.x << ", "
           << same->second.normal.y << ", " << same->second.normal.z << "); ";
    wanted.erase(same);
  }
  for (const auto& [id, point] : wanted) text << textOf(point) << "only in the fresh manifold; ";
  if (kept.depthKnown != fresh.depthKnown) text << "depthKnown differs; ";
  return text.str();
}

struct KeptCounts {
  int compared = 0, still = 0;
};

/// Compares the manifolds of a walk, kept from step to step, with fresh ones.
inline void checkKept(int number, ManifoldCase of, Faults& faults, KeptCounts& counts) {
  Random random = randomOf(77, number);
  const ManifoldSettings settings = settingsOf(number, 1000);
  ManifoldQuery query;
  // Steps of one size in one walk, or of all sizes
  const Real usual = random.between(-6.0, -2.0);
  const bool mixed = random.chance(0.5);
  for (int step = 0; step < 6; ++step) {
    query.begin(of.a->shape, of.poseA, of.b->shape, of.poseB, settings);
    const ContactManifold kept = query.refine();
    const std::string text = difference(kept, freshly(of, settings), of.size());
    counts.compared += !kept.points.empty();
    if (!text.empty()) {
      std::ostringstream where;
      where << "step " << step << ", margin " << settings.margin << ": " << text;
      faults.add(number, of, where.str());
      return;
    }
    const bool stands = random.chance(0.2);
    counts.still += stands;
    if (stands) continue;
    const Real size = std::pow(10.0, mixed ? random.between(-6.0, -2.0) : usual);
    Pose& moved = random.chance(0.5) ? of.poseA : of.poseB;
    moved.position += random.unit() * size * random.direction();
    moved.rotation =
        glm::normalize(glm::angleAxis(random.unit() * size, random.direction()) * moved.rotation);
  }
}

}  // namespace nearmiss::test
