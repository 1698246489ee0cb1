// SPDX-License-Identifier: MIT
#include "broad/cell_plan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

#include "broad/body_bounds.h"
#include "broad/cell_hash.h"

namespace nearmiss {
namespace {

/// Default lifetime of bounds, in calls. Longer-lived bounds are rebuilt less often but meet more
/// neighbours; the cells of the grid are sized accordingly.
constexpr Real usualCalls = 20.0;

/// Shorter lifetimes that are tried for dense and fast crowds. At 0 a bound holds only the current
/// position of its body, and no motion.
constexpr Real fewerCalls[] = {10.0, 5.0, 2.5, 0.0};

/// Cost of rebuilding a bound, in comparisons of two boxes.
constexpr Real rebuilding = 40.0;

/// Number of cells that are searched for the neighbours of one box.
constexpr Real cellsLookedInto = 27.0;

/// Returns the cost per call and body.
Real costOf(Real candidates, Real calls) noexcept {
  return (rebuilding + candidates) / std::max(calls, 1.0);
}

}  // namespace

Real CellPlan::lifeOf(const BodyState& body, Real speed, Real margin) const noexcept {
  // For a body that is too fast for its size, wider cells are cheaper than a rebuild in every call
  const Real least = 0.2 * longest;
  const Real size = body.shape.radius() + margin;
  const Real needed = size + 0.5 * (speed + body.accelerationBound * least) * least;
  Real room = 0.5 * cell * (1.0 - 1e-6);
  if (!(needed < 0x1p60 * room)) return longest;
  if (needed >= room) room = std::ldexp(room, std::ilogb(needed / room) + 1);
  room -= size;
  // size + speed T / 2 + M T^2 / 2 = cell / 2
  const Real half = 0.5 * speed;
  const Real root = std::sqrt(half * half + 2.0 * body.accelerationBound * room);
  // A body at rest never leaves its bound
  return room > (half + root) * longest ? longest : std::min(2.0 * room / (half + root), longest);
}

CellPlan CellPlanner::plan(std::span<const BodyState> bodies, Real tick) {
  CellPlan best{cellFor(bodies, usualCalls * tick), usualCalls * tick};
  // Shorter bounds pay off if motion makes cells wide and crowded
  if (best.cell < 1.5 * cellFor(bodies, 0.0)) return best;
  const Real first = candidates(bodies, best.cell);
  if (first <= rebuilding) return best;
  Real least = costOf(first, usualCalls);
  for (const Real calls : fewerCalls) {
    const CellPlan other{cellFor(bodies, calls * tick), calls * tick};
    const Real cost = costOf(candidates(bodies, other.cell), calls);
    if (cost >= least) continue;
    least = cost;
    best = other;
  }
  return best;
}

/// Wider than the boxes of nine bodies in ten, because all may be of one size.
Real CellPlanner::cellFor(std::span<const BodyState> bodies, Real life) {
  halves_.clear();
  for (const BodyState& body : bodies) {
    const Real half = body.shape.radius() + 0.5 * largestCoordinate(body.velocity) * life +
                      0.5 * body.accelerationBound * life * life;
    if (std::isfinite(half)) halves_.push_back(half);
  }
  if (halves_.empty()) return 1.0;
  const auto ninth = halves_.begin() + static_cast<std::ptrdiff_t>((halves_.size() - 1) * 9 / 10);
  std::nth_element(halves_.begin(), ninth, halves_.end());
  return *ninth > 1e-100 && *ninth < 1e100 ? 2.02 * *ninth : 1.0;
}

/// Mean number of bodies found in the cells searched, assuming that they are as full as the body's
/// own cell.
Real CellPlanner::candidates(std::span<const BodyState> bodies, Real cell) {
  counts_.assign(std::bit_ceil(4 * bodies.size()), 0);
  // Positions beyond the range of cell numbers share one cell
  constexpr Real farthest = 1e15;
  const Real perMetre = 1.0 / cell;
  Real squares = 0.0;
  for (const BodyState& body : bodies) {
    const Vec3& at = body.pose.position;
    const bool near = largestCoordinate(at) * perMetre < farthest;
    const std::uint64_t hash = hashOf(near ? cellAt(at, perMetre) : GridCell{});
    // A cell with c bodies adds the odd numbers up to 2 c - 1, in total c^2
    squares += 2.0 * counts_[static_cast<std::size_t>(hash >> 32) & (counts_.size() - 1)]++ + 1.0;
  }
  const auto count = static_cast<Real>(bodies.size());
  return std::min(cellsLookedInto * (squares / count - 1.0), count);
}

}  // namespace nearmiss
