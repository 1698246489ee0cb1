// SPDX-License-Identifier: MIT
#include "geometry/gjk.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <limits>
#include <span>

namespace nearmiss {
namespace {

/// Maximum number of planes tried in succession, as long as each is better than the last.
constexpr int maxGjkRounds = 8;

}  // namespace

SupportPoint ConvexPair::support(const Vec3& direction, std::uint32_t startA,
                                 std::uint32_t startB) const noexcept {
  SupportPoint found;
  found.a = a_.farthest(direction, startA);
  found.b = b_.farthest(-(direction * axes_), startB);
  found.difference = cornerOfA(found.a) - cornerOfB(found.b);
  return found;
}

Real ConvexPair::gapAlong(const Vec3& unit, std::uint32_t startA,
                          std::uint32_t startB) const noexcept {
  return -glm::dot(support(unit, startA, startB).difference, unit);
}

Real ConvexPair::gapByFeaturesAt(std::uint32_t cornerA, std::uint32_t cornerB) const noexcept {
  Real most = 0.0;
  Vec3 best(0.0);
  const auto look = [&](const Vec3& unit) {
    const Real gap = gapAlong(unit, cornerA, cornerB);
    if (!(gap > most)) return;
    most = gap;
    best = unit;
  };
  // A better plane touches other corners, at which there may be a still better one
  for (int round = 0; round < maxGjkRounds; ++round) {
    const Real before = most;
    lookAlongFaces(cornerA, cornerB, look);
    lookAlongEdges(cornerA, cornerB, look);
    if (!(most > before)) break;
    const SupportPoint touched = support(best, cornerA, cornerB);
    if (touched.a == cornerA && touched.b == cornerB) break;
    cornerA = touched.a;
    cornerB = touched.b;
  }
  return most;
}

/// Visits directions that point away from a.
void ConvexPair::lookAlongFaces(std::uint32_t cornerA, std::uint32_t cornerB,
                                const auto& look) const noexcept {
  if (!a_.flat())
    for (const std::uint32_t e : a_.edgesAt(cornerA))
      for (const std::uint32_t f : a_.edges()[e].faces) look(a_.faces()[f].normal);
  if (!b_.flat())
    for (const std::uint32_t e : b_.edgesAt(cornerB))
      for (const std::uint32_t f : b_.edges()[e].faces) look(-turned(b_.faces()[f].normal));
}

void ConvexPair::lookAlongEdges(std::uint32_t cornerA, std::uint32_t cornerB,
                                const auto& look) const noexcept {
  if (a_.flat() || b_.flat()) return;
  const auto along = [](const ConvexPolytope& shape, std::uint32_t edge) {
    const auto& ends = shape.edges()[edge].vertices;
    return shape.vertices()[ends[1]] - shape.vertices()[ends[0]];
  };
  for (const std::uint32_t e : a_.edgesAt(cornerA))
    for (const std::uint32_t f : b_.edgesAt(cornerB)) {
      const Vec3 across = glm::cross(along(a_, e), turned(along(b_, f)));
      const Real length = glm::length(across);
      if (!(length > 0.0)) continue;
      look(across / length);
      look(-across / length);
    }
}

namespace {

constexpr int maxGjkSteps = 200;
/// Bounds are equal if they differ by less than this share of the distance.
constexpr Real gjkPrecision = 1e-15;
/// Rounding error of a distance, relative to the size of the difference; and maximum number of
/// consecutive steps without progress.
constexpr Real standstill = 1e-14;
constexpr int maxIdleSteps = 8;

/// Up to four points of the difference, with the weights of the point nearest to the origin.
struct Simplex {
  std::array<SupportPoint, 4> points;
  std::array<Real, 4> weights{};
  std::size_t size = 0;
  Vec3 nearest{0.0};
};

/// Finds the subset of up to three points that is nearest to the origin, if it is nearer than
/// `best`.
class NearestPart {
 public:
  explicit NearestPart(const Simplex& from) noexcept : from_(from) {}

  void point(std::size_t i) { offer({i}, {1.0}, at(i)); }

  void segment(std::size_t i, std::size_t j) {
    const Vec3 p = at(i), along = at(j) - p;
    const Real square = glm::dot(along, along);
    const Real t = square > 0.0 ? -glm::dot(p, along) / square : 0.0;
    if (t <= 0.0) {
      point(i);
    } else if (t >= 1.0) {
      point(j);
    } else {
      offer({i, j}, {1.0 - t, t}, p + t * along);
    }
  }

  void triangle(std::size_t i, std::size_t j, std::size_t k) {
    const Vec3 p = at(i), q = at(j), r = at(k);
    const Vec3 normal = glm::cross(q - p, r - p);
    const Real square = glm::dot(normal, normal);
    const Real u = glm::dot(glm::cross(q, r), normal), v = glm::dot(glm::cross(r, p), normal),
               w = glm::dot(glm::cross(p, q), normal);
    if (square > 0.0 && u > 0.0 && v > 0.0 && w > 0.0) {
      // Projects onto the normal, which keeps all digits however near the origin is
      const Real sum = u + v + w;
      offer({i, j, k}, {u / sum, v / sum, w / sum}, glm::dot(p, normal) / square * normal);
      return;
    }
    segment(i, j);
    segment(j, k);
    segment(k, i);
  }

  [[nodiscard]] const Simplex& found() const noexcept { return best_; }

 private:
  [[nodiscard]] const Vec3& at(std::size_t i) const noexcept { return from_.points[i].difference; }

