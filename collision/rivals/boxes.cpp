// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/broad_phase.h>

#include <algorithm>

#include "broad/body_bounds.h"
#include "rivals/body_boxes.h"

namespace nearmiss {
namespace {

/// Broad phase with three interval tests per pair; spheres are compared only if the boxes overlap
/// (erratum E10).
class BoxesBroadPhase final : public BroadPhase {
 public:
  std::string_view name() const noexcept override { return "boxes"; }

  Real findPairs(std::span<const BodyState> bodies, Real time,
                 std::vector<BodyPair>& pairs) override {
    pairs.clear();
    work_ = {};
    boxes_.clear();
    for (const BodyState& body : bodies) boxes_.push_back(fixedBoxOf(body));
    const auto count = static_cast<std::uint32_t>(bodies.size());
    for (std::uint32_t a = 0; a < count; ++a)
      for (std::uint32_t b = a + 1; b < count; ++b) {
        ++work_.boundTests;
        if (!overlap(boxes_[a], boxes_[b])) continue;
        ++work_.boundTests;
        if (boundingSpheresMeet(bodies[a], bodies[b])) pairs.push_back({a, b});
      }
    return time;
  }

  WorkCount work() const noexcept override { return work_; }

 private:
  std::vector<Box> boxes_;
  WorkCount work_;
};

}  // namespace

std::unique_ptr<BroadPhase> makeBoxesBroadPhase() { return std::make_unique<BoxesBroadPhase>(); }

}  // namespace nearmiss
