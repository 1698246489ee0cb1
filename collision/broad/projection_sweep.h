// SPDX-License-Identifier: MIT
/// The earliest intersection of many bounds by projection. On each axis the faces of the
/// hyper-trapezoids are segments over time, kept in a list that is sorted at the current time;
/// faces of two bounds meet where segments cross [H93, "Intersecting space-time bounds"].
#pragma once

#include <array>

#include "broad/bound_search.h"

namespace nearmiss {

/// Reuses its memory between searches. The sweeps of the three axes run in one common order of
/// time, so that none goes beyond the earliest meeting found. After a meeting they continue from
/// there.
class ProjectionSweep : public BoundSweep {
 public:
  /// Starts a search at `from`. Every bound must be valid from then to `until` and outlive the
  /// search.
  void start(std::span<const SpaceTimeBound> bounds, std::span<const std::uint32_t> assemblies,
             Real from, Real until);

  /// The same for bounds that begin at `from` and are known to be apart then, without testing
  /// pairs. `radii` are those of the bodies, without the rounding margin of their bounds. Cubes of
  /// bounds that overlap only by this margin meet at once.
  void startApart(std::span<const SpaceTimeBound> bounds, std::span<const Real> radii,
                  std::span<const std::uint32_t> assemblies, Real from, Real until);

  /// Returns the next pair to meet, or nothing if no further pair meets before `until`. Pairs come
  /// in order of time, up to rounding; times are rounded down. Each pair is reported once.
  [[nodiscard]] std::optional<BoundMeeting> next();

 private:
  /// Two adjacent faces swap places; `lower` and `upper` are face numbers.
  struct Crossing {
    Real time = 0.0;  ///< seconds after the start
    std::uint32_t lower = 0, upper = 0;
    std::uint32_t axis = 0;

    friend bool isLater(const Crossing& a, const Crossing& b) noexcept {
      if (a.time != b.time) return a.time > b.time;
      if (a.axis != b.axis) return a.axis > b.axis;
      if (a.lower != b.lower) return a.lower > b.lower;
      return a.upper > b.upper;
    }
  };
  struct Axis {
    std::vector<ProjectedFace> faces;
    std::vector<std::uint32_t> order;  ///< faces from low to high at the current time
    std::vector<std::uint32_t> rank;   ///< the index of each face in `order`
  };

  void sortFaces(std::span<const SpaceTimeBound> bounds, std::uint32_t axis);
  void sortFacesApart(std::span<const Real> radii, std::uint32_t axis);
  void rankFaces(std::uint32_t axis);
  void expectAll();
  void findOverlapping();
  void expectCrossing(std::uint32_t axis, std::size_t index);
  void cross(const Crossing& crossing);
  void decide(const BodyPair& pair);
  [[nodiscard]] bool overlapOn(std::uint32_t axis, const BodyPair& pair) const noexcept;
  [[nodiscard]] bool overlapElsewhere(std::uint32_t axis, const BodyPair& pair) const noexcept;

  std::array<Axis, 3> axes_;
  EventQueue<Crossing> queue_;
  std::vector<Real> places_;  ///< positions of the bodies' own faces
};

}  // namespace nearmiss
