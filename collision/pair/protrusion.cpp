// SPDX-License-Identifier: MIT
#include <nearmiss/detail/kept_with_shape.h>
#include <nearmiss/pair.h>

#include <array>
#include <vector>

#include "base/work_meter.h"
#include "geometry/polyhedron_pair.h"
#include "pair/two_bodies.h"

namespace nearmiss {

/// The vertices that triangles of a mesh use; others are not part of its surface.
struct UsedVertices {
  explicit UsedVertices(const TriangleMesh& mesh) : used(mesh.positions.size(), 0) {
    for (const auto& corners : mesh.triangles)
      for (const std::uint32_t vertex : corners) used[vertex] = 1;
  }
  std::vector<char> used;
};

namespace {

/// Built at first use and cached with the shape.
const UsedVertices& usedVerticesOf(const Shape& shape) {
  return KeptWithShape::ofMesh(shape).get<UsedVertices>(
      [&shape] { return UsedVertices(shape.polyhedron().mesh()); });
}

}  // namespace

struct ProtrusionQuery::Parts {
  TwoBodies bodies;
  const UsedVertices* usedA = nullptr;
  const UsedVertices* usedB = nullptr;
  std::size_t next = 0;  ///< first vertex not examined: first those of a, then those of b
  Protrusion known;
  WorkMeter meter;

  [[nodiscard]] std::size_t count() const {
    return bodies.a().mesh().positions.size() + bodies.b().mesh().positions.size();
  }

  /// Only a vertex that is farther inside than the deepest so far is examined closely.
  void lookAt(std::size_t vertex) {
    constexpr std::uint64_t price = 200;
    const std::size_t ofA = bodies.a().mesh().positions.size();
    const bool ofB = vertex >= ofA;
    const std::size_t index = ofB ? vertex - ofA : vertex;
    ++meter.open().boundTests;
    if ((ofB ? usedB : usedA)->used[index] == 0) return;
    const Polyhedron &own = ofB ? bodies.b() : bodies.a(), &other = ofB ? bodies.a() : bodies.b();
    const Pose toOther = ofB ? bodies.bToA() : inverseOf(bodies.bToA());
    const Vec3 point = transformed(toOther, own.mesh().positions[index]);
    if (!other.bounds().contains(point)) return;
    meter.open().boundTests += price;
    const SurfacePoint nearest = other.nearest(point, known.depth);
    if (nearest.distance <= known.depth || !other.contains(point)) return;
    known.depth = nearest.distance;
    known.ofB = ofB;
    known.vertex = static_cast<std::uint32_t>(index);
    const auto toWorld = [&](const Vec3& at) {
      return transformed(bodies.poseA(), ofB ? at : transformed(bodies.bToA(), at));
    };
    known.from = toWorld(point);
    known.to = toWorld(nearest.position);
  }
};

ProtrusionQuery::ProtrusionQuery() : parts_(std::make_unique<Parts>()) {}
ProtrusionQuery::ProtrusionQuery(ProtrusionQuery&&) noexcept = default;
ProtrusionQuery& ProtrusionQuery::operator=(ProtrusionQuery&&) noexcept = default;
ProtrusionQuery::~ProtrusionQuery() = default;

void ProtrusionQuery::begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB) {
  Parts& p = *parts_;
  // Allocate first, so that on an error the previous pair stays
  const UsedVertices &usedA = usedVerticesOf(a), &usedB = usedVerticesOf(b);
  p.bodies.take(a, poseA, b, poseB);
  p.usedA = &usedA;
  p.usedB = &usedB;
  p.next = 0;
  p.known = {};
  p.meter.reset();
}

Protrusion ProtrusionQuery::refine(const TimeBudget& budget) {
  Parts& p = *parts_;
  NEARMISS_DEMAND(p.bodies.taken());
  return resetOnThrow(p, [&] {
    while (p.known.canRefine) {
      if (p.next < p.count()) p.lookAt(p.next++);
      p.known.canRefine = p.next < p.count();
      if (p.meter.outOfTime(budget)) break;
    }
    p.meter.settle(budget);
    return p.known;
  });
}

Protrusion ProtrusionQuery::known() const noexcept {
  NEARMISS_DEMAND(parts_->bodies.taken());
  return parts_->known;
}

Protrusion protrusion(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB,
                      const TimeBudget& budget) {
  ProtrusionQuery query;
  query.begin(a, poseA, b, poseB);
  return query.refine(budget);
}

}  // namespace nearmiss
