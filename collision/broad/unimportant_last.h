// SPDX-License-Identifier: MIT
/// Turns any broad phase into one that spends its time on important bodies first, and looks at
/// those marked unimportant if there is time left [H93, "Conclusions"; H96 §12].
#pragma once

#include <nearmiss/advanced/broad_phase.h>
#include <nearmiss/advanced/worker_pool.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "broad/body_queue.h"

namespace nearmiss {

/// Without marks or without a time limit, gives the same results as the given method, to the bit.
/// Otherwise that method finds the pairs of all other bodies; then the marked ones are compared
/// with all bodies, one by one while there is time, in the order of BodyQueue.
class UnimportantLast final : public StoppableBroadPhase {
 public:
  /// @pre `given` outlives this and cannot stop itself.
  explicit UnimportantLast(BroadPhase& given) noexcept : given_(given) {}

  [[nodiscard]] std::string_view name() const noexcept override { return given_.name(); }
  Real findPairs(std::span<const BodyState> bodies, Real time,
                 std::vector<BodyPair>& pairs) override;
  Real findPairsWithin(std::span<const BodyState> bodies, Real time, const TimeBudget& budget,
                       std::vector<BodyPair>& pairs) override;
  void setResolution(Real seconds) noexcept override { given_.setResolution(seconds); }
  void shareWork(WorkerPool* pool) noexcept override { given_.shareWork(pool); }
  /// Does nothing: the given method compares states itself.
  void announceJumps(std::span<const std::uint32_t>) override {}
  [[nodiscard]] WorkCount work() const noexcept override { return work_; }
  [[nodiscard]] std::span<const PostponedBody> postponedBodies() const noexcept override {
    return some_ ? queue_.postponed() : std::span<const PostponedBody>();
  }
  [[nodiscard]] Wait waitBefore(std::uint32_t body) const noexcept override {
    return some_ ? queue_.waitBefore(body) : Wait{};
  }

 private:
  void restartIfChanged(std::size_t count, Real time, std::vector<BodyPair>& pairs);
  Real findAmongOthers(std::span<const BodyState> bodies, Real time, std::vector<BodyPair>& pairs);
  [[nodiscard]] Real look(std::span<const BodyState> bodies, std::uint32_t marked, Real time,
                          Real until, std::vector<BodyPair>& pairs);

  BroadPhase& given_;
  WorkCount work_;
  BodyQueue queue_;    ///< marked bodies
  bool some_ = false;  ///< whether any of them waited lately
  std::vector<std::uint32_t> marked_, others_, next_;
  std::vector<BodyState> important_;    ///< copies of the bodies in others_
  std::vector<std::uint32_t> leftOut_;  ///< marked_ of the last call
  std::size_t countBefore_ = 0;         ///< number of bodies at the last restart
  std::vector<char> looked_;            ///< by body: whether all its pairs are found
};

}  // namespace nearmiss
