// SPDX-License-Identifier: MIT
/// Pairs of triangles of two bodies whose boxes are near each other.
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/work_meter.h"
#include "geometry/leaf_walk.h"

namespace nearmiss {

class TrianglePairs;

/// Lists pairs a few at a time. Reuses its memory. The trees of both bodies are traversed from a
/// few hundred places, one after the other. The first pairs are thus listed immediately, and a
/// search that was cut short continues near where it stopped.
class NearTrianglePairs {
 public:
  struct Pair {
    std::uint32_t a, b;
    Triangle cornersB;  ///< frame of a
  };
  /// The progress of a search.
  struct Progress {
    std::size_t places = 0;  ///< finished places
    std::size_t leaves = 0;  ///< finished pairs of leaves of the next place
  };

  /// Starts a search. Both bodies must outlive the last step.
  /// @param margin metres between triangles that are listed
  /// @param begin where to begin; earlier places and leaves are listed last. Places are counted
  /// modulo their number.
  void begin(const Polyhedron& a, const Polyhedron& b, const Pose& bToA, Real margin,
             const Progress& begin) noexcept;

  /// Lists a few more pairs in pairs(), possibly none, and adds the work. Returns false if all were
  /// listed.
  bool listSome(WorkCount& work);

  /// Returns the pairs that the last call listed, each once.
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
  std::size_t place_ = 0;         ///< places entered so far
  LeafWalk walk_;                 ///< in the last entered place
  std::vector<LeafPair> leaves_;  ///< found in that place, and not listed yet
  std::size_t next_ = 0;          ///< first remaining one
  std::size_t walked_ = 0;        ///< leaves of the place that were listed or skipped
  bool listed_ = false;           ///< some pairs of the place were listed
  std::vector<Pair> pairs_;
};

}  // namespace nearmiss
