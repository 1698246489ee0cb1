// SPDX-License-Identifier: MIT
/// Tests whether a translation separates two bodies.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/pair.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/work_meter.h"
#include "geometry/leaf_walk.h"
#include "geometry/pieces_inside.h"
#include "pair/two_bodies.h"

namespace nearmiss {

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

}  // namespace nearmiss
