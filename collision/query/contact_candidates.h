// SPDX-License-Identifier: MIT
/// Every pair of features of two surfaces that touches: vertices with faces, edges with edges.
#pragma once

#include <nearmiss/contact_manifold.h>

#include <cstddef>
#include <cstdint>
#include <glm/mat3x3.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "geometry/leaf_pairs.h"
#include "narrow/work_meter.h"
#include "query/crossing_sample.h"
#include "query/deepest_point.h"
#include "query/edge_contact.h"
#include "query/edge_pair_set.h"
#include "query/near_vertices.h"
#include "query/neighbour_triangles.h"
#include "query/passed_features.h"
#include "query/patch_corners.h"
#include "query/surface_edges.h"
#include "query/touching_vertex.h"
#include "query/two_bodies.h"

namespace nearmiss {

/// A resumable search of one pair after the other; keeps its memory.
class ContactCandidates {
 public:
  /// @pre bodies.taken(); they must outlive the last step. The edges are those of their shapes.
  /// @param maxLeafPairs where more leaves are near each other, edges are compared triangle by
  /// triangle, without a list of them
  void begin(const TwoBodies& bodies, const SurfaceEdges& edgesA, const SurfaceEdges& edgesB,
             Real margin, std::size_t maxLeafPairs = std::size_t{1} << 15) noexcept;

  /// True once everything was looked at.
  bool refine(const TimeBudget& budget);

  /// What was found so far, frame of a; some points twice.
  [[nodiscard]] const std::vector<ManifoldPoint>& points() const noexcept { return points_; }

 private:
  enum class Kind : std::uint8_t { VertexOfA, VertexOfB, Edges, Depth };
  enum class Stage : std::uint8_t {
    NearVertices,
    VerticesOfB,
    VerticesOfA,
    Leaves,
    Pairs,
    Edges,
    EdgesOneByOne,  ///< instead, where pairs are too many to list
    Passed,         ///< vertices of a solid beyond a surface
    Depth,
    Done
  };

  [[nodiscard]] static std::uint64_t idOf(Kind kind, std::uint64_t first,
                                          std::uint64_t second) noexcept {
    return std::uint64_t{static_cast<std::uint8_t>(kind)} << 62 | first << 31 | second;
  }
  void step();
  void listVertices();
  void compareVertex(bool ofB, std::uint32_t vertex);
  void addVertex(bool ofB, std::uint32_t vertex, const Vec3& onOther, const Vec3& outward,
                 Real depth);
  bool addWayOut(bool ofB, std::uint32_t vertex, const TouchingVertex& touching);
  void addOnSolid(bool ofB, std::uint32_t vertex, const SurfacePoint& nearest, Real depth);
  void compareTriangles(std::uint32_t ta, std::uint32_t tb, const Triangle& triangleB,
                        const auto& take);
  void listLeaves();
  void listEdgePairs();
  void compareOneByOne();
  void listNeighbours(std::uint32_t triangle);
  void compareNeighbours(std::uint32_t triangle);
  [[nodiscard]] bool ofFinerA() const noexcept;
  void compareEdges(std::uint64_t pair);
  bool addCrossing(const FacedEdge& a, const FacedEdge& b, std::uint64_t id);
  [[nodiscard]] bool overlap(const FacedEdge& a, const FacedEdge& b, const Vec3& outOfA,
                             Real depth);
  [[nodiscard]] bool deepestIsWanted() const noexcept;
  [[nodiscard]] bool makeBalls(const TimeBudget& budget);
  void seekDepth();
  void addPassed();
  void addDeepest();
  void addCrossings();
  void add(Kind kind, std::uint64_t first, std::uint64_t second, const Vec3& onA, const Vec3& onB,
           const Vec3& normal, Real depth);

  /// On the way to edgePairs_.
  struct EdgeListing {
    std::vector<LeafPair> leaves;
    std::unique_ptr<EdgePairSet> visited;  ///< borrowed from the thread meanwhile
  };
  const TwoBodies* bodies_ = nullptr;
  const SurfaceEdges* edgesA_ = nullptr;
  const SurfaceEdges* edgesB_ = nullptr;
  Pose aToB_;
  glm::dmat3 axesOfB_{1.0};  ///< frame of a
  Real margin_ = 0.0;
  Real slack_ = 0.0;
  std::size_t maxLeafPairs_ = 0;
  Stage stage_ = Stage::Done;
  std::size_t next_ = 0;  ///< of the things that the stage looks at, the first that is left
  NearVertices nearA_, nearB_;
  EdgeListing listing_;
  NeighbourTriangles neighbours_;         ///< of one of the finer body, in the coarser
  std::vector<std::uint64_t> edgePairs_;  ///< a's in the upper half; each once
  CrossingSample crossings_;              ///< where triangles meet: of two solids one
  PassedFeatures passed_;
  PatchCorners corners_;
  std::optional<ManifoldPoint> doubtful_;  ///< of edges that share less, the least deep
  std::optional<DeepestPoint> deepest_;    ///< being sought
  std::vector<ManifoldPoint> points_;
  const InnerBalls* ballsA_ = nullptr;  ///< made where the deepest point is wanted
  const InnerBalls* ballsB_ = nullptr;
  WorkMeter meter_;
};

}  // namespace nearmiss
