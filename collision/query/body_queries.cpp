// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/detail/bare_machine.h>
#include <nearmiss/world.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

#include "geometry/box_search.h"
#include "geometry/nearest_probe.h"
#include "query/asked.h"
#include "query/nearest_search.h"
#include "query/ray_search.h"
#include "query/slab_bounds.h"

namespace nearmiss {

/// One link of a body in its pose.
struct PlacedShape {
  FoundBody body;
  ShapeId shape{};
  Pose pose;
};

namespace {

/// State that the following probes share.
struct PlacedShapes {
  const Shapes& shapes;
  const WideBoxes& boxes;
  std::span<const PlacedShape> placed;
  const TimeBudget& budget;
  std::uint32_t except;

  [[nodiscard]] const SurfaceBoxes& surfaceOf(const PlacedShape& link) const {
    return nearmiss::surfaceOf(shapes[link.shape].polyhedron());
  }
  /// Calls visit(link) for each link of a leaf until it returns false. Returns true if it never
  /// did.
  bool eachOf(std::uint32_t leaf, const auto& visit) const {
    return !boxes.anyIn(leaf, [&](std::uint32_t item, unsigned) {
      const PlacedShape& link = placed[item];
      return link.body.index != except && !visit(link);
    });
  }
};

bool before(const FoundBody& a, const FoundBody& b) noexcept {
  return std::pair(a.index, a.link) < std::pair(b.index, b.link);
}

/// Finds the first hit of a ray with any link.
class BodiesRayProbe {
 public:
  using Bound = Real;

  BodiesRayProbe(const PlacedShapes& bodies, const Ray& ray) noexcept
      : bodies_(bodies),
        ray_(ray),
        local_({}, ray),
        slabs_(local_, bodies.boxes, ray.radius + 1e-6 * ray.radius),
        limit_(slabs_.boundOf(local_.end)) {
    known_.hit.lower = ray.end;
  }

  [[nodiscard]] Real limit() const noexcept { return limit_; }
  [[nodiscard]] unsigned bounds(const WideBoxes::Node& node,
                                std::array<Real, WideBoxes::width>& least) const noexcept {
    return slabs_.lanes(node, limit_, least);
  }

  bool visit(std::uint32_t leaf, WorkCount& work) {
    work.boundTests += WideBoxes::width;
    return bodies_.eachOf(leaf, [&](const PlacedShape& link) { return cast(link); });
  }

  /// @param waiting lower bound over everything not yet examined
  [[nodiscard]] BodyRayHit known(bool done, Real waiting) const noexcept {
    BodyRayHit known = known_;
    known.hit.canRefine = !done;
    known.hit.lower = std::min(known.hit.lower, local_.given(slabs_.timeOf(waiting)));
    return known;
  }

 private:
  bool cast(const PlacedShape& link) {
    search_.begin(bodies_.surfaceOf(link), link.pose, ray_, known_.hit.t);
    search_.run(bodies_.budget);
    const bool first =
        search_.hit() && (search_.t() < known_.hit.t || before(link.body, known_.body));
    const Real lower = std::min(known_.hit.lower, search_.lower());
    if (first) {
      known_ = {link.body, search_.known()};
      limit_ = slabs_.boundOf(std::min(local_.end, local_.local(known_.hit.t)));
    }
    known_.hit.lower = lower;
    return search_.done();
  }

  const PlacedShapes& bodies_;
  const Ray& ray_;
  LocalRay local_;  ///< in the world frame
  SlabBounds slabs_;
  Real limit_;
  RaySearch search_;
  BodyRayHit known_;
};

/// Finds the link nearest to a point.
class BodiesNearestProbe {
 public:
  using Bound = Real;

  BodiesNearestProbe(const PlacedShapes& bodies, const Vec3& point, Real reach) noexcept
      : bodies_(bodies),
        point_(point),
        reach_(reach),
        gaps_(point, bodies.boxes),
        limit_(reach * reach) {
    known_.nearest.lower = reach;
  }

  [[nodiscard]] Real limit() const noexcept { return limit_; }
  [[nodiscard]] unsigned bounds(const WideBoxes::Node& node,
                                std::array<Real, WideBoxes::width>& least) const noexcept {
    return gaps_.lanes(node, limit_, least);
  }

  bool visit(std::uint32_t leaf, WorkCount& work) {
    work.boundTests += WideBoxes::width;
    return bodies_.eachOf(leaf, [&](const PlacedShape& link) { return look(link); });
  }

  [[nodiscard]] BodyNearestPoint known(bool done, Real waiting) const noexcept {
    BodyNearestPoint known = known_;
    known.nearest.canRefine = !done;
    known.nearest.lower = std::min({known.nearest.lower, std::sqrt(waiting), known.nearest.upper});
    return known;
  }

 private:
  bool look(const PlacedShape& link) {
    search_.begin(bodies_.surfaceOf(link), link.pose, point_,
                  std::min(reach_, known_.nearest.upper));
    search_.run(bodies_.budget);
    const NearestPoint found = search_.known();
    const Real lower = std::min(known_.nearest.lower, found.lower);
    if (found.found() && (found.upper < known_.nearest.upper || before(link.body, known_.body))) {
      known_ = {link.body, found};
      limit_ = found.upper * found.upper * (1.0 + 1e-14);
    }
    known_.nearest.lower = lower;
    return search_.done();
  }

