// SPDX-License-Identifier: MIT
/// Choosing two ships and finding out all about them, the true distance included.
#pragma once

#include <array>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fly/flight.h"
#include "fly/gfx/camera.h"
#include "fly/newest_answer.h"
#include "fly/overlay/overlay.h"
#include "fly/view/collision_marks.h"

namespace nearmiss::app::fly {

/// The index of the ship with `key`; none for 0 or a ship that is gone.
[[nodiscard]] std::optional<std::size_t> indexOf(const Flight& flight, std::uint32_t key);

/// The picked ships; without a choice the user's own.
[[nodiscard]] std::vector<std::size_t> lookedAt(const Flight& flight, const PickedShips& picked);

[[nodiscard]] inline BodyPair pairOf(std::size_t a, std::size_t b) noexcept {
  return nearmiss::pairOf(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
}

/// The next pair after the picked one: of the contacts that are marked in the scene, go on, or were
/// found by the last detection; without any, of the pairs that the broad phase has. None picked
/// when there is no pair at all.
[[nodiscard]] PickedShips nextPair(const Flight& flight, const CollisionMarks& marks,
                                   const PickedShips& picked);

/// A sphere about both picked ships; nothing while they are not two.
[[nodiscard]] std::optional<Sphere> focusOf(const Flight& flight, const PickedShips& picked);

/// Click by click: the first ship, the second, then a new first; beside all ships: none.
[[nodiscard]] PickedShips pickAt(const Flight& flight, const PickedShips& picked,
                                 const Camera& camera, int width, int height, glm::vec2 pixel);

/// Computes what is true of a pair on its own thread: it may take longer than a frame.
class TruthWorker {
 public:
  struct Question {
    std::shared_ptr<const engine::ShapeSet> shapes;
    BodyState a, b;  ///< their links are copies, below
    std::vector<Link> linksA, linksB;
    Real time = 0.0;                     ///< simulation seconds, to know the answer by
    std::uint32_t moved = 0;             ///< the same: how often what was known was forgotten
    std::optional<engine::Scene> timed;  ///< also times its methods
    int level = 0;                       ///< and finds the tightest bound there; 0: none
    Question() = default;
    Question(std::shared_ptr<const engine::ShapeSet> of, const BodyState& a, const BodyState& b,
             Real time);
    /// Valid as long as the question.
    [[nodiscard]] std::array<BodyState, 2> bodies() const;
  };
  TruthWorker();

  /// Replaces a question that has not been begun.
  void ask(Question question) { newest_.ask(std::move(question)); }
  /// The truth at that very instant, once it is known.
  [[nodiscard]] std::optional<PairTruth> answer(const PickedShips& pair, Real time,
                                                std::uint32_t moved = 0);
  /// The newest answer for that pair, of whatever instant.
  [[nodiscard]] std::optional<PairTruth> latest(const PickedShips& pair, std::uint32_t moved = 0);

 private:
  struct Answer {
    PickedShips pair;
    Real time;
    PairTruth truth;
    std::uint32_t moved;
  };
  [[nodiscard]] Answer answerTo(const Question& question);
  [[nodiscard]] static std::optional<PairTimes> timesOf(const Question& question);
  [[nodiscard]] static std::optional<double> tightestBoundOf(const Question& question);

  void addContacts(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB,
                   Real margin, ContactManifold& to);

  DistanceQuery distances_;
  PenetrationQuery depths_;
  ManifoldQuery manifolds_;
  NewestAnswer<Question, Answer> newest_;  // the last to come: its thread uses the others
};

/// Writes the report on the picked pair, asking for the truth when the world stands still or a
/// reference is watching.
class PairInspection {
 public:
  [[nodiscard]] std::optional<PairReport> report(const Flight& flight, const UiState& ui);

  /// Ships were moved although no time passed, or are of another flight: what was found out of
  /// them is of before.
  void forget() noexcept {
    ++moved_;
    asked_ = {};
    shapes_.reset();
  }

  /// The nearest points of the picked pair, world frame, while the world stands still and they are
  /// known; nothing where the two touch.
  [[nodiscard]] std::optional<NearestPoints> nearestPoints(const Flight& flight, const UiState& ui);
  /// The contact manifold of the picked pair, likewise; nothing without a point.
  [[nodiscard]] std::optional<ContactManifold> manifold(const Flight& flight, const UiState& ui);

 private:
  TruthWorker truths_;
  // What was asked last, and of which trees and methods
  PickedShips asked_;
  std::shared_ptr<const engine::ShapeSet> shapes_;
  std::string narrow_;
  Real askedTime_ = -1.0;
  std::uint32_t moved_ = 0;
};

}  // namespace nearmiss::app::fly
