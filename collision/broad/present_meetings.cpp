// SPDX-License-Identifier: MIT
#include "broad/present_meetings.h"

#include <algorithm>
#include <bit>

#include "broad/body_bounds.h"

namespace nearmiss {
namespace {

constexpr std::uint32_t noEntry = 0xffffffffu;

/// In cells: two bodies no wider than half a cell meet within this of each other's centre. More
/// than a half by what rounding moves coordinates that are still counted.
constexpr Real meetingReach = 0.501;
constexpr Real farthestCell = 1e12;

/// std::floor() is a call where the machine is not known.
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

  // The shorter list into all cells that its bodies reach, the longer one by its centres
  const bool fewer = some.size() < others.size();
  const auto few = fewer ? some : others, many = fewer ? others : some;
  perMetre_ = 0.5 / cellFor(few, cell);
  placed_.clear();
  entries_.clear();
  heads_.assign(std::bit_ceil(32 * few.size() + 1), noEntry);
  for (const std::uint32_t i : few) {
    if (isUsual(i))
      place(i);
    else
      for (const std::uint32_t j : many) compare(i, j);
  }
  for (std::size_t k = 0; k < many.size(); ++k) {
    const BodyState& ahead = bodies_[many[std::min(k + 8, many.size() - 1)]];
    __builtin_prefetch(&ahead.shape);
    __builtin_prefetch(&ahead.pose);
    lookUp(many[k]);
  }
  return pairs_;
}

/// The width of cells that nine of ten placed bodies fit into. `widest` may allow for the motion of
/// fast bodies; cells much narrower than that could not count positions.
Real PresentMeetings::cellFor(std::span<const std::uint32_t> placed, Real widest) {
  constexpr Real minShare = 1.0 / 64.0;
  // More than twice the radius: rounding must not leave out bodies that are all of one size
  constexpr Real cellPerRadius = 2.02;
  radii_.clear();
  for (const std::uint32_t i : placed) radii_.push_back(bodies_[i].shape.radius());
  if (radii_.empty()) return widest;
  const auto ninth = radii_.begin() + static_cast<std::ptrdiff_t>((radii_.size() - 1) * 9 / 10);
  std::nth_element(radii_.begin(), ninth, radii_.end());
  return std::max(cellPerRadius * *ninth, minShare * widest);
}

/// Neither wider than half a cell nor too far away to count cells.
bool PresentMeetings::isUsual(std::uint32_t i) const noexcept {
  const BodyState& body = bodies_[i];
  return 4.0 * body.shape.radius() * perMetre_ <= 1.0 &&
         largestCoordinate(body.pose.position) * perMetre_ <= farthestCell;
}

std::uint32_t& PresentMeetings::headOf(const Cell& cell) noexcept {
  std::uint64_t h = static_cast<std::uint64_t>(cell.x) * 0x9e3779b97f4a7c15u;
  h ^= std::rotl(static_cast<std::uint64_t>(cell.y) * 0xc2b2ae3d27d4eb4fu, 21);
  h ^= std::rotl(static_cast<std::uint64_t>(cell.z) * 0x165667b19e3779f9u, 42);
  h *= 0xd6e8feb86659fd93u;
  return heads_[static_cast<std::size_t>(h >> 32) & (heads_.size() - 1)];
}

void PresentMeetings::place(std::uint32_t i) {
  placed_.push_back(i);
  const Vec3 at = bodies_[i].pose.position * perMetre_;
  const auto first = [](Real value) { return cellOf(value - meetingReach); };
  const auto last = [](Real value) { return cellOf(value + meetingReach); };
  Cell cell;
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
  if (!isUsual(j)) {
    for (const std::uint32_t i : placed_) compare(i, j);
    return;
  }
  const Vec3 at = bodies_[j].pose.position * perMetre_;
  const Cell cell{cellOf(at.x), cellOf(at.y), cellOf(at.z)};
  for (std::uint32_t e = headOf(cell); e != noEntry; e = entries_[e].next)
    compare(entries_[e].body, j);
}

void PresentMeetings::compare(std::uint32_t i, std::uint32_t j) {
  ++tests_;
  if (boundingSpheresMeet(bodies_[i], bodies_[j])) pairs_.push_back(pairOf(i, j));
}

}  // namespace nearmiss
