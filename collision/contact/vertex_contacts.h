// SPDX-License-Identifier: MIT
/// Contacts of a vertex of one body with a face of the other.
#pragma once

#include <nearmiss/pair.h>

#include <cstdint>

#include "contact/contact_body.h"
#include "contact/edge_crossings.h"
#include "contact/surface_sides.h"
#include "contact/touching_vertex.h"

namespace nearmiss {

/// Compares vertices one by one.
class VertexContacts {
 public:
  /// The position of a vertex relative to the other body.
  struct Place {
    bool inside = false;
    Real gap = 0.0;              ///< minimum distance outside the other body, metres
    std::uint32_t triangle = 0;  ///< of the other body; the nearest one, if known
  };

  /// Starts a search of two bodies, which must outlive the last use.
  /// @param probe metres, at least `margin`: for vertices farther outside, only this distance is
  /// reported
  void begin(const ContactBody& a, const ContactBody& b, const Pose& bToA, Real margin, Real probe,
             Real slack) noexcept;

  /// Returns the distance, metres, below which a vertex counts as on the surface of a solid.
  [[nodiscard]] static Real touchingDistance(const ContactBody& a, const ContactBody& b,
                                             Real slack) noexcept;

  /// Adds the contact of a vertex, if it has one.
  /// @param guess a triangle of the other body that may be near
  /// @param passed knows the vertices of a solid that are beyond a surface
  /// @param work incremented by the number of bound tests
  Place compare(bool ofB, std::uint32_t vertex, std::uint32_t guess, ContactFindings& found,
                const SurfaceSides& passed, std::uint64_t& work) const;

  /// Returns the contact of a vertex with a surface point of the other body, whose frame is used.
  /// @param outward from the surface, unit length
  [[nodiscard]] ManifoldPoint pointOf(bool ofB, std::uint32_t vertex, const Vec3& onOther,
                                      const Vec3& outward, Real depth) const;

 private:
  [[nodiscard]] const ContactBody& own(bool ofB) const noexcept { return ofB ? b_ : a_; }
  bool addWayOut(bool ofB, std::uint32_t vertex, const TouchingVertex& touching,
                 ContactFindings& found) const;
  bool addOnRim(bool ofB, std::uint32_t vertex, const TouchingVertex& touching,
                const SurfacePoint& nearest, Real depth, ContactFindings& found) const;
  void addOnSolid(bool ofB, std::uint32_t vertex, const SurfacePoint& nearest, Real depth,
                  ContactFindings& found, std::uint64_t& work) const;
  void addInside(bool ofB, std::uint32_t vertex, const SurfacePoint& nearest,
                 ContactFindings& found, std::uint64_t& work) const;
  void addOutside(bool ofB, std::uint32_t vertex, const SurfacePoint& nearest,
                  ContactFindings& found, const SurfaceSides& passed, std::uint64_t& work) const;

  ContactBody a_, b_;
  Pose bToA_, aToB_;
  Real margin_ = 0.0, probe_ = 0.0, slack_ = 0.0;
  Real touching_ = 0.0;  ///< metres: nearer than this is on the surface of a solid, and at a rim
};

}  // namespace nearmiss
