// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/bsp_tree.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/detail/number_text.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <string>
#include <utility>

#include "spheres/sphere_packing.h"

namespace nearmiss {
namespace {

/// Multiplies the contents of a tree by one factor, and rounds so that bounds stay valid. For a
/// power of two nothing is rounded.
class TreeScaling {
 public:
  /// @param reach maximum distance of a vertex of the scaled mesh from its origin, metres
  TreeScaling(Real factor, Real reach) noexcept : factor_(factor) {
    int exponent = 0;
    exact_ = std::frexp(factor, &exponent) == 0.5;
    // Each vertex coordinate is rounded to 53 bits
    surface_ = exact_ ? 0.0 : 0x1p-51 * reach;
  }

  [[nodiscard]] SphereTree::Data operator()(SphereTree::Data data) const {
    for (std::size_t pack = 0; pack < data.packs.size(); ++pack)
      for (int lane = 0; lane < SpherePack::width; ++lane)
        if (data.packs[pack].r[lane] >= 0.0f) scaleSphere(data, pack, lane);
    for (NodeBox& box : data.boxes.boxes) scaleBox(box);
    if (!scaleInner(data.inner)) data.inner = {};
    return data;
  }

  [[nodiscard]] BspTree operator()(BspTree::Data data) const {
    for (BspNode& node : data.nodes) node.offset *= factor_;
    return BspTree(std::move(data));
  }

 private:
  /// Returns the scaled length plus `more` metres, rounded up.
  [[nodiscard]] float atLeast(Real length, Real more) const noexcept {
    more += surface_;
    return floatAtLeast(more == 0.0 ? length : (length + more) * (1.0 + 1e-9));
  }

  /// Scales the centre of a lane. Returns how far rounding moved it.
  [[nodiscard]] Real moveCentre(float& x, float& y, float& z) const noexcept {
    const Vec3 middle = factor_ * Vec3(x, y, z), centre = roundedToFloat(middle);
    x = static_cast<float>(centre.x);
    y = static_cast<float>(centre.y);
    z = static_cast<float>(centre.z);
    return glm::distance(centre, middle);
  }

  void scaleSphere(SphereTree::Data& data, std::size_t pack, int lane) const noexcept {
    SpherePack& packed = data.packs[pack];
    const Real moved = moveCentre(packed.x[lane], packed.y[lane], packed.z[lane]);
    const Real radius = factor_ * packed.r[lane];
    packed.r[lane] = atLeast(radius, moved);
    // Maximum distance of a point of the ball from the scaled ball
    const Real farther = Real{packed.r[lane]} - radius + moved;
    float& hausdorff = data.links[pack].hausdorff[lane];
    hausdorff = atLeast(factor_ * hausdorff, farther);
    if (data.outside.empty()) return;
    float& outside = data.outside[pack * SpherePack::width + static_cast<std::size_t>(lane)];
    outside = atLeast(factor_ * outside, farther);
  }

  void scaleBox(NodeBox& box) const noexcept {
    const Real moved = moveCentre(box.centre[0], box.centre[1], box.centre[2]);
    for (float& half : box.half) half = atLeast(factor_ * half, moved);
  }

  /// Returns false if rounding leaves nothing of a sphere.
  [[nodiscard]] bool scaleInner(InnerSpheres& inner) const noexcept {
    for (std::size_t pack = 0; pack < inner.spheres.size(); ++pack)
      for (int lane = 0; lane < SpherePack::width; ++lane) {
        SpherePack &spheres = inner.spheres[pack], &bounds = inner.bounds[pack];
        if (spheres.r[lane] < 0.0f) continue;
        const Real shifted = moveCentre(spheres.x[lane], spheres.y[lane], spheres.z[lane]);
        const Real less = shifted + surface_;
        const Real radius = factor_ * spheres.r[lane];
        const Real left = less == 0.0 ? radius : (radius - less) * (1.0 - 1e-9);
        spheres.r[lane] = -floatAtLeast(-left);
        if (!(spheres.r[lane] > 0.0f)) return false;
        const Real moved = moveCentre(bounds.x[lane], bounds.y[lane], bounds.z[lane]);
        bounds.r[lane] = atLeast(factor_ * bounds.r[lane], moved);
      }
    return true;
  }

  Real factor_;
  bool exact_;
  Real surface_;  ///< metres by which rounding moves a point of the surface
};

Result<Shape> scaledBy(const Shape& shape, Real factor, const std::atomic<bool>* cancelled) {
  TriangleMesh mesh = shape.polyhedron().mesh();
  for (Vec3& p : mesh.positions) p *= factor;
  Result<Polyhedron> polyhedron = makePolyhedron(std::move(mesh), cancelled);
  if (!polyhedron)
    return Error{polyhedron.error().code, "the shape cannot be scaled by the factor " +
                                              textOf(factor) + ": " + polyhedron.error().message};
  const TreeScaling scaling(factor, polyhedron->radius());
  const auto triangles = static_cast<std::uint32_t>(polyhedron->mesh().triangles.size());
  const bool isSolid = polyhedron->report().solid();
  Result<Shape> made = Shape::of(*std::move(polyhedron), shape.cleaning());
  if (shape.sphereTree()) {
    SphereTree::Data data = scaling(shape.sphereTree()->data());
    // Rounding can close a gap, and a surface that intersects itself has no outside
    if (!isSolid) data.outside.clear();
    // Floats have a smaller range than the mesh
    if (const char* fault = SphereTree::validate(data, triangles))
      return Error{ErrorCode::Unsupported, "the shape cannot be scaled by the factor " +
                                               textOf(factor) + ": of its sphere tree, " + fault};
    made = made->with(SphereTree(std::move(data)));
  }
  if (made && shape.bspTree()) made = made->with(scaling(shape.bspTree()->data()));
  if (made) prepareSphereTree(*made);
  return made;
}

}  // namespace

Result<Shape> scaled(const Shape& shape, Real factor, const std::atomic<bool>* cancelled) {
  if (!(factor > 0.0) || !std::isfinite(factor))
    return Error{ErrorCode::Unsupported,
                 "a shape cannot be scaled by " + textOf(factor) + ": the factor must be above 0"};
  return orOutOfMemory("cannot scale the shape",
                       [&]() -> Result<Shape> { return scaledBy(shape, factor, cancelled); });
}

}  // namespace nearmiss
