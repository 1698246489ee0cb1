// SPDX-License-Identifier: MIT
#include "articulated/link_pairs.h"

#include <algorithm>

#include "broad/bounding_spheres.h"

namespace nearmiss {

bool LinkPairs::among(std::span<const BodyState> bodies, std::span<const BodyPair> pairs) noexcept {
  return std::ranges::any_of(pairs, [&](const BodyPair& pair) {
    return !bodies[pair.a].links.empty() || !bodies[pair.b].links.empty();
  });
}

LinkPairs::Range LinkPairs::addLinksOf(std::span<const BodyState> bodies, std::uint32_t index) {
  Range& range = ranges_[index];
  if (range.count > 0) return range;
  const BodyState& body = bodies[index];
  range.first = static_cast<std::uint32_t>(links_.size());
  for (std::uint32_t i = 0; i < linkCount(body); ++i) {
    const Link link = linkOf(body, i);
    BodyState& part = links_.emplace_back(body);
    part.shape = link.shape;
    part.pose = link.pose;
    part.links = {};
  }
  range.count = linkCount(body);
  return range;
}

void LinkPairs::assign(std::span<const BodyState> bodies, std::span<const BodyPair> pairs) {
  links_.clear();
  pairs_.clear();
  names_.clear();
  first_.clear();
  compared_ = 0;
  ranges_.assign(bodies.size(), {});
  for (const BodyPair& pair : pairs) {
    first_.push_back(pairs_.size());
    const Range a = addLinksOf(bodies, pair.a), b = addLinksOf(bodies, pair.b);
    for (std::uint32_t i = 0; i < a.count; ++i) {
      for (std::uint32_t j = 0; j < b.count; ++j) {
        const BodyPair links{a.first + i, b.first + j};
        // The spheres of two rigid bodies met already, perhaps in another phase's arithmetic
        const bool rigid = bodies[pair.a].links.empty() && bodies[pair.b].links.empty();
        compared_ += !rigid;
        if (!rigid && !boundingSpheresMeet(links_[links.a], links_[links.b])) continue;
        pairs_.push_back(links);
        names_.push_back({i, j});
      }
    }
  }
  first_.push_back(pairs_.size());
}

}  // namespace nearmiss
