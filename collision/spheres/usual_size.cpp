// SPDX-License-Identifier: MIT
#include "spheres/usual_size.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geometry/mesh_check.h"

namespace nearmiss {
namespace {

/// Meshes are built without scaling if their largest coordinate lies within two to these powers.
constexpr int minUsualExponent = -20, maxUsualExponent = 20;

void scaleLengths(SpherePack& pack, float by) noexcept {
  for (int lane = 0; lane < SpherePack::width; ++lane) {
    for (float* length : {&pack.x[lane], &pack.y[lane], &pack.z[lane]}) *length *= by;
    // A radius of -1 marks an unused lane
    if (pack.r[lane] > 0.0f) pack.r[lane] *= by;
  }
}

}  // namespace

int exponentToUsualSize(const Polyhedron& polyhedron) noexcept {
  const Box& box = polyhedron.bounds();
  Real greatest = 0.0;
  for (int axis = 0; axis < 3; ++axis)
    greatest = std::max({greatest, std::abs(box.low[axis]), std::abs(box.high[axis])});
  if (!(greatest > 0.0)) return 0;
  const int exponent = std::ilogb(greatest);
  return exponent < minUsualExponent || exponent > maxUsualExponent ? -exponent : 0;
}

Result<Polyhedron> scaledBy(const Polyhedron& polyhedron, int exponent,
                            const std::atomic<bool>* cancelled) {
  TriangleMesh mesh = polyhedron.mesh();
  for (Vec3& p : mesh.positions) p *= std::ldexp(1.0, exponent);
  return polyhedronUnlessCancelled(std::move(mesh), cancelled);
}

SphereTreeSettings scaledBy(const SphereTreeSettings& settings, int exponent) {
  SphereTreeSettings scaled = settings;
  for (Real* bound :
       {&scaled.variational.errorBound, &scaled.medial.errorBound, &scaled.anchored.errorBound})
    *bound = std::min(std::ldexp(*bound, exponent), std::numeric_limits<Real>::max());
  return scaled;
}

InnerSpheres scaledBy(InnerSpheres inner, int exponent) {
  const float by = std::ldexp(1.0f, exponent);
  for (SpherePack& pack : inner.spheres) scaleLengths(pack, by);
  for (SpherePack& pack : inner.bounds) scaleLengths(pack, by);
  return inner;
}

SphereTree scaledBy(SphereTree tree, int exponent) {
  const float by = std::ldexp(1.0f, exponent);
  SphereTree::Data data = std::move(tree).take();
  for (SpherePack& pack : data.packs) scaleLengths(pack, by);
  for (SphereLinks& links : data.links)
    for (float& hausdorff : links.hausdorff) hausdorff *= by;
  for (float& outside : data.outside) outside *= by;
  for (NodeBox& box : data.boxes.boxes)
    for (int axis = 0; axis < 3; ++axis) {
      box.centre[axis] *= by;
      box.half[axis] *= by;
    }
  data.inner = scaledBy(std::move(data.inner), exponent);
  return SphereTree(std::move(data));
}

}  // namespace nearmiss
