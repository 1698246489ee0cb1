// SPDX-License-Identifier: MIT
/// Two bodies on a bench: where they are, and all that the library says of them there, without a
/// window.
#pragma once

#include <engine/flight/depth.h>
#include <engine/model/shape_set.h>
#include <nearmiss/collide.h>
#include <nearmiss/contact_manifold.h>
#include <nearmiss/distance.h>
#include <nearmiss/narrow_phase.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::app::fly {

/// How far a comparison goes.
struct BenchLimits {
  std::optional<std::chrono::nanoseconds> time;  ///< nothing: unlimited
  int level = engine::exactDepth;  ///< 0: the bounding spheres, engine::exactDepth: the triangles
  friend bool operator==(const BenchLimits&, const BenchLimits&) = default;
};

/// All that is set on the bench.
struct BenchSetup {
  std::array<std::string, 2> models;  ///< built-in names, or files in their own frame and unit
  std::array<Pose, 2> poses;          ///< world, metres
  BenchLimits limits;
};
[[nodiscard]] bool samePlaces(const BenchSetup& a, const BenchSetup& b) noexcept;

/// What one comparison by a method takes, from its start.
struct BenchCost {
  std::string_view method;            ///< on the screen and, without blanks, in CSV
  std::chrono::nanoseconds time{-1};  ///< median of some; below 0: the method cannot be asked
  WorkCount work;
  Verdict verdict = Verdict::Possible;
};

struct BenchReading {
  Refinement known;  ///< within the limits
  std::vector<ContactSpheres> contacts;
  DistanceBounds distance;
  std::optional<PenetrationBounds> penetration;  ///< where the bodies meet
  /// Where they touch, or are nearest if the gap is at most nearShare of the smaller radius.
  ContactManifold manifold;
  /// Where they are apart, b moving straight towards the middle of a at `speed`.
  std::optional<ContactTime> contact;
  Real speed = 0.0;  ///< metres per second: the smaller radius in one
  /// Within the limits, then to the end: spheres, BSP trees, turned boxes.
  std::array<BenchCost, 4> costs;
};

class Bench {
 public:
  /// The first two shapes of a set, which may be equal.
  explicit Bench(std::shared_ptr<const engine::ShapeSet> shapes);
  ~Bench();

  [[nodiscard]] const std::shared_ptr<const engine::ShapeSet>& shapes() const noexcept {
    return shapes_;
  }
  /// The sphere around a body in its own frame: rotation on the bench is about its centre.
  [[nodiscard]] const Sphere& around(std::size_t body) const noexcept { return around_[body]; }
  /// The same in the world.
  [[nodiscard]] Sphere around(std::size_t body, const Pose& pose) const noexcept {
    return {transformed(pose, around_[body].centre), around_[body].radius};
  }
  /// The two beside each other, along x and apart.
  [[nodiscard]] std::array<Pose, 2> besideEachOther() const noexcept;

  /// Compares them. Makes what methods need at the first call. Errors: Unsupported, for a pose that
  /// the library does not take.
  Result<BenchReading> read(const BenchSetup& setup);

  // How near time to contact comes, of the radii together, and how far it looks; work of one answer
  static constexpr Real contactTolerance = 1e-4, horizon = 60.0;
  static constexpr Real nearShare = 0.05;  ///< see BenchReading::manifold
  static constexpr std::chrono::milliseconds effort{50};

 private:
  struct Methods;
  void measure(const BenchSetup& setup, BenchReading& reading);

  std::shared_ptr<const engine::ShapeSet> shapes_;
  std::array<Sphere, 2> around_;
  std::unique_ptr<Methods> methods_;
};

/// "2.35 m", and below and above what people measure "1.23e-09 m".
[[nodiscard]] std::string lengthText(Real metres);
/// One line of names and one of values, each ended.
[[nodiscard]] std::string csvOf(const BenchSetup& setup, const BenchReading& reading);

}  // namespace nearmiss::app::fly
