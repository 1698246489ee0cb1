// SPDX-License-Identifier: MIT
/// Contacts of two convex solids with few faces: the corners of their contact patch, along the
/// direction of minimum overlap.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/pair.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "contact/edge_crossings.h"
#include "pair/convex_solid.h"
#include "pair/least_overlap.h"

namespace nearmiss {

/// Clips the faces of one solid to those of the other: vertices over faces, and edges that cross.
/// Reuses its memory.
class ConvexContacts {
 public:
  /// Adds all contacts and sets the proven depth to the overlap. Returns false and adds nothing if
  /// no contact is as deep as the overlap or as near as the gap. This happens next to rims and
  /// corners, which are nearest to each other sideways.
  /// @param work incremented by the number of bound tests
  bool find(const ConvexSolid& a, const ConvexSolid& b, const Pose& bToA, Real margin, Real slack,
            ContactFindings& found, std::uint64_t& work);

 private:
  /// An edge that can support the other solid, frame of a.
  struct FacingEdge {
    std::array<Vec3, 2> ends;
    Vec3 along;  ///< from one end to the other
    Real length;
    std::uint32_t id;
  };

  void addVertices(bool ofB, std::vector<ManifoldPoint>& points);
  void addVertex(bool ofB, std::uint32_t vertex, std::vector<ManifoldPoint>& points) const;
  [[nodiscard]] bool isOver(const ConvexSolid& solid, const ConvexSolid::Face& face,
                            const Vec3& point) const;
  [[nodiscard]] static bool stands(const ConvexSolid& solid, const ConvexSolid::Vertex& vertex,
                                   const Vec3& up);
  void listEdges(bool ofB, std::vector<FacingEdge>& edges) const;
  void addCrossing(const FacingEdge& a, const FacingEdge& b,
                   std::vector<ManifoldPoint>& points) const;
  [[nodiscard]] const ConvexSolid& own(bool ofB) const noexcept { return ofB ? *b_ : *a_; }

  const ConvexSolid* a_ = nullptr;
  const ConvexSolid* b_ = nullptr;
  Pose bToA_;
  Real margin_ = 0.0, slack_ = 0.0;
  Real beside_ = 0.0;  ///< metres: a vertex at most this far outside a face is over it
  LeastOverlap axis_;
  Vec3 outOfA_{0.0};  ///< frame of a
  Vec3 outOfB_{0.0};  ///< frame of b
  std::vector<const ConvexSolid::Face*> carrying_;
  std::vector<FacingEdge> edgesA_, edgesB_;
};

}  // namespace nearmiss
