// SPDX-License-Identifier: MIT
/// A broad phase that may leave pairs of little importance for later [H93, "Conclusions"; H96 §12].
#pragma once

#include <nearmiss/broad_phase.h>

#include <cstddef>
#include <memory>

namespace nearmiss {

/// Does: ask another broad phase, report all pairs of bodies of full importance and, of the others,
/// as many as are allowed, and say which were postponed and since when.
/// Does not: save the other broad phase's work, which is small; postponing a pair saves the narrow
/// phase's.
///
/// A pair is as important as the less important of its bodies. The more important go first; of
/// equals, those that have waited longest, so that none waits for ever behind its equals.
class ProgressiveBroadPhase final : public BroadPhase {
 public:
  static constexpr std::size_t noLimit = static_cast<std::size_t>(-1);

  /// @pre `inner` is not null.
  explicit ProgressiveBroadPhase(std::unique_ptr<BroadPhase> inner);
  ~ProgressiveBroadPhase() override;

  void setAllowance(std::size_t pairs) noexcept override { allowance_ = pairs; }

  [[nodiscard]] std::string_view name() const noexcept override { return inner_->name(); }
  /// Conservative for pairs of full importance; others may be in postponed() instead.
  Real findPairs(std::span<const BodyState> bodies, Real time,
                 std::vector<BodyPair>& pairs) override;
  void setResolution(Real seconds) noexcept override { inner_->setResolution(seconds); }
  [[nodiscard]] WorkCount work() const noexcept override { return inner_->work(); }
  [[nodiscard]] std::span<const PostponedPair> postponed() const noexcept override {
    return postponed_;
  }

 private:
  /// A pair by the keys of its bodies, which outlive their places.
  struct Waiting {
    std::uint64_t keys = 0;
    Real since = 0.0;
  };
  struct Candidate {
    BodyPair pair;
    std::uint64_t keys = 0;
    std::uint32_t importance = 0;
    Real since = 0.0;
  };

  std::unique_ptr<BroadPhase> inner_;
  std::size_t allowance_ = noLimit;
  std::vector<Waiting> waiting_;  ///< sorted by keys
  std::vector<Candidate> candidates_;
  std::vector<PostponedPair> postponed_;
};

}  // namespace nearmiss
