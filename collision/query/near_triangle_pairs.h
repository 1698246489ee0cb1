// SPDX-License-Identifier: MIT
/// Pairs of triangles of two bodies whose boxes are near each other.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/leaf_walk.h"
#include "narrow/work_meter.h"

namespace nearmiss {

class TrianglePairs;

/// A list that is made a few pairs at a time; keeps its memory. The trees of both bodies are
/// descended from some hundred places, one after the other, so that the first pairs are listed at
/// once, and a search that was cut can go on near where it stopped.
class NearTrianglePairs {
 public:
  struct Pair {
    std::uint32_t a, b;
    Triangle cornersB;  ///< frame of a
  };
  /// How far a search has come.
  struct Progress {
    std::size_t places = 0;  ///< that are done
    std::size_t leaves = 0;  ///< pairs of leaves of the next place that are done
  };

  /// Starts a search. Both bodies must outlive the last step.
  /// @param margin metres between triangles that are listed
  /// @param begin where to begin; earlier places and leaves are listed last. Places are counted
  /// modulo their number.
  void begin(const Polyhedron& a, const Polyhedron& b, const Pose& bToA, Real margin,
             const Progress& begin) noexcept;

  /// Lists a few more in pairs(), or none yet, and adds the work. False: all were listed.
  bool listSome(WorkCount& work);

  /// Those that the last call has listed, each once.
  [[nodiscard]] std::span<const Pair> pairs() const noexcept { return pairs_; }
  [[nodiscard]] Progress progress() const noexcept;

 private:
  bool enterPlace(const TrianglePairs& boxes, WorkCount& work);
  void walkOn(const TrianglePairs& boxes, WorkCount& work);
  void listLeaves(const TrianglePairs& boxes, WorkCount& work);

  const Polyhedron* a_ = nullptr;
  const Polyhedron* b_ = nullptr;
  Pose bToA_;
  Real margin_ = 0.0;
  Progress begin_;
  std::vector<LeafPair> places_;  ///< pairs of nodes
  bool split_ = false;            ///< places_ are known
  std::size_t place_ = 0;         ///< places that were entered
  LeafWalk walk_;                 ///< of the place that was entered last
  std::vector<LeafPair> leaves_;  ///< found there, and not listed yet
  std::size_t next_ = 0;          ///< the first of them that is left
  std::size_t walked_ = 0;        ///< leaves of the place that were listed or passed over
  bool listed_ = false;           ///< some of the place were listed
  std::vector<Pair> pairs_;
};

}  // namespace nearmiss
