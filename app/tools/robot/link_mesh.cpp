// SPDX-License-Identifier: MIT
#include "tools/robot/link_mesh.h"

#include <engine/model/model_loader.h>
#include <fmt/format.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

#include "tools/robot/primitives.h"

namespace nearmiss::app::robot {
namespace {

/// The mesh of a primitive, centred at its origin.
Result<TriangleMesh> primitiveMesh(const LinkShape& shape) {
  switch (shape.kind) {
    case LinkShapeKind::Box:
      return boxMesh(shape.size);
    case LinkShapeKind::Cylinder:
      return cylinderAround(shape.size.x, shape.size.y);
    case LinkShapeKind::Capsule:
      return capsuleAround(shape.size.x, shape.size.y);
    case LinkShapeKind::Ellipsoid:
      return ellipsoidAround(shape.size);
    default:
      return ellipsoidAround(Vec3(shape.size.x));
  }
}

}  // namespace

Error tooManyTriangles() {
  return {ErrorCode::TooLarge,
          fmt::format("its shapes have more than {} triangles", maxRobotTriangles)};
}

Result<Success> addShape(const LinkShape& shape, LinkMesh& link,
                         const std::atomic<bool>* cancelled) {
  TriangleMesh part;
  if (shape.kind == LinkShapeKind::Mesh && shape.mesh) {
    part = *shape.mesh;
    if (!shape.remark.empty()) link.warnings.push_back(shape.remark);
  } else if (shape.kind == LinkShapeKind::Mesh) {
    engine::LoadOptions options;
    options.targetRadius = 0.0;
    auto loaded = cancelled ? engine::loadModel(shape.file, options, *cancelled)
                            : engine::loadModel(shape.file, options);
    if (!loaded) return loaded.error();
    part = std::move(loaded->mesh);
    if (loaded->cleaning.facedInwards && loaded->report.solid()) link.facedInwards = true;
    link.warnings.insert(link.warnings.end(), loaded->warnings.begin(), loaded->warnings.end());
    const Vec3 scale = glm::abs(shape.scale);
    link.rounding =
        std::max(link.rounding, loaded->rounding * std::max({scale.x, scale.y, scale.z}));
  } else {
    auto made = primitiveMesh(shape);
    if (!made) return made.error();
    part = *std::move(made);
  }
  if (part.triangles.size() > maxRobotTriangles - link.mesh.triangles.size())
    return tooManyTriangles();
  // Mirroring reverses the orientation
  if (shape.scale.x * shape.scale.y * shape.scale.z < 0.0)
    for (auto& triangle : part.triangles) std::swap(triangle[1], triangle[2]);
  const Quat back = glm::conjugate(shape.originTurn);
  const Vec3 size = glm::abs(shape.scale);
  Real farthest = 0.0;
  if (shape.kind == LinkShapeKind::Mesh)
    for (const Vec3& p : part.positions) farthest = std::max(farthest, glm::length(p));
  link.reference = std::max(link.reference, (farthest + glm::length(shape.originAt)) *
                                                std::max({size.x, size.y, size.z}));
  appendMoved(
      part,
      [&shape, &back](const Vec3& p) {
        return shape.turn * (shape.scale * (back * (p - shape.originAt))) + shape.at;
      },
      link.mesh);
  return Success{};
}

Real lostOf(const LinkMesh& link, Real radius) noexcept {
  const Real moved =
      16.0 * std::numeric_limits<Real>::epsilon() * (radius + link.rounding + link.reference);
  return link.rounding + moved;
}

}  // namespace nearmiss::app::robot
