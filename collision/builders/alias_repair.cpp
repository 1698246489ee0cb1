// SPDX-License-Identifier: MIT
#include "builders/medial.h"

#include <nearmiss/detail/cancellation.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "geometry/closest_points.h"

namespace nearmiss {
namespace {

/// Parts that enter a cell by less than this share of its size merely touch it and do not count.
constexpr Real strictness = 1e-9;

/// The half-space of all points x with dot(normal, x) <= offset.
struct HalfSpace {
  Vec3 normal;
  Real offset;
  [[nodiscard]] Real outside(const Vec3& p) const noexcept { return glm::dot(normal, p) - offset; }
};

/// The triangles in one cell, and their connections there.
class CellSurface {
 public:
  CellSurface(const Polyhedron& polyhedron, const std::vector<SurfaceSample>& points,
              const VoronoiDiagram& diagram) noexcept
      : polyhedron_(polyhedron), points_(points), diagram_(diagram) {}

  void addMissing(std::uint32_t point, std::vector<SurfaceSample>& missing);

 private:
  struct Part {
    std::uint32_t triangle;
    std::uint32_t root;
    Vec3 nearest;
  };
  /// An edge between two vertices, and a part that has it.
  struct Edge {
    std::uint32_t low, high, part;
    auto operator<=>(const Edge&) const = default;
  };
  void gather(std::uint32_t point);
  bool clip(const std::array<Vec3, 3>& corners);
  [[nodiscard]] bool reachesCell(const Edge& edge) const;
  void joinParts();
  [[nodiscard]] Vec3 nearestOfPolygon(const Vec3& p) const noexcept;
  std::uint32_t rootOf(std::uint32_t i) noexcept {
    while (parts_[i].root != i) i = parts_[i].root = parts_[parts_[i].root].root;
    return i;
  }

