// SPDX-License-Identifier: MIT
#include "narrow/articulated_narrow_phase.h"

#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/detail/assertion.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "broad/body_bounds.h"
#include "narrow/pair_setup.h"

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
        // The spheres of two rigid bodies are known to overlap, perhaps by the arithmetic of
        // another phase
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

namespace {

/// Returns the result of a pair whose spheres overlap, but none of whose pairs of links do.
Refinement separateByLinks(const ContactSpheres& bounding) noexcept {
  Refinement answer = boundingLevel(bounding);
  answer.verdict = Verdict::Separate;
  answer.canRefine = false;
  answer.collidingSpheres = 0;
  return answer;
}

Refinement named(Refinement answer, const LinkPair& links) noexcept {
  answer.linkA = links.a;
  answer.linkB = links.b;
  return answer;
}

/// Takes over a smaller bound, of the same two bodies or of two of their links.
void lowerBound(Refinement& answer, const Refinement& by) noexcept {
  if (!(by.separationBound < answer.separationBound)) return;
  answer.separationBound = by.separationBound;
  answer.betweenSolids = by.betweenSolids;
  answer.separationEstimate = std::min(answer.separationEstimate, answer.separationBound);
}

/// Combines the result for two bodies from the results of links that may touch, added one by one.
class PossibleAnswer {
 public:
  void add(const Refinement& one, const LinkPair& links) {
    const Real depth = overlap(one.deepest.a, one.deepest.b);
    if (count_ == 0) {
      all_ = named(one, links);
      deepest_ = depth;
    } else {
      join(one, links, depth);
    }
    if (one.canRefine) {
      open_ = open_ < 0 ? one.level : std::min(open_, one.level);
    }
    ++count_;
  }
  [[nodiscard]] bool any() const noexcept { return count_ > 0; }
  [[nodiscard]] Refinement answer() const noexcept {
    Refinement answer = all_;
    answer.canRefine = open_ >= 0;
    // A level is complete when it is complete for all pairs that have it
    if (open_ >= 0) answer.level = open_;
    return answer;
  }

 private:
  void join(const Refinement& one, const LinkPair& links, Real depth) noexcept {
    all_.collidingSpheres += one.collidingSpheres;
    all_.conservative = all_.conservative && one.conservative;
    all_.level = std::max(all_.level, one.level);
    all_.stage = std::max(all_.stage, one.stage);
    lowerBound(all_, one);
    all_.separationEstimate = std::min(all_.separationEstimate, one.separationEstimate);
    if (!(depth > deepest_)) return;
    deepest_ = depth;
    all_.deepest = one.deepest;
    all_.linkA = links.a;
    all_.linkB = links.b;
  }

  Refinement all_;
  Real deepest_ = 0.0;
  int open_ = -1;  ///< minimum level of a pair that can be refined
  std::size_t count_ = 0;
};

}  // namespace

void ArticulatedNarrowPhase::begin(std::span<const BodyState> bodies,
                                   std::span<const BodyPair> pairs) {
  rigid_ = !LinkPairs::among(bodies, pairs);
  if (rigid_) return inner_->begin(bodies, pairs);
  pairs_.assign(bodies, pairs);
  inner_->begin(pairs_.links(), pairs_.pairs());
  order_.resize(pairs_.pairs().size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  known_.clear();
  rounds_.assign(pairs.size(), {});
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const ContactSpheres bounding = boundingSpheres(bodies, pairs[i]);
    const bool apart = pairs_.first(i) == pairs_.first(i + 1);
    known_.push_back(apart ? separateByLinks(bounding) : boundingLevel(bounding));
    beginRound(i);
  }
}

