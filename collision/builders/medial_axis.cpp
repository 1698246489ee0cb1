// SPDX-License-Identifier: MIT
#include "builders/medial.h"

#include <nearmiss/detail/cancellation.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "geometry/triangle_normal.h"
#include "spheres/winding_field.h"

namespace nearmiss {
namespace {

constexpr std::uint32_t noSphere = 0xffffffff;

void sortUnique(std::vector<std::uint32_t>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// Points no two of which are close to each other, by cell of a cubic grid.
class SparsePoints {
 public:
  /// @param reach points nearer than this are close, metres
  SparsePoints(const Box& bounds, Real reach) : low_(bounds.low), reach_(reach) {
    const Vec3 extent = bounds.extent();
    cell_ = std::max(2.0 * reach, std::max({extent.x, extent.y, extent.z}) / maxCells);
    if (!(cell_ > 0.0)) cell_ = 1.0;
  }

  /// Returns the first point close to `p`, which lies within the bounds. If there is none, adds
  /// `own` and returns it.
  std::uint32_t joined(const Vec3& p, std::uint32_t own, std::span<const Vec3> points) {
    // Close points lie in the point's cell or in the cells that border on its half of the cell
    const Vec3 at = (p - low_) / cell_;
    std::uint32_t first = own;
    for (int corner = 0; corner < 8; ++corner) {
      std::uint64_t key = 0;
      for (int axis = 0; axis < 3; ++axis)
        key = key << 21 | static_cast<std::uint64_t>(at[axis] + 0.5 + (corner >> axis & 1));
      const auto cell = cells_.find(key);
      if (cell == cells_.end()) continue;
      for (const std::uint32_t other : cell->second)
        if (other < first && glm::distance(points[other], p) <= reach_) first = other;
    }
    if (first == own) cells_[keyOf(at)].push_back(own);
    return first;
  }

 private:
  static constexpr Real maxCells = 1 << 20;
  /// Cells are counted from 1, so that neighbours of the first cell have a number.
  [[nodiscard]] static std::uint64_t keyOf(const Vec3& at) noexcept {
    std::uint64_t key = 0;
    for (int axis = 0; axis < 3; ++axis)
      key = key << 21 | (static_cast<std::uint64_t>(at[axis]) + 1);
    return key;
  }

  Vec3 low_;
  Real reach_, cell_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells_;
};

class AxisBuild {
 public:
  AxisBuild(const Polyhedron& polyhedron, std::vector<SurfaceSample> points,
            const VoronoiDiagram& diagram, MedialAdjacency adjacency,
            const std::atomic<bool>* cancelled)
      : polyhedron_(polyhedron), diagram_(diagram), adjacency_(adjacency), cancelled_(cancelled) {
    axis_.points = std::move(points);
  }

  MedialAxis run(Real together) {
    addNormals(polyhedron_.mesh(), axis_);
    joinCoincident(together);
    if (!stopped()) keepInner();
    if (!stopped()) connect();
    return finished();
  }

  /// Computes the axis without spheres at corners.
  MedialAxis runOnPoints() {
    axis_.bothSides = true;
    addNormals(polyhedron_.mesh(), axis_);
    spheresOf_.resize(axis_.points.size());
    return finished();
  }

 private:
  [[nodiscard]] bool stopped() const noexcept { return wasCancelled(cancelled_); }
  MedialAxis finished() {
    if (!stopped()) addOrphans();
    if (!stopped()) addFarNeighbours();
    if (stopped()) return {};
    sortNeighbours(axis_);
    return std::move(axis_);
  }
  void joinCoincident(Real together);
  void keepInner();
  void connect();
  void addOrphans();
  void addFarNeighbours();
  void link(std::uint32_t a, std::uint32_t b) {
    if (a == b) return;
    axis_.spheres[a].neighbours.push_back(b);
    axis_.spheres[b].neighbours.push_back(a);
  }

  const Polyhedron& polyhedron_;
  const VoronoiDiagram& diagram_;
  MedialAdjacency adjacency_;
  const std::atomic<bool>* cancelled_;
  MedialAxis axis_;
  std::vector<std::uint32_t> root_;  ///< per corner of the diagram: the corner that represents it
  std::vector<std::uint32_t> sphereAt_;                ///< per corner: its sphere
  std::vector<std::vector<std::uint32_t>> spheresOf_;  ///< per point: its spheres
};

/// Replaces corners that are close together by the first of them, so that no two of the remaining
/// corners are close. Thousands may coincide, for example at the centre of a ball.
void AxisBuild::joinCoincident(Real together) {
  root_.resize(diagram_.corners.size());
  std::iota(root_.begin(), root_.end(), 0u);
  SparsePoints left(polyhedron_.bounds(), together);
  for (std::uint32_t i = 0; i < root_.size() && !stopped(); ++i)
    if (polyhedron_.bounds().contains(diagram_.corners[i]))
      root_[i] = left.joined(diagram_.corners[i], i, diagram_.corners);
}

/// Adds a sphere for each corner inside the solid. Its forming points are those whose cells meet
/// there.
void AxisBuild::keepInner() {
  // If there is an inside, use winding numbers, which are exact and fast among slivers; otherwise
  // visibility decides
  std::optional<WindingField> winding;
  if (!polyhedron_.report().solid()) winding.emplace(polyhedron_.mesh());
  const auto inside = [&](const Vec3& point) {
    return winding ? winding->inside(point) : polyhedron_.contains(point);
  };
  sphereAt_.assign(root_.size(), noSphere);
  for (std::uint32_t i = 0; i < root_.size(); ++i) {
    if (stopped()) return;
    const Vec3& corner = diagram_.corners[i];
    if (root_[i] != i || !polyhedron_.bounds().contains(corner) || !inside(corner)) continue;
    sphereAt_[i] = static_cast<std::uint32_t>(axis_.spheres.size());
    axis_.spheres.emplace_back().ball.centre = corner;
  }
  spheresOf_.resize(axis_.points.size());
  for (std::uint32_t point = 0; point < axis_.points.size(); ++point)
    for (std::uint32_t i = diagram_.cornerBegin[point]; i < diagram_.cornerBegin[point + 1]; ++i) {
      const std::uint32_t sphere = sphereAt_[i] = sphereAt_[root_[i]];
      if (sphere != noSphere) axis_.spheres[sphere].points.push_back(point);
    }
  for (std::uint32_t s = 0; s < axis_.spheres.size() && !stopped(); ++s) {
    MedialSphere& sphere = axis_.spheres[s];
    sortUnique(sphere.points);
    sphere.ball.radius = 0.0;
    for (const std::uint32_t p : sphere.points) {
      sphere.ball.radius =
          std::max(sphere.ball.radius, glm::distance(sphere.ball.centre, axis_.points[p].position));
      spheresOf_[p].push_back(s);
    }
  }
}

void AxisBuild::connect() {
  std::vector<std::uint32_t> around;
  for (const VoronoiDiagram::Face& face : diagram_.faces) {
    if (stopped()) return;
    around.clear();
    for (std::uint32_t i = face.begin; i < face.end; ++i)
      around.push_back(sphereAt_[diagram_.faceCorners[i]]);
    for (std::size_t i = 0; i < around.size(); ++i) {
      if (around[i] == noSphere) continue;
      if (adjacency_ == MedialAdjacency::SharedEdge) {
        const std::uint32_t next = around[(i + 1) % around.size()];
        if (next != noSphere) link(around[i], next);
        continue;
      }
      for (std::size_t j = 0; j < i; ++j)
        if (around[j] != noSphere) link(around[i], around[j]);
    }
  }
  for (MedialSphere& sphere : axis_.spheres) sortUnique(sphere.neighbours);
}

/// Points without an inner vertex become spheres of radius 0, adjacent to all spheres of the cells
/// around.
void AxisBuild::addOrphans() {
  addPointSpheres(axis_, spheresOf_);
  for (std::uint32_t p = 0; p < axis_.points.size() && !stopped(); ++p) {
    if (spheresOf_[p][0] < axis_.innerSpheres) continue;
    for (const VoronoiDiagram::Face& face : diagram_.facesOf(p))
      for (const std::uint32_t s : spheresOf_[face.neighbour]) link(spheresOf_[p][0], s);
  }
}

/// Adds links between all spheres of a point, and between spheres of points whose cells share a
/// face. These links connect all spheres.
void AxisBuild::addFarNeighbours() {
  const auto tie = [this](std::uint32_t a, std::uint32_t b) {
    if (a == b) return;
    axis_.spheres[a].farNeighbours.push_back(b);
    axis_.spheres[b].farNeighbours.push_back(a);
  };
  for (std::uint32_t p = 0; p < axis_.points.size() && !stopped(); ++p) {
    for (const std::uint32_t s : spheresOf_[p]) tie(spheresOf_[p][0], s);
    for (const VoronoiDiagram::Face& face : diagram_.facesOf(p))
      tie(spheresOf_[p][0], spheresOf_[face.neighbour][0]);
  }
}

}  // namespace

void addNormals(const TriangleMesh& mesh, MedialAxis& axis) {
  for (const SurfaceSample& point : axis.points)
    axis.normals.push_back(unitNormalOf(mesh.corners(point.triangle)));
}

void addPointSpheres(MedialAxis& axis, std::vector<std::vector<std::uint32_t>>& spheresOf) {
  axis.innerSpheres = axis.spheres.size();
  for (std::uint32_t p = 0; p < axis.points.size(); ++p) {
    if (!spheresOf[p].empty()) continue;
    spheresOf[p].push_back(static_cast<std::uint32_t>(axis.spheres.size()));
    MedialSphere& sphere = axis.spheres.emplace_back();
    sphere.ball = {axis.points[p].position, 0.0};
    sphere.points.push_back(p);
  }
}

void sortNeighbours(MedialAxis& axis) {
  for (MedialSphere& sphere : axis.spheres) {
    sortUnique(sphere.neighbours);
    sortUnique(sphere.farNeighbours);
  }
}

MedialAxis medialAxis(const Polyhedron& polyhedron, std::vector<SurfaceSample> points,
                      const VoronoiDiagram& diagram, Real together, MedialAdjacency adjacency,
                      const std::atomic<bool>* cancelled) {
  return AxisBuild(polyhedron, std::move(points), diagram, adjacency, cancelled).run(together);
}

MedialAxis pointAxis(const Polyhedron& polyhedron, std::size_t count, BuildProgress* progress) {
  const std::atomic<bool>* stop = cancellationOf(progress);
  if (progress) progress->enter(BuildStage::Points);
  std::vector<SurfaceSample> points = evenPoints(polyhedron.mesh(), count, stop);
  if (wasCancelled(stop)) return {};
  if (progress) progress->enter(BuildStage::Axis);
  const VoronoiDiagram diagram = voronoiDiagram(positionsOf(points), stop);
  if (wasCancelled(stop)) return {};
  return AxisBuild(polyhedron, std::move(points), diagram, MedialAdjacency::SharedEdge, stop)
      .runOnPoints();
}

MedialAxis medialAxis(const Polyhedron& polyhedron, std::size_t count, MedialAdjacency adjacency,
                      BuildProgress* progress, const AxisDetail& detail) {
  const std::atomic<bool>* stop = cancellationOf(progress);
  const auto cancelled = [stop] { return wasCancelled(stop); };
  if (progress) progress->enter(BuildStage::Points);
  std::vector<SurfaceSample> points = evenPoints(polyhedron.mesh(), count, stop);
  if (cancelled()) return {};
  if (progress) progress->enter(BuildStage::Axis);
  VoronoiDiagram diagram = voronoiDiagram(positionsOf(points), stop);
  for (int round = 0; round < detail.repairs && !cancelled(); ++round) {
    const std::vector<SurfaceSample> more = missingPoints(
        polyhedron, points, diagram, 2 * count - std::min(2 * count, points.size()), stop);
    if (progress)
      progress->advance(static_cast<std::size_t>(round) + 1,
                        static_cast<std::size_t>(detail.repairs) + 1);
    if (more.empty()) break;
    points.insert(points.end(), more.begin(), more.end());
    diagram = voronoiDiagram(positionsOf(points), stop);
  }
  if (cancelled()) return {};
  const Real together = detail.together * evenSpacing(polyhedron.mesh(), count);
  return medialAxis(polyhedron, std::move(points), diagram, together, adjacency, stop);
}

std::vector<Sphere> medialBalls(const Polyhedron& polyhedron, const DistanceField& field,
                                std::size_t count, BuildProgress* progress) {
  // A ball close to another ball of the axis adds no useful seed
  const MedialAxis axis = medialAxis(polyhedron, count, MedialAdjacency::SharedEdge, progress,
                                     {.repairs = 0, .together = 0.1});

  // A thin part may reach into a ball between the sample points, so limit the radius to the
  // distance
  std::vector<Sphere> balls;
  std::uint32_t near = 0;
  for (const MedialSphere& sphere : axis.spheres) {
    if (wasCancelled(progress)) return {};
    const Real distance = field.distance(sphere.ball.centre, near, 0.0f);
    balls.push_back({sphere.ball.centre, std::min(sphere.ball.radius, distance)});
  }
  return balls;
}

}  // namespace nearmiss