  const Polyhedron& polyhedron_;
  const std::vector<SurfaceSample>& points_;
  const VoronoiDiagram& diagram_;
  std::vector<HalfSpace> cell_;
  std::vector<Part> parts_;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> nearest_;  ///< per root: the part nearest to the point
  std::vector<Vec3> polygon_, next_;
};

/// Clips a triangle to the cell, into polygon_. Returns whether anything is left.
bool CellSurface::clip(const std::array<Vec3, 3>& corners) {
  polygon_.assign(corners.begin(), corners.end());
  for (const HalfSpace& half : cell_) {
    next_.clear();
    for (std::size_t i = 0; i < polygon_.size(); ++i) {
      const Vec3 &a = polygon_[i], &b = polygon_[(i + 1) % polygon_.size()];
      const Real da = half.outside(a), db = half.outside(b);
      if (da <= 0.0) next_.push_back(a);
      if ((da < 0.0 && db > 0.0) || (da > 0.0 && db < 0.0))
        next_.push_back(a + (b - a) * (da / (da - db)));
    }
    std::swap(polygon_, next_);
    if (polygon_.empty()) return false;
  }
  return true;
}

/// Returns true if some of the edge between two vertices lies in the cell.
bool CellSurface::reachesCell(const Edge& edge) const {
  const std::vector<Vec3>& positions = polyhedron_.mesh().positions;
  Real begin = 0.0, end = 1.0;
  for (const HalfSpace& half : cell_) {
    const Real from = half.outside(positions[edge.low]), to = half.outside(positions[edge.high]);
    if (from > 0.0 && to > 0.0) return false;
    if (from > 0.0) begin = std::max(begin, from / (from - to));
    if (to > 0.0) end = std::min(end, from / (from - to));
  }
  return begin <= end;
}

/// Gives parts that share an edge in the cell a common root, the first of them. Uses a list of
/// edges because a cell may have a thousand times as many parts as others.
void CellSurface::joinParts() {
  edges_.clear();
  for (std::uint32_t i = 0; i < parts_.size(); ++i) {
    parts_[i].root = i;
    const auto& corners = polyhedron_.mesh().triangles[parts_[i].triangle];
    for (std::size_t e = 0; e < 3; ++e) {
      const auto [low, high] = std::minmax(corners[e], corners[(e + 1) % 3]);
      edges_.push_back({low, high, i});
    }
  }
  std::sort(edges_.begin(), edges_.end());
  for (std::size_t first = 0, last; first < edges_.size(); first = last) {
    const Edge& edge = edges_[first];
    for (last = first + 1; last < edges_.size(); ++last)
      if (edges_[last].low != edge.low || edges_[last].high != edge.high) break;
    if (last == first + 1 || !reachesCell(edge)) continue;
    for (std::size_t k = first + 1; k < last; ++k) {
      const std::uint32_t a = rootOf(edge.part), b = rootOf(edges_[k].part);
      parts_[std::max(a, b)].root = std::min(a, b);
    }
  }
}

Vec3 CellSurface::nearestOfPolygon(const Vec3& p) const noexcept {
  Vec3 best = polygon_[0];
  for (std::size_t i = 1; i + 1 < polygon_.size(); ++i) {
    const Vec3 candidate = closestOnTriangle(p, {polygon_[0], polygon_[i], polygon_[i + 1]});
    if (squaredDistance(candidate, p) < squaredDistance(best, p)) best = candidate;
  }
  return best;
}

/// Fills cell_ and parts_.
void CellSurface::gather(std::uint32_t point) {
  const Vec3 own = points_[point].position;
  Box box;
  for (std::uint32_t i = diagram_.cornerBegin[point]; i < diagram_.cornerBegin[point + 1]; ++i)
    box.include(diagram_.corners[i]);
  const Real margin = strictness * glm::length(box.extent());
  cell_.clear();
  for (const VoronoiDiagram::Face& face : diagram_.facesOf(point)) {
    const Vec3 other = points_[face.neighbour].position;
    const Vec3 normal = glm::normalize(other - own);
    cell_.push_back({normal, glm::dot(normal, 0.5 * (own + other)) - margin});
  }
  parts_.clear();
  polyhedron_.forEachTriangleIn(box, [&](std::uint32_t t) {
    const auto corners = polyhedron_.mesh().corners(t);
    // The start point is the mean or some piece. Odd starts keep it as the first seed; even starts
    // use it only to find the farthest piece
    for (const HalfSpace& half : cell_)
      if (half.outside(corners[0]) > 0.0 && half.outside(corners[1]) > 0.0 &&
          half.outside(corners[2]) > 0.0)
        return;
    if (clip(corners))
      parts_.push_back({t, static_cast<std::uint32_t>(parts_.size()), nearestOfPolygon(own)});
  });
}

void CellSurface::addMissing(std::uint32_t point, std::vector<SurfaceSample>& missing) {
  if (diagram_.cornerBegin[point] == diagram_.cornerBegin[point + 1]) return;
  gather(point);
  std::sort(parts_.begin(), parts_.end(),
            [](const Part& a, const Part& b) { return a.triangle < b.triangle; });
  joinParts();

  // Take the nearest position of every part that does not contain the point's own triangle
  const Vec3 own = points_[point].position;
  constexpr std::uint32_t none = 0xffffffff;
  std::uint32_t home = none;
  for (std::uint32_t i = 0; i < parts_.size(); ++i)
    if (parts_[i].triangle == points_[point].triangle) home = rootOf(i);
  nearest_.resize(parts_.size());
  for (std::uint32_t i = 0; i < parts_.size(); ++i) {
    std::uint32_t& nearest = nearest_[rootOf(i)];
    if (parts_[i].root == i ||
        squaredDistance(parts_[i].nearest, own) < squaredDistance(parts_[nearest].nearest, own))
      nearest = i;
  }
  for (std::uint32_t i = 0; i < parts_.size(); ++i)
    if (parts_[i].root == i && i != home)
      missing.push_back({parts_[nearest_[i]].nearest, parts_[nearest_[i]].triangle});
}

}  // namespace

std::vector<SurfaceSample> missingPoints(const Polyhedron& polyhedron,
                                         const std::vector<SurfaceSample>& points,
                                         const VoronoiDiagram& diagram, std::size_t most,
                                         const std::atomic<bool>* cancelled) {
  std::vector<SurfaceSample> missing;
  CellSurface surface(polyhedron, points, diagram);
  for (std::uint32_t i = 0; i < points.size() && missing.size() < most; ++i) {
    if (wasCancelled(cancelled)) break;
    surface.addMissing(i, missing);
  }
  if (missing.size() > most) missing.resize(most);
  return missing;
}

}  // namespace nearmiss
