// SPDX-License-Identifier: MIT
#include <nearmiss/broad_phases.h>

#include <algorithm>
#include <array>
#include <utility>

#include "broad/bounding_spheres.h"

namespace nearmiss {
namespace {

/// One end of a body's interval on an axis.
struct Endpoint {
  Real value = 0.0;
  std::uint32_t proxy = 0;
  bool isEnd = false;
};

/// Intervals are closed: where values tie, starts come before ends, so that touching overlaps
/// (erratum E18).
bool before(const Endpoint& a, const Endpoint& b) noexcept {
  if (a.value != b.value) return a.value < b.value;
  return !a.isEnd && b.isEnd;
}

/// Boxes of fixed size around bounding spheres: a body may turn without a change. Keeps, per pair,
/// on how many axes the intervals overlap, and a set of those that overlap on all three.
class SweepAndPruneBroadPhase final : public BroadPhase {
 public:
  std::string_view name() const noexcept override { return "sweep-and-prune"; }

  Real findPairs(std::span<const BodyState> bodies, Real time,
                 std::vector<BodyPair>& pairs) override {
    work_ = {};
    if (sameBodies(bodies)) {
      for (int axis = 0; axis < 3; ++axis) resort(bodies, axis);
    } else {
      rebuild(bodies);
    }

    // Filter boxes by spheres
    pairs.clear();
    for (const std::uint64_t key : overlapping_) {
      const BodyPair pair{static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key)};
      ++work_.boundTests;
      if (boundingSpheresMeet(bodies[pair.a], bodies[pair.b])) pairs.push_back(pair);
    }
    return time;
  }

  WorkCount work() const noexcept override { return work_; }

 private:
  /// Places in the span are the names of intervals, so that a change of any key voids the lists.
  bool sameBodies(std::span<const BodyState> bodies) const noexcept {
    return std::equal(bodies.begin(), bodies.end(), keys_.begin(), keys_.end(),
                      [](const BodyState& body, std::uint32_t key) { return body.key == key; });
  }

  static Real valueOf(const BodyState& body, int axis, bool isEnd) noexcept {
    // One ulp-sized margin: the sphere test squares, and may call touching what differs by rounding
    const Real reach = body.boundingRadius * (1.0 + 1e-12) + 1e-15;
    const Real centre = body.pose.position[axis];
    const Real slack = (centre < 0 ? -centre : centre) * 1e-15;
    return isEnd ? centre + reach + slack : centre - reach - slack;
  }

  static std::uint64_t keyOf(std::uint32_t p, std::uint32_t q) noexcept {
    return (std::uint64_t{std::min(p, q)} << 32) | std::max(p, q);
  }

  void insert(std::uint64_t key) {
    const auto at = std::lower_bound(overlapping_.begin(), overlapping_.end(), key);
    if (at == overlapping_.end() || *at != key) overlapping_.insert(at, key);
  }

  void erase(std::uint64_t key) {
    const auto at = std::lower_bound(overlapping_.begin(), overlapping_.end(), key);
    if (at != overlapping_.end() && *at == key) overlapping_.erase(at);
  }

  void rebuild(std::span<const BodyState> bodies) {
    keys_.clear();
    for (const BodyState& body : bodies) keys_.push_back(body.key);
    overlapping_.clear();
    const auto count = static_cast<std::uint32_t>(bodies.size());
    for (int axis = 0; axis < 3; ++axis) {
      auto& list = endpoints_[axis];
      list.clear();
      for (std::uint32_t p = 0; p < count; ++p) {
        list.push_back({valueOf(bodies[p], axis, false), p, false});
        list.push_back({valueOf(bodies[p], axis, true), p, true});
      }
      std::stable_sort(list.begin(), list.end(), before);
      work_.boundTests += list.size();
    }

    // One sweep along x, checking the other axes by value
    open_.clear();
    for (const Endpoint& e : endpoints_[0]) {
      if (e.isEnd) {
        open_.erase(std::find(open_.begin(), open_.end(), e.proxy));
        continue;
      }
      for (const std::uint32_t other : open_) {
        ++work_.boundTests;
        if (boxesOverlap(bodies[e.proxy], bodies[other])) insert(keyOf(e.proxy, other));
      }
      open_.push_back(e.proxy);
    }
  }

  static bool boxesOverlap(const BodyState& a, const BodyState& b) noexcept {
    for (int axis = 0; axis < 3; ++axis)
      if (valueOf(a, axis, false) > valueOf(b, axis, true) ||
          valueOf(b, axis, false) > valueOf(a, axis, true))
        return false;
    return true;
  }

  /// Insertion sort; every exchange of a start with an end of another body flips that pair.
  void resort(std::span<const BodyState> bodies, int axis) {
    auto& list = endpoints_[axis];
    for (Endpoint& e : list) e.value = valueOf(bodies[e.proxy], axis, e.isEnd);
    for (std::size_t i = 1; i < list.size(); ++i) {
      const Endpoint moving = list[i];
      std::size_t j = i;
      for (; j > 0 && before(moving, list[j - 1]); --j) {
        const Endpoint& passed = list[j - 1];
        ++work_.boundTests;
        if (moving.proxy != passed.proxy) {
          if (!moving.isEnd && passed.isEnd) {
            // A start moved below an end: this axis begins to overlap. The other axes are judged
            // by their new values; if they change order later in this call the flip is repeated.
            if (boxesOverlap(bodies[moving.proxy], bodies[passed.proxy]))
              insert(keyOf(moving.proxy, passed.proxy));
          } else if (moving.isEnd && !passed.isEnd) {
            erase(keyOf(moving.proxy, passed.proxy));
          }
        }
        list[j] = passed;
      }
      list[j] = moving;
    }
  }

  std::vector<std::uint32_t> keys_;
  std::array<std::vector<Endpoint>, 3> endpoints_;
  std::vector<std::uint64_t> overlapping_;  ///< sorted keys of pairs whose boxes overlap
  std::vector<std::uint32_t> open_;
  WorkCount work_;
};

}  // namespace

std::unique_ptr<BroadPhase> makeSweepAndPruneBroadPhase() {
  return std::make_unique<SweepAndPruneBroadPhase>();
}

}  // namespace nearmiss
