// SPDX-License-Identifier: MIT
#include "world/placed_bodies.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geometry/box_search.h"
#include "geometry/nearest_probe.h"
#include "ray/nearest_search.h"
#include "ray/ray_search.h"
#include "ray/slab_bounds.h"

namespace nearmiss {
namespace {

/// State that the following probes share.
struct BodySearch {
  const PlacedBodies& all;
  const TimeBudget& budget;
  BodyHandle ignore;

  [[nodiscard]] const WideBoxes& boxes() const noexcept { return all.boxes(); }
  [[nodiscard]] const Shape& shapeOf(const PlacedBody& body) const {
    return all.shapes()[body.shape];
  }
  [[nodiscard]] const SurfaceBoxes& surfaceOf(const PlacedBody& body) const {
    return nearmiss::surfaceOf(shapeOf(body).polyhedron());
  }
  /// Calls visit(body) for each body of a leaf until it returns false. Returns true if it never
  /// did.
  bool eachOf(std::uint32_t leaf, const auto& visit) const {
    return !boxes().anyIn(leaf, [&](std::uint32_t item, unsigned) {
      const PlacedBody& body = all.bodies()[item];
      return body.body != ignore && !visit(body);
    });
  }
  /// Runs a probe over all boxes. Returns whether it finished, and a bound over the rest.
  template <class Probe>
  std::pair<bool, Real> run(Probe& probe) const {
    BoxSearch<Probe> search;
    search.begin(boxes());
    const bool done = search.run(probe, budget);
    return {done, search.least()};
  }
};

/// Finds the first hit of a ray with any body.
class BodiesRayProbe {
 public:
  using Bound = Real;

  BodiesRayProbe(const BodySearch& bodies, const Ray& ray) noexcept
      : bodies_(bodies),
        ray_(ray),
        local_({}, ray),
        slabs_(local_, bodies.boxes(), ray.radius + 1e-6 * ray.radius),
        limit_(slabs_.boundOf(local_.end)) {
    known_.lower = ray.end;
  }

  [[nodiscard]] Real limit() const noexcept { return limit_; }
  [[nodiscard]] unsigned bounds(const WideBoxes::Node& node,
                                std::array<Real, WideBoxes::width>& least) const noexcept {
    return slabs_.lanes(node, limit_, least);
  }

  bool visit(std::uint32_t leaf, WorkCount& work) {
    work.boundTests += WideBoxes::width;
    return bodies_.eachOf(leaf, [&](const PlacedBody& body) { return cast(body); });
  }

  /// @param waiting lower bound over everything not yet examined
  [[nodiscard]] RayHit known(bool done, Real waiting) const noexcept {
    RayHit known = known_;
    known.canRefine = !done;
    known.lower = std::min(known.lower, local_.given(slabs_.timeOf(waiting)));
    return known;
  }

 private:
  bool cast(const PlacedBody& body) {
    search_.begin(bodies_.surfaceOf(body), body.pose, ray_, known_.t);
    search_.run(bodies_.budget);
    const bool first = search_.hit() && (search_.t() < known_.t || body.body < known_.body);
    const Real lower = std::min(known_.lower, search_.lower());
    if (first) {
      known_ = search_.known();
      known_.body = body.body;
      limit_ = slabs_.boundOf(std::min(local_.end, local_.local(known_.t)));
    }
    known_.lower = lower;
    return search_.done();
  }

  const BodySearch& bodies_;
  const Ray& ray_;
  LocalRay local_;  ///< in the world frame
  SlabBounds slabs_;
  Real limit_;
  RaySearch search_;
  RayHit known_;
};

/// Finds the body nearest to a point.
class BodiesNearestProbe {
 public:
  using Bound = Real;

  BodiesNearestProbe(const BodySearch& bodies, const Vec3& point, Real reach) noexcept
      : bodies_(bodies),
        point_(point),
        reach_(reach),
        gaps_(point, bodies.boxes()),
        limit_(reach * reach) {
    known_.lower = reach;
  }

  [[nodiscard]] Real limit() const noexcept { return limit_; }
  [[nodiscard]] unsigned bounds(const WideBoxes::Node& node,
                                std::array<Real, WideBoxes::width>& least) const noexcept {
    return gaps_.lanes(node, limit_, least);
  }

