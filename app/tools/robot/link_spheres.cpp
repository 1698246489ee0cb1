// SPDX-License-Identifier: MIT
#include "tools/robot/link_spheres.h"

#include <algorithm>
#include <utility>

#include "tools/robot/link_mesh.h"
#include "tools/robot/primitives.h"

namespace nearmiss::app::robot {
namespace {

/// The cover with the minimum excess volume; empty if there are no covers.
std::vector<Sphere> tightestOf(const LinkBody& body, const std::vector<std::vector<Sphere>>& covers,
                               const LinkEffort& effort) {
  std::vector<Sphere> best;
  Real least = 0.0;
  for (const std::vector<Sphere>& cover : covers) {
    const Real outside = volumeOf(body, cover, {.rows = effort.rows / 4}).outside;
    if (!best.empty() && outside >= least) continue;
    best = cover;
    least = outside;
  }
  return best;
}

/// Compares the cover with a single ball around the link, because a few columns of spheres fit flat
/// cylinders badly.
bool isWellLaidOut(const LinkBody& body, Real outside) {
  constexpr Real share = 0.6;
  const std::vector<Sphere> one = tightestOf(body, primitiveCovers(body.link->shapes[0], 1), {});
  return outside < share * measureUnion(*body.polyhedron, one).outside;
}

}  // namespace

bool isOfSpheres(const RobotLink& link) noexcept {
  return std::all_of(link.shapes.begin(), link.shapes.end(),
                     [](const LinkShape& shape) { return shape.kind == LinkShapeKind::Sphere; });
}

UnionVolume volumeOf(const LinkBody& body, std::span<const Sphere> spheres,
                     const LinkEffort& effort) {
  return measureUnion(*body.polyhedron, spheres, effort.rows);
}

Result<LinkBody> prepareLink(const RobotLink& link) {
  LinkMesh mesh;
  for (const LinkShape& shape : link.shapes)
    if (const auto added = addShape(shape, mesh); !added) return added.error();
  auto polyhedron = makePolyhedron(std::move(mesh.mesh));
  if (!polyhedron) return polyhedron.error();
  LinkBody body;
  body.link = &link;
  body.lost = lostOf(mesh, polyhedron->radius());
  body.warnings = std::move(mesh.warnings);
  body.polyhedron = std::make_shared<const Polyhedron>(*std::move(polyhedron));
  return body;
}

Result<LinkSpheres> coverLink(const LinkBody& body, const FlatSetSettings& settings,
                              const LinkEffort& effort, BuildProgress* progress) {
  LinkSpheres result;
  const std::vector<LinkShape>& shapes = body.link->shapes;
  if (isOfSpheres(*body.link) && shapes.size() <= settings.count) {
    for (const LinkShape& shape : shapes) result.spheres.push_back({shape.at, shape.size.x});
    result.exact = true;
    result.volume = volumeOf(body, result.spheres, effort);
    result.volume.outside = 0.0;
    return result;
  }
  FlatSetSettings own = settings;
  std::vector<Sphere> cover;
  if (shapes.size() == 1)
    cover = tightestOf(body, primitiveCovers(shapes[0], settings.count), effort);
  if (!cover.empty() && !effort.searches) {
    // The cells of a layout fill the shape and each has its sphere, so no check is needed
    result.spheres = std::move(cover);
    result.volume = volumeOf(body, result.spheres, effort);
    return result;
  }
  if (!cover.empty()) {
    const Real outside = volumeOf(body, cover).outside;
    own.ownStarts = settings.count > 1 && !isWellLaidOut(body, outside);
    if (own.start.empty() || outside < volumeOf(body, own.start).outside) own.start = cover;
  }
  auto set = fitFlatSet(*body.polyhedron, own, progress);
  if (!set) return set.error();
  result.spheres = *std::move(set);
  result.volume = volumeOf(body, result.spheres);
  return result;
}

}  // namespace nearmiss::app::robot
