// SPDX-License-Identifier: MIT
/// The shortest translation that parts two bodies, by branch and bound over translations.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/shape.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "geometry/contact_normal.h"
#include "geometry/kept_heap.h"
#include "narrow/work_meter.h"
#include "query/beyond_planes.h"
#include "query/contact_proofs.h"
#include "query/parting_translation.h"

namespace nearmiss {

/// Cubes of translations, those nearest to none first. A cube is done with where a point deep in
/// both bodies proves that all of it leaves them in contact; else it is split. Its middle, where
/// the bodies are apart there, begins a descent to a shorter translation that parts them. So
/// `lower` is the nearest cube that is left, and `upper` the shortest translation at which the
/// exact test found the bodies apart.
class SeparationSearch {
 public:
  /// @param known a translation of b, frame of a, that parts them
  /// Shapes and balls must outlive the last step.
  void begin(const Shape& a, const InnerBalls& ballsA, const Shape& b, const InnerBalls& ballsB,
             const Pose& bToA, const Vec3& known);

  /// Until the bounds are within 4 % of each other, or time runs out.
  void refine(const TimeBudget& budget);

  [[nodiscard]] Real lower() const noexcept { return lower_; }
  [[nodiscard]] Real upper() const noexcept { return parting_.length(); }
  /// Of length upper(), frame of a.
  [[nodiscard]] const Vec3& shortest() const noexcept { return parting_.shortest(); }
  /// The bounds met as far as they can: within 4 % of each other, or the cubes are too many or too
  /// small.
  [[nodiscard]] bool finished() const noexcept { return finished_; }

 private:
  struct Cell {
    Vec3 centre{0.0};
    Real half = 0.0;
    Real nearest = 0.0;  ///< no translation in it is shorter
    ContactBall near;    ///< found for the cell that it is a part of
    std::uint32_t number = 0;
  };
  struct Farther {
    bool operator()(const Cell& p, const Cell& q) const noexcept {
      return p.nearest > q.nearest || (p.nearest == q.nearest && p.number > q.number);
    }
  };
  /// A way out of contact, plane after plane.
  struct Push {
    Vec3 translation{0.0};
    ContactBall deepest;
    int left = 0;  ///< steps; 0: none is under way
  };
  /// A way along one direction up to the first gap.
  struct March {
    Vec3 direction{0.0};
    Real at = 0.0;
    ContactBall near;
  };

  void chooseDirections(const Pose& bToA);
  void seekNormal();
  /// What is looked at: a step out of contact or of a march, or the middle of a cube; and how far
  /// that has come. First what proves contact, then the gap, then a closer look; a descent where
  /// they are apart.
  enum class Act : std::uint8_t { Push, March, Visit };
  enum class Stage : std::uint8_t { Choice, Quick, Gap, Climb, Verdict, Descent, End };
  struct Look {
    Act act = Act::Push;
    Stage stage = Stage::Choice;
    Vec3 translation{0.0};
    Real enough = 0.0;
    ContactBall found;
    Cell cell;         ///< of a visit
    Real least = 0.0;  ///< of a march: metres that it goes on at least
  };

  void step(const TimeBudget& budget);
  void choose();
  void look(Act act, const Vec3& translation, const ContactBall& near, Real enough);
  void endQuick();
  void judge();
  [[nodiscard]] bool judgePush();
  [[nodiscard]] bool judgeMarch();
  void end();
  void pushFrom(const Vec3& translation);
  void endVisit();
  void split(const Cell& cell, const ContactBall& found);
  void raise();

  PartingTranslation parting_;
  ContactProofs proofs_;
  bool solid_ = false;  ///< one of the two is: else nothing proves contact
  bool apart_ = false;  ///< at the translation that was looked at last
  Look look_;
  Push push_;
  std::vector<March> marches_;  ///< those that are left, in reverse
  ContactSearch normal_;        ///< gives the first of them
  BeyondPlanes planes_;         ///< what has to be left behind to get out of contact
  KeptHeap<Cell, Farther> cells_;
  std::uint32_t cellCount_ = 0;
  std::uint32_t shallow_ = 0;  ///< cubes about which little contact was found
  Real smallest_ = 0.0;        ///< the nearest translation of a cube that is too small to split
  Real proven_ = 0.0;          ///< the largest ball about no translation that is contact
  ContactBall atRest_;
  Real lower_ = 0.0;
  bool finished_ = true;
  WorkMeter meter_;
};

}  // namespace nearmiss
