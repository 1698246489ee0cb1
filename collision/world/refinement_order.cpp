// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/detector.h>

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>

namespace nearmiss {
namespace {

constexpr std::array orders{
    RefinementOrderEntry{RefinementOrder::InTurn, "in-turn",
                         "Hubbard 1996: a level for each pair, round after round"},
    RefinementOrderEntry{RefinementOrder::LargestBound, "largest-bound",
                         "ours: the pair first whose bodies can be the farthest apart"},
    RefinementOrderEntry{RefinementOrder::ClosingSpeed, "closing-speed",
                         "ours: the pair first whose bodies approach each other the fastest"},
    RefinementOrderEntry{RefinementOrder::Visibility, "visibility",
                         "after Dingliana and O'Sullivan 2000: the bound first that looks largest"},
    RefinementOrderEntry{RefinementOrder::Eccentricity, "eccentricity",
                         "Dingliana and O'Sullivan 2000: nearest first to where the user looks"},
};

/// Returns the vector from the eye to the contact known so far.
Vec3 wayTo(const Refinement& known, const Viewer& viewer) noexcept {
  return 0.5 * (known.deepest.a.centre + known.deepest.b.centre) - viewer.eye;
}

Real closingSpeed(const BodyState& a, const BodyState& b) noexcept {
  const Vec3 apart = b.pose.position - a.pose.position;
  const Real distance = glm::length(apart);
  return distance > 0.0 ? glm::dot(a.velocity - b.velocity, apart) / distance : 0.0;
}

/// Returns the apparent size in radians, approximately. Negative behind the viewer, where the
/// largest comes last.
Real apparentSize(Real bound, const BodyState& a, const BodyState& b, const Vec3& way,
                  const Viewer& viewer) noexcept {
  // Without a bound, the position of the whole smaller body is uncertain
  const Real doubt = std::min({bound, a.shape.radius(), b.shape.radius()});
  const Real distance = std::max(glm::length(way), 1e-9);
  const bool ahead = glm::dot(way, viewer.direction) > 0.0;
  return ahead ? doubt / distance : -distance / std::max(doubt, 1e-9);
}

}  // namespace

std::span<const RefinementOrderEntry> refinementOrderCatalog() noexcept { return orders; }

const RefinementOrderEntry* findRefinementOrder(std::string_view name) noexcept {
  const auto found = std::ranges::find(orders, name, &RefinementOrderEntry::name);
  return found == orders.end() ? nullptr : &*found;
}

const RefinementOrderEntry& entryOf(RefinementOrder order) noexcept {
  return *std::ranges::find(orders, order, &RefinementOrderEntry::order);
}

Real priorityOf(RefinementOrder order, const Viewer& viewer, const BodyState& a, const BodyState& b,
                const Refinement& known) noexcept {
  switch (order) {
    case RefinementOrder::InTurn:
      break;
    case RefinementOrder::LargestBound:
      return known.separationBound;
    case RefinementOrder::ClosingSpeed:
      return closingSpeed(a, b);
    case RefinementOrder::Visibility:
      return apparentSize(known.separationBound, a, b, wayTo(known, viewer), viewer);
    case RefinementOrder::Eccentricity: {
      const Vec3 way = wayTo(known, viewer);
      const Real distance = glm::length(way);
      return distance > 0.0 ? glm::dot(way, viewer.direction) / distance : 1.0;
    }
  }
  return 0.0;
}

}  // namespace nearmiss
