// SPDX-License-Identifier: MIT
#include <CGAL/Aff_transformation_3.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Rigid_triangle_mesh_collision_detection.h>
#include <CGAL/Surface_mesh.h>

#include <glm/gtc/quaternion.hpp>
#include <vector>

#include "mesh_peer.h"

namespace nearmiss::bench {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Surface = CGAL::Surface_mesh<Kernel::Point_3>;

/// False for a mesh that is no manifold.
bool put(const TriangleMesh& mesh, Surface& surface) {
  std::vector<Surface::Vertex_index> vertices;
  for (const Vec3& p : mesh.positions) vertices.push_back(surface.add_vertex({p.x, p.y, p.z}));
  for (const auto& t : mesh.triangles)
    if (surface.add_face(vertices[t[0]], vertices[t[1]], vertices[t[2]]) == Surface::null_face())
      return false;
  return true;
}

Kernel::Aff_transformation_3 transformOf(const Pose& pose) {
  const glm::dmat3 m = glm::mat3_cast(pose.rotation);
  const Vec3& p = pose.position;
  return {m[0][0], m[1][0], m[2][0], p.x,     m[0][1], m[1][1],
          m[2][1], p.y,     m[0][2], m[1][2], m[2][2], p.z};
}

class CgalRigid final : public MeshPeer {
 public:
  CgalRigid(Surface a, Surface b) : surfaces_{std::move(a), std::move(b)} {
    for (const Surface& surface : surfaces_) detection_.add_mesh(surface);
  }
  bool meet(const Pose& a, const Pose& b) override {
    detection_.set_transformation(0, transformOf(a));
    detection_.set_transformation(1, transformOf(b));
    return !detection_.get_all_intersections(0).empty();
  }

 private:
  std::vector<Surface> surfaces_;
  CGAL::Rigid_triangle_mesh_collision_detection<Surface> detection_;
};

}  // namespace

std::unique_ptr<MeshPeer> makeCgalRigid(const TriangleMesh& a, const TriangleMesh& b) {
  Surface surfaceA, surfaceB;
  if (!put(a, surfaceA) || !put(b, surfaceB)) return nullptr;
  return std::make_unique<CgalRigid>(std::move(surfaceA), std::move(surfaceB));
}

}  // namespace nearmiss::bench