/// Moves the pairs of links to the front whose next level is that of the bodies.
void ArticulatedNarrowPhase::beginRound(std::size_t i) {
  const std::size_t first = pairs_.first(i), end = pairs_.first(i + 1);
  std::size_t open = first;
  rest_.clear();
  for (std::size_t k = first; k < end; ++k) {
    const std::size_t pair = order_[k];
    // A method may complete several levels in one step: let the others catch up first
    if (inner_->mayRefine(pair, known_[i].level + 1))
      order_[open++] = pair;
    else
      rest_.push_back(pair);
  }
  std::ranges::copy(rest_, order_.begin() + static_cast<std::ptrdiff_t>(open));
  rounds_[i] = {open - first, 0};
}

bool ArticulatedNarrowPhase::refine(std::size_t i, const TimeBudget& budget) {
  if (rigid_) return inner_->refine(i, budget);
  Round& round = rounds_[i];
  while (round.next < round.open) {
    const std::size_t pair = order_[pairs_.first(i) + round.next];
    if (!inner_->refine(pair, budget)) return false;
    ++round.next;
    const Refinement found = inner_->result(pair);
    if (found.verdict == Verdict::Contact) {
      known_[i] = named(found, pairs_[pair]);
      return true;
    }
    if (round.next < round.open && budget.exhausted()) return false;
  }
  const Refinement before = std::exchange(known_[i], combined(i));
  // Links that are separate by now also bounded the distance
  lowerBound(known_[i], before);
  beginRound(i);
  return true;
}

bool ArticulatedNarrowPhase::tighten(std::size_t i, const TimeBudget& budget) {
  if (rigid_) return inner_->tighten(i, budget);
  bool all = true;
  for (std::size_t pair = pairs_.first(i); all && pair < pairs_.first(i + 1); ++pair)
    if (inner_->result(pair).verdict == Verdict::Possible) all = inner_->tighten(pair, budget);
  // Use the current bounds of the links; the rest is that of the last complete level
  for (std::size_t pair = pairs_.first(i); pair < pairs_.first(i + 1); ++pair) {
    const Refinement one = inner_->result(pair);
    if (one.verdict == Verdict::Possible) lowerBound(known_[i], one);
  }
  return all;
}

Refinement ArticulatedNarrowPhase::combined(std::size_t i) const {
  PossibleAnswer possible;
  Refinement separate;
  bool conservative = true;
  for (std::size_t pair = pairs_.first(i); pair < pairs_.first(i + 1); ++pair) {
    const Refinement one = inner_->result(pair);
    conservative = conservative && one.conservative;
    if (one.verdict == Verdict::Possible) {
      possible.add(one, pairs_[pair]);
      continue;
    }
    const int level = std::max(separate.level, one.level);
    const Stage stage = std::max(separate.stage, one.stage);
    separate = named(one, pairs_[pair]);
    separate.level = level;
    separate.stage = stage;
  }
  Refinement answer = possible.any() ? possible.answer() : separate;
  answer.conservative = conservative;
  return answer;
}

void ArticulatedNarrowPhase::contacts(std::size_t i, std::size_t most,
                                      std::vector<ContactSpheres>& out) const {
  if (rigid_) return inner_->contacts(i, most, out);
  out.clear();
  for (std::size_t pair = pairs_.first(i); pair < pairs_.first(i + 1) && out.size() < most;
       ++pair) {
    if (inner_->result(pair).verdict == Verdict::Separate) continue;
    inner_->contacts(pair, most - out.size(), some_);
    out.insert(out.end(), some_.begin(), some_.end());
  }
}

std::unique_ptr<NarrowPhase> ArticulatedNarrowPhase::another() const {
  auto other = inner_->another();
  if (!other) return nullptr;
  return std::make_unique<ArticulatedNarrowPhase>(std::move(other));
}

WorkCount ArticulatedNarrowPhase::work() const noexcept {
  WorkCount work = inner_->work();
  if (!rigid_ && countsLinks_) work.boundTests += pairs_.compared();
  return work;
}

std::unique_ptr<NarrowPhase> makeArticulatedNarrowPhase(std::unique_ptr<NarrowPhase> links) {
  NEARMISS_DEMAND(links != nullptr);
  return std::make_unique<ArticulatedNarrowPhase>(std::move(links));
}

}  // namespace nearmiss
