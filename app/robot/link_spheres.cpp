// SPDX-License-Identifier: MIT
#include "robot/link_spheres.h"

#include <engine/model/model_loader.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "robot/primitive_meshes.h"
#include "tree/flat_set.h"

namespace nearmiss::app::robot {
namespace {

bool isOfSpheres(const RobotLink& link) {
  return std::all_of(link.shapes.begin(), link.shapes.end(),
                     [](const LinkShape& shape) { return shape.kind == LinkShapeKind::Sphere; });
}

/// The mesh of a primitive, about its own origin.
TriangleMesh primitiveMesh(const LinkShape& shape) {
  switch (shape.kind) {
    case LinkShapeKind::Box:
      return boxMesh(shape.size);
    case LinkShapeKind::Cylinder:
      return cylinderMesh(shape.size.x, shape.size.y);
    case LinkShapeKind::Capsule:
      return capsuleMesh(shape.size.x, shape.size.y);
    case LinkShapeKind::Ellipsoid:
      return ellipsoidMesh(shape.size);
    default:
      return ellipsoidMesh(Vec3(shape.size.x));
  }
}

}  // namespace

Result<Success> addShape(const LinkShape& shape, LinkMesh& link) {
  TriangleMesh part;
  if (shape.kind == LinkShapeKind::Mesh && shape.mesh) {
    part = *shape.mesh;
    if (!shape.remark.empty()) link.warnings.push_back(shape.remark);
  } else if (shape.kind == LinkShapeKind::Mesh) {
    engine::LoadOptions options;
    options.targetRadius = 0.0;
    auto loaded = engine::loadModel(shape.file, options);
    if (!loaded) return loaded.error();
    part = std::move(loaded->mesh);
    link.warnings.insert(link.warnings.end(), loaded->warnings.begin(), loaded->warnings.end());
    const Vec3 scale = glm::abs(shape.scale);
    link.rounding =
        std::max(link.rounding, loaded->rounding * std::max({scale.x, scale.y, scale.z}));
  } else {
    part = primitiveMesh(shape);
  }
  // A mirror turns what was outside inside
  if (shape.scale.x * shape.scale.y * shape.scale.z < 0.0)
    for (auto& triangle : part.triangles) std::swap(triangle[1], triangle[2]);
  const Quat back = glm::conjugate(shape.originTurn);
  const Vec3 size = glm::abs(shape.scale);
  link.reference =
      std::max(link.reference, glm::length(shape.originAt) * std::max({size.x, size.y, size.z}));
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

Result<LinkSpheres> spheresOfLink(const RobotLink& link, const FlatSetSettings& settings) {
  LinkSpheres result;
  if (isOfSpheres(link) && link.shapes.size() <= settings.count) {
    for (const LinkShape& shape : link.shapes) result.spheres.push_back({shape.at, shape.size.x});
    result.outsideShare = 0.0;
    return result;
  }
  LinkMesh mesh;
  for (const LinkShape& shape : link.shapes)
    if (const auto added = addShape(shape, mesh); !added) return added.error();
  result.warnings = std::move(mesh.warnings);
  const auto polyhedron = makePolyhedron(std::move(mesh.mesh));
  if (!polyhedron) return polyhedron.error();
  auto set = tree::fittedSpheres(link.name, *polyhedron, settings);
  if (!set) return set.error();
  result.spheres = *std::move(set);
  const UnionVolume volume = measureUnion(*polyhedron, result.spheres);
  if (volume.solid > 0.0) result.outsideShare = volume.outside / volume.solid;

  const Real lost = lostOf(mesh, polyhedron->radius());
  for (Sphere& sphere : result.spheres) sphere.radius += lost;
  return result;
}

}  // namespace nearmiss::app::robot
