// SPDX-License-Identifier: MIT
#include "spheres/tree_refit.h"

#include <nearmiss/detail/triangle_geometry.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <span>
#include <utility>

#include "geometry/box_search.h"
#include "geometry/nearest_probe.h"
#include "geometry/surface_boxes.h"
#include "spheres/hausdorff.h"
#include "spheres/node_boxes.h"
#include "spheres/sphere_packing.h"

namespace nearmiss {

TreeRefit::TreeRefit(const SphereTree& built, const Polyhedron& before)
    : built_(&built), before_(&before) {
  const std::size_t slots = built.data().packs.size() * SpherePack::width;
  for (SphereId id = 0; id < slots; ++id)
    vertices_.add(before.mesh(), built.identity(id) == id ? built.trianglesOf(id)
                                                          : std::span<const std::uint32_t>());
  moved_.resize(slots);
  for (SphereId id = 0; id < slots; ++id)
    if (used(id) && built.identity(id) == id)
      moved_[id].anchor = before.nearest(built.sphere(id).centre).triangle;
  const InnerSpheres& inner = built.data().inner;
  for (SphereId id = 0; id < inner.spheres.size() * SpherePack::width; ++id)
    innerAnchors_.push_back(before.nearest(inner.sphere(id).centre).triangle);
  innerMoved_.resize(innerAnchors_.size());
}

bool TreeRefit::used(SphereId id) const noexcept {
  return built_->data().packs[id / SpherePack::width].r[id % SpherePack::width] >= 0.0f;
}

void TreeRefit::forEachChild(SphereId id, const auto& visit) const {
  const std::uint32_t first =
      built_->data().links[id / SpherePack::width].childPack[id % SpherePack::width];
  const std::uint32_t count = built_->childPackCount(id) * SpherePack::width;
  for (std::uint32_t i = 0; i < count; ++i)
    if (const SphereId child = first * SpherePack::width + i; used(child))
      visit(moved_[built_->identity(child)]);
}

void TreeRefit::move(const Polyhedron& after, Real scale, SphereTree& tree) {
  after_ = &after;
  scale_ = scale;
  leavesBefore_ = leavesAfter_ = 0.0;
  // Children lie in later packs than their parents
  for (auto id = static_cast<SphereId>(moved_.size()); id-- > 0;)
    if (used(id) && built_->identity(id) == id) moveBall(id);

  const bool solid = after.report().solid();
  SphereTree::Data data = std::move(tree).take();
  data.outside.assign(solid ? moved_.size() : 0, 0.0f);
  for (SphereId id = 0; id < moved_.size(); ++id) {
    if (!used(id)) continue;
    const std::size_t pack = id / SpherePack::width;
    const auto lane = static_cast<int>(id % SpherePack::width);
    const Moved& moved = moved_[built_->identity(id)];
    store(data.packs[pack], lane, moved.ball);
    data.links[pack].hausdorff[lane] = moved.hausdorff;
    if (solid) data.outside[id] = moved.outside;
  }
  moveBoxes(data);
  const InnerSpheres& inner = built_->data().inner;
  // Copies keep the memory of before
  data.inner = inner;
  // What such spheres prove about other surfaces depends on the pieces that wind about them
  static const InnerSpheres none;
  if (!solid || !before_->report().solid() || !moveInner(data.inner)) data.inner = none;
  tree = SphereTree(std::move(data));
}

/// Apart from the scale, a point in the sphere moves like the corners of its triangle: at most as
/// far from the middle of their motions as the farthest of these. The radius grows by that, unless
/// the contents below need less.
void TreeRefit::moveBall(SphereId id) {
  const Sphere old = built_->sphere(id);
  Moved& moved = moved_[id];
  Box motion;
  const auto vertices = vertices_.of(id);
  for (const std::uint32_t v : vertices) motion.include(motionOf(v));
  forEachChild(id, [&](const Moved& child) { motion.include(child.motion); });
  const bool holds = !motion.empty();
  const Vec3 middle = scale_ * old.centre + (holds ? motion.centre() : Vec3(0.0));
  const Vec3 centre = roundedToFloat(middle);
  Real radius = scale_ * old.radius + glm::distance(centre, middle) +
                (holds ? 0.5 * glm::length(motion.extent()) : 0.0);
  Real square = 0.0;
  for (const std::uint32_t v : vertices) {
    const Vec3 way = after_->mesh().positions[v] - centre;
    square = std::max(square, glm::dot(way, way));
  }
  Real needed = std::sqrt(square);
  forEachChild(id, [&](const Moved& child) {
    needed = std::max(needed, glm::distance(child.ball.centre, centre) + child.ball.radius);
  });
  if (holds) radius = std::min(radius, needed);
  // More than rounding errors and the margin of coverage proofs could take away
  constexpr Real roundedUp = 1.0 + 1e-6;
  moved.motion = motion;
  moved.ball = {centre, Real{floatAtLeast(radius * roundedUp)}};
  measure(moved);
  if (built_->childPackCount(id) != 0) return;
  leavesBefore_ += old.radius * old.radius;
  leavesAfter_ += moved.ball.radius * moved.ball.radius;
}

TreeRefit::Clearance TreeRefit::clearanceOf(const Vec3& centre, std::uint32_t anchor) const {
  const SurfaceBoxes& surface = surfaceOf(*after_);
  NearestProbe probe(centre, std::numeric_limits<Real>::infinity(), surface);
  // Near the middle of a round limb, many triangles are equally near
  constexpr Real share = 0.95;
  probe.settleFor(share);
  probe.compare(anchor);
  BoxSearch<NearestProbe> search;
  search.begin(surface.boxes());
  search.run(probe, TimeBudget::unlimited());
  // Rounding errors of coordinates, which may be far larger than the body, and of distances
  const Real rounding =
      0x1p-50 * after_->radius() + depthRounding * glm::length(after_->bounds().extent());
  Clearance found{probe.distance(), 0.0};
  const Real clear = std::min(share * probe.distance(), probe.lowest()) - rounding;
  if (clear > 0.0 && after_->contains(centre)) found.depth = clear;
  return found;
}

void TreeRefit::measure(Moved& moved) const {
  const Sphere& ball = moved.ball;
  // Rounding errors of coordinates, which may be far larger than the body
  const Real roundedBy = 0x1p-50 * after_->radius();
  constexpr Real roundedUp = 1.0 + 1e-9;
  // A path through the centre bounds the distance of every point of the ball from the surface
  const Triangle anchor = after_->mesh().corners(moved.anchor);
  Real away = glm::distance(closestOnTriangle(ball.centre, anchor), ball.centre) +
              1e-9 * (ball.radius + after_->radius());
  Real depth = 0.0;
  // A sphere whose centre is nearly on the surface gains little from a search
  constexpr Real nearly = 0.15;
  if (away > nearly * ball.radius) {
    const Clearance clear = clearanceOf(ball.centre, moved.anchor);
    away = clear.away;
    depth = clear.depth;
  }
  const Real whole = ball.radius + away + roundedBy;
  moved.hausdorff = floatAtLeast(whole * roundedUp);
  const Real outside = depth > 0.0 ? std::max(ball.radius - depth + roundedBy, 0.0) : whole;
  moved.outside = floatAtLeast(outside * roundedUp);
}

/// Along each axis, the box contains its old contents, moved by at most the extent of its sphere's
/// motions, and at most the sphere.
NodeBox TreeRefit::movedBox(SphereId id, const NodeBox& box) const noexcept {
  const Moved& moved = moved_[id];
  const Vec3 reach = 0.5 * moved.motion.extent();
  const Vec3 middle = scale_ * box.middle() + moved.motion.centre();
  const Vec3 centre = roundedToFloat(middle);
  std::array<Real, 3> half;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 axis = box.direction(static_cast<int>(k));
    const Real motion = scale_ * Real{box.half[k]} + glm::dot(glm::abs(axis), reach) +
                        std::abs(glm::dot(axis, centre - middle));
    const Real sphere = moved.ball.radius + std::abs(glm::dot(axis, moved.ball.centre - centre));
    half[k] = std::min(motion, sphere) * (1.0 + 1e-6);
  }
  const NodeBox made =
      orderedBox({box.direction(0), box.direction(1), box.direction(2)}, centre, half);
  if (isBoxFor(made, moved.ball)) return made;
  // A cube around the sphere adds no information, but is correct
  const Real all = moved.ball.radius * (1.0 + 1e-6);
  return orderedBox({Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}, moved.ball.centre,
                    {all, all, all});
}

