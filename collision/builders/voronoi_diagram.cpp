// SPDX-License-Identifier: MIT
#include "builders/voronoi_diagram.h"

#include <nearmiss/detail/assertion.h>
#include <nearmiss/detail/cancellation.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "builders/delaunay.h"
#include "geometry/exact_predicates.h"
#include "spheres/enclosing_ball.h"
#include "spheres/point_grid.h"

namespace nearmiss {
namespace {

/// Relative to the extent: distance of the wall from the points, and distance within which points
/// coincide.
constexpr Real wall = 0.1;
constexpr Real coincident = 1e-9;
/// Tetrahedra whose unit edges span less volume are flat: their centres are computed exactly.
constexpr Real flat = 1e-2;

/// Marks points at the position of an earlier point.
std::vector<bool> repeated(std::span<const Vec3> points, const Box& bounds, Real size) {
  std::vector<Vec3> local;
  for (const Vec3& p : points) local.push_back((p - bounds.centre()) / size);
  const PointGrid grid(local, coincident);
  std::vector<bool> again(points.size(), false);
  for (std::uint32_t i = 0; i < local.size(); ++i)
    grid.forEachNear(local[i], coincident, [&](std::uint32_t j) {
      if (j < i && !again[j] && glm::distance(local[i], local[j]) <= coincident) again[i] = true;
    });
  return again;
}

/// Returns the corner of the diagram that is dual to a tetrahedron.
Vec3 centreOf(const Delaunay& delaunay, const Delaunay::Tetrahedron& t) noexcept {
  const auto at = [&](std::size_t i) -> const Vec3& { return delaunay.points()[t.corners[i]]; };
  const Vec3 u = glm::normalize(at(1) - at(0)), v = glm::normalize(at(2) - at(0)),
             w = glm::normalize(at(3) - at(0));
  if (std::abs(glm::dot(u, glm::cross(v, w))) > flat)
    if (const auto centre = circumcentre(at(0), at(1), at(2), at(3))) return *centre;
  return exactCircumcentre(at(0), at(1), at(2), at(3));
}

std::size_t indexOf(const Delaunay::Tetrahedron& t, std::uint32_t corner) noexcept {
  return static_cast<std::size_t>(std::find(t.corners.begin(), t.corners.end(), corner) -
                                  t.corners.begin());
}

/// Builds the cells of the points, from the tetrahedra that have them as corners.
class Cells {
 public:
  Cells(const Delaunay& delaunay, std::vector<Vec3> centres)
      : delaunay_(delaunay), centres_(std::move(centres)), cornerAt_(4 * centres_.size()) {}

  /// Once `cancelled`, if given, is set, the remaining cells are missing.
  VoronoiDiagram run(std::size_t points, const std::atomic<bool>* cancelled) {
    listTetrahedra();
    const auto close = [this] {
      diagram_.cornerBegin.push_back(static_cast<std::uint32_t>(diagram_.corners.size()));
      diagram_.faceBegin.push_back(static_cast<std::uint32_t>(diagram_.faces.size()));
    };
    close();
    for (std::uint32_t p = 0; p < points && !wasCancelled(cancelled); ++p) {
      addCorners(p);
      addFaces(p);
      close();
    }
    return std::move(diagram_);
  }

 private:
  void listTetrahedra();
  void addCorners(std::uint32_t point);
  void addFaces(std::uint32_t point);
  void addFace(std::uint32_t point, std::uint32_t neighbour, std::uint32_t start);

