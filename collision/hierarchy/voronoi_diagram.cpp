// SPDX-License-Identifier: MIT
#include "hierarchy/voronoi_diagram.h"

#include "hierarchy/point_grid.h"
#include "hierarchy/seeded_random.h"

#include <algorithm>
#include <cmath>
#include <voro++/voro++.hh>

namespace nearmiss {
namespace {

/// Of the extent: how far the wall lies outside, and within what distance points coincide.
constexpr double wall = 0.1;
constexpr Real coincident = 1e-9;
/// How many points a block of the search grid is meant for.
constexpr double pointsPerBlock = 5.0;

/// Whether an earlier point lies at the same place.
std::vector<bool> repeated(std::span<const Vec3> points) {
  const PointGrid grid(points, coincident);
  std::vector<bool> again(points.size(), false);
  for (std::uint32_t i = 0; i < points.size(); ++i)
    grid.forEachNear(points[i], coincident, [&](std::uint32_t j) {
      if (j < i && !again[j] && glm::distance(points[i], points[j]) <= coincident) again[i] = true;
    });
  return again;
}

/// Of the extent, and a thousand times the tolerance of voro++.
constexpr Real shake = 1e-8;
/// voro++ ends the program where more than 2,048 faces of a cell meet in one corner.
constexpr std::size_t mostThatMeet = 2000;

/// Moves points by amounts that matter to nobody, where so many could lie on one sphere, as around
/// the tip of a cone, that a corner had too many faces. Each of them has one of its own then.
void shakeApart(std::vector<Vec3>& points) {
  if (points.size() <= mostThatMeet) return;
  SeededRandom random(36);
  for (Vec3& p : points) p += shake * random.inBall();
}

class DiagramCopy {
 public:
  DiagramCopy(VoronoiDiagram& diagram, const Vec3& origin, Real scale)
      : diagram_(diagram), origin_(origin), scale_(scale) {}

  void add(voro::voronoicell_neighbor& cell, const Vec3& centre) {
    cell.vertices(centre.x, centre.y, centre.z, corners_);
    cell.neighbors(neighbours_);
    cell.face_vertices(faces_);
    const auto first = static_cast<std::uint32_t>(diagram_.corners.size());
    for (std::size_t i = 0; i + 2 < corners_.size(); i += 3)
      diagram_.corners.push_back(origin_ +
                                 scale_ * Vec3(corners_[i], corners_[i + 1], corners_[i + 2]));
    // Faces come as a count and that many corners each; those at the wall have a number below 0
    std::size_t at = 0;
    for (const int neighbour : neighbours_) {
      const auto count = static_cast<std::size_t>(faces_[at]);
      if (neighbour >= 0) {
        VoronoiDiagram::Face face{static_cast<std::uint32_t>(neighbour), size(), 0};
        for (std::size_t i = at + 1; i <= at + count; ++i)
          diagram_.faceCorners.push_back(first + static_cast<std::uint32_t>(faces_[i]));
        face.end = size();
        diagram_.faces.push_back(face);
      }
      at += count + 1;
    }
  }

 private:
  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(diagram_.faceCorners.size());
  }
  VoronoiDiagram& diagram_;
  Vec3 origin_;
  Real scale_;
  std::vector<double> corners_;
  std::vector<int> neighbours_, faces_;
};

}  // namespace

VoronoiDiagram voronoiDiagram(std::span<const Vec3> points, const std::atomic<bool>* cancelled) {
  // The tolerances of voro++ are absolute: it works on points of extent 1 about the origin
  Box bounds;
  for (const Vec3& p : points) bounds.include(p);
  const Vec3 extent = bounds.extent(), origin = bounds.centre();
  const Real greatest = std::max({extent.x, extent.y, extent.z});
  const Real scale = greatest > 0.0 ? greatest : 1.0;
  std::vector<Vec3> local;
  for (const Vec3& p : points) local.push_back((p - origin) / scale);

  const Vec3 half = 0.5 * extent / scale + wall;
  const double volume = 8.0 * half.x * half.y * half.z;
  const double block =
      std::cbrt(volume * pointsPerBlock / static_cast<double>(points.size())) / 2.0;
  const auto blocks = [block](double side) {
    return std::clamp(static_cast<int>(2.0 * side / block), 1, 64);
  };
  voro::container container(-half.x, half.x, -half.y, half.y, -half.z, half.z, blocks(half.x),
                            blocks(half.y), blocks(half.z), false, false, false, 8);
  const std::vector<bool> again = repeated(local);
  shakeApart(local);
  voro::particle_order order(static_cast<int>(points.size()));
  for (std::size_t i = 0; i < local.size(); ++i)
    if (!again[i]) container.put(order, static_cast<int>(i), local[i].x, local[i].y, local[i].z);

  VoronoiDiagram diagram;
  DiagramCopy copy(diagram, origin, scale);
  const auto close = [&diagram] {
    diagram.cornerBegin.push_back(static_cast<std::uint32_t>(diagram.corners.size()));
    diagram.faceBegin.push_back(static_cast<std::uint32_t>(diagram.faces.size()));
  };
  // In the order of the points, so that places in the diagram follow theirs
  voro::c_loop_order cells(container, order);
  voro::voronoicell_neighbor cell;
  close();
  if (cells.start()) do {
      while (diagram.cornerBegin.size() <= static_cast<std::size_t>(cells.pid())) close();
      if (container.compute_cell(cell, cells))
        copy.add(cell, local[static_cast<std::size_t>(cells.pid())]);
    } while (!(cancelled && *cancelled) && cells.inc());
  while (diagram.cornerBegin.size() <= points.size()) close();
  return diagram;
}

}  // namespace nearmiss
