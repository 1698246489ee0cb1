// SPDX-License-Identifier: MIT
/// Finds the shortest translation that separates two bodies, by branch and bound over translations.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/shape.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "base/kept_heap.h"
#include "base/work_meter.h"
#include "geometry/contact_normal.h"
#include "pair/contact_proofs.h"
#include "pair/parting.h"

namespace nearmiss {

/// Cubes of translations, processed in order of distance from the zero translation. A cube is
/// finished if a point deep in both bodies proves that all its translations leave them in contact;
/// otherwise it is split. If the bodies are separate at its centre, a descent to a shorter
/// separating translation starts there. `lower` is the nearest remaining cube, and `upper` the
/// shortest translation at which the exact test found the bodies separate.
class SeparationSearch {
 public:
  /// Starts a search. Shapes and balls must outlive the last step.
  /// @param known a translation of b, frame of a, that separates the bodies
  void begin(const Shape& a, const InnerBalls& ballsA, const Shape& b, const InnerBalls& ballsB,
             const Pose& bToA, const Vec3& known);

  /// Searches until the bounds are within 4 % of each other, or time runs out.
  void refine(const TimeBudget& budget);

  [[nodiscard]] Real lower() const noexcept { return lower_; }
  [[nodiscard]] Real upper() const noexcept { return parting_.length(); }
  /// Returns the translation of length upper(), frame of a.
  [[nodiscard]] const Vec3& shortest() const noexcept { return parting_.shortest(); }
  /// Returns true if the bounds cannot be tightened further: they are within 4 % of each other, or
  /// the cubes are too many or too small.
  [[nodiscard]] bool finished() const noexcept { return finished_; }

 private:
  struct Cell {
    Vec3 centre{0.0};
    Real half = 0.0;
    Real nearest = 0.0;  ///< lower bound on the length of its translations
    ContactBall near;    ///< found for the cell of which it is a part
    std::uint32_t number = 0;
  };
  struct Farther {
    bool operator()(const Cell& p, const Cell& q) const noexcept {
      return p.nearest > q.nearest || (p.nearest == q.nearest && p.number > q.number);
    }
  };
  /// A path out of contact, plane by plane.
  struct Push {
    Vec3 translation{0.0};
    ContactBall deepest;
    int left = 0;  ///< remaining steps; 0: not active
  };
  /// A path along one direction up to the first gap.
  struct March {
    Vec3 direction{0.0};
    Real at = 0.0;
    ContactBall near;
  };

  void chooseDirections(const Pose& bToA);
  void seekNormal();
  /// The current action: a step out of contact, a step of a march, or a visit of a cube's centre.
  /// Each first looks for a proof of contact, then for a gap, then more closely; if the bodies are
  /// separate, a descent follows.
  enum class Act : std::uint8_t { Push, March, Visit };
  enum class Stage : std::uint8_t { Choice, Quick, Gap, Climb, Verdict, Descent, End };
  struct Look {
    Act act = Act::Push;
    Stage stage = Stage::Choice;
    Vec3 translation{0.0};
    Real enough = 0.0;
    ContactBall found;
    Cell cell;         ///< of a visit
    Real least = 0.0;  ///< of a march: minimum length in metres
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
  bool solid_ = false;  ///< one body is a solid; otherwise nothing proves contact
  bool apart_ = false;  ///< result at the last examined translation
  Look look_;
  Push push_;
  std::vector<March> marches_;  ///< remaining ones, in reverse
  ContactSearch normal_;        ///< finds the directions of the first marches
  PartingPlanes planes_;        ///< half-spaces to leave in order to get out of contact
  KeptHeap<Cell, Farther> cells_;
  std::uint32_t cellCount_ = 0;
  std::uint32_t shallow_ = 0;  ///< cubes around which only shallow contact was found
  Real smallest_ = 0.0;        ///< the nearest translation of a cube too small to split
  /// Radius of the largest ball about the zero translation that is proven contact.
  Real proven_ = 0.0;
  ContactBall atRest_;
  Real lower_ = 0.0;
  bool finished_ = true;
  WorkMeter meter_;
};

}  // namespace nearmiss
