// SPDX-License-Identifier: MIT
/// Shared parts of the C functions: objects behind the handles, errors, budgets, plain structures.
#pragma once

#include <nearmiss/detail/bare_machine.h>
#include <nearmiss/nearmiss_c.h>
#include <nearmiss/pair.h>
#include <nearmiss/ray.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>
#include <nearmiss/world.h>

#include <exception>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

struct nearmiss_shape {
  nearmiss::Shape shape;
};

/// The queries of a pair. Each is started at its first use, because each has its own memory.
struct nearmiss_pair {
  struct Taken {
    nearmiss::Shape a, b;
    nearmiss::Pose poseA, poseB;
  };
  std::optional<Taken> taken;
  nearmiss::CollisionQuery collide;
  nearmiss::DistanceQuery distance;
  nearmiss::PenetrationQuery penetration;
  nearmiss::ProtrusionQuery protrusion;
  nearmiss::ManifoldQuery manifold;
  nearmiss::ManifoldSettings patch;  ///< settings of the manifold
  /// Queries that were started.
  bool collides = false, measures = false, penetrates = false, protrudes = false;
  /// Manifold query was started.
  bool touches = false;
};

struct nearmiss_world {
  nearmiss::World bodies;
  /// Of `bodies`; null before the first detection.
  const nearmiss::WorldCollisions* found = nullptr;
  const nearmiss::WorldContacts* touching = nullptr;  ///< null before the first contacts
  std::vector<nearmiss::BodyHandle> holders;          ///< kept to reuse its memory
};

namespace nearmiss::c {

/// Stores the sentence for nearmiss_error() and returns the status.
nearmiss_status failed(nearmiss_status status, std::string_view sentence) noexcept;
nearmiss_status failed(const Error& error) noexcept;
/// Fails with "`what` must not be null".
nearmiss_status isNull(std::string_view what) noexcept;

/// Fails with the error of a check() and the name of the argument, such as "pose_b: position.y is
/// nan, but must be finite".
nearmiss_status failed(std::string_view argument, const Error& error) noexcept;

/// Checks arguments in turn, each given by name and value. Fails with the first error.
template <class Value, class... Rest>
nearmiss_status checkArguments(std::string_view name, const Value& value, const Rest&... rest) {
  if (const auto sound = check(value); !sound) return failed(name, sound.error());
  if constexpr (sizeof...(rest) > 0) return checkArguments(rest...);
  return NEARMISS_OK;
}

/// Returns the status of `work`. Converts exceptions to errors.
template <class Work>
nearmiss_status guarded(const Work& work) noexcept {
  NEARMISS_TRY { return work(); }
  NEARMISS_CATCH(const std::exception&) {
    return failed(NEARMISS_OUT_OF_MEMORY, "there is not enough memory");
  }
}

/// Calls use(value) if there is a value; otherwise fails with the error.
template <class T, class Use>
nearmiss_status withValue(Result<T> result, const Use& use) {
  if (!result) return failed(result.error());
  use(*std::move(result));
  return NEARMISS_OK;
}

/// Makes the shape of a mesh. Fails with the error of `mesh`.
/// @param settings may be null; an unknown version is an error
[[nodiscard]] nearmiss_status makeFrom(Result<TriangleMesh> mesh,
                                       const nearmiss_shape_settings* settings,
                                       nearmiss_shape** shape);

/// Returns the budget of `seconds`; empty, with an error set, if that is not a valid time.
[[nodiscard]] std::optional<TimeBudget> budgetOf(double seconds) noexcept;

/// Returns the name of the first null pointer; null if there is none.
template <class... Pointers>
[[nodiscard]] const char* firstNull(const Pointers&... named) noexcept {
  const char* missing = nullptr;
  ((missing = !missing && !named.second ? named.first : missing), ...);
  return missing;
}

/// A pointer and its parameter name.
using Named = std::pair<const char*, const void*>;

[[nodiscard]] Vec3 vectorOf(const double* v) noexcept;
[[nodiscard]] Pose poseOf(const nearmiss_pose& pose) noexcept;
[[nodiscard]] nearmiss_refinement plain(const Refinement& known) noexcept;
[[nodiscard]] nearmiss_distance_bounds plain(const DistanceBounds& bounds) noexcept;
[[nodiscard]] nearmiss_penetration_bounds plain(const PenetrationBounds& bounds) noexcept;
[[nodiscard]] nearmiss_protruding plain(const Protrusion& found) noexcept;
[[nodiscard]] nearmiss_ray_hit plain(const RayHit& found) noexcept;
[[nodiscard]] nearmiss_point_bounds plain(const NearestPoint& found) noexcept;
[[nodiscard]] nearmiss_manifold_point plain(const ManifoldPoint& point) noexcept;
[[nodiscard]] Ray rayOf(const nearmiss_ray& ray) noexcept;
void put(const Vec3& from, double* to) noexcept;

}  // namespace nearmiss::c
