// SPDX-License-Identifier: MIT
/// Finds which faces of a body a vertex of another meets from the front, if it lies on edges,
/// corners or along walls.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <cstdint>
#include <optional>

#include "contact/contact_body.h"

namespace nearmiss {

/// A vertex of one body that lies inside another, or on its surface within rounding.
class TouchingVertex {
 public:
  /// Both bodies must outlive it.
  /// @param toOther transforms the vertex's own body into the frame of `other`
  /// @param slack metres: nearer than this is on the surface
  TouchingVertex(const ContactBody& own, std::uint32_t vertex, const Pose& toOther,
                 const ContactBody& other, Real slack);

  /// Returns true if the own body lies behind a surface without an inside at this point.
  /// @param outward the normal of the surface, frame of `other`
  [[nodiscard]] bool comesFromBehind(const Vec3& outward) const;

  /// Returns the triangle of a solid, among those on which the vertex lies, that has all or nearly
  /// all of the own body in front of it. Prefers `first` in a tie. Empty if the own body reaches
  /// far behind each.
  [[nodiscard]] std::optional<std::uint32_t> faceMet(std::uint32_t first) const;

  /// Returns a normal at a rim of a solid on which the vertex lies: halfway between two triangles
  /// of the rim, with all or nearly all of the own body in front. Empty if there is none.
  [[nodiscard]] std::optional<Vec3> rimMet() const;

  /// Returns true if the own body, a solid, contains a point of another surface near the vertex, or
  /// a point slightly to its side: the body then extends beyond that surface.
  [[nodiscard]] bool goesThrough(const Vec3& onOther) const;

  /// Returns the point at the same distance along a way from the vertex as its end, but shifted
  /// into the own body. Empty if that leads elsewhere.
  [[nodiscard]] std::optional<Vec3> intoOwn(const Vec3& way) const;

  /// For a vertex along a wall of a solid, or inside it: returns the nearest point straight above
  /// on a triangle from behind which an edge of the own body emerges, and in front of which little
  /// of the body lies deeper than the vertex. Empty if there is none.
  [[nodiscard]] std::optional<SurfacePoint> wayOut() const;

  /// Returns the number of bound tests so far.
  [[nodiscard]] std::uint64_t work() const noexcept { return work_; }

  /// Returns false if the normal `outward` is not in the normal cone of the vertex: an edge leads
  /// from the vertex far behind its plane, or a face of the own solid along that plane has the
  /// solid on the other side.
  [[nodiscard]] bool standsOn(const Vec3& outward) const;

 private:
  struct WaysOut {
    Real reach = 0.0;                  ///< metres
    Box shares{Vec3(0.0), Vec3(0.0)};  ///< share of the reach, along each axis of `other`
  };
  [[nodiscard]] WaysOut waysOut() const;
  [[nodiscard]] Real leanOver(const Vec3& outward) const;
  void forEachOwn(const auto& visit) const;
  void lookForWayOut(std::uint32_t triangle, Real reach, std::optional<SurfacePoint>& best) const;

  const ContactBody *own_, *other_;
  std::uint32_t vertex_;
  Pose toOther_;
  Vec3 point_;  ///< the vertex, frame of `other`
  Real slack_;
  mutable std::uint64_t work_ = 0;
};

}  // namespace nearmiss
