// SPDX-License-Identifier: MIT
/// One broad and one narrow phase, the rule by which they share a frame's time, and the instants at
/// which to call them.
///
/// Does: find contacts at one instant under a time budget, each with a level and a bound; where
/// time is short, look at the most important pairs, and report which others wait and since when;
/// say when to detect next; repeat an earlier detection to the last bit.
/// Does not: move bodies, respond to contacts, choose the budget.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/broad_phase.h>
#include <nearmiss/math.h>
#include <nearmiss/narrow_phase.h>
#include <nearmiss/result.h>
#include <nearmiss/time_budget.h>
#include <nearmiss/worker_pool.h>

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

/// With unlimited time all give the same answers.
enum class RefinementOrder : std::uint8_t {
  InTurn,        ///< a level for each pair, round after round [H96 §4.2]
  LargestBound,  ///< the pair first whose bodies can be the farthest apart
  ClosingSpeed,  ///< whose bodies approach each other the fastest
  Visibility,    ///< whose bound looks the largest to the viewer
  Eccentricity,  ///< whose contact is the nearest to where the viewer looks
};

/// Who looks on, for the orders that ask.
struct Viewer {
  Vec3 eye{0.0};                   ///< metres, world
  Vec3 direction{0.0, 0.0, -1.0};  ///< unit
};

struct RefinementOrderEntry {
  RefinementOrder order;
  std::string_view name;     ///< as on the command line
  std::string_view summary;  ///< one line for lists
};

[[nodiscard]] std::span<const RefinementOrderEntry> refinementOrderCatalog() noexcept;
/// Null for an unknown name.
[[nodiscard]] const RefinementOrderEntry* findRefinementOrder(std::string_view name) noexcept;
[[nodiscard]] const RefinementOrderEntry& entryOf(RefinementOrder order) noexcept;

/// The greater, the earlier is the pair's turn; all alike InTurn. `known` is of the pair.
[[nodiscard]] Real priorityOf(RefinementOrder order, const Viewer& viewer, const BodyState& a,
                              const BodyState& b, const Refinement& known) noexcept;

/// The most detections in a row that may leave out a pair, whatever the budget and whatever bodies
/// do meanwhile, unless time goes back. To keep it, a detection must look at a small share of the
/// waiting pairs. 32 are half a second of a game with a detection a frame. Detections that left out
/// a body of the pair count, maxBodyWait at most.
inline constexpr std::uint32_t maxPairWait = 32;
static_assert(maxBodyWait < maxPairWait);

/// One pair that the narrow phase looked at.
struct DetectedPair {
  BodyPair bodies;
  Refinement refinement;
  Wait waited;  ///< until this detection: if they touch, they may have done so for that long
  std::uint32_t steps = 0;  ///< levels completed in this detection
};

/// The answer for one instant. Owned by the detector; valid until its next detect().
struct Detection {
  Real time = 0.0;                           ///< simulation seconds
  Real noContactBefore = 0.0;                ///< what the broad phase returned
  std::vector<DetectedPair> pairs;           ///< that were looked at, by pair
  std::span<const PostponedPair> postponed;  ///< meeting pairs that were not, by pair
  /// Bodies that the broad phase had no time for; other meeting pairs of theirs may be unknown.
  std::span<const PostponedBody> postponedBodies;
  /// Of `pairs`, those that had to be looked at whatever the budget: of full importance, or after a
  /// long wait.
  std::size_t forced = 0;
  /// Nothing was postponed, and no pair could have been refined further; false: time ran out.
  bool complete = false;
  int rounds = 0;         ///< passes over the pairs, begun ones included
  std::size_t steps = 0;  ///< levels completed, over all pairs
  WorkCount broadWork, narrowWork;
  Clock::Duration broadTime{}, narrowTime{};  ///< on the stopwatch, if there is one
};

class PairQueue;
class Refiner;
class UnimportantLast;
struct GrantedWork;

/// Reads bodies, changes none: two detectors may be run on the same bodies and compared.
class Detector {
 public:
  static constexpr int noLevelCap = 1000;

  /// @pre Neither is null.
  Detector(std::unique_ptr<BroadPhase> broad, std::unique_ptr<NarrowPhase> narrow);
  ~Detector();

