// SPDX-License-Identifier: MIT
/// Two bodies on a test bench: their poses, and everything that the library computes for them.
/// Independent of the window.
#pragma once

#include <engine/flight/depth.h>
#include <engine/model/shape_set.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/pair.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::app::fly {

/// Limits of a comparison.
struct BenchLimits {
  std::optional<std::chrono::nanoseconds> time;  ///< `nullopt`: unlimited
  int level = engine::exactDepth;  ///< 0: the bounding spheres, engine::exactDepth: the triangles
  friend bool operator==(const BenchLimits&, const BenchLimits&) = default;
};

/// The settings of the bench.
struct BenchSetup {
  std::array<std::string, 2> models;  ///< built-in names, or files in their own frame and unit
  std::array<Pose, 2> poses;          ///< world, metres
  BenchLimits limits;
};
[[nodiscard]] bool samePlaces(const BenchSetup& a, const BenchSetup& b) noexcept;

/// Cost of one comparison by a method, from scratch.
struct BenchCost {
  std::string_view method;            ///< name on the screen and, without blanks, in CSV
  std::chrono::nanoseconds time{-1};  ///< median of several runs; negative: the method is not
                                      ///< available
  WorkCount work;
  Verdict verdict = Verdict::Possible;
};

struct BenchReading {
  Refinement known;  ///< within the limits
  std::vector<ContactSpheres> contacts;
  DistanceBounds distance;
  std::optional<PenetrationBounds> penetration;  ///< if the bodies intersect
  /// Contact points, or nearest points if the gap is at most nearShare of the smaller radius.
  ContactManifold manifold;
  /// If the bodies are separate: b moves straight towards the centre of a at `speed`.
  std::optional<ContactTime> contact;
  Real speed = 0.0;  ///< m/s: the smaller radius per second
  /// First with spheres within the limits, then without limits: with spheres, BSP trees and
  /// oriented boxes.
  std::array<BenchCost, 4> costs;
};

class Bench {
 public:
  /// Uses the first two shapes of a set, which may be equal.
  explicit Bench(std::shared_ptr<const engine::ShapeSet> shapes);
  ~Bench();

  [[nodiscard]] const std::shared_ptr<const engine::ShapeSet>& shapes() const noexcept {
    return shapes_;
  }
  /// Bounding sphere of a body in its own frame; the bench rotates a body about its centre.
  [[nodiscard]] const Sphere& around(std::size_t body) const noexcept { return around_[body]; }
  /// The same in the world frame.
  [[nodiscard]] Sphere around(std::size_t body, const Pose& pose) const noexcept {
    return {transformed(pose, around_[body].centre), around_[body].radius};
  }
  /// Poses of both bodies next to each other along x, separate.
  [[nodiscard]] std::array<Pose, 2> sideBySide() const noexcept;

  /// Compares the bodies. The first call builds the data of the methods. Errors: Unsupported for an
  /// invalid pose.
  Result<BenchReading> read(const BenchSetup& setup);

  // Tolerance of time to contact relative to both radii; its horizon [s]; work limit of one result
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

/// Formats a length, such as "2.35 m"; very small and large ones as "1.23e-09 m".
[[nodiscard]] std::string lengthText(Real metres);
/// Returns a header line and a line of values, each with a line end.
[[nodiscard]] std::string csvOf(const BenchSetup& setup, const BenchReading& reading);

}  // namespace nearmiss::app::fly
