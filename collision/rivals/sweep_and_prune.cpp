// SPDX-License-Identifier: MIT
#include <nearmiss/rivals/broad_phases.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "broad/body_bounds.h"
#include "rivals/body_boxes.h"

namespace nearmiss {
namespace {

/// One end of a body's interval on an axis.
struct Endpoint {
  Real value = 0.0;
  std::uint32_t proxy = 0;
  bool isEnd = false;
};

/// Intervals are closed: in a tie, starts come before ends, so that touching counts as overlap
/// (erratum E18).
bool before(const Endpoint& a, const Endpoint& b) noexcept {
  if (a.value != b.value) return a.value < b.value;
  return !a.isEnd && b.isEnd;
}

/// As before(), but without ties, for unstable sorts.
bool strictlyBefore(const Endpoint& a, const Endpoint& b) noexcept {
  if (before(a, b) || before(b, a)) return before(a, b);
  return a.proxy < b.proxy;
}

std::string_view nameOf(const SweepAndPruneSettings& settings) noexcept {
  const bool turning = settings.boxes == SweepAndPruneSettings::Boxes::Dynamic;
  if (settings.skipClumpedAxis)
    return turning ? "sweep-and-prune-dynamic-two-axes" : "sweep-and-prune-two-axes";
  return turning ? "sweep-and-prune-dynamic" : "sweep-and-prune";
}

/// Broad phase with endpoint lists, and the set of pairs whose intervals overlap on all axes that
/// have a list.
class SweepAndPruneBroadPhase final : public BroadPhase {
 public:
  SweepAndPruneBroadPhase(const SweepAndPruneSettings& settings, std::span<const Box> shapeBoxes)
      : settings_(settings), shapeBoxes_(shapeBoxes.begin(), shapeBoxes.end()) {
    if (settings.boxes == SweepAndPruneSettings::Boxes::Fixed) shapeBoxes_.clear();
  }

  std::string_view name() const noexcept override { return nameOf(settings_); }

  Real findPairs(std::span<const BodyState> bodies, Real time,
                 std::vector<BodyPair>& pairs) override {
    work_ = {};
    enclose(bodies);
    const bool goesOn = sameBodies(bodies) && !isOtherAxisMoreClumped();
    if (goesOn) {
      for (const int axis : sorted()) resort(axis);
    } else {
      rebuild(bodies);
    }

    // Boxes on the axis without a list, then spheres
    pairs.clear();
    for (const std::uint64_t key : overlapping_) {
      const BodyPair pair{static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key)};
      ++work_.boundTests;
      if (settings_.skipClumpedAxis && !overlap(boxes_[pair.a], boxes_[pair.b])) continue;
      if (boundingSpheresMeet(bodies[pair.a], bodies[pair.b])) pairs.push_back(pair);
    }
    return time;
  }

  WorkCount work() const noexcept override { return work_; }

 private:
  /// Calls between two checks whether another axis has become the clumped one.
  static constexpr int callsPerReview = 32;

  [[nodiscard]] std::span<const int> sorted() const noexcept {
    return std::span(axes_).first(settings_.skipClumpedAxis ? 2 : 3);
  }

  /// Intervals are identified by indices in the span, so a change of any key invalidates the lists.
  bool sameBodies(std::span<const BodyState> bodies) const noexcept {
    return std::equal(bodies.begin(), bodies.end(), keys_.begin(), keys_.end(),
                      [](const BodyState& body, std::uint32_t key) { return body.key == key; });
  }

  void enclose(std::span<const BodyState> bodies) {
    boxes_.clear();
    for (const BodyState& body : bodies) {
      const auto shape = body.shape.index();
      const bool rigid = body.links.empty() && shape < shapeBoxes_.size();
      boxes_.push_back(rigid ? turningBoxOf(body, shapeBoxes_[shape]) : fixedBoxOf(body));
    }
  }

