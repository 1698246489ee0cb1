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
#include "query/depth_check.h"
#include "query/edge_crossings.h"
#include "query/near_features.h"
#include "query/near_triangle_pairs.h"
#include "query/passed_features.h"
#include "query/two_bodies.h"
#include "query/vertex_contacts.h"

namespace nearmiss {

/// A resumable search. It lists the features that are near, once for all poses that are near each
/// other, and compares those that can touch. Keeps its memory.
class ContactCandidates {
 public:
  static constexpr std::size_t usualLeafPairs = std::size_t{1} << 12;

  /// @pre bodies.taken(); they must outlive the last step.
  /// @param maxLeafPairs see NearTrianglePairs
  void begin(const TwoBodies& bodies, Real margin, std::size_t maxLeafPairs = usualLeafPairs);

  /// The same for the two meshes of the search before, in other poses. Looks first at known points,
  /// then, where time ran out, goes on where that search stopped.
  /// @param known ids of points, ascending; must outlive the last step
  void beginAgain(const TwoBodies& bodies, Real margin, std::span<const std::uint64_t> known);

  /// True once everything was looked at.
  bool refine(const TimeBudget& budget);

  /// What was found so far, frame of a; some points twice.
  void copyTo(std::vector<ManifoldPoint>& points) const;

  /// False if the surfaces cross and neither body has an inside.
  [[nodiscard]] bool depthKnown() const noexcept {
    return crossings_.empty() || a_.hasInside() || b_.hasInside();
  }

 private:
  enum class Stage : std::uint8_t {
    Known,      ///< features of the manifold before
    Kept,       ///< features that earlier searches have listed
    List,       ///< features that are listed now
    Crossings,  ///< triangles that meet
    Passed,     ///< vertices of a solid beyond a surface
    Complete,   ///< points that need others beside them
    Check,      ///< whether points are too deep
    Depth,
    Done
  };
  /// Where to begin, so that after searches that ran out of time everything gets its turn.
  struct Turns {
    std::size_t kept = 0;  ///< among the features that are kept, beyond the end too
    NearTrianglePairs::Progress list;
    bool listFirst = false;
  };

  void prepare(const TwoBodies& bodies, Real margin, std::size_t maxLeafPairs, bool again);
  void enter(Stage stage) noexcept {
    stage_ = stage;
    next_ = 0;
  }
  [[nodiscard]] bool isKnown(std::uint64_t id) const noexcept {
    return std::binary_search(known_.begin(), known_.end(), id);
  }
  void step();
  void compareKnown();
  void compareKept();
  void compareListed();
  void endFeatures();
  void compareVertex(std::size_t at);
  VertexContacts::Place compareVertex(bool ofB, std::uint32_t vertex);
  void compareEdges(std::uint64_t pair);
  void lookAtCrossings();
  void compareTriangles(const NearTrianglePairs::Pair& pair);
  [[nodiscard]] bool looksAtPassed(bool ofB) const noexcept;
  void lookAtPassed();
  void lookAtPassed(std::size_t at);
  void addAround(std::uint32_t vertex, bool ofB);
  [[nodiscard]] bool awake(const NearFeatures::Vertex& vertex) const noexcept;
  [[nodiscard]] bool tooShallow() const;
  [[nodiscard]] bool deepestIsWanted() const;
  [[nodiscard]] bool makeBalls(const TimeBudget& budget);
  void complete();
  void raiseShared();
  void checkDepths();
  void limitDepth(ManifoldPoint& point) const;
  void finish();
  void seekDepth();
  void addPassed(std::vector<ManifoldPoint>& points) const;
  void addDeepest();

  const TwoBodies* bodies_ = nullptr;
  ContactBody a_, b_;
  Real margin_ = 0.0;
  Real slack_ = 0.0;
  Stage stage_ = Stage::Done;
  std::size_t next_ = 0;  ///< of the things that the stage looks at, the first that is left
  std::span<const std::uint64_t> known_;
  Turns turns_;
  bool keptDone_ = false;
  std::size_t keptVertices_ = 0, keptEdges_ = 0;  ///< listed by earlier searches
  std::size_t nextVertex_ = 0, nextEdges_ = 0;    ///< the first that are listed and not compared
  Real apart_ = -1.0;  ///< the surfaces do not cross if the bodies have moved by less, metres
  NearFeatures features_;
  VertexContacts vertexContacts_;
  EdgeCrossings edgeCrossings_;
  NearTrianglePairs meeting_;  ///< triangles whose boxes meet
  bool meetingBegun_ = false;
  CrossingSample crossings_;  ///< where triangles meet: of two solids one
  CrossingSample spare_;      ///< points that count if nothing else does
  PassedFeatures passed_;
  DepthCheck depthCheck_;
  std::optional<DeepestPoint> deepest_;  ///< being sought
  bool sideIsKnown_ = false;             ///< since the search before
  ContactFindings found_;
  bool tellLittle_ = false;             ///< points that are deeper must be sought
  std::optional<ManifoldPoint> held_;   ///< of known edges that are doubtful
  const InnerBalls* ballsA_ = nullptr;  ///< made where the deepest point is wanted
  const InnerBalls* ballsB_ = nullptr;
  WorkMeter meter_;
};

}  // namespace nearmiss
