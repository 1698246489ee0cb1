// SPDX-License-Identifier: MIT
/// Which faces of a body a vertex of another meets from in front, where it lies on edges and
/// corners, and along walls.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <cstdint>
#include <optional>

#include "query/contact_body.h"

namespace nearmiss {

/// A vertex of one body, on the surface of another within rounding, or inside.
class TouchingVertex {
 public:
  /// Both bodies must outlive it.
  /// @param toOther moves the vertex's own body into the frame of `other`
  /// @param slack metres: nearer than this is on the surface
  TouchingVertex(const ContactBody& own, std::uint32_t vertex, const Pose& toOther,
                 const ContactBody& other, Real slack);

  /// True if the own body lies behind a surface without an inside there.
  /// @param outward the normal of the surface, frame of `other`
  [[nodiscard]] bool comesFromBehind(const Vec3& outward) const;

  /// Of the triangles of a solid that the vertex lies on, the one before which all of the own body
  /// lies there, or nearly all; `first`, if that is as good as any. Nothing where the own body
  /// reaches far behind each.
  [[nodiscard]] std::optional<std::uint32_t> faceMet(std::uint32_t first) const;

  /// Of a rim of a solid that the vertex lies on: the normal halfway between two of its triangles
  /// before which all of the own body lies there, or nearly all. Nothing if there is none.
  [[nodiscard]] std::optional<Vec3> rimMet() const;

  /// True if the own body, a solid, holds a point of another surface near the vertex, or one just
  /// beside it: it goes on beyond that surface.
  [[nodiscard]] bool goesThrough(const Vec3& onOther) const;

  /// Returns the point as far along a way from the vertex as its end, but aside into the own body;
  /// nullopt if that leads elsewhere.
  [[nodiscard]] std::optional<Vec3> intoOwn(const Vec3& way) const;

  /// Of the vertex that lies along a wall of a solid, or inside: the nearest point straight above,
  /// of a triangle from behind which an edge of the own body comes out, and before which little of
  /// it lies deeper than the vertex. Nothing if there is none.
  [[nodiscard]] std::optional<SurfacePoint> wayOut() const;

  /// Work so far, in tests of bounds.
  [[nodiscard]] std::uint64_t work() const noexcept { return work_; }

  /// False if an edge leads from the vertex far behind the plane across `outward`, or a face of the
  /// own solid along that plane has the solid on the other side: the normal is not in the normal
  /// cone of the vertex.
  [[nodiscard]] bool standsOn(const Vec3& outward) const;

 private:
  struct WaysOut {
    Real reach = 0.0;                  ///< metres
    Box shares{Vec3(0.0), Vec3(0.0)};  ///< of the reach, along each axis of `other`
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
