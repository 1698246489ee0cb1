// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/body_state.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/pair.h>
#include <nearmiss/shape.h>

#include <array>
#include <glm/geometric.hpp>
#include <limits>
#include <string_view>
#include <utility>

#include "geometry/sound_pose.h"
#include "pair/two_bodies.h"
#include "spheres/one_sphere_tree.h"

namespace nearmiss {
namespace {

constexpr int anyLevel = std::numeric_limits<int>::max();
constexpr std::string_view cannotCompare = "cannot compare the shapes";

/// Makes the narrow phase for two shapes. A shape without any tree gets a tree of one sphere,
/// unless it is too large for one.
std::unique_ptr<NarrowPhase> methodFor(const Shapes& shapes) {
  bool planes = true, spheres = true;
  Shapes searched;
  for (const Shape& shape : shapes) {
    planes = planes && !shape.sphereTree() && shape.bspTree();
    spheres = spheres && (shape.sphereTree() || shape.radius() <= maxOneSphereReach);
  }
  if (planes) return makeBspNarrowPhase(shapes);
  if (!spheres) return makeBruteForceNarrowPhase(shapes);
  for (const Shape& shape : shapes) searched.add(withOneSphere(shape));
  return makeSphereTreeNarrowPhase(searched);
}

/// Returns true if the bounding spheres are certainly apart, rounding included.
bool boundsApart(const BodyState& a, const BodyState& b) noexcept {
  constexpr Real slack = 1e-12;
  // A rotation slightly longer than unit length stretches its body
  constexpr Real stretch = 1.0 + 2.0 * unitTolerance;
  const Real reach = (a.shape.radius() + b.shape.radius()) * stretch;
  const Vec3 between = b.pose.position - a.pose.position;
  // Most pairs in queries are near: reject them without a square root
  if (glm::dot(between, between) <= reach * reach) return false;
  const Real size = glm::length(a.pose.position) + glm::length(b.pose.position) + reach;
  return glm::distance(a.pose.position, b.pose.position) > reach + slack * size;
}

}  // namespace

struct CollisionQuery::Parts {
  Parts() = default;
  Parts(const Shape& a, const Shape& b) {
    bodies[0].shape = shapes.add(a);
    bodies[1].shape = shapes.add(b);
    bodies[1].key = 1;
    method = methodFor(shapes);
  }

  /// On an error the previous poses stay.
  void take(const Pose& poseA, const Pose& poseB) {
    const Pose beforeA = std::exchange(bodies[0].pose, poseA);
    const Pose beforeB = std::exchange(bodies[1].pose, poseB);
    demandSound(poseA, "poseA");
    demandSound(poseB, "poseB");
    const bool areApart = boundsApart(bodies[0], bodies[1]);
    NEARMISS_TRY {
      // Allocates only for the first pair that is not apart
      if (!areApart) method->begin(bodies, pair);
    }
    NEARMISS_CATCH(...) {
      bodies[0].pose = beforeA;
      bodies[1].pose = beforeB;
      NEARMISS_RETHROW;
    }
    apart = areApart;
    begun = false;
  }

  Shapes shapes;
  std::unique_ptr<NarrowPhase> method;
  std::array<BodyState, 2> bodies;
  std::array<BodyPair, 1> pair{{{0, 1}}};
  bool apart = false;
  bool begun = false;  ///< the first step is complete
};

CollisionQuery::CollisionQuery() : parts_(std::make_unique<Parts>()) {}
CollisionQuery::CollisionQuery(CollisionQuery&&) noexcept = default;
CollisionQuery& CollisionQuery::operator=(CollisionQuery&&) noexcept = default;
CollisionQuery::~CollisionQuery() = default;

void CollisionQuery::begin(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB) {
  const Parts& p = *parts_;
  if (p.method && sameParts(p.shapes[0], a) && sameParts(p.shapes[1], b))
    return parts_->take(poseA, poseB);
  // On an error the previous pair stays
  auto fresh = std::make_unique<Parts>(a, b);
  fresh->take(poseA, poseB);
  parts_ = std::move(fresh);
}

Refinement CollisionQuery::refine(const TimeBudget& budget) { return refineTo(anyLevel, budget); }

Refinement CollisionQuery::refineTo(int level, const TimeBudget& budget) {
  verdictAt(level, budget);
  return known();
}

Verdict CollisionQuery::verdictAt(int level, const TimeBudget& budget) {
  Parts& p = *parts_;
  NEARMISS_DEMAND(p.method != nullptr);
  return resetOnThrow(p, [&] {
    while (!p.apart && p.method->mayRefine(0, level)) {
      // The bounding spheres alone do not count as a result
      const bool first = !std::exchange(p.begun, true);
      if (!first && budget.exhausted()) break;
      if (!p.method->refine(0, first ? budget.withoutDeadline() : budget)) break;
    }
    return p.apart ? Verdict::Separate : p.method->verdict(0);
  });
}

Refinement CollisionQuery::known() const noexcept {
  const Parts& p = *parts_;
  NEARMISS_DEMAND(p.method != nullptr);
  if (!p.apart) return p.method->result(0);
  Refinement separate;
  separate.verdict = Verdict::Separate;
  separate.canRefine = false;
  return separate;
}

void CollisionQuery::contacts(std::size_t maxCount, std::vector<ContactSpheres>& out) const {
  out.clear();
  NEARMISS_DEMAND(parts_->method != nullptr);
  if (!parts_->apart) parts_->method->contacts(0, maxCount, out);
}

Refinement collide(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB,
                   const TimeBudget& budget) {
  CollisionQuery query;
  query.begin(a, poseA, b, poseB);
  return query.refine(budget);
}

}  // namespace nearmiss
