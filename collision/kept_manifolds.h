// SPDX-License-Identifier: MIT
/// Contact manifolds of many pairs of bodies, one query per pair, kept from call to call.
#pragma once

#include <nearmiss/body_set.h>
#include <nearmiss/body_state.h>
#include <nearmiss/contact_manifold.h>
#include <nearmiss/shape.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace nearmiss {

/// The manifold of one pair. Not moved, so that pointers to it stay valid.
struct KeptManifold {
  explicit KeptManifold(const HandlePair& pair) : bodies(pair) {}

  HandlePair bodies;
  ManifoldQuery query;
  Pose poseA, poseB;          ///< of the bodies, for `query`
  ManifoldSettings settings;  ///< likewise
  bool begun = false;         ///< `query` has begun with these
  bool done = false;          ///< and its search has ended

  /// The last answer of `query`. One that was cut short counts only if it has as many points as are
  /// left of the one before.
  ContactManifold known;
  Pose knownA, knownB;               ///< where the bodies were then
  bool isKnown = false;              ///< there is one
  std::vector<ManifoldPoint> moved;  ///< its points where the bodies are now, if they have moved
  bool hasMoved = false;

  std::uint64_t lastNear = 0;  ///< the last call in which the pair was near
  std::uint32_t waited = 0;    ///< calls in a row without time for this pair

  [[nodiscard]] std::span<const ManifoldPoint> points() const noexcept {
    return hasMoved ? std::span<const ManifoldPoint>(moved) : known.points;
  }
};

/// Keeps its memory. If a call throws std::bad_alloc, all pairs are forgotten.
class KeptManifolds {
 public:
  /// Updates the manifolds of `pairs` within `budget`. Pairs whose bodies have not moved cost
  /// nothing. The others share the time: those that waited longest come first, then those whose
  /// search was cut short, then by handle. The first is looked at however short the time.
  /// @param states  in the order of their keys
  /// @param pairs   sorted; those that were near in earlier calls and are not now are forgotten
  ///                after some calls, or at once if a body is gone
  void update(std::span<const BodyState> states, const Shapes& shapes,
              std::span<const BodyPair> pairs, const ManifoldSettings& settings,
              const TimeBudget& budget);

  /// Those of the pairs of the last update(), in their order.
  [[nodiscard]] std::span<const KeptManifold* const> current() const noexcept { return active_; }

  /// Forgets pairs of a body for which isThere(handle) is false. Ends the validity of current().
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
  std::vector<std::uint32_t> todo_;                         ///< of active_: those to look at
  std::uint64_t call_ = 0;
};

}  // namespace nearmiss
