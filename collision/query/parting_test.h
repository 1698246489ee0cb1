// SPDX-License-Identifier: MIT
/// Whether a translation of one body parts it from another.
#pragma once

#include <nearmiss/math.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/leaf_walk.h"
#include "geometry/pieces_inside.h"
#include "narrow/work_meter.h"
#include "query/two_bodies.h"

namespace nearmiss {

/// An exact test in small steps, which ends at the first two triangles that meet. Those of the last
/// test are compared first, since they often meet again. Keeps its memory.
class PartingTest {
 public:
  /// Starts a test of two bodies, which must outlive the last step.
  /// @param translation of b, frame of a
  void begin(const TwoBodies& bodies, const Vec3& translation);

  /// Compares a few triangles, and adds the work. False: the test has ended.
  bool step(WorkCount& work);

  /// True if the bodies are apart after the translation. False also if too many triangles are near
  /// each other to tell. @pre step() has returned false.
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
  std::size_t next_ = 0;          ///< the first of them that is left
  std::size_t found_ = 0;         ///< leaves that were found
  PiecesInside pieces_;
  std::uint32_t metA_ = 0, metB_ = 0;  ///< triangles that met last
};

}  // namespace nearmiss