  [[nodiscard]] Real valueOf(std::uint32_t body, int axis, bool isEnd) const noexcept {
    return isEnd ? boxes_[body].high[axis] : boxes_[body].low[axis];
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

  void sortWhole(int axis) {
    auto& list = endpoints_[static_cast<std::size_t>(axis)];
    list.clear();
    for (std::uint32_t p = 0; p < boxes_.size(); ++p) {
      list.push_back({valueOf(p, axis, false), p, false});
      list.push_back({valueOf(p, axis, true), p, true});
    }
    std::sort(list.begin(), list.end(), strictlyBefore);
    work_.boundTests += list.size();
  }

  /// Returns the number of pairs of intervals that overlap on an axis, by its list.
  [[nodiscard]] std::uint64_t clumpingOn(int axis) const noexcept {
    std::uint64_t open = 0, pairs = 0;
    for (const Endpoint& e : endpoints_[static_cast<std::size_t>(axis)]) {
      if (e.isEnd)
        --open;
      else
        pairs += open++;
    }
    return pairs;
  }

  /// Puts the axis on which most pairs overlap last: it separates least, and its list would cost
  /// most.
  void chooseAxes() {
    axes_ = {0, 1, 2};
    if (!settings_.skipClumpedAxis) return;
    std::array<std::uint64_t, 3> clumping{};
    for (const int axis : axes_) clumping[static_cast<std::size_t>(axis)] = clumpingOn(axis);
    const auto most = std::max_element(clumping.begin(), clumping.end()) - clumping.begin();
    std::swap(axes_[static_cast<std::size_t>(most)], axes_[2]);
    callsToReview_ = callsPerReview;
  }

  /// Returns, every few calls, whether an axis with a list has become far more clumped than the one
  /// without.
  bool isOtherAxisMoreClumped() {
    if (!settings_.skipClumpedAxis || --callsToReview_ > 0) return false;
    callsToReview_ = callsPerReview;
    sortWhole(axes_[2]);
    const std::uint64_t skipped = clumpingOn(axes_[2]);
    return std::max(clumpingOn(axes_[0]), clumpingOn(axes_[1])) > 2 * skipped + boxes_.size();
  }

  void rebuild(std::span<const BodyState> bodies) {
    keys_.clear();
    for (const BodyState& body : bodies) keys_.push_back(body.key);
    overlapping_.clear();
    for (int axis = 0; axis < 3; ++axis) sortWhole(axis);
    chooseAxes();

    // One sweep along the first axis; the other axes are compared by value
    open_.clear();
    for (const Endpoint& e : endpoints_[static_cast<std::size_t>(axes_[0])]) {
      if (e.isEnd) {
        open_.erase(std::find(open_.begin(), open_.end(), e.proxy));
        continue;
      }
      for (const std::uint32_t other : open_) {
        ++work_.boundTests;
        if (listsOverlap(e.proxy, other)) overlapping_.push_back(keyOf(e.proxy, other));
      }
      open_.push_back(e.proxy);
    }
    // A sweep finds no pair twice
    std::sort(overlapping_.begin(), overlapping_.end());
  }

  /// Returns true if the intervals overlap on all axes that have a list.
  [[nodiscard]] bool listsOverlap(std::uint32_t p, std::uint32_t q) const noexcept {
    const auto axes = sorted();
    return std::all_of(axes.begin(), axes.end(), [&](int axis) {
      return valueOf(p, axis, false) <= valueOf(q, axis, true) &&
             valueOf(q, axis, false) <= valueOf(p, axis, true);
    });
  }

  /// Insertion sort. Every exchange of a start with an end of another body flips that pair.
  void resort(int axis) {
    auto& list = endpoints_[static_cast<std::size_t>(axis)];
    for (Endpoint& e : list) e.value = valueOf(e.proxy, axis, e.isEnd);
    for (std::size_t i = 1; i < list.size(); ++i) {
      const Endpoint moving = list[i];
      std::size_t j = i;
      for (; j > 0 && before(moving, list[j - 1]); --j) {
        const Endpoint& passed = list[j - 1];
        ++work_.boundTests;
        if (moving.proxy != passed.proxy) {
          if (!moving.isEnd && passed.isEnd) {
            // A start moved below an end: an overlap begins on this axis. The other axes are
            // compared by their new values; if they change order later in this call, the flip is
            // repeated.
            if (listsOverlap(moving.proxy, passed.proxy)) insert(keyOf(moving.proxy, passed.proxy));
          } else if (moving.isEnd && !passed.isEnd) {
            erase(keyOf(moving.proxy, passed.proxy));
          }
        }
        list[j] = passed;
      }
      list[j] = moving;
    }
  }

  SweepAndPruneSettings settings_;
  std::vector<Box>
      shapeBoxes_;  ///< by ShapeRef::index(), about the centre of rotation; none: fixed boxes
  std::vector<Box> boxes_;  ///< of this call, by index in the span
  std::vector<std::uint32_t> keys_;
  std::array<int, 3> axes_{0, 1, 2};  ///< axes with a list come first
  std::array<std::vector<Endpoint>, 3> endpoints_;
  std::vector<std::uint64_t> overlapping_;  ///< sorted keys of pairs
  std::vector<std::uint32_t> open_;
  int callsToReview_ = callsPerReview;
  WorkCount work_;
};

}  // namespace

std::unique_ptr<BroadPhase> makeSweepAndPruneBroadPhase(const SweepAndPruneSettings& settings,
                                                        std::span<const Box> shapeBoxes) {
  return std::make_unique<SweepAndPruneBroadPhase>(settings, shapeBoxes);
}

}  // namespace nearmiss
