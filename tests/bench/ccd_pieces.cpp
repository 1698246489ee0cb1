// SPDX-License-Identifier: MIT
#include <ccd/ccd.h>
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <limits>
#include <span>
#include <vector>

#include "mesh_peer.h"

namespace nearmiss::bench {
namespace {

constexpr std::size_t trianglesPerPiece = 32;

/// The hull of some triangles, and a ball around it.
struct Piece {
  std::vector<Vec3> points;  ///< moved
  std::vector<Vec3> own;
  Vec3 ownCentre{0.0}, centre{0.0};
  Real radius = 0.0;
};

Piece pieceOf(const TriangleMesh& mesh, std::span<const std::uint32_t> triangles) {
  std::vector<std::uint32_t> vertices;
  for (const std::uint32_t t : triangles)
    vertices.insert(vertices.end(), mesh.triangles[t].begin(), mesh.triangles[t].end());
  std::ranges::sort(vertices);
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  Piece piece;
  Box box;
  for (const std::uint32_t v : vertices) {
    piece.own.push_back(mesh.positions[v]);
    box.include(mesh.positions[v]);
  }
  piece.ownCentre = box.centre();
  for (const Vec3& p : piece.own)
    piece.radius = std::max(piece.radius, glm::distance(p, piece.ownCentre) * (1.0 + 1e-12));
  piece.points.resize(piece.own.size());
  return piece;
}

/// Halves triangles across the longest side of their box until few are left.
void cut(const TriangleMesh& mesh, std::span<std::uint32_t> triangles, std::vector<Piece>& pieces) {
  if (triangles.size() <= trianglesPerPiece) return pieces.push_back(pieceOf(mesh, triangles));
  const auto middle = [&mesh](std::uint32_t t) {
    const Triangle corners = mesh.corners(t);
    return corners[0] + corners[1] + corners[2];
  };
  Box box;
  for (const std::uint32_t t : triangles) box.include(middle(t));
  const Vec3 extent = box.extent();
  const int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
  const std::size_t half = triangles.size() / 2;
  std::ranges::nth_element(triangles, triangles.begin() + static_cast<std::ptrdiff_t>(half), {},
                           [&](std::uint32_t t) { return middle(t)[axis]; });
  cut(mesh, triangles.first(half), pieces);
  cut(mesh, triangles.subspan(half), pieces);
}

class Pieces {
 public:
  explicit Pieces(const TriangleMesh& mesh) {
    std::vector<std::uint32_t> triangles(mesh.triangles.size());
    for (std::uint32_t t = 0; t < triangles.size(); ++t) triangles[t] = t;
    cut(mesh, triangles, pieces_);
  }
  std::vector<Piece>& move(const Pose& pose) {
    for (Piece& piece : pieces_) {
      piece.centre = transformed(pose, piece.ownCentre);
      for (std::size_t i = 0; i < piece.own.size(); ++i)
        piece.points[i] = transformed(pose, piece.own[i]);
    }
    return pieces_;
  }

 private:
  std::vector<Piece> pieces_;
};

void supportOf(const void* object, const ccd_vec3_t* along, ccd_vec3_t* found) {
  const Vec3 direction(along->v[0], along->v[1], along->v[2]);
  Real most = -std::numeric_limits<Real>::infinity();
  for (const Vec3& p : static_cast<const Piece*>(object)->points) {
    const Real height = glm::dot(p, direction);
    if (height <= most) continue;
    most = height;
    ccdVec3Set(found, p.x, p.y, p.z);
  }
}

/// Hulls of pieces hold more than the surface: they meet more often.
class CcdPieces final : public MeshPeer {
 public:
  CcdPieces(const TriangleMesh& a, const TriangleMesh& b) : a_(a), b_(b) {
    CCD_INIT(&ccd_);
    ccd_.support1 = ccd_.support2 = &supportOf;
    ccd_.max_iterations = 100;
  }
  bool meet(const Pose& a, const Pose& b) override {
    std::vector<Piece>& ofA = a_.move({});
    std::vector<Piece>& ofB = b_.move(relativePose(a, b));
    for (const Piece& p : ofA)
      for (const Piece& q : ofB) {
        const Vec3 between = q.centre - p.centre;
        const Real reach = p.radius + q.radius;
        if (glm::dot(between, between) > reach * reach) continue;
        if (ccdGJKIntersect(&p, &q, &ccd_)) return true;
      }
    return false;
  }

 private:
  Pieces a_, b_;
  ccd_t ccd_;
};

}  // namespace

std::unique_ptr<MeshPeer> makeCcdPieces(const TriangleMesh& a, const TriangleMesh& b) {
  return std::make_unique<CcdPieces>(a, b);
}

}  // namespace nearmiss::bench
