// SPDX-License-Identifier: MIT
/// Collision detection for programs that own their bodies: one broad phase and one narrow phase
/// that share the time budget of a frame. Also computes when to detect next, and repeats an earlier
/// detection to the last bit.
///
/// A detector does not move bodies, respond to contacts or choose the budget. World in world.h is
/// simpler.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/advanced/broad_phase.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/worker_pool.h>
#include <nearmiss/math.h>
#include <nearmiss/result.h>
#include <nearmiss/time_budget.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace nearmiss {

/// Order in which pairs are refined. With unlimited time, all orders give the same results.
enum class RefinementOrder : std::uint8_t {
  InTurn,        ///< one level for each pair, round after round [H96 §4.2]
  LargestBound,  ///< first the pair with the largest separation bound
  ClosingSpeed,  ///< first the pair whose bodies approach each other fastest
  Visibility,    ///< first the pair whose bound looks largest to the viewer
  Eccentricity,  ///< first the pair whose contact is nearest to the line of sight
};

/// The viewer, for the orders that depend on it.
struct Viewer {
  Vec3 eye{0.0};                   ///< metres, world
  Vec3 direction{0.0, 0.0, -1.0};  ///< unit
};

/// One entry of refinementOrderCatalog().
struct RefinementOrderEntry {
  RefinementOrder order;
  std::string_view name;     ///< as on the command line
  std::string_view summary;  ///< one line for lists
};

[[nodiscard]] std::span<const RefinementOrderEntry> refinementOrderCatalog() noexcept;
/// Returns null for an unknown name.
[[nodiscard]] const RefinementOrderEntry* findRefinementOrder(std::string_view name) noexcept;
[[nodiscard]] const RefinementOrderEntry& entryOf(RefinementOrder order) noexcept;

/// Returns the priority of a pair. Higher values are refined first; `InTurn` gives all pairs the
/// same value. `known` is the pair's current result.
[[nodiscard]] Real priorityOf(RefinementOrder order, const Viewer& viewer, const BodyState& a,
                              const BodyState& b, const Refinement& known) noexcept;

/// Maximum number of consecutive detections that may postpone a pair. Holds for any budget and
/// motion as long as time does not decrease. Detections that postponed a body of the pair count;
/// see maxBodyWait. At one detection per frame, 32 detections are about half a second of a game.
inline constexpr std::uint32_t maxPairWait = 32;
static_assert(maxBodyWait < maxPairWait);

/// One pair that the narrow phase examined.
struct DetectedPair {
  BodyPair bodies;
  Refinement refinement;
  Wait waited;              ///< until this detection: a contact of the pair may be that old
  std::uint32_t steps = 0;  ///< levels completed in this detection
};

/// The result for one instant. Owned by the detector; valid until its next detect() or repeat().
struct Detection {
  Real time = 0.0;                  ///< simulation seconds
  Real noContactBefore = 0.0;       ///< return value of the broad phase
  std::vector<DetectedPair> pairs;  ///< examined pairs, sorted
  /// Skipped pairs with overlapping bounding spheres, sorted.
  std::span<const PostponedPair> postponed;
  /// Bodies for which the broad phase had no time. Further overlapping pairs of these bodies may be
  /// unknown.
  std::span<const PostponedBody> postponedBodies;
  /// Number of `pairs` that had to be examined even if the budget is exhausted, because of full
  /// importance or after a long wait.
  std::size_t forced = 0;
  /// True if nothing was postponed and no pair could be refined further; false if time ran out.
  bool complete = false;
  int rounds = 0;         ///< passes over the pairs, including started ones
  std::size_t steps = 0;  ///< levels completed, over all pairs
  WorkCount broadWork, narrowWork;
  Clock::Duration broadTime{}, narrowTime{};  ///< by the stopwatch, if there is one
};

class PairQueue;
class Refiner;
class UnimportantLast;
struct GrantedWork;

/// Detects contacts of many bodies at one instant. Only reads the bodies, so several detectors can
/// run on the same bodies and be compared.
class Detector {
 public:
  static constexpr int noLevelCap = 1000;

  /// @pre Neither is null.
  Detector(std::unique_ptr<BroadPhase> broad, std::unique_ptr<NarrowPhase> narrow);
  ~Detector();

  /// Detects contacts at `time` (simulation seconds).
  ///
  /// The first round refines every pair with overlapping bounding spheres by one level. Later
  /// rounds refine the pairs further, one level at a time in the order of setOrder(), until none
  /// can be refined or `budget` is exhausted [H96 §4.2].
  ///
  /// If time runs out in the first round, the remaining pairs are postponed [H96 §12]:
  /// - The result lists all postponed pairs. Every other pair was examined.
  /// - Pairs of full importance are never postponed.
  /// - Other pairs are examined in order of decreasing (importance + 1) * (detections waited + 1).
  /// - No pair is postponed by more than maxPairWait consecutive detections. To keep this promise,
  ///   each detection examines some of the waiting pairs, even if the budget is exhausted.
  /// - A stoppable broad phase gets half of the time. Any broad phase can stop while bodies are
  ///   marked unimportant; those bodies are then postponed before all others.
  ///
  /// Exceeds `budget` by at most one quantum of work or the first level of one pair, plus the work
  /// that may not be postponed. If it throws std::bad_alloc, isUsable() is false from then on. The
  /// result is valid until the next detect() or repeat().
  ///
  /// @pre isUsable(); checkBodies(bodies, time, narrowPhase().shapes()) succeeds, except that
  /// boundHoldsUntil may have passed. This is verified whenever the number of bodies has changed:
  /// an invalid body terminates the program with a message.
  const Detection& detect(std::span<const BodyState> bodies, Real time, const TimeBudget& budget);

