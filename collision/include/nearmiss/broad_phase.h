// SPDX-License-Identifier: MIT
/// Broad phase: which pairs of bodies may touch at all, by simple bounds; and the two that look
/// ahead, one for up to some hundred bodies and one for crowds. Rival methods are in
/// nearmiss/methods/broad_phases.h.
///
/// A broad phase is for one thread at a time; different ones may be used at once.
#pragma once

#include <nearmiss/body_state.h>
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

/// A method that finds pairs.
class BroadPhase {
 public:
  virtual ~BroadPhase() = default;

  /// The name shown in the user interface and written to measurement files; unique, lower case.
  [[nodiscard]] virtual std::string_view name() const noexcept = 0;

  /// Finds every pair whose bounding spheres meet at `time` (simulation seconds) and writes them to
  /// `pairs`, sorted, without repeats. `pairs` is cleared first; its capacity is kept.
  ///
  /// Conservative: a pair whose surfaces touch is never left out; a reported pair need not touch.
  /// Pairs inside one assembly are left out.
  ///
  /// Returns until when, in simulation seconds, no pair outside `pairs` can begin to touch: `time`
  /// from a method without look-ahead; from space-time bounds, their earliest intersection or
  /// expiry [H93, "Detecting collisions"].
  ///
  /// Once a call has thrown std::bad_alloc, this method is of no more use: make another.
  virtual Real findPairs(std::span<const BodyState> bodies, Real time,
                         std::vector<BodyPair>& pairs) = 0;

  /// The least time that a touch must last to matter, in simulation seconds: instants nearer to
  /// each other than that need not be distinguished. Only a method that looks ahead uses it; until
  /// it is set, such a method uses the time between calls. Ignored unless above 0 and finite.
  virtual void setResolution(Real seconds) noexcept { static_cast<void>(seconds); }

  /// Later calls without a limit of time may use the workers of a pool, which must outlive them;
  /// null for none. Results do not depend on it. Most methods do without.
  virtual void shareWork(WorkerPool* pool) noexcept { static_cast<void>(pool); }

  /// Work of the last call.
  [[nodiscard]] virtual WorkCount work() const noexcept = 0;

  /// This method as one that can stop when time runs out; null where it cannot.
  [[nodiscard]] virtual StoppableBroadPhase* stoppable() noexcept { return nullptr; }
};

/// At most this many calls in a row may leave out a body. Each call then has to look at one in
/// `maxBodyWait` of the postponed bodies, whatever its budget: few enough to overrun by little.
inline constexpr std::uint32_t maxBodyWait = 24;

/// A broad phase that can stop when time runs out, and lists the bodies that it has postponed [H93,
/// "Conclusions"; H96 §12].
class StoppableBroadPhase : public BroadPhase {
 public:
  /// As findPairs(), within `budget`, which it charges. It leaves bodies out when time runs out,
  /// and lists them in postponedBodies(): a pair with neither body listed is found as by
  /// findPairs(). Bodies of full importance are never left out, others by maxBodyWait calls in a
  /// row at most. One that was left out meets all others when its turn comes, those that are left
  /// out then too. The time returned holds for all bodies: it is `time` if any is left out.
  virtual Real findPairsWithin(std::span<const BodyState> bodies, Real time,
                               const TimeBudget& budget, std::vector<BodyPair>& pairs) = 0;

  /// To be called before a call within a budget: `bodies`, by their indices in the span, have
  /// jumped or exceeded their bounds since the last call. All others have kept their bounds and
  /// their indices, so that the method need not compare every state; without this it does.
  virtual void announceJumps(std::span<const std::uint32_t> bodies) = 0;

  /// The bodies that the last call left out, those that wait longest first. Valid until the next
  /// call.
  [[nodiscard]] virtual std::span<const PostponedBody> postponedBodies() const noexcept = 0;
  /// How long the body had waited until the last call looked at it; nothing if it had not.
  [[nodiscard]] virtual Wait waitBefore(std::uint32_t body) const noexcept = 0;

  [[nodiscard]] StoppableBroadPhase* stoppable() noexcept final { return this; }
};

/// Checked: every call compares every state with the bound kept of it, and so finds jumps out of
/// it that nobody announced. Believed: no call does; until a bound ends, its body must keep its
/// index in the span, its size and its bound, as in a world without impulses. The papers' algorithm
/// is of this kind.
enum class Promises { Checked, Believed };

/// Space-time bounds: looks ahead to the earliest time at which two bounds intersect, found by
/// projection, crossing by crossing, and does no work before it [H93]. For up to some hundred
/// bodies.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSpaceTimeBroadPhase(
    Promises promises = Promises::Checked);

/// Space-time bounds for crowds of moving bodies: bounds kept in a grid, each rebuilt alone when it
/// ends, and a calendar of the pairs that may touch. A call reads every body once, and beyond that
/// looks only at bounds that end and pairs whose time has come; once in two lives of a bound it
/// fits its cells to the crowd. Sizes, speeds and how they change may be mixed.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSpaceTimeGridBroadPhase();

/// Bounding spheres, all pairs: quadratic, simple, and the reference that all others are tested
/// against.
[[nodiscard]] std::unique_ptr<BroadPhase> makeAllPairsBroadPhase();

}  // namespace nearmiss
