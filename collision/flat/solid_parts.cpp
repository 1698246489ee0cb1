// SPDX-License-Identifier: MIT
#include "flat/solid_parts.h"

#include "geometry/mesh_check.h"

#include <algorithm>

namespace nearmiss {
namespace {

/// The largest of so many: screws beyond them are surface alone.
constexpr std::size_t maxParts = 256;

}  // namespace

SolidParts::SolidParts(const Polyhedron& polyhedron) {
  if (polyhedron.report().solid()) {
    solid_ = &polyhedron;
    surfaces_.push_back(&polyhedron.mesh());
    return;
  }
  parts_ = closedSurfaces(polyhedron.mesh(), maxParts);
  for (const Polyhedron& part : parts_) surfaces_.push_back(&part.mesh());
}

bool SolidParts::contains(const Vec3& point) const {
  if (solid_) return solid_->contains(point);
  return std::any_of(parts_.begin(), parts_.end(), [&point](const Polyhedron& part) {
    return part.bounds().contains(point) && windingAbout(part, point) != 0;
  });
}

}  // namespace nearmiss
