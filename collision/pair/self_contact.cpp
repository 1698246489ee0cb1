// SPDX-License-Identifier: MIT
#include <nearmiss/pair.h>

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/work_meter.h"
#include "geometry/self_pairs.h"
#include "geometry/surface_boxes.h"
#include "pair/two_bodies.h"

namespace nearmiss {

struct SelfContactQuery::Parts {
  /// Data that depends only on the connectivity of a mesh, and the pairs found with it.
  struct Connected {
    explicit Connected(const SurfaceBoxes& surface)
        : triangles(surface.mesh().triangles),
          corners(surface.mesh(), 1),
          pairs(surface.mesh(), surface.boxes(), corners) {}

    std::vector<std::array<std::uint32_t, 3>> triangles;
    VertexCorners corners;
    SelfPairs pairs;
  };

  void take(const Shape& taken) {
    const SurfaceBoxes& surface = surfaceOf(taken.polyhedron());
    const bool alike = connected && connected->triangles == surface.mesh().triangles &&
                       connected->corners.vertices() == surface.mesh().positions.size();
    if (alike)
      connected->pairs.move(surface.mesh(), surface.boxes());
    else
      connected = std::make_unique<Connected>(surface);
    shape = taken;
    found.pairs.clear();
    found.canRefine = true;
    descent.begin({0, 0}, SelfDescent::usualOf(connected->triangles.size()));
    nextHub = 0;
    walks = false;
  }

  /// Returns false if there is nothing left to compare.
  bool step() {
    const SelfPairs& pairs = connected->pairs;
    const auto compare = [&](std::uint32_t t, std::uint32_t u) {
      ++meter.open().triangleTests;
      if (found.pairs.size() == maxSelfIntersections || !pairs.meet(t, u)) return false;
      found.pairs.push_back({std::min(t, u), std::max(t, u)});
      return false;
    };
    if (found.pairs.size() == maxSelfIntersections) return false;
    meter.open().boundTests += WorkMeter::boxTest;
    if (!descent.ended()) {
      descent.step(pairs, compare);
      return true;
    }
    // The pairs at one vertex, which the traversal excludes
    if (walks && walk.ended()) walks = false;
    if (!walks) {
      if (nextHub == pairs.hubs().count()) return false;
      walk.begin(pairs.hubs(), nextHub++);
      walks = true;
      return true;
    }
    walk.step(compare);
    return true;
  }

  void search(const TimeBudget& budget) {
    while (found.canRefine && !meter.outOfTime(budget)) found.canRefine = step();
    meter.settle(budget);
  }

  std::unique_ptr<Connected> connected;
  std::optional<Shape> shape;  ///< keeps the searched data alive
  SelfDescent descent;
  VertexHubs::Walk walk;
  bool walks = false;  ///< at the hub before nextHub
  std::size_t nextHub = 0;
  WorkMeter meter;
  SelfContacts found;
};

SelfContactQuery::SelfContactQuery() : parts_(std::make_unique<Parts>()) {}
SelfContactQuery::SelfContactQuery(SelfContactQuery&&) noexcept = default;
SelfContactQuery& SelfContactQuery::operator=(SelfContactQuery&&) noexcept = default;
SelfContactQuery::~SelfContactQuery() = default;

void SelfContactQuery::begin(const Shape& shape) {
  resetOnThrow(*parts_, [&] { parts_->take(shape); });
}

const SelfContacts& SelfContactQuery::refine(const TimeBudget& budget) {
  NEARMISS_DEMAND(parts_->shape.has_value());
  resetOnThrow(*parts_, [&] { parts_->search(budget); });
  return parts_->found;
}

const SelfContacts& SelfContactQuery::known() const noexcept {
  NEARMISS_DEMAND(parts_->shape.has_value());
  return parts_->found;
}

SelfContacts selfContacts(const Shape& shape, const TimeBudget& budget) {
  SelfContactQuery query;
  query.begin(shape);
  return query.refine(budget);
}

}  // namespace nearmiss
