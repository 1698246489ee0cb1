// SPDX-License-Identifier: MIT
#include "geometry/polyhedron_motion.h"

#include <algorithm>

#include "geometry/box_measures.h"
#include "geometry/polyhedron_pair.h"

namespace nearmiss {

Polyhedron::Parts::Parts(const Parts& other)
    : mesh(other.mesh),
      surface(other.surface, mesh),
      pieces(other.pieces),
      piecePoints(other.piecePoints),
      meeting(other.meeting),
      report(other.report),
      bounds(other.bounds),
      radius(other.radius),
      hash(other.hash) {}

PolyhedronMotion::PolyhedronMotion(const Polyhedron& built) {
  const TriangleMesh& mesh = built.mesh();
  const WideBoxes& boxes = surfaceOf(built).boxes();
  for (std::uint32_t leaf = 0; leaf < boxes.leafCount(); ++leaf)
    vertices_.add(mesh, boxes.itemsOf(leaf));
  leaves_.resize(boxes.leafCount());
  points_.resize(built.components().size() > 1 ? built.components().size() : 0);
}

Polyhedron PolyhedronMotion::copyOf(const Polyhedron& body) {
  return Polyhedron(std::make_unique<Polyhedron::Parts>(*body.parts_));
}

void PolyhedronMotion::move(Polyhedron& copy, std::span<const Vec3> positions) {
  Polyhedron::Parts& parts = *copy.parts_;
  std::ranges::copy(positions, parts.mesh.positions.begin());
  for (std::uint32_t leaf = 0; leaf < leaves_.size(); ++leaf) {
    Box box;
    for (const std::uint32_t v : verticesOf(leaf)) box.include(positions[v]);
    leaves_[leaf] = box;
  }
  parts.surface.refit(leaves_);
  measureAgain(parts.mesh, parts.pieces);
  for (std::size_t piece = 0; piece < points_.size(); ++piece) {
    const Vec3& point = positions[parts.pieces.components[piece].vertex];
    points_[piece] = {point, point};
  }
  if (!points_.empty()) parts.piecePoints.build(points_);
  if (parts.meeting.empty()) {
    parts.report.volume = parts.pieces.volume;
    parts.report.selfIntersectionsCounted = false;
  } else {
    parts.meeting.clear();
    parts.report =
        checkMesh(parts.mesh, parts.surface.boxes(), parts.pieces, nullptr, &parts.meeting);
  }
  parts.bounds = boundingBox(parts.mesh);
  parts.radius = radiusAboutOrigin(parts.mesh);
  parts.hash = hashOf(parts.mesh);
  // The cells of the previous surface are not valid for this one
  parts.cells = SolidCells();
}

}  // namespace nearmiss
