// SPDX-License-Identifier: MIT
#include "contact/depth_check.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <utility>

namespace nearmiss {

void DepthCheck::begin(const TwoBodies& bodies, std::span<const ManifoldPoint> points, Real certain,
                       Real slack) {
  // Edges of a contact are known to be about this deep
  constexpr Real much = 2.0;
  bodies_ = &bodies;
  slack_ = slack;
  ways_.clear();
  const ManifoldPoint* known = nullptr;
  for (const ManifoldPoint& point : points) {
    if (point.depth > much * certain + slack)
      ways_.push_back({point.depth, point.normal});
    else if (point.depth > slack && (!known || point.depth > known->depth))
      known = &point;
  }
  std::ranges::sort(ways_, {}, &Way::depth);
  // If the deepest of the other points leads out, no point is deeper
  if (!ways_.empty() && known) ways_.insert(ways_.begin(), {known->depth, known->normal});
  begin_ = 0;
  end_ = ways_.size();
  tried_ = 0;
  testing_ = false;
  limit_ = std::numeric_limits<Real>::infinity();
}

/// Returns the shallowest first, which is likely to be proven, then the deepest: if that does not
/// separate the bodies, others usually do not either. Otherwise bisects for the shallowest that
/// does.
std::size_t DepthCheck::next() const noexcept {
  return tried_ == 0 ? begin_ : tried_ == 1 ? end_ - 1 : begin_ + (end_ - begin_) / 2;
}

bool DepthCheck::step(WorkCount& work) {
  if (begin_ == end_) return false;
  const std::size_t at = next();
  const Way& way = ways_[at];
  if (!std::exchange(testing_, true)) test_.begin(*bodies_, -(way.depth + slack_) * way.normal);
  if (test_.step(work)) return true;
  testing_ = false;
  ++tried_;
  if (test_.parts()) {
    limit_ = way.depth;
    end_ = at;
  } else if (tried_ == 2 && at + 1 == end_) {
    begin_ = end_;
  } else {
    begin_ = at + 1;
  }
  return begin_ != end_;
}

void DepthCheck::beginToExplain(std::span<const ManifoldPoint> points) {
  constexpr int rounds = 20;
  constexpr Real more = 3.0;
  Vec3 out(0.0);
  for (int round = 0; round < rounds; ++round)
    for (const ManifoldPoint& point : points)
      out +=
          std::max(0.0, more * point.depth + slack_ - glm::dot(out, point.normal)) * point.normal;
  test_.begin(*bodies_, -out);
}

}  // namespace nearmiss
