// SPDX-License-Identifier: MIT
/// Selects two ships and reports on them, including the exact distance.
#pragma once

#include <array>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fly/flight/flight.h"
#include "fly/flight/newest_answer.h"
#include "fly/gfx/camera.h"
#include "fly/overlay/overlay.h"
#include "fly/view/collision_marks.h"

namespace nearmiss::app::fly {

/// Returns the index of the ship with `key`; `nullopt` for 0 or a destroyed ship.
[[nodiscard]] std::optional<std::size_t> indexOf(const Flight& flight, std::uint32_t key);

/// Returns the picked ships, or the user's ship if none is picked.
[[nodiscard]] std::vector<std::size_t> shipsInFocus(const Flight& flight,
                                                    const PickedShips& picked);

[[nodiscard]] inline BodyPair pairOf(std::size_t a, std::size_t b) noexcept {
  return nearmiss::pairOf(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
}

/// Returns a sphere around both picked ships; `nullopt` unless there are two.
[[nodiscard]] std::optional<Sphere> focusOf(const Flight& flight, const PickedShips& picked);

/// Picks by clicks: the first ship, the second, then a new first; a click on no ship clears the
/// choice.
[[nodiscard]] PickedShips pickAt(const Flight& flight, const PickedShips& picked,
                                 const Camera& camera, int width, int height, glm::vec2 pixel);

/// Computes exact data of a pair on another thread, because it may take longer than a frame.
class TruthWorker {
 public:
  struct Question {
    std::shared_ptr<const engine::ShapeSet> shapes;
    BodyState a, b;  ///< `links` refer to the copies below
    std::vector<Link> linksA, linksB;
    Real time = 0.0;                     ///< simulation seconds; identifies the answer
    std::uint32_t moved = 0;             ///< number of calls of forget(); identifies the answer
    std::optional<engine::Scene> timed;  ///< if set, also times the methods of the scene
    int level = 0;                       ///< if above 0, also finds the tightest bound at this
                                         ///< level
    Question() = default;
    Question(std::shared_ptr<const engine::ShapeSet> of, const BodyState& a, const BodyState& b,
             Real time);
    /// Valid as long as the question.
    [[nodiscard]] std::array<BodyState, 2> bodies() const;
  };
  TruthWorker();

  /// Replaces a question that has not been started.
  void ask(Question question) { newest_.ask(std::move(question)); }
  /// The answer for that instant, if available.
  [[nodiscard]] std::optional<PairTruth> answer(const PickedShips& pair, Real time,
                                                std::uint32_t moved = 0);
  /// The newest answer for that pair, for any instant.
  [[nodiscard]] std::optional<PairTruth> latest(const PickedShips& pair, std::uint32_t moved = 0);

 private:
  struct Answer {
    PickedShips pair;
    Real time;
    PairTruth truth;
    std::uint32_t moved;
  };
  [[nodiscard]] Answer answerQuestion(const Question& question);
  [[nodiscard]] static std::optional<PairTimes> timesOf(const Question& question);
  [[nodiscard]] static std::optional<double> tightestBoundOf(const Question& question);

  void addContacts(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB,
                   Real margin, ContactManifold& to);

  DistanceQuery distances_;
  PenetrationQuery depths_;
  ManifoldQuery manifolds_;
  NewestAnswer<Question, Answer> newest_;  // last member: its thread uses the others
};

/// Writes the report on the picked pair. Requests exact data while the world is paused or a
/// reference is running.
class PairInspection {
 public:
  [[nodiscard]] std::optional<PairReport> report(const Flight& flight, const UiState& ui);

  /// Call if ships were moved without simulation time, or belong to another flight: invalidates
  /// earlier answers.
  void forget() noexcept {
    ++moved_;
    requested_ = {};
    shapes_.reset();
  }

  /// The nearest points of the picked pair, world frame, if the world is paused and they are known;
  /// `nullopt` if the ships touch.
  [[nodiscard]] std::optional<NearestPoints> nearestPoints(const Flight& flight, const UiState& ui);
  /// The contact manifold of the picked pair, likewise; `nullopt` without points.
  [[nodiscard]] std::optional<ContactManifold> manifold(const Flight& flight, const UiState& ui);

 private:
  TruthWorker truths_;
  // The last question and its trees and methods
  PickedShips requested_;
  std::shared_ptr<const engine::ShapeSet> shapes_;
  std::string narrow_;
  Real requestedTime_ = -1.0;
  std::uint32_t moved_ = 0;
};

}  // namespace nearmiss::app::fly