  /// Detects contacts at `time`. Pairs whose bounding spheres meet are refined once, so that none
  /// is answered by them alone; then all are refined in the order that setOrder() chose, a level at
  /// a time, until none can be or `budget` is exhausted [H96 §4.2].
  ///
  /// If time runs out in the first round, the rest is postponed to a later detection and listed in
  /// the answer: whatever is not listed was looked at [H96 §12]. Pairs of full importance never
  /// wait. The others have a priority of (importance + 1) * (detections waited + 1), and the
  /// greatest goes first. None is left out by more than maxPairWait detections in a row: so that
  /// not all come due at once, those that have waited long are spread over the detections that are
  /// left to them, and go before all lesser priorities. The broad phase has half of the time, if it
  /// can stop, as any can while bodies are marked unimportant: those then wait before all others.
  /// Without a limit nothing waits.
  ///
  /// May overrun `budget` by the one quantum of work it was in, or the first level of one pair, and
  /// by what may not wait. If it throws std::bad_alloc, isUsable() is false from then on.
  /// @pre isUsable(); checkBodies(bodies, time, narrowPhase().shapes()) succeeds, except that
  /// boundHoldsUntil may have passed. This is checked whenever the number of bodies has changed: a
  /// fault ends the program with a sentence.
  const Detection& detect(std::span<const BodyState> bodies, Real time, const TimeBudget& budget);

  /// Replays an earlier detection from the work that it granted to each pair, without a broad phase
  /// and without reading a clock. `bodies` and `time` must equal those of that detection, in the
  /// same order; the narrow phase must be of the same kind and for the same shapes, but it may be
  /// another detector's. Pairs, postponed pairs and bodies, `noContactBefore` and `complete` are
  /// then equal to the last bit. `waited` of each pair is empty, bounds are not tightened, and the
  /// work of the broad phase is 0. The level cap has no effect.
  ///
  /// The answer replaces last(), for contacts() too. What the broad phase remembers, and how long
  /// pairs have waited, stays as the last detect() left it. If it throws std::bad_alloc, isUsable()
  /// is false from then on.
  /// @pre isUsable(); check(granted, bodies.size(), time) and checkBodies(bodies, beforeExpiry,
  /// narrowPhase().shapes()) succeed, the latter checked as in detect(). `granted` outlives the
  /// answer, which refers to its lists.
  const Detection& repeat(std::span<const BodyState> bodies, Real time, const GrantedWork& granted);

  /// False once a detection or a repetition has thrown: the detector can only be destroyed then,
  /// and another detection ends the program.
  [[nodiscard]] bool isUsable() const noexcept;

  /// No pair is refined beyond this level; 0 leaves all to the bounding spheres.
  void setLevelCap(int level) noexcept { levelCap_ = level; }
  [[nodiscard]] int levelCap() const noexcept { return levelCap_; }

  /// The order in which later detections refine pairs beyond their first level. False, and nothing
  /// is changed, for an order that is not in the catalogue, and for a viewer that is not finite.
  bool setOrder(RefinementOrder order, const Viewer& viewer = {}) noexcept;

  /// Shares the pairs of later detections among the workers of a pool, which must outlive them;
  /// null for none. Answers are those of one worker, but that more is refined before time runs out.
  /// A budget on a clock that is not shareable(), as the work clock, leaves all to one worker, and
  /// so does a narrow phase of which there can be only one. Where the pool's threads must share
  /// their cores with others, a detection may overrun its budget by as long as one of them is
  /// stopped.
  void shareWork(WorkerPool* pool);

  /// The least time that a touch must last to matter: see BroadPhase::setResolution(). False, and
  /// nothing is changed, unless it is above 0 and finite.
  bool setResolution(Real seconds) noexcept;

  /// Lets later detections that have time left when no pair may be refined any further lower the
  /// bounds of those that may touch: see NarrowPhase::tighten().
  void setTightening(bool on) noexcept { tightens_ = on; }

  /// Leaves out of later detections all pairs for which `counts`, called with two indices of the
  /// bodies, returns false: they are neither refined nor postponed. Null: all pairs count.
  void setPairFilter(std::function<bool(const BodyPair&)> counts) { counts_ = std::move(counts); }

  /// Lets the broad phase of later detections look at all bodies, however short the time: no body
  /// is postponed then, and every pair that waits is named.
  void setNamesAllPairs(bool on) noexcept { namesAllPairs_ = on; }

  /// Lets later detections use what those before found: see NarrowPhase::setCoherence(). Off at
  /// first. Work depends on earlier detections then, and with several workers on which of them had
  /// a pair before; answers do not.
  void setCoherence(bool on);

  /// Spares the next detection within a budget the comparison of all states: see
  /// StoppableBroadPhase::announceJumps().
  void announceJumps(std::span<const std::uint32_t> bodies);

  /// Times the two phases of later detect() calls; null stops that. Must outlive them.
  void setStopwatch(const Clock* stopwatch) noexcept { stopwatch_ = stopwatch; }

