// SPDX-License-Identifier: MIT
#include "query/depth_check.h"

#include <algorithm>
#include <glm/geometric.hpp>

#include "geometry/leaf_pairs.h"
#include "geometry/polyhedron_pair.h"

namespace nearmiss {

void DepthCheck::begin(const TwoBodies& bodies, std::span<const ManifoldPoint> points, Real certain,
                       Real slack) {
  // Edges of a contact are known to be about as deep
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
  // If the deepest of the others leads out, no point is deeper
  if (!ways_.empty() && known) ways_.insert(ways_.begin(), {known->depth, known->normal});
  begin_ = 0;
  end_ = ways_.size();
  tried_ = 0;
  limit_ = std::numeric_limits<Real>::infinity();
}

bool DepthCheck::parts(const Vec3& translation, std::uint64_t& work) const {
  constexpr std::size_t atOnce = 16, mostLeafPairs = std::size_t{1} << 12;
  Pose pose = bodies_->bToA();
  pose.position += translation;
  const TrianglePairs pairs(bodies_->a(), bodies_->b(), pose);
  const LeafPairs leaves = pairs.leaves(mostLeafPairs);
  if (!leaves.complete()) return false;
  bool meet = false;
  for (auto left = leaves.all(); !left.empty() && !meet;
       left = left.subspan(std::min(atOnce, left.size())))
    pairs.forEachOf(left.first(std::min(atOnce, left.size())),
                    [&](std::uint32_t ta, const Triangle& triangleB) {
                      if (meet) return;
                      ++work;
                      meet = trianglesMeet(bodies_->a().mesh().corners(ta), triangleB);
                    });
  return !meet && !oneInsideOther(bodies_->a(), bodies_->b(), pose);
}

/// The shallowest first, which is likely to be certain, then the deepest: where that does not part
/// the bodies, others do not either as a rule. Else the shallowest that does, by halves.
bool DepthCheck::step(std::uint64_t& work) {
  if (begin_ == end_) return false;
  const std::size_t at = tried_ == 0   ? begin_
                         : tried_ == 1 ? end_ - 1
                                       : begin_ + (end_ - begin_) / 2;
  const Way& way = ways_[at];
  ++tried_;
  if (parts(-(way.depth + slack_) * way.normal, work)) {
    limit_ = way.depth;
    end_ = at;
  } else if (tried_ == 2 && at + 1 == end_) {
    begin_ = end_;
  } else {
    begin_ = at + 1;
  }
  return begin_ != end_;
}

bool DepthCheck::explainOverlap(std::span<const ManifoldPoint> points, std::uint64_t& work) const {
  constexpr int rounds = 20;
  constexpr Real more = 3.0;
  Vec3 out(0.0);
  for (int round = 0; round < rounds; ++round)
    for (const ManifoldPoint& point : points)
      out +=
          std::max(0.0, more * point.depth + slack_ - glm::dot(out, point.normal)) * point.normal;
  return parts(-out, work);
}

}  // namespace nearmiss
