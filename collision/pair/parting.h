// SPDX-License-Identifier: MIT
/// Translations that part two bodies: planes beyond which they are apart, and a test whether a
/// translation parts them.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/pair.h>
#include <nearmiss/shape.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/work_meter.h"
#include "geometry/leaf_walk.h"
#include "geometry/pieces_inside.h"
#include "pair/distance_search.h"
#include "pair/two_bodies.h"

namespace nearmiss {

/// The half-space of all points with normal . p >= reach.
struct PartingPlane {
  Vec3 normal{0.0};  ///< unit
  Real reach = 0.0;
};

/// Returns the point nearest to the origin that is beyond all planes. Considers only points defined
/// by at most three planes; empty if none of them is.
[[nodiscard]] std::optional<Vec3> nearestBeyondAll(std::span<const PartingPlane> planes) noexcept;

/// Planes that are found one after the other. If no point is beyond all, the oldest planes are
/// dropped.
class PartingPlanes {
 public:
  void clear() noexcept { planes_.clear(); }
  /// Adds a plane. Returns the point nearest to the origin beyond it and the remaining planes.
  [[nodiscard]] std::optional<Vec3> with(const PartingPlane& plane);

 private:
  std::vector<PartingPlane> planes_;
};

/// An exact test in small steps, which stops at the first two triangles that intersect. Those of
/// the last test are compared first, because they often intersect again. Reuses its memory.
class PartingTest {
 public:
  /// Starts a test of two bodies, which must outlive the last step.
  /// @param translation of b, frame of a
  void begin(const TwoBodies& bodies, const Vec3& translation);

  /// Compares a few triangles and adds the work. Returns false when the test is finished.
  bool step(WorkCount& work);

  /// Returns true if the translation separates the bodies. False also if too many triangles are
  /// near each other to decide.
  /// @pre step() has returned false.
  [[nodiscard]] bool parts() const noexcept { return parts_; }

 private:
  enum class Stage : std::uint8_t { Known, Triangles, Pieces, Ended };

  void compareKnown(WorkCount& work);
  void compareTriangles(WorkCount& work);
  void lookInside(WorkCount& work);
  [[nodiscard]] bool meet(std::uint32_t ta, std::uint32_t tb, const Triangle& cornersB,
                          WorkCount& work);
  void end(bool parts) noexcept {
    parts_ = parts;
    stage_ = Stage::Ended;
  }

  const TwoBodies* bodies_ = nullptr;
  Pose bToA_;  ///< after the translation
  Stage stage_ = Stage::Ended;
  bool parts_ = false;
  LeafWalk walk_;
  std::vector<LeafPair> leaves_;  ///< found and not compared yet
  std::size_t next_ = 0;          ///< first remaining one
  std::size_t found_ = 0;         ///< number of leaves found
  PiecesInside pieces_;
  std::uint32_t metA_ = 0, metB_ = 0;  ///< the last intersecting triangles
};

class PartingTranslation {
 public:
  /// @param known a translation of b, frame of a, that separates them. The shapes must outlive the
  /// last call.
  void begin(const Shape& a, const Shape& b, const Pose& bToA, const Vec3& known);

  /// Starts to measure the gap after the given translation of `b`.
  void beginGap(const Vec3& translation);
  /// Continues until the gap is measured. Returns false if time ran out first. Charges `budget`.
  bool refineGap(const TimeBudget& budget);
  /// Returns the measured gap; 0 if the bodies touch.
  [[nodiscard]] Real gap() const noexcept { return gap_; }

  /// Starts to descend from a separating translation to ever shorter ones.
  void beginDescent(const Vec3& translation);
  /// Continues the descent. Returns false if time ran out first.
  bool refineDescent(const TimeBudget& budget);

  [[nodiscard]] Real length() const noexcept { return length_; }
  /// Returns the translation of that length, frame of a.
  [[nodiscard]] const Vec3& shortest() const noexcept { return shortest_; }

 private:
  /// A path from one separating plane to the next.
  struct Descent {
    Vec3 from{0.0}, target{0.0};
    int planes = 0;  ///< found so far
    int steps = 0;   ///< towards the target
    bool approaching = false, ended = true;
  };

  void take();
  void arrive();
  void approach();
  void land(const Vec3& next);

  const Shape* a_ = nullptr;
  const Shape* b_ = nullptr;
  Pose bToA_;
  DistanceSearch distance_;
  Vec3 moved_{0.0};  ///< translation for which `distance_` was started
  bool measured_ = false;
  Real gap_ = 0.0;
  Descent descent_;
  PartingPlanes planes_;  ///< separating planes of the current descent
  Real length_ = 0.0;
  Vec3 shortest_{0.0};
};

}  // namespace nearmiss
