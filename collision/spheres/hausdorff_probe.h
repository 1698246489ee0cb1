// SPDX-License-Identifier: MIT
/// A quick estimate of a ball's Hausdorff distance from a surface, for searches over many balls.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/tree_builders.h>

#include <array>
#include <cstdint>
#include <limits>

#include "spheres/distance_field.h"
#include "spheres/exposure_field.h"

namespace nearmiss {

/// Results of the estimate of one ball that the next ball nearby starts from: for each sample point
/// a triangle near it, and how far it can be from the surface.
struct ProbeMemory {
  static constexpr std::size_t samples = 93;
  struct Sample {
    std::uint32_t witness = 0;
    float atMost = std::numeric_limits<float>::infinity();  ///< about the reference ball
    std::uint8_t direction = 0;
  };
  std::array<Sample, samples> byHeight;  ///< roughly the most distant first
  Sphere reference;                      ///< the ball of the last full estimate
  /// A local maximum of the distance in the ball, seen from its centre in radii.
  struct Summit {
    Vec3 at{0.0};
    std::uint32_t witness = 0;
  };
  std::array<Summit, 4> summits;  ///< of the reference ball, the highest first
  std::size_t summitCount = 0;
};

/// At how many points of a ball an estimate looks before it climbs.
enum class ProbeDensity : std::uint8_t { Coarse, Fine };

/// Looks at the centre and at even points of the sphere, then climbs within the ball from the worst
/// of them. An estimate from below, seldom by more than a few per cent.
class HausdorffProbe {
 public:
  /// @param field, exposure must outlive this
  /// @param insideWeight weight of distances inside of the solid, 0 to 1
  /// @param exposure further weight of distances; null: all alike
  explicit HausdorffProbe(const DistanceField& field, Real insideWeight = 1.0,
                          const ExposureField* exposure = nullptr);

  /// The max distance of the samples of `ball` from the surface, metres; or, where that is `giveUp`
  /// or more, any number from `giveUp` to it.
  [[nodiscard]] Real estimate(const Sphere& ball, ProbeMemory& memory, Real giveUp,
                              ProbeDensity density = ProbeDensity::Fine) const noexcept;

  /// As estimate() without giving up, but climbs from more of the samples, and remembers what it
  /// finds for estimates of balls nearby.
  [[nodiscard]] Real explore(const Sphere& ball, ProbeMemory& memory) const noexcept;

 private:
  [[nodiscard]] float weightOf(const Vec3& point) const noexcept {
    return exposure_ ? exposure_->weight(point) : 1.0f;
  }
  /// The weighted distance of `point`; anything below `enough` where it is less than that, and
  /// anything from `stop` on where it is at least that. `atMost` is at least the distance itself,
  /// which changes no faster than the point moves, unless the answer is `stop` or more. `weight` is
  /// the point's.
  [[nodiscard]] float counted(const Vec3& point, float weight, std::uint32_t& witness, float enough,
                              float stop, float& atMost) const noexcept {
    // Points behind a triangle count less: that triangle must be found
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
  std::array<bool, ProbeMemory::samples> isCoarse_{};  ///< directions of coarse estimates as well
};

/// The weight of distances inside of the solid for an objective; without a solid there is no
/// inside.
[[nodiscard]] Real insideWeight(const Polyhedron& polyhedron, SphereObjective objective) noexcept;

}  // namespace nearmiss