  const PlacedShapes& bodies_;
  Vec3 point_;
  Real reach_;
  GapBounds gaps_;
  Real limit_;
  NearestSearch search_;
  BodyNearestPoint known_;
};

/// Finds all links that contain a point.
class HoldingProbe {
 public:
  using Bound = Real;

  HoldingProbe(const PlacedShapes& bodies, const Vec3& point, std::vector<FoundBody>& out) noexcept
      : bodies_(bodies), point_(point), gaps_(point, bodies.boxes), out_(out) {}

  [[nodiscard]] Real limit() const noexcept { return 0.0; }
  [[nodiscard]] unsigned bounds(const WideBoxes::Node& node,
                                std::array<Real, WideBoxes::width>& least) const noexcept {
    return gaps_.lanes(node, 0.0, least);
  }
  bool visit(std::uint32_t leaf, WorkCount& work) {
    work.boundTests += WideBoxes::width;
    return bodies_.eachOf(leaf, [&](const PlacedShape& link) {
      const SideOfSurface known =
          sideOf(bodies_.shapes[link.shape], link.pose, point_, bodies_.budget);
      if (known.side == PointSide::Inside || known.side == PointSide::OnSurface)
        out_.push_back(link.body);
      return !known.canRefine;
    });
  }

 private:
  const PlacedShapes& bodies_;
  Vec3 point_;
  GapBounds gaps_;
  std::vector<FoundBody>& out_;
};

}  // namespace

struct BodyQueries::Parts {
  Shapes shapes;
  std::vector<PlacedShape> placed;
  std::vector<Box> around;
  WideBoxes boxes;

  /// If memory runs out, no bodies are left.
  void take(std::span<const BodyState> bodies) {
    NEARMISS_TRY { place(bodies); }
    NEARMISS_CATCH(...) {
      boxes.build({});
      NEARMISS_RETHROW;
    }
  }
  void place(std::span<const BodyState> bodies) {
    placed.clear();
    around.clear();
    for (std::uint32_t i = 0; i < bodies.size(); ++i)
      for (std::uint32_t k = 0; k < linkCount(bodies[i]); ++k) {
        const Link link = linkOf(bodies[i], k);
        const ShapeId shape = link.shape.id();
        // Balls are enlarged by less than this
        const Real radius = shapes[shape].radius() * (1.0 + 4e-6);
        placed.push_back({{i, bodies[i].key, k}, shape, link.pose});
        around.push_back({link.pose.position - Vec3(radius), link.pose.position + Vec3(radius)});
      }
    boxes.build(around);
  }
  [[nodiscard]] PlacedShapes all(const TimeBudget& budget, std::uint32_t except) const noexcept {
    return {shapes, boxes, placed, budget, except};
  }
};

BodyQueries::BodyQueries(Shapes shapes) : parts_(std::make_unique<Parts>()) {
  parts_->shapes = std::move(shapes);
}
BodyQueries::BodyQueries(BodyQueries&&) noexcept = default;
BodyQueries& BodyQueries::operator=(BodyQueries&&) noexcept = default;
BodyQueries::~BodyQueries() = default;

void BodyQueries::take(std::span<const BodyState> bodies) {
  const auto fault = faultIn(bodies, beforeExpiry, &parts_->shapes);
  const bool sound = !fault;
  NEARMISS_DEMAND(sound, describe(*fault));
  parts_->take(bodies);
}

BodyRayHit BodyQueries::raycast(const Ray& ray, const TimeBudget& budget,
                                std::uint32_t except) const {
  demandSound(faultOfRay(ray));
  const PlacedShapes bodies = parts_->all(budget, except);
  BodiesRayProbe probe(bodies, ray);
  BoxSearch<BodiesRayProbe> search;
  search.begin(bodies.boxes);
  const bool done = search.run(probe, budget);
  return probe.known(done, search.least());
}

BodyNearestPoint BodyQueries::nearest(const Vec3& point, const TimeBudget& budget, Real reach,
                                      std::uint32_t except) const {
  demandSound(faultOfPoint(point, reach));
  const PlacedShapes bodies = parts_->all(budget, except);
  BodiesNearestProbe probe(bodies, point, reach);
  BoxSearch<BodiesNearestProbe> search;
  search.begin(bodies.boxes);
  const bool done = search.run(probe, budget);
  return probe.known(done, search.least());
}

bool BodyQueries::holding(const Vec3& point, std::vector<FoundBody>& out,
                          const TimeBudget& budget) const {
  demandSound(faultOfPoint(point, 0.0));
  out.clear();
  const PlacedShapes bodies = parts_->all(budget, noBody);
  HoldingProbe probe(bodies, point, out);
  BoxSearch<HoldingProbe> search;
  search.begin(bodies.boxes);
  const bool done = search.run(probe, budget);
  std::sort(out.begin(), out.end(), before);
  return done;
}

}  // namespace nearmiss
