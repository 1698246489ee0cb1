// SPDX-License-Identifier: MIT
/// Contact manifolds of many pairs of bodies, with one query per pair that is kept from call to
/// call.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/pair.h>
#include <nearmiss/shape.h>
#include <nearmiss/world.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace nearmiss {

/// The manifold of one pair. Never moved in memory, so pointers to it stay valid.
struct KeptManifold {
  explicit KeptManifold(const HandlePair& pair) : bodies(pair) {}

  HandlePair bodies;
  ManifoldQuery query;
  Pose poseA, poseB;          ///< of the bodies, for `query`
  ManifoldSettings settings;  ///< for `query`
  bool begun = false;         ///< `query` was begun with these
  bool done = false;          ///< the search of `query` is finished

  /// The last result of `query`. A search that was cut short counts only if it found at least as
  /// many points as remain of the previous result.
  ContactManifold known;
  Pose knownA, knownB;               ///< poses of the bodies at that time
  bool isKnown = false;              ///< there is a result
  std::vector<ManifoldPoint> moved;  ///< its points at the current poses, if the bodies have moved
  bool hasMoved = false;

  std::uint64_t lastNear = 0;  ///< the last call in which the pair was near
  std::uint32_t waited = 0;    ///< consecutive calls without time for this pair

  [[nodiscard]] std::span<const ManifoldPoint> points() const noexcept {
    return hasMoved ? std::span<const ManifoldPoint>(moved) : known.points;
  }
};

/// A collection of manifolds. Reuses its memory. If a call throws std::bad_alloc, all pairs are
/// discarded.
class KeptManifolds {
 public:
  /// Updates the manifolds of `pairs` within `budget`. Pairs whose bodies have not moved cost
  /// nothing. The others share the time: new pairs come first, then those that waited longest, then
  /// those whose search was cut short. At least one is searched, even if the budget is exhausted.
  /// @param states sorted by key
  /// @param pairs sorted; pairs that were near in earlier calls and are not now are discarded after
  /// some calls, or immediately if a body is gone
  void update(std::span<const BodyState> states, const Shapes& shapes,
              std::span<const BodyPair> pairs, const ManifoldSettings& settings,
              const TimeBudget& budget);

  /// Returns the manifolds of the pairs of the last update(), in their order.
  [[nodiscard]] std::span<const KeptManifold* const> current() const noexcept { return active_; }

  /// Discards pairs of a body for which isThere(handle) is false. Invalidates current().
  void forgetUnless(const auto& isThere) {
    active_.clear();
    std::erase_if(kept_, [&](const auto& kept) {
      return !isThere(kept->bodies.a) || !isThere(kept->bodies.b);
    });
  }

 private:
  void match(std::span<const BodyState> states, std::span<const BodyPair> pairs);
  void keepIfRecent(std::unique_ptr<KeptManifold>& old, std::span<const BodyState> states);
  void search(std::span<const BodyState> states, const Shapes& shapes,
              std::span<const BodyPair> pairs, const ManifoldSettings& settings,
              const TimeBudget& budget);

  std::vector<std::unique_ptr<KeptManifold>> kept_, next_;  ///< by handle
  std::vector<KeptManifold*> active_;                       ///< of the pairs of this call
  /// Indices in active_ of pairs to search.
  std::vector<std::uint32_t> todo_;
  std::uint64_t call_ = 0;
};

}  // namespace nearmiss
