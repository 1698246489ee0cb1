// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/broad_phase.h>
#include <nearmiss/math.h>

#include "broad/body_bounds.h"

namespace nearmiss {
namespace {

class AllPairsBroadPhase final : public BroadPhase {
 public:
  std::string_view name() const noexcept override { return "all-pairs"; }

  Real findPairs(std::span<const BodyState> bodies, Real time,
                 std::vector<BodyPair>& pairs) override {
    pairs.clear();
    const auto count = static_cast<std::uint32_t>(bodies.size());
    for (std::uint32_t a = 0; a < count; ++a)
      for (std::uint32_t b = a + 1; b < count; ++b)
        if (boundingSpheresMeet(bodies[a], bodies[b])) pairs.push_back({a, b});
    work_.boundTests = std::uint64_t{count} * (count > 0 ? count - 1 : 0) / 2;
    return time;
  }

  WorkCount work() const noexcept override { return work_; }

 private:
  WorkCount work_;
};

}  // namespace

std::unique_ptr<BroadPhase> makeAllPairsBroadPhase() {
  return std::make_unique<AllPairsBroadPhase>();
}

}  // namespace nearmiss
