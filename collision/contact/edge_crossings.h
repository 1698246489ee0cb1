// SPDX-License-Identifier: MIT
/// Contacts of two edges: outward crossings, and corners of patches where faces lie on each other.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/pair.h>

#include <cstdint>
#include <glm/mat3x3.hpp>
#include <optional>
#include <vector>

#include "contact/contact_body.h"
#include "contact/edge_contact.h"
#include "contact/surface_sides.h"

namespace nearmiss {

/// Contacts found so far, frame of a.
struct ContactFindings {
  std::vector<ManifoldPoint> points;  ///< some occur twice
  PatchCorners corners;               ///< corners that are not among the points yet
  /// The shallowest contact of two edges among those that are deeper than the bodies may overlap.
  std::optional<ManifoldPoint> doubtful;
  Real certainDepth = 0.0;  ///< proven minimum length of a separating translation, metres
  std::optional<ManifoldPoint> misfit;     ///< the deepest vertex inside that no face explains
  std::optional<ManifoldPoint> alongWall;  ///< a vertex that counts only if nothing else does

  void clear() noexcept {
    points.clear();
    corners.clear();
    doubtful.reset();
    certainDepth = 0.0;
    misfit.reset();
    alongWall.reset();
  }
};

/// Compares pairs of edges one by one.
class EdgeCrossings {
 public:
  /// Starts a search of two bodies, which must outlive the last use.
  /// @param limit metres: edges that overlap by more are ignored
  void begin(const ContactBody& a, const ContactBody& b, const Pose& bToA, Real margin, Real limit,
             Real slack) noexcept;

  /// @param pair a's edge in the upper half
  /// @param passed collects the edges of a solid that have passed a surface; may be null
  /// @param work incremented by the number of bound tests
  void compare(std::uint64_t pair, ContactFindings& found, SurfaceSides* passed,
               std::uint64_t& work) const;

 private:
  bool addCrossing(const FacedEdge& a, const FacedEdge& b, std::uint64_t id, ContactFindings& found,
                   SurfaceSides* passed, std::uint64_t& work) const;
  [[nodiscard]] bool leavesSurfaces(const FacedEdge& a, const FacedEdge& b, const Vec3& way) const;
  [[nodiscard]] bool overlap(const FacedEdge& a, const FacedEdge& b, const Vec3& outOfA, Real depth,
                             ContactFindings& found, std::uint64_t& work) const;

  const ContactBody* a_ = nullptr;
  const ContactBody* b_ = nullptr;
  Pose bToA_, aToB_;
  glm::dmat3 axesOfB_{1.0};  ///< frame of a
  Real margin_ = 0.0, limit_ = 0.0, slack_ = 0.0;
};

}  // namespace nearmiss
