// SPDX-License-Identifier: MIT
/// A fast estimate of a ball's Hausdorff distance from a surface, for searches over many balls.
#pragma once

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <array>
#include <cstdint>
#include <limits>

#include "spheres/distance_field.h"
#include "spheres/exposure_field.h"

namespace nearmiss {

/// Results of the estimate of one ball, reused for the next nearby ball: for each sample point, a
/// triangle near it and an upper bound of its distance from the surface.
struct ProbeMemory {
  static constexpr std::size_t samples = 93;
  struct Sample {
    std::uint32_t witness = 0;
    float atMost = std::numeric_limits<float>::infinity();  ///< relative to the reference ball
    std::uint8_t direction = 0;
  };
  std::array<Sample, samples> byHeight;  ///< approximately the most distant first
  Sphere reference;                      ///< the ball of the last full estimate
  /// A local maximum of the distance in the ball, relative to its centre, in radii.
  struct Summit {
    Vec3 at{0.0};
    std::uint32_t witness = 0;
  };
  std::array<Summit, 4> summits;  ///< of the reference ball, highest first
  std::size_t summitCount = 0;
};

/// The number of points of a ball that an estimate tests before it climbs.
enum class ProbeDensity : std::uint8_t { Coarse, Fine };

/// Tests the centre and evenly distributed points of the sphere, then climbs within the ball from
/// the farthest of them. The result is a lower bound, seldom too small by more than a few per cent.
class HausdorffProbe {
 public:
  /// @param field, exposure must outlive this
  /// @param insideWeight weight of distances inside the solid, 0 to 1
  /// @param exposure additional weight of distances; null: no weighting
  explicit HausdorffProbe(const DistanceField& field, Real insideWeight = 1.0,
                          const ExposureField* exposure = nullptr);

  /// Returns the maximum distance of the samples of `ball` from the surface, metres. If that is
  /// `giveUp` or more, returns any number from `giveUp` to it.
  [[nodiscard]] Real estimate(const Sphere& ball, ProbeMemory& memory, Real giveUp,
                              ProbeDensity density = ProbeDensity::Fine) const noexcept;

  /// As estimate() without giving up, but climbs from more samples, and stores the results for
  /// estimates of nearby balls.
  [[nodiscard]] Real explore(const Sphere& ball, ProbeMemory& memory) const noexcept;

 private:
  [[nodiscard]] float weightOf(const Vec3& point) const noexcept {
    return exposure_ ? exposure_->weight(point) : 1.0f;
  }
  /// Returns the weighted distance of `point`. If it is below `enough`, returns any value below
  /// `enough`; if it is at least `stop`, any value from `stop` on. Unless the result is `stop` or
  /// more, sets `atMost` to an upper bound of the unweighted distance, which changes no faster than
  /// the point moves. `weight` is that of the point.
  [[nodiscard]] float counted(const Vec3& point, float weight, std::uint32_t& witness, float enough,
                              float stop, float& atMost) const noexcept {
    // Points behind a triangle have a lower weight, so that triangle must be found
    const float limit =
        insideWeight_ == 1.0f ? 1.001f * stop / weight : std::numeric_limits<float>::infinity();
    atMost = field_->distance(point, witness, enough / weight, limit);
    const float counts = weight * atMost;
    if (insideWeight_ == 1.0f || counts <= enough) return counts;
    return field_->isBehind(witness, point) ? insideWeight_ * counts : counts;
  }
  float climb(const Sphere& ball, ProbeMemory::Summit& summit, float height,
              float stop) const noexcept;

  const DistanceField* field_;
  const ExposureField* exposure_;
  float insideWeight_;
  std::array<Vec3, ProbeMemory::samples> directions_;
  /// directions that coarse estimates use as well
  std::array<bool, ProbeMemory::samples> isCoarse_{};
};

/// Returns the weight of distances inside the solid for an objective. Without a solid there is no
/// inside.
[[nodiscard]] Real insideWeight(const Polyhedron& polyhedron, SphereObjective objective) noexcept;

}  // namespace nearmiss
