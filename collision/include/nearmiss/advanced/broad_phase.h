// SPDX-License-Identifier: MIT
/// Broad phase: finds the pairs of bodies that may touch, by simple bounds. Includes two methods
/// that look ahead, one for up to a few hundred bodies and one for crowds. Rival methods are in
/// nearmiss/rivals/broad_phases.h.
///
/// A broad phase belongs to one thread at a time; different ones may be used concurrently.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/time_budget.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace nearmiss {

class StoppableBroadPhase;
class WorkerPool;

/// A method that finds candidate pairs.
class BroadPhase {
 public:
  virtual ~BroadPhase() = default;

  /// The name shown in the user interface and written to measurement files; unique, lower case.
  [[nodiscard]] virtual std::string_view name() const noexcept = 0;

  /// Finds every pair whose bounding spheres overlap at `time` (simulation seconds). Writes them to
  /// `pairs`, sorted, without duplicates. `pairs` is cleared first; its capacity is kept.
  ///
  /// Conservative: a pair whose surfaces touch is never missed; a reported pair need not touch.
  /// Pairs within one assembly are not reported.
  ///
  /// Returns the time, in simulation seconds, before which no pair outside `pairs` can begin to
  /// touch. Methods without look-ahead return `time`. Methods with space-time bounds return their
  /// earliest intersection or expiry [H93, "Detecting collisions"].
  ///
  /// After std::bad_alloc the method is unusable: make another.
  virtual Real findPairs(std::span<const BodyState> bodies, Real time,
                         std::vector<BodyPair>& pairs) = 0;

  /// Sets the shortest duration of a touch that matters, in simulation seconds: instants nearer to
  /// each other need not be distinguished. Used only by methods that look ahead; until it is set,
  /// they use the time between calls. Ignored unless above 0 and finite.
  virtual void setResolution(Real seconds) noexcept { static_cast<void>(seconds); }

  /// Lets later calls with unlimited time use the workers of a pool, which must outlive them; null:
  /// none. Results do not depend on it. Most methods ignore it.
  virtual void shareWork(WorkerPool* pool) noexcept { static_cast<void>(pool); }

  /// Returns the work of the last call.
  [[nodiscard]] virtual WorkCount work() const noexcept = 0;

  /// Returns this method as one that can stop when time runs out; null if it cannot.
  [[nodiscard]] virtual StoppableBroadPhase* stoppable() noexcept { return nullptr; }
};

/// Maximum number of consecutive calls that may skip a body. Each call must therefore examine one
/// in `maxBodyWait` of the postponed bodies, even if the budget is exhausted. That is few enough
/// for a small overrun only.
inline constexpr std::uint32_t maxBodyWait = 24;

/// A broad phase that can stop when time runs out and lists the bodies that it postponed [H93,
/// "Conclusions"; H96 §12].
class StoppableBroadPhase : public BroadPhase {
 public:
  /// As findPairs(), but within `budget`, which it charges. Skips bodies if time runs out and lists
  /// them in postponedBodies(). All pairs with neither body listed are found. Bodies of full
  /// importance are never skipped, others by at most maxBodyWait consecutive calls. A skipped body
  /// is compared with all others when its turn comes, including those skipped then. The returned
  /// time holds for all bodies: it is `time` if any body was skipped.
  virtual Real findPairsWithin(std::span<const BodyState> bodies, Real time,
                               const TimeBudget& budget, std::vector<BodyPair>& pairs) = 0;

  /// Call before findPairsWithin() with a limited budget: `bodies`, indices in the span, are all
  /// bodies that jumped or exceeded their bounds since the last call. All others kept their bounds
  /// and indices, so the method need not compare every state. Without this call it does.
  virtual void announceJumps(std::span<const std::uint32_t> bodies) = 0;

  /// Returns the bodies that the last call skipped, longest wait first. Valid until the next call.
  [[nodiscard]] virtual std::span<const PostponedBody> postponedBodies() const noexcept = 0;
  /// Returns how long the body had waited when the last call examined it; empty if it had not
  /// waited.
  [[nodiscard]] virtual Wait waitBefore(std::uint32_t body) const noexcept = 0;

  [[nodiscard]] StoppableBroadPhase* stoppable() noexcept final { return this; }
};

/// How a method handles bodies that break their bounds.
///
/// Checked: every call compares every state with its cached bound, and so finds unannounced jumps.
/// Believed: no call does. Until a bound ends, its body must then keep its index in the span, its
/// size and its bound, as in a world without impulses. The papers' algorithm is of this kind.
enum class Promises { Checked, Believed };

/// Broad phase with space-time bounds [H93]: computes the earliest time at which two bounds
/// intersect, by projection, crossing by crossing, and does no work before that time. For up to a
/// few hundred bodies.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSpaceTimeBroadPhase(
    Promises promises = Promises::Checked);

/// Broad phase with space-time bounds for crowds. Bounds are kept in a grid and rebuilt one by one
/// when they end; a calendar lists the pairs that may touch. A call reads every body once, and
/// otherwise only bounds that end and pairs that are due. Once per two lifetimes of a bound it
/// adapts its cells to the crowd. Sizes and speeds may be mixed and may change.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSpaceTimeGridBroadPhase();

/// Broad phase that compares all pairs of bounding spheres. Quadratic and simple: the reference for
/// tests of all other methods.
[[nodiscard]] std::unique_ptr<BroadPhase> makeAllPairsBroadPhase();

}  // namespace nearmiss
