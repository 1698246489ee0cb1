// SPDX-License-Identifier: MIT
/// The earliest intersection of many bounds by projection: on each axis the faces of the
/// hyper-trapezoids are segments over time, kept in a list sorted at the present instant; faces of
/// two bounds meet where segments cross [H93, "Intersecting space-time bounds"].
#pragma once

#include <array>

#include "broad/bound_search.h"

namespace nearmiss {

/// Keeps its memory between searches. The sweeps of the three axes run as one, in the order of
/// time, so that none goes beyond the earliest meeting found; after a meeting they go on from
/// there.
class ProjectionSweep : public BoundSweep {
 public:
  /// Begins at `from`. Every bound must hold from there to `until` and outlive the search.
  void start(std::span<const SpaceTimeBound> bounds, std::span<const std::uint32_t> assemblies,
             Real from, Real until);

  /// The same for bounds that begin at `from` and are known to be apart there, without a test of
  /// pairs. `radii` are those of the bodies, without what their bounds add for rounding: cubes of
  /// bounds that overlap by that alone meet at once.
  void startApart(std::span<const SpaceTimeBound> bounds, std::span<const Real> radii,
                  std::span<const std::uint32_t> assemblies, Real from, Real until);

  /// The next pair to meet, in the order of time up to rounding, rounded down; nothing if no
  /// further pair meets before `until`. Each pair is reported once.
  [[nodiscard]] std::optional<BoundMeeting> next();

 private:
  /// Two faces next to each other are swapped; `lower` and `upper` name faces.
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
    std::vector<std::uint32_t> order;  ///< faces from low to high at the present instant
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
  std::vector<Real> places_;  ///< of the bodies' own faces
};

}  // namespace nearmiss
