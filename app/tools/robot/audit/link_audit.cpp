// SPDX-License-Identifier: MIT
#include "tools/robot/audit/link_audit.h"

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/spheres.h>

#include <algorithm>
#include <atomic>
#include <glm/geometric.hpp>
#include <utility>

#include "tools/robot/link_mesh.h"
#include "tools/robot/primitives.h"

namespace nearmiss::app::robot {
namespace {

/// Maximum distance of the mesh of a shape from the shape.
Real excessOf(const LinkShape& shape) noexcept {
  switch (shape.kind) {
    case LinkShapeKind::Mesh:
    case LinkShapeKind::Box:
      return 0.0;
    case LinkShapeKind::Ellipsoid:
      return roundedExcess * std::max({shape.size.x, shape.size.y, shape.size.z});
    default:
      return roundedExcess * shape.size.x;
  }
}

std::vector<Sphere> shrunk(std::span<const Sphere> spheres, Real by) {
  std::vector<Sphere> smaller(spheres.begin(), spheres.end());
  for (Sphere& sphere : smaller) sphere.radius -= by;
  return smaller;
}

/// Returns true if one sphere contains the ball, within rounding.
bool holdsBall(std::span<const Sphere> spheres, const Sphere& ball) noexcept {
  constexpr Real rounded = 1e-12;
  return std::any_of(spheres.begin(), spheres.end(), [&](const Sphere& each) {
    const Real reach = glm::distance(each.centre, ball.centre) + ball.radius;
    return reach <= each.radius * (1.0 + rounded);
  });
}

void addPart(const UncoveredSurface& part, Real blur, LinkAudit& link) {
  const Real whole = link.area + part.area;
  if (whole > 0.0) {
    link.shareAtLeast = (link.shareAtLeast * link.area + part.shareAtLeast * part.area) / whole;
    link.shareAtMost = (link.shareAtMost * link.area + part.shareAtMost * part.area) / whole;
  }
  link.area = whole;
  const Real atLeast = std::max(part.farthestAtLeast - blur, 0.0);
  if (atLeast > link.farthestAtLeast) {
    link.farthestAtLeast = atLeast;
    link.where = part.where;
  }
  link.farthestAtMost = std::max(link.farthestAtMost, part.farthestAtMost + blur);
}

/// Returns true if the shape is proven to be covered; then updates `part`.
Result<bool> isCovered(const LinkShape& shape, const Polyhedron& polyhedron,
                       std::span<const Sphere> spheres, Real lost, BuildProgress* progress) {
  if (shape.kind == LinkShapeKind::Sphere && holdsBall(spheres, {shape.at, shape.size.x}))
    return true;
  // A round shape is inside its mesh: it is covered if the spheres cover the mesh and its interior
  if (!(excessOf(shape) > 0.0)) return false;
  const auto check = checkFlatSet(polyhedron, shrunk(spheres, lost), progress);
  if (!check) return check.error();
  return check->covers();
}

/// Lower bound on the share of the shape that is outside, computed with spheres enlarged by the
/// loss of reading. A loss below `noticed` times the radius changes the share by less than the
/// tolerance, so it is not measured again.
Result<Real> shareOutside(const Polyhedron& polyhedron, std::span<const Sphere> spheres, Real lost,
                          const UncoveredSurface& proven, BuildProgress* progress) {
  constexpr Real noticed = 1e-12;
  if (proven.shareAtLeast == 0.0 || lost <= noticed * polyhedron.radius())
    return proven.shareAtLeast;
  const auto bare = measureUncovered(polyhedron, shrunk(spheres, -lost), {}, progress);
  if (!bare) return bare.error();
  return bare->shareAtLeast;
}

}  // namespace

Result<LinkAudit> auditLink(const RobotLink& link, std::span<const Sphere> spheres,
                            BuildProgress* progress) {
  LinkAudit audit;
  bool allCovered = true;
  const std::atomic<bool>* cancelled = cancellationOf(progress);
  std::size_t triangles = 0;
  for (const LinkShape& shape : link.shapes) {
    LinkMesh part;
    if (const auto added = addShape(shape, part, cancelled); !added) return added.error();
    triangles += part.mesh.triangles.size();
    if (triangles > maxRobotTriangles) return tooManyTriangles();
    audit.warnings.insert(audit.warnings.end(), part.warnings.begin(), part.warnings.end());
    const auto polyhedron = makePolyhedron(std::move(part.mesh), cancelled);
    if (!polyhedron) return polyhedron.error();
    const Real lost = lostOf(part, polyhedron->radius());

    // Spheres shrunk by the loss of reading give upper bounds; lower bounds follow below
    auto proven = measureUncovered(*polyhedron, shrunk(spheres, lost), {}, progress);
    if (!proven) return proven.error();
    const auto whole = isCovered(shape, *polyhedron, spheres, lost, progress);
    if (!whole) return whole.error();
    const bool flat = excessOf(shape) == 0.0;
    if ((flat && proven->covered()) || *whole) {
      UncoveredSurface none;
      none.area = proven->area;
      addPart(none, 0.0, audit);
      continue;
    }
    allCovered = false;
    // An uncovered part of the mesh around a round shape may be covered on the shape itself
    const auto share =
        flat ? shareOutside(*polyhedron, spheres, lost, *proven, progress) : Result<Real>(0.0);
    if (!share) return share.error();
    proven->shareAtLeast = *share;
    addPart(*proven, excessOf(shape) + 2.0 * lost, audit);
  }
  audit.covered = allCovered;
  return audit;
}

}  // namespace nearmiss::app::robot