  bool visit(std::uint32_t leaf, WorkCount& work) {
    work.boundTests += WideBoxes::width;
    return bodies_.eachOf(leaf, [&](const PlacedBody& body) { return look(body); });
  }

  [[nodiscard]] NearestPoint known(bool done, Real waiting) const noexcept {
    NearestPoint known = known_;
    known.canRefine = !done;
    known.lower = std::min({known.lower, std::sqrt(waiting), known.upper});
    return known;
  }

 private:
  bool look(const PlacedBody& body) {
    search_.begin(bodies_.surfaceOf(body), body.pose, point_, std::min(reach_, known_.upper));
    search_.run(bodies_.budget);
    const NearestPoint found = search_.known();
    const Real lower = std::min(known_.lower, found.lower);
    if (found.found() && (found.upper < known_.upper || body.body < known_.body)) {
      known_ = found;
      known_.body = body.body;
      limit_ = found.upper * found.upper * (1.0 + 1e-14);
    }
    known_.lower = lower;
    return search_.done();
  }

  const BodySearch& bodies_;
  Vec3 point_;
  Real reach_;
  GapBounds gaps_;
  Real limit_;
  NearestSearch search_;
  NearestPoint known_;
};

/// Finds all bodies that contain a point.
class ContainingProbe {
 public:
  using Bound = Real;

  ContainingProbe(const BodySearch& bodies, const Vec3& point,
                  std::vector<BodyHandle>& out) noexcept
      : bodies_(bodies), point_(point), gaps_(point, bodies.boxes()), out_(out) {}

  [[nodiscard]] Real limit() const noexcept { return 0.0; }
  [[nodiscard]] unsigned bounds(const WideBoxes::Node& node,
                                std::array<Real, WideBoxes::width>& least) const noexcept {
    return gaps_.lanes(node, 0.0, least);
  }
  bool visit(std::uint32_t leaf, WorkCount& work) {
    work.boundTests += WideBoxes::width;
    return bodies_.eachOf(leaf, [&](const PlacedBody& body) {
      const PointSide side = sideOf(bodies_.shapeOf(body), body.pose, point_, bodies_.budget);
      if (side == PointSide::Inside || side == PointSide::OnSurface) out_.push_back(body.body);
      return side != PointSide::Undecided;
    });
  }

 private:
  const BodySearch& bodies_;
  Vec3 point_;
  GapBounds gaps_;
  std::vector<BodyHandle>& out_;
};

}  // namespace

void PlacedBodies::place(const Shapes& shapes, std::span<const BodyState> bodies) {
  shapes_ = &shapes;
  placed_.clear();
  around_.clear();
  for (const BodyState& body : bodies) {
    const std::uint32_t shape = body.shape.index();
    // Balls are enlarged by less than this
    const Real radius = shapes[shape].radius() * (1.0 + 4e-6);
    placed_.push_back({BodyHandle{body.key}, shape, body.pose});
    around_.push_back({body.pose.position - Vec3(radius), body.pose.position + Vec3(radius)});
  }
  boxes_.build(around_);
}

RayHit PlacedBodies::raycast(const Ray& ray, BodyHandle ignore, const TimeBudget& budget) const {
  const BodySearch search{*this, budget, ignore};
  BodiesRayProbe probe(search, ray);
  const auto [done, least] = search.run(probe);
  return probe.known(done, least);
}

NearestPoint PlacedBodies::nearest(const Vec3& point, Real reach, BodyHandle ignore,
                                   const TimeBudget& budget) const {
  const BodySearch search{*this, budget, ignore};
  BodiesNearestProbe probe(search, point, reach);
  const auto [done, least] = search.run(probe);
  return probe.known(done, least);
}

bool PlacedBodies::containing(const Vec3& point, std::vector<BodyHandle>& out,
                              const TimeBudget& budget) const {
  out.clear();
  const BodySearch search{*this, budget, {}};
  ContainingProbe probe(search, point, out);
  const bool done = search.run(probe).first;
  std::sort(out.begin(), out.end());
  return done;
}

}  // namespace nearmiss
