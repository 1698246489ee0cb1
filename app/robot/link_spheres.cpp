// SPDX-License-Identifier: MIT
#include "robot/link_spheres.h"

#include <nearmiss/mesh.h>

#include <algorithm>
#include <utility>

#include "robot/link_mesh.h"
#include "tree/flat_set.h"

namespace nearmiss::app::robot {
namespace {

bool isOfSpheres(const RobotLink& link) {
  return std::all_of(link.shapes.begin(), link.shapes.end(),
                     [](const LinkShape& shape) { return shape.kind == LinkShapeKind::Sphere; });
}

}  // namespace

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