void TreeRefit::moveBoxes(SphereTree::Data& data) const {
  const NodeBoxes& boxes = built_->data().boxes;
  for (SphereId id = 0; id < boxes.boxOf.size(); ++id)
    if (const NodeBox* box = boxes.find(id); box && built_->identity(id) == id)
      data.boxes.boxes[boxes.boxOf[id]] = movedBox(id, *box);
}

/// Moves inner spheres together with the triangle that they were nearest to, and makes them as
/// large as possible. Returns false if none has room.
bool TreeRefit::moveInner(InnerSpheres& inner) {
  const InnerSpheres& built = built_->data().inner;
  const Real doubt = 1e-9 * after_->radius();
  const Sphere* roomy = nullptr;
  for (SphereId id = 0; id < innerMoved_.size(); ++id) {
    const Sphere old = built.sphere(id);
    if (old.radius < 0.0) continue;
    Vec3 motion(0.0);
    for (const std::uint32_t v : before_->mesh().triangles[innerAnchors_[id]])
      motion += motionOf(v);
    Sphere& ball = innerMoved_[id];
    ball.centre = roundedToFloat(scale_ * old.centre + motion / 3.0);
    ball.radius = clearanceOf(ball.centre, innerAnchors_[id]).depth - doubt;
    if (!roomy && ball.radius > 0.0) roomy = &ball;
  }
  if (!roomy) return false;
  // Children lie in later packs than their parents
  for (auto id = static_cast<SphereId>(innerMoved_.size()); id-- > 0;) {
    if (built.sphere(id).radius < 0.0) continue;
    const std::size_t pack = id / SpherePack::width;
    const auto lane = static_cast<int>(id % SpherePack::width);
    // A sphere without room repeats another one
    const Sphere& ball = innerMoved_[id].radius > 0.0 ? innerMoved_[id] : *roomy;
    store(inner.spheres[pack], lane, ball);
    inner.spheres[pack].r[lane] = floatAtMost(ball.radius);
    Real reach = ball.radius;
    const std::uint32_t child = inner.links[pack].childPack[lane];
    for (int i = 0; child != InnerSpheres::none && i < SpherePack::width; ++i) {
      const SpherePack& below = inner.bounds[child];
      if (below.r[i] < 0.0f) continue;
      const Vec3 centre(below.x[i], below.y[i], below.z[i]);
      reach = std::max(reach, glm::distance(centre, ball.centre) + below.r[i]);
    }
    store(inner.bounds[pack], lane, {ball.centre, reach * (1.0 + 1e-6)});
  }
  return true;
}

}  // namespace nearmiss
