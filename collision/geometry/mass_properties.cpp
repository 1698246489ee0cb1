// SPDX-License-Identifier: MIT
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/detail/second_moments.h>
#include <nearmiss/mesh.h>

#include <span>
#include <string>

#include "geometry/mesh_check.h"

namespace nearmiss {
namespace {

constexpr std::string_view undone = "cannot compute mass properties";

/// Counts the faults of edges only, because a complete report takes far longer than the integrals.
MeshReport edgesOf(const TriangleMesh& mesh) {
  MeshReport report;
  forEachEdge(sortedEdges(mesh), [&report](std::span<const EdgeUse> uses) {
    report.boundaryEdges += uses.size() == 1;
    report.nonManifoldEdges += uses.size() > 2;
    report.misorientedEdges += uses.size() == 2 && uses[0].backward == uses[1].backward;
  });
  return report;
}

/// Integrates about the centre of the body, so that a body far from its origin loses no digits.
Result<MassProperties> integralsOf(const TriangleMesh& mesh, const MeshReport& report) {
  std::string sentence(undone);
  if (!report.closed()) {
    sentence += ": the surface has no inside, it is ";
    return Error{ErrorCode::Unsupported, sentence + solidFaults(report).front()};
  }
  const Vec3 middle = boundingBox(mesh).centre();
  SecondMoments sums;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    Triangle corners = mesh.corners(t);
    for (Vec3& corner : corners) corner -= middle;
    sums.addSolid(corners);
  }
  if (!(sums.content > 0.0))
    return Error{ErrorCode::Unsupported,
                 sentence + ": the surface encloses no volume, or faces inwards"};
  const Vec3 centre = sums.first / sums.content;
  const glm::dmat3 second = sums.second - sums.content * glm::outerProduct(centre, centre);
  const Real trace = second[0][0] + second[1][1] + second[2][2];
  return MassProperties{sums.content, middle + centre, trace * glm::dmat3(1.0) - second};
}

}  // namespace

Result<MassProperties> massProperties(const TriangleMesh& mesh) {
  return orOutOfMemory(undone, [&]() -> Result<MassProperties> {
    if (const auto sound = checkTriangles(mesh); !sound) return sound.error();
    return integralsOf(mesh, edgesOf(mesh));
  });
}

Result<MassProperties> massProperties(const Shape& shape) {
  return orOutOfMemory(
      undone, [&] { return integralsOf(shape.polyhedron().mesh(), shape.polyhedron().report()); });
}

}  // namespace nearmiss
