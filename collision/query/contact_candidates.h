// SPDX-License-Identifier: MIT
/// Every pair of features of two surfaces that touches: vertices with faces, edges with edges.
#pragma once

#include <nearmiss/contact_manifold.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "narrow/work_meter.h"
#include "query/crossing_sample.h"
#include "query/deepest_point.h"
#include "query/edge_crossings.h"
#include "query/near_edges.h"
#include "query/near_vertices.h"
#include "query/passed_features.h"
#include "query/surface_edges.h"
#include "query/touching_vertex.h"
#include "query/two_bodies.h"

namespace nearmiss {

/// A resumable search of one pair after the other; keeps its memory.
class ContactCandidates {
 public:
  static constexpr std::size_t usualLeafPairs = std::size_t{1} << 15;

  /// @pre bodies.taken(); they must outlive the last step. The edges are those of their shapes.
  /// @param maxLeafPairs see NearEdges
  void begin(const TwoBodies& bodies, const SurfaceEdges& edgesA, const SurfaceEdges& edgesB,
             Real margin, std::size_t maxLeafPairs = usualLeafPairs) noexcept;

  /// The same for the two meshes of the search before, in other poses. Looks first at known points,
  /// then, where time ran out, goes on where that search stopped.
  /// @param known ids of points, ascending; must outlive the last step
  void beginAgain(const TwoBodies& bodies, const SurfaceEdges& edgesA, const SurfaceEdges& edgesB,
                  Real margin, std::span<const std::uint64_t> known) noexcept;

  /// True once everything was looked at.
  bool refine(const TimeBudget& budget);

  /// What was found so far, frame of a; some points twice.
  void copyTo(std::vector<ManifoldPoint>& points) const;

 private:
  enum class Stage : std::uint8_t {
    Known,         ///< features of the manifold before
    NearVertices,  ///< to be listed
    Vertices,
    Edges,
    Passed,  ///< vertices of a solid beyond a surface
    Depth,
    Done
  };
  /// Where to begin, so that after searches that ran out of time everything gets its turn.
  struct Turns {
    std::size_t vertices = 0;  ///< in their list, beyond the end too
    NearEdges::Progress edges;
    std::size_t part = 0;  ///< see nextPart()
  };

  void prepare(const TwoBodies& bodies, const SurfaceEdges& edgesA, const SurfaceEdges& edgesB,
               Real margin, std::size_t maxLeafPairs) noexcept;
  void enter(Stage stage) noexcept {
    stage_ = stage;
    next_ = 0;
  }
  [[nodiscard]] bool isKnown(std::uint64_t id) const noexcept {
    return std::binary_search(known_.begin(), known_.end(), id);
  }
  void nextPart() noexcept;
  void step();
  void compareKnown();
  void listVertices();
  void lookAtVertices();
  void compareVertex(bool ofB, std::uint32_t vertex);
  [[nodiscard]] ManifoldPoint pointOf(bool ofB, std::uint32_t vertex, const Vec3& onOther,
                                      const Vec3& outward, Real depth) const;
  bool addWayOut(bool ofB, std::uint32_t vertex, const TouchingVertex& touching);
  void addOnSolid(bool ofB, std::uint32_t vertex, const SurfacePoint& nearest, Real depth);
  void lookAtEdges();
  void compareTriangles(std::uint32_t ta, std::uint32_t tb);
  [[nodiscard]] bool tooShallow(const std::vector<ManifoldPoint>& points, Real shared) const;
  [[nodiscard]] bool deepestIsWanted() const;
  [[nodiscard]] bool makeBalls(const TimeBudget& budget);
  void lookAtPassed();
  void seekDepth();
  void addPassed(const PassedFeatures::Side& beyond, std::vector<ManifoldPoint>& points) const;
  void addDeepest();
  void addCrossings();

  const TwoBodies* bodies_ = nullptr;
  const SurfaceEdges* edgesA_ = nullptr;
  const SurfaceEdges* edgesB_ = nullptr;
  Pose aToB_;
  Real margin_ = 0.0;
  Real slack_ = 0.0;
  Stage stage_ = Stage::Done;
  std::size_t next_ = 0;  ///< of the things that the stage looks at, the first that is left
  std::span<const std::uint64_t> known_;
  Turns turns_;
  std::size_t parts_ = 0;  ///< that were begun
  NearVertices nearA_, nearB_;
  NearEdges nearEdges_;
  EdgeCrossings edgeCrossings_;
  CrossingSample triangleCrossings_;  ///< where triangles meet: of two solids one
  PassedFeatures passed_;
  std::optional<DeepestPoint> deepest_;  ///< being sought
  ContactFindings found_;
  ContactFindings held_;                ///< of known edges: until the search has ended
  const InnerBalls* ballsA_ = nullptr;  ///< made where the deepest point is wanted
  const InnerBalls* ballsB_ = nullptr;
  WorkMeter meter_;
};

}  // namespace nearmiss