  /// Replays an earlier detection from the work that it granted to each pair. Runs no broad phase
  /// and reads no clock.
  ///
  /// Arguments: `bodies` and `time` must equal those of the earlier detection, in the same order.
  /// The narrow phase must be of the same kind and for the same shapes, but may belong to another
  /// detector.
  ///
  /// Result: pairs, postponed pairs and bodies, `noContactBefore` and `complete` equal those of the
  /// earlier detection to the last bit. `waited` of each pair is empty, bounds are not tightened,
  /// and the work of the broad phase is 0. The level cap is ignored.
  ///
  /// The result replaces last(), also for contacts(). The state of the broad phase and the waiting
  /// times of pairs stay as the last detect() left them. If it throws std::bad_alloc, isUsable() is
  /// false from then on.
  /// @pre isUsable(); check(granted, bodies.size(), time) and checkBodies(bodies, beforeExpiry,
  /// narrowPhase().shapes()) succeed, the latter checked as in detect(). `granted` must outlive the
  /// result, which refers to its lists.
  const Detection& repeat(std::span<const BodyState> bodies, Real time, const GrantedWork& granted);

  /// Returns false once a detection or a repetition has thrown. The detector can then only be
  /// destroyed; another detection terminates the program.
  [[nodiscard]] bool isUsable() const noexcept;

  /// Sets the deepest level to which pairs are refined. At 0, only bounding spheres are compared.
  void setLevelCap(int level) noexcept { levelCap_ = level; }
  [[nodiscard]] int levelCap() const noexcept { return levelCap_; }

  /// Sets the order in which later detections refine pairs beyond their first level. Returns false
  /// and changes nothing for an order that is not in the catalogue or a viewer that is not finite.
  bool setOrder(RefinementOrder order, const Viewer& viewer = {}) noexcept;

  /// Distributes the pairs of later detections over the workers of a pool; null: none. The pool
  /// must outlive these detections. Results equal those of one worker, except that more is refined
  /// before time runs out. Only one worker is used if the budget's clock is not shareable(), such
  /// as the work clock, or if the narrow phase cannot be duplicated. If other threads compete for
  /// the cores, a detection may overrun its budget by as long as one of its threads is preempted.
  void shareWork(WorkerPool* pool);

  /// Sets the shortest duration of a touch that matters, in simulation seconds: see
  /// BroadPhase::setResolution(). Returns false and changes nothing unless it is above 0 and
  /// finite.
  bool setResolution(Real seconds) noexcept;

  /// Lets later detections use the time left after all refinement to lower the bounds of pairs that
  /// may touch: see NarrowPhase::tighten().
  void setTightening(bool on) noexcept { tightens_ = on; }

  /// Excludes from later detections all pairs for which `counts` returns false. It is called with
  /// two indices of bodies. Excluded pairs are neither refined nor postponed. Null: no pair is
  /// excluded.
  void setPairFilter(std::function<bool(const BodyPair&)> counts) { counts_ = std::move(counts); }

  /// Lets the broad phase of later detections look at all bodies, even if the budget is exhausted.
  /// No body is then postponed, and every waiting pair is listed.
  void setNamesAllPairs(bool on) noexcept { namesAllPairs_ = on; }

  /// Lets later detections reuse results of earlier ones: see NarrowPhase::setCoherence(). Off by
  /// default. The results do not change. The amount of work then depends on earlier detections and,
  /// with several workers, on which worker had a pair before.
  void setCoherence(bool on);

  /// Lets the next detection with a limited budget skip the comparison of all states: see
  /// StoppableBroadPhase::announceJumps().
  void announceJumps(std::span<const std::uint32_t> bodies);

  /// Times both phases of later detect() calls; null stops it. The stopwatch must outlive them.
  void setStopwatch(const Clock* stopwatch) noexcept { stopwatch_ = stopwatch; }

  /// Writes up to `most` colliding sphere pairs of detection pair `i`, in world space, to `out`.
  /// Writes none for a pair that the last detection did not report.
  void contacts(std::size_t i, std::size_t most, std::vector<ContactSpheres>& out) const;

  [[nodiscard]] const Detection& last() const noexcept { return detection_; }
  [[nodiscard]] const BroadPhase& broadPhase() const noexcept { return *broad_; }
  [[nodiscard]] const NarrowPhase& narrowPhase() const noexcept;