  const Delaunay& delaunay_;
  std::vector<Vec3> centres_;
  std::vector<std::uint32_t> begin_, list_;  ///< per point: its tetrahedra, ascending
  /// per tetrahedron and corner: index into diagram_.corners
  std::vector<std::uint32_t> cornerAt_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> around_;
  VoronoiDiagram diagram_;
};

void Cells::listTetrahedra() {
  begin_.assign(delaunay_.points().size() + 1, 0);
  for (const auto& t : delaunay_.tetrahedra())
    for (const std::uint32_t p : t.corners) ++begin_[p + 1];
  for (std::size_t p = 1; p < begin_.size(); ++p) begin_[p] += begin_[p - 1];
  list_.resize(begin_.back());
  std::vector<std::uint32_t> end(begin_.begin(), begin_.end() - 1);
  for (std::uint32_t t = 0; t < delaunay_.tetrahedra().size(); ++t)
    for (const std::uint32_t p : delaunay_.tetrahedra()[t].corners) list_[end[p]++] = t;
}

void Cells::addCorners(std::uint32_t point) {
  for (std::uint32_t i = begin_[point]; i < begin_[point + 1]; ++i) {
    const std::uint32_t t = list_[i];
    cornerAt_[4 * t + indexOf(delaunay_.tetrahedra()[t], point)] =
        static_cast<std::uint32_t>(diagram_.corners.size());
    diagram_.corners.push_back(centres_[t]);
  }
}

/// Adds a face for each edge of tetrahedra; none at the wall.
void Cells::addFaces(std::uint32_t point) {
  around_.clear();
  for (std::uint32_t i = begin_[point]; i < begin_[point + 1]; ++i)
    for (const std::uint32_t other : delaunay_.tetrahedra()[list_[i]].corners)
      if (other != point && !delaunay_.isFar(other)) around_.emplace_back(other, list_[i]);
  std::sort(around_.begin(), around_.end());
  for (std::size_t i = 0; i < around_.size(); ++i)
    if (i == 0 || around_[i].first != around_[i - 1].first)
      addFace(point, around_[i].first, around_[i].second);
}

/// Walks around the edge, from tetrahedron to tetrahedron.
void Cells::addFace(std::uint32_t point, std::uint32_t neighbour, std::uint32_t start) {
  const auto& tetrahedra = delaunay_.tetrahedra();
  std::array<std::uint32_t, 2> rest{};
  std::size_t found = 0;
  for (const std::uint32_t corner : tetrahedra[start].corners)
    if (corner != point && corner != neighbour) rest[found++] = corner;
  VoronoiDiagram::Face face{neighbour, static_cast<std::uint32_t>(diagram_.faceCorners.size()), 0};
  std::uint32_t at = start;
  do {
    const auto& t = tetrahedra[at];
    diagram_.faceCorners.push_back(cornerAt_[4 * at + indexOf(t, point)]);
    // Cross the face opposite one of the two other corners; the next tetrahedron has another corner
    // instead
    at = t.across[indexOf(t, rest[0])];
    rest[0] = rest[1];
    for (const std::uint32_t corner : tetrahedra[at].corners)
      if (corner != point && corner != neighbour && corner != rest[0]) rest[1] = corner;
  } while (at != start);
  face.end = static_cast<std::uint32_t>(diagram_.faceCorners.size());
  diagram_.faces.push_back(face);
}

}  // namespace

VoronoiDiagram voronoiDiagram(std::span<const Vec3> points, const std::atomic<bool>* cancelled) {
  NEARMISS_ASSERT(!points.empty());
  Box bounds;
  for (const Vec3& p : points) bounds.include(p);
  const Vec3 extent = bounds.extent();
  const Real greatest = std::max({extent.x, extent.y, extent.z});
  const Real size = greatest > 0.0 ? greatest : 1.0;
  const Delaunay delaunay(points, repeated(points, bounds, size), cancelled);
  VoronoiDiagram none;
  none.cornerBegin.assign(points.size() + 1, 0);
  none.faceBegin.assign(points.size() + 1, 0);
  if (wasCancelled(cancelled)) return none;
  std::vector<Vec3> centres;
  for (const Delaunay::Tetrahedron& t : delaunay.tetrahedra()) {
    if (wasCancelled(cancelled)) return none;
    centres.push_back(
        glm::clamp(centreOf(delaunay, t), bounds.low - wall * size, bounds.high + wall * size));
  }
  VoronoiDiagram diagram = Cells(delaunay, std::move(centres)).run(points.size(), cancelled);
  return wasCancelled(cancelled) ? none : diagram;
}

}  // namespace nearmiss