  template <std::size_t N>
  void offer(const std::size_t (&indices)[N], const Real (&weights)[N], const Vec3& nearest) {
    Simplex part;
    part.size = N;
    part.nearest = nearest;
    for (std::size_t k = 0; k < N; ++k) {
      part.points[k] = from_.points[indices[k]];
      part.weights[k] = weights[k];
    }
    const Real square = glm::dot(nearest, nearest);
    if (!(square < least_)) return;
    least_ = square;
    best_ = part;
  }

  const Simplex& from_;
  Simplex best_;
  Real least_ = std::numeric_limits<Real>::infinity();
};

/// Returns true if the origin lies strictly inside a tetrahedron.
bool holdsOrigin(const Simplex& s) noexcept {
  const auto volume = [](const Vec3& a, const Vec3& b, const Vec3& c) {
    return glm::dot(a, glm::cross(b, c));
  };
  const Vec3 &p = s.points[0].difference, &q = s.points[1].difference, &r = s.points[2].difference,
             &t = s.points[3].difference;
  const std::array parts{volume(q, r, t), -volume(p, r, t), volume(p, q, t), -volume(p, q, r)};
  return std::ranges::all_of(parts, [](Real v) { return v > 0.0; }) ||
         std::ranges::all_of(parts, [](Real v) { return v < 0.0; });
}

/// Returns the smallest subset of the points whose hull has the same nearest point to the origin.
Simplex reduced(const Simplex& s) {
  NearestPart part(s);
  switch (s.size) {
    case 1:
      part.point(0);
      break;
    case 2:
      part.segment(0, 1);
      break;
    case 3:
      part.triangle(0, 1, 2);
      break;
    default:
      part.triangle(0, 1, 2);
      part.triangle(0, 1, 3);
      part.triangle(0, 2, 3);
      part.triangle(1, 2, 3);
  }
  return part.found();
}

void writePoints(const ConvexPair& pair, const Simplex& s, ConvexDistance& answer) {
  answer.pointA = answer.pointB = Vec3(0.0);
  for (std::size_t i = 0; i < s.size; ++i) {
    answer.pointA += s.weights[i] * pair.cornerOfA(s.points[i].a);
    answer.pointB += s.weights[i] * pair.cornerOfB(s.points[i].b);
  }
}

/// Returns the gap along faces and edges at the corners of the nearest part.
Real gapByFeatures(const ConvexPair& pair, const Simplex& s) noexcept {
  Real most = 0.0;
  for (const SupportPoint& point : std::span(s.points).first(s.size))
    most = std::max(most, pair.gapByFeaturesAt(point.a, point.b));
  return most;
}

}  // namespace

ConvexDistance gjkDistance(const ConvexPair& pair, Real enough) {
  ConvexDistance answer;
  Simplex simplex;
  simplex.points[0] = pair.support(pair.a().vertices()[0] - pair.cornerOfB(0));
  simplex.weights[0] = 1.0;
  simplex.size = 1;
  Vec3 nearest = simplex.points[0].difference;
  Real size = glm::length(nearest);
  answer.upper = size;
  Simplex best = simplex;
  int idle = 0;
  for (; answer.steps < maxGjkSteps; ++answer.steps) {
    if (answer.upper <= gjkPrecision * size) {
      answer.meet = true;
      answer.upper = 0.0;
      break;
    }
    // Search for a point that is nearer to the origin in this direction
    const SupportPoint& last = simplex.points[simplex.size - 1];
    const SupportPoint next = pair.support(-nearest, last.a, last.b);
    size = std::max(size, glm::length(next.difference));
    const Real along = glm::dot(nearest, next.difference) / glm::length(nearest);
    answer.lower = std::max(answer.lower, along);
    if (answer.lower > enough || along >= answer.upper * (1.0 - gjkPrecision)) break;
    const auto known = std::span(simplex.points).first(simplex.size);
    if (std::ranges::any_of(known,
                            [&](const SupportPoint& p) { return p.a == next.a && p.b == next.b; }))
      break;
    simplex.points[simplex.size++] = next;
    if (simplex.size == 4 && holdsOrigin(simplex)) {
      answer.meet = true;
      answer.lower = answer.upper = 0.0;
      ++answer.steps;
      break;
    }
    const Simplex part = reduced(simplex);
    // In exact arithmetic every step comes nearer. If rounding hides that, the direction may still
    // improve
    const Real distance = glm::length(part.nearest);
    idle = distance < answer.upper ? 0 : idle + 1;
    if (part.size == 0 || idle > maxIdleSteps || !(distance <= answer.upper + standstill * size))
      break;
    simplex = part;
    nearest = part.nearest;
    if (distance < answer.upper) best = simplex;
    answer.upper = std::min(answer.upper, distance);
  }
  if (!answer.meet) {
    writePoints(pair, best, answer);
    if (answer.lower < answer.upper * (1.0 - gjkPrecision)) {
      const Vec3 between = answer.pointB - answer.pointA;
      const Real length = glm::length(between);
      if (length > 0.0) answer.lower = std::max(answer.lower, pair.gapAlong(between / length));
      answer.lower = std::max(answer.lower, gapByFeatures(pair, best));
    }
  }
  answer.lower = std::min(answer.lower, answer.upper);
  return answer;
}

ConvexDistance gjkDistance(const ConvexPair& pair) {
  return gjkDistance(pair, std::numeric_limits<Real>::infinity());
}

}  // namespace nearmiss
