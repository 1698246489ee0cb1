// SPDX-License-Identifier: MIT
#include "broad/present_meetings.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "broad/body_bounds.h"

namespace nearmiss {
namespace {

constexpr std::uint32_t noEntry = 0xffffffffu;

/// In cells: if neither body is wider than half a cell, they meet only within this distance of each
/// other's centre. The excess over one half covers the rounding of coordinates within the range of
/// cell numbers.
constexpr Real meetingReach = 0.501;
constexpr Real farthestCell = 1e12;

/// If no more bodies than this are left, each is compared with all.
constexpr std::size_t fewRest = 8;

/// std::floor() compiles to a function call if the target machine is unknown.
std::int64_t cellOf(Real value) noexcept {
  const auto truncated = static_cast<std::int64_t>(value);
  return truncated - (static_cast<Real>(truncated) > value ? 1 : 0);
}

}  // namespace

std::span<const BodyPair> PresentMeetings::find(std::span<const BodyState> bodies,
                                                std::span<const std::uint32_t> some,
                                                std::span<const std::uint32_t> others, Real cell) {
  bodies_ = bodies;
  tests_ = 0;
  pairs_.clear();
  const bool fewer = some.size() < others.size();
  few_.start(fewer ? some : others);
  many_.start(fewer ? others : some);

  // First the pairs of the smallest nine tenths of the bodies, then pairs with one of the smallest
  // nine tenths of the rest, and so on
  radii_.clear();
  readRadii(few_);
  bool judged = false;
  while (!radii_.empty()) {
    perMetre_ = 0.5 / cellFor(cell);
    const std::size_t smaller = few_.taken;
    const auto few = takeUsual(few_), many = takeUsual(many_);
    meet(few, many_.done());
    meet(many, few_.done().first(smaller));
    readRadii(few_);
    readRadii(many_);
    if (radii_.size() <= fewRest) break;
    // Stop if few bodies fit, because those too far away for a cell number never do. Do not judge
    // the first cells, whose size was chosen from one list only
    if (std::exchange(judged, true) && few.size() + many.size() < radii_.size()) break;
  }
  for (const std::uint32_t i : few_.rest())
    for (const std::uint32_t j : many_.bodies) compare(i, j);
  for (const std::uint32_t j : many_.rest())
    for (const std::uint32_t i : few_.done()) compare(i, j);
  return pairs_;
}

/// Adds the radii of the remaining bodies.
void PresentMeetings::readRadii(const List& list) {
  for (const std::uint32_t i : list.rest()) radii_.push_back(bodies_[i].shape.radius());
}

/// Returns the width of cells that fit nine tenths of the bodies whose radii have been read; then
/// discards the radii. `widest` may allow for the motion of fast bodies. In much narrower cells
/// positions would have no cell numbers.
Real PresentMeetings::cellFor(Real widest) {
  constexpr Real minShare = 1.0 / 64.0;
  // More than twice the radius: rounding must not exclude bodies that are all of one size
  constexpr Real cellPerRadius = 2.02;
  const auto ninth = radii_.begin() + static_cast<std::ptrdiff_t>((radii_.size() - 1) * 9 / 10);
  std::nth_element(radii_.begin(), ninth, radii_.end());
  const Real cell = std::max(cellPerRadius * *ninth, minShare * widest);
  radii_.clear();
  return cell;
}

/// Takes the remaining bodies that fit the cells.
std::span<const std::uint32_t> PresentMeetings::takeUsual(List& list) {
  const std::size_t first = list.taken;
  for (std::size_t k = first; k < list.bodies.size(); ++k) {
    prefetch(list.bodies, k + 8);
    if (isUsual(list.bodies[k])) std::swap(list.bodies[k], list.bodies[list.taken++]);
  }
  return list.done().subspan(first);
}

/// Returns true if the body is at most half a cell wide and near enough to have a cell number.
bool PresentMeetings::isUsual(std::uint32_t i) const noexcept {
  const BodyState& body = bodies_[i];
  return 4.0 * body.shape.radius() * perMetre_ <= 1.0 &&
         largestCoordinate(body.pose.position) * perMetre_ <= farthestCell;
}

std::uint32_t& PresentMeetings::headOf(const GridCell& cell) noexcept {
  return heads_[static_cast<std::size_t>(hashOf(cell) >> 32) & (heads_.size() - 1)];
}

/// Compares two lists of bodies that all fit the cells. One list is entered into all cells that its
/// bodies reach; the other is looked up by its centres.
void PresentMeetings::meet(std::span<const std::uint32_t> placed,
                           std::span<const std::uint32_t> others) {
  if (placed.empty() || others.empty()) return;
  entries_.clear();
  heads_.assign(std::bit_ceil(32 * placed.size() + 1), noEntry);
  for (const std::uint32_t i : placed) place(i);
  for (std::size_t k = 0; k < others.size(); ++k) {
    prefetch(others, k + 8);
    lookUp(others[k]);
  }
}

void PresentMeetings::prefetch(std::span<const std::uint32_t> list, std::size_t k) const noexcept {
  const BodyState& ahead = bodies_[list[std::min(k, list.size() - 1)]];
  __builtin_prefetch(&ahead.shape);
  __builtin_prefetch(&ahead.pose);
}

void PresentMeetings::place(std::uint32_t i) {
  const Vec3 at = bodies_[i].pose.position * perMetre_;
  const auto first = [](Real value) { return cellOf(value - meetingReach); };
  const auto last = [](Real value) { return cellOf(value + meetingReach); };
  GridCell cell;
  for (cell.z = first(at.z); cell.z <= last(at.z); ++cell.z)
    for (cell.y = first(at.y); cell.y <= last(at.y); ++cell.y)
      for (cell.x = first(at.x); cell.x <= last(at.x); ++cell.x) {
        std::uint32_t& head = headOf(cell);
        entries_.push_back({i, head});
        head = static_cast<std::uint32_t>(entries_.size() - 1);
      }
}

void PresentMeetings::lookUp(std::uint32_t j) {
  ++tests_;
  const Vec3 at = bodies_[j].pose.position * perMetre_;
  const GridCell cell{cellOf(at.x), cellOf(at.y), cellOf(at.z)};
  for (std::uint32_t e = headOf(cell); e != noEntry; e = entries_[e].next)
    compare(entries_[e].body, j);
}

void PresentMeetings::compare(std::uint32_t i, std::uint32_t j) {
  ++tests_;
  if (boundingSpheresMeet(bodies_[i], bodies_[j])) pairs_.push_back(pairOf(i, j));
}

}  // namespace nearmiss
