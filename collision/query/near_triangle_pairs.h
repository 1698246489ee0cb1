// SPDX-License-Identifier: MIT
/// Pairs of triangles of two bodies whose boxes are near each other.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/leaf_pairs.h"
#include "narrow/work_meter.h"
#include "query/neighbour_triangles.h"

namespace nearmiss {

/// A list that is made a few pairs at a time; keeps its memory. If more than `maxLeafPairs` leaves
/// are near each other, the triangles of the finer body are searched one by one.
class NearTrianglePairs {
 public:
  struct Pair {
    std::uint32_t a, b;
    Triangle cornersB;  ///< frame of a
  };
  /// How far a search has come.
  struct Progress {
    std::size_t places = 0;      ///< leaves, or triangles of the finer body, that are done
    std::size_t neighbours = 0;  ///< of the next triangle, those that were listed
  };

  /// Starts a search. Both bodies must outlive the last step.
  /// @param margin metres between triangles that are listed
  /// @param begin where to begin; earlier places are listed last. Places are counted modulo their
  /// number.
  void begin(const Polyhedron& a, const Polyhedron& b, const Pose& bToA, Real margin, Real slack,
             std::size_t maxLeafPairs, const Progress& begin) noexcept;

  /// Lists a few more in pairs(), and adds the work. False: all were listed.
  bool listSome(WorkCount& work);

  /// Those that the last call has listed.
  [[nodiscard]] std::span<const Pair> pairs() const noexcept { return pairs_; }
  [[nodiscard]] Progress progress() const noexcept;
  /// True if each pair is listed once; else neighbouring triangles share most of theirs.
  [[nodiscard]] bool byLeaves() const noexcept { return way_ == Way::ByLeaves; }

 private:
  enum class Way : std::uint8_t { Unknown, ByLeaves, OneByOne };

  void listLeaves(WorkCount& work);
  bool listOfLeaves();
  bool listOneByOne(WorkCount& work);
  void listNeighbours(WorkCount& work);
  [[nodiscard]] bool finerIsA() const noexcept {
    return a_->mesh().triangles.size() >= b_->mesh().triangles.size();
  }

  const Polyhedron* a_ = nullptr;
  const Polyhedron* b_ = nullptr;
  Pose bToA_;
  Real margin_ = 0.0, slack_ = 0.0;
  std::size_t maxLeafPairs_ = 0;
  Progress begin_;
  Way way_ = Way::Unknown;
  std::size_t place_ = 0;  ///< leaves, or triangles of the finer body, that were begun
  std::vector<LeafPair> leaves_;
  NeighbourTriangles neighbours_;
  std::uint32_t triangle_ = 0;  ///< of the finer body, whose neighbours these are
  std::vector<Pair> pairs_;
};

}  // namespace nearmiss
