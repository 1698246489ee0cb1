// SPDX-License-Identifier: MIT
/// Pairs of articulated bodies, refined link by link.
#pragma once

#include <nearmiss/narrow_phase.h>

#include <memory>
#include <span>
#include <vector>

#include "articulated/link_pairs.h"

namespace nearmiss {

/// See makeArticulatedNarrowPhase().
class ArticulatedNarrowPhase final : public NarrowPhase {
 public:
  explicit ArticulatedNarrowPhase(std::unique_ptr<NarrowPhase> links) : inner_(std::move(links)) {}

  [[nodiscard]] const NarrowPhase& inner() const noexcept { return *inner_; }

  [[nodiscard]] std::string_view name() const noexcept override { return inner_->name(); }
  void begin(std::span<const BodyState> bodies, std::span<const BodyPair> pairs) override;
  bool refine(std::size_t i, const TimeBudget& budget) override;
  [[nodiscard]] Refinement result(std::size_t i) const noexcept override {
    return rigid_ ? inner_->result(i) : known_[i];
  }
  [[nodiscard]] bool mayRefine(std::size_t i, int level) const noexcept override {
    return rigid_ ? inner_->mayRefine(i, level) : known_[i].canRefine && known_[i].level < level;
  }
  void contacts(std::size_t i, std::size_t most, std::vector<ContactSpheres>& out) const override;
  [[nodiscard]] const Shapes* shapes() const noexcept override { return inner_->shapes(); }
  [[nodiscard]] std::unique_ptr<NarrowPhase> another() const override;
  [[nodiscard]] WorkCount work() const noexcept override;

 private:
  /// How far a level of one pair of bodies is.
  struct Round {
    std::size_t open = 0;  ///< pairs of links that can be refined
    std::size_t next = 0;  ///< of these, which comes next
  };
  [[nodiscard]] Refinement combined(std::size_t i) const;
  void beginRound(std::size_t i);

  std::unique_ptr<NarrowPhase> inner_;
  bool rigid_ = true;  ///< no body of these pairs has links: all is left to the inner phase
  LinkPairs pairs_;
  std::vector<Refinement> known_;  ///< by pair of bodies, of its last complete level
  std::vector<Round> rounds_;      ///< the same
  /// Pairs of links: of each pair of bodies those first whose next level is due.
  std::vector<std::size_t> order_;
  std::vector<std::size_t> rest_;             ///< the others, while they are parted
  mutable std::vector<ContactSpheres> some_;  ///< of one pair of links
};

}  // namespace nearmiss