  /// Up to `most` colliding sphere pairs of detection pair `i`, in world space, into `out`; none of
  /// a pair that the last detection did not report.
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

  /// What the workers of one detection take from in turn.
  struct Shared;

  std::unique_ptr<BroadPhase> broad_;
  std::unique_ptr<UnimportantLast> unimportantLast_;  ///< null where broad_ can stop
  StoppableBroadPhase* stoppable_ = nullptr;          ///< one of the two
  std::vector<std::unique_ptr<Refiner>> refiners_;    ///< by worker
  std::size_t wantedRefiners_ = 1;                    ///< in the next detection
  WorkerPool* pool_ = nullptr;
  std::unique_ptr<Shared> shared_;
  std::vector<BodyPair> candidates_;
  std::unique_ptr<PairQueue> queue_;    ///< of candidates_
  std::vector<std::uint8_t> workerOf_;  ///< of candidates_: which worker looked at each
  std::vector<std::size_t> reported_;   ///< of candidates_, those in detection_.pairs
  RefinementOrder order_ = RefinementOrder::InTurn;
  Viewer viewer_;
  Detection detection_;
  std::size_t bodiesBefore_ = 0;  ///< of the last call
  const Clock* stopwatch_ = nullptr;
  int levelCap_ = noLevelCap;
  bool tightens_ = false, namesAllPairs_ = false;
  std::function<bool(const BodyPair&)> counts_;  ///< null: all pairs do
};

/// As the constructor, for phases that may be null. Errors: Unsupported, OutOfMemory.
Result<std::unique_ptr<Detector>> makeDetector(std::unique_ptr<BroadPhase> broad,
                                               std::unique_ptr<NarrowPhase> narrow);

/// The work that one detection granted to each pair: enough to do the detection again, equal to
/// the last bit, whatever clocks say then.
struct GrantedPair {
  BodyPair bodies;
  std::uint32_t steps = 0;  ///< levels completed: calls of NarrowPhase::refine() that returned true
};

/// Of one detection. Keeps its memory when it takes up another.
struct GrantedWork {
  Real noContactBefore = 0.0;  ///< what the broad phase returned, simulation seconds
  bool complete = true;        ///< time did not run out
  std::vector<GrantedPair> pairs;
  std::vector<PostponedPair> postponed;
  std::vector<PostponedBody> postponedBodies;

  /// Takes up what `found` says.
  void take(const Detection& found);
};

/// Checks whether a detection of `bodies` bodies at `time` can have granted this: indices exist,
/// both lists of pairs are sorted, without repetition, no time of them is NaN, and `time` is
/// finite. Errors: Unsupported, in a sentence; OutOfMemory.
Result<Success> check(const GrantedWork& granted, std::size_t bodies, Real time = 0.0);

/// Detecting at every next() misses no time of a length of `resolution` or more in which two
/// bounding spheres meet: while some meet, detections are `resolution` apart, and a detection after
/// which none can meet for longer is followed by one at the earliest instant at which some can. A
/// pair is thus handled at most once at an instant, whether or not the response parts it
/// (erratum E7). All times are simulation seconds.
class DetectionDriver {
 public:
  explicit DetectionDriver(Real now = 0.0) noexcept
      : detected_(now), noContactBefore_(now), voidSince_(now) {}

  /// From `now` on noContactBefore() is void: a velocity or a position has jumped, a body has come
  /// or gone, the detector is another one. Never delays a detection, however often it is called.
  void restart(Real now) noexcept { voidSince_ = std::min(voidSince_, now); }

  /// Takes up the noContactBefore of `found`. While pairs meet, postponed ones too, it is void.
  void take(const Detection& found) noexcept {
    const bool noneMeet = found.pairs.empty() && found.postponed.empty();
    detected_ = found.time;
    noContactBefore_ = noneMeet ? std::max(found.noContactBefore, found.time) : found.time;
    voidSince_ = std::numeric_limits<Real>::infinity();
  }

  /// Of the last detection; at first, of the start.
  [[nodiscard]] Real detected() const noexcept { return detected_; }

  /// Until then no two bounding spheres begin to meet; void once it has passed.
  [[nodiscard]] Real noContactBefore() const noexcept {
    return std::min(noContactBefore_, voidSince_);
  }

  /// When to detect next. Never before the last detection, however short the resolution.
  [[nodiscard]] Real next(Real resolution) const noexcept {
    return std::min(std::max(detected_ + resolution, noContactBefore_), voidSince_ + resolution);
  }

 private:
  Real detected_ = 0.0;
  Real noContactBefore_ = 0.0;  ///< of the last detection; at least detected_
  Real voidSince_ = 0.0;        ///< of the first restart since
};

}  // namespace nearmiss
