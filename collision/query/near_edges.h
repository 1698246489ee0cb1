// SPDX-License-Identifier: MIT
/// Pairs of edges of two bodies that may touch: those of triangles whose boxes are near each other.
#pragma once

#include <nearmiss/math.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "geometry/leaf_pairs.h"
#include "narrow/work_meter.h"
#include "query/edge_pair_set.h"
#include "query/neighbour_triangles.h"
#include "query/surface_edges.h"
#include "query/two_bodies.h"

namespace nearmiss {

/// A list that is made some at once, and taken from meanwhile; keeps its memory. Each pair is
/// listed once, unless more than `maxLeafPairs` leaves are near each other: then the triangles of
/// the finer body are looked at one by one, and neighbours give the same pairs again.
class NearEdges {
 public:
  /// How far a search has come.
  struct Progress {
    std::size_t places = 0;  ///< leaves, or triangles of the finer body, that are done
    std::size_t pairs = 0;   ///< of the next one, those that were taken
  };

  /// Takes up two bodies, which must outlive the last use. The edges are those of their shapes.
  /// @param begin where to begin; what comes before is listed last. Places are counted modulo
  /// their number
  void begin(const TwoBodies& bodies, const SurfaceEdges& edgesA, const SurfaceEdges& edgesB,
             Real margin, Real slack, std::size_t maxLeafPairs, const Progress& begin) noexcept;

  /// Lists a few more, and adds the work. False: all were listed.
  bool listSome(WorkCount& work);

  /// Triangles of a and b, near each other, of which the last call has listed the edges.
  [[nodiscard]] std::span<const std::pair<std::uint32_t, std::uint32_t>> triangles()
      const noexcept {
    return triangles_;
  }
  /// True if pairs of edges were listed that were not taken.
  [[nodiscard]] bool someLeft() const noexcept { return taken_ < pairs_.size(); }
  /// One of them: a's edge in the upper half.
  /// @pre someLeft()
  [[nodiscard]] std::uint64_t take() noexcept { return pairs_[taken_++]; }

  /// False before the first call of listSome().
  [[nodiscard]] bool begun() const noexcept { return way_ != Way::Unknown; }
  /// Since begin(): places from the first one, and all pairs of the next.
  [[nodiscard]] Progress progress() const noexcept;

 private:
  enum class Way : std::uint8_t { Unknown, ByLeaves, OneByOne };

  void listLeaves(WorkCount& work);
  bool listEdgesOfLeaves();
  bool listSkipped();
  bool listOneByOne(WorkCount& work);
  void listNeighbours(std::uint32_t triangle, WorkCount& work);
  void skipTaken() noexcept;
  void addPairs(std::uint32_t ta, std::uint32_t tb, const auto& isNew);
  [[nodiscard]] bool ofFinerA() const noexcept;

  const TwoBodies* bodies_ = nullptr;
  const SurfaceEdges* edgesA_ = nullptr;
  const SurfaceEdges* edgesB_ = nullptr;
  Real margin_ = 0.0, slack_ = 0.0;
  std::size_t maxLeafPairs_ = 0;
  Progress begin_;
  Way way_ = Way::Unknown;
  std::size_t place_ = 0;  ///< leaves, or triangles of the finer body, that were looked at
  std::vector<LeafPair> leaves_;
  std::unique_ptr<EdgePairSet> visited_;  ///< borrowed from the thread meanwhile
  NeighbourTriangles neighbours_;         ///< of the last triangle of the finer body
  std::uint32_t triangle_ = 0;            ///< that one
  std::vector<std::pair<std::uint32_t, std::uint32_t>> triangles_;
  std::vector<std::uint64_t> pairs_;
  std::size_t taken_ = 0;
  std::size_t skip_ = 0;          ///< pairs that are still to be passed over
  std::size_t skipped_ = 0;       ///< pairs that were passed over, and are due at the end
  std::size_t placeOfBatch_ = 0;  ///< the place of the pairs that were listed last
  std::size_t batch_ = 0;         ///< the index in pairs_ of the first of that place
};

}  // namespace nearmiss