 private:
  void demandSoundness(std::span<const BodyState> bodies) const;
  [[nodiscard]] bool worthSharing(const TimeBudget& budget) const noexcept;
  void beginDetection(std::span<const BodyState> bodies);
  void refine(std::uint8_t worker, std::span<const BodyState> bodies, const TimeBudget& budget);
  [[nodiscard]] bool firstRound(std::uint8_t worker, const TimeBudget& budget);
  void report(const TimeBudget& budget);
  void reportPairs(const TimeBudget& budget);
  [[nodiscard]] DetectedPair described(std::size_t i, const Refiner& by, const Wait& waited) const;

  /// Counters from which the workers of one detection take pairs.
  struct Shared;

  std::unique_ptr<BroadPhase> broad_;
  std::unique_ptr<UnimportantLast> unimportantLast_;  ///< null if broad_ can stop by itself
  StoppableBroadPhase* stoppable_ = nullptr;          ///< one of the two
  std::vector<std::unique_ptr<Refiner>> refiners_;    ///< by worker
  std::size_t wantedRefiners_ = 1;                    ///< for the next detection
  WorkerPool* pool_ = nullptr;
  std::unique_ptr<Shared> shared_;
  std::vector<BodyPair> candidates_;
  std::unique_ptr<PairQueue> queue_;    ///< indexes candidates_
  std::vector<std::uint8_t> workerOf_;  ///< per candidate: the worker that examined it
  std::vector<std::size_t> reported_;   ///< indices in candidates_ of the pairs in detection_.pairs
  RefinementOrder order_ = RefinementOrder::InTurn;
  Viewer viewer_;
  Detection detection_;
  std::size_t bodiesBefore_ = 0;  ///< at the last call
  const Clock* stopwatch_ = nullptr;
  int levelCap_ = noLevelCap;
  bool tightens_ = false, namesAllPairs_ = false;
  std::function<bool(const BodyPair&)> counts_;  ///< null: no pair is excluded
};

/// As the constructor, but accepts null phases and reports them. Errors: Unsupported, OutOfMemory.
Result<std::unique_ptr<Detector>> makeDetector(std::unique_ptr<BroadPhase> broad,
                                               std::unique_ptr<NarrowPhase> narrow);

/// The work that one detection granted to a pair.
struct GrantedPair {
  BodyPair bodies;
  std::uint32_t steps = 0;  ///< levels completed: calls of NarrowPhase::refine() that returned true
};

/// The work that one detection granted to each pair: enough to repeat it to the last bit,
/// independent of clocks. Reuses its memory.
struct GrantedWork {
  Real noContactBefore = 0.0;  ///< return value of the broad phase, simulation seconds
  bool complete = true;        ///< time did not run out
  std::vector<GrantedPair> pairs;
  std::vector<PostponedPair> postponed;
  std::vector<PostponedBody> postponedBodies;

  /// Replaces the contents with the work of `found`.
  void take(const Detection& found);
};

/// Checks whether a detection of `bodies` bodies at `time` can have granted this work: indices are
/// valid, both lists of pairs are sorted without duplicates, no time is NaN, and `time` is finite.
/// Errors: Unsupported, in a sentence; OutOfMemory.
Result<Success> check(const GrantedWork& granted, std::size_t bodies, Real time = 0.0);

/// Computes when to detect next. A detection at every next() misses no overlap of two bounding
/// spheres that lasts `resolution` or more.
///
/// While bounding spheres overlap, detections are `resolution` apart. If none can overlap for
/// longer than that, the next detection is at the earliest instant at which some can. A pair is
/// thus handled at most once per instant, whether or not the response separates it (erratum E7).
/// All times are simulation seconds.
class DetectionDriver {
 public:
  explicit DetectionDriver(Real now = 0.0) noexcept
      : detected_(now), noContactBefore_(now), voidSince_(now) {}

  /// Invalidates noContactBefore() from `now` on, because a velocity or position has jumped, a body
  /// was added or removed, or the detector has changed. Never delays a detection, however often it
  /// is called.
  void restart(Real now) noexcept { voidSince_ = std::min(voidSince_, now); }

  /// Uses the noContactBefore of `found`. It is ignored while pairs overlap, including postponed
  /// ones.
  void take(const Detection& found) noexcept {
    const bool noneMeet = found.pairs.empty() && found.postponed.empty();
    detected_ = found.time;
    noContactBefore_ = noneMeet ? std::max(found.noContactBefore, found.time) : found.time;
    voidSince_ = std::numeric_limits<Real>::infinity();
  }

  /// Returns the time of the last detection; before the first one, the start time.
  [[nodiscard]] Real detected() const noexcept { return detected_; }

  /// Until then no two bounding spheres begin to overlap. Invalid once that time has passed.
  [[nodiscard]] Real noContactBefore() const noexcept {
    return std::min(noContactBefore_, voidSince_);
  }

  /// Returns the time of the next detection. Never before the last one, however short the
  /// resolution.
  [[nodiscard]] Real next(Real resolution) const noexcept {
    return std::min(std::max(detected_ + resolution, noContactBefore_), voidSince_ + resolution);
  }

 private:
  Real detected_ = 0.0;
  Real noContactBefore_ = 0.0;  ///< of the last detection; at least detected_
  Real voidSince_ = 0.0;        ///< of the first restart since
};

}  // namespace nearmiss
