// SPDX-License-Identifier: MIT
/// What the C functions share: objects behind the handles, errors, budgets, plain structures.
#pragma once

#include <nearmiss/body_set.h>
#include <nearmiss/collide.h>
#include <nearmiss/contact_manifold.h>
#include <nearmiss/detail/bare_machine.h>
#include <nearmiss/distance.h>
#include <nearmiss/nearmiss_c.h>
#include <nearmiss/point_query.h>
#include <nearmiss/protrusion.h>
#include <nearmiss/ray.h>
#include <nearmiss/shape.h>
#include <nearmiss/time_budget.h>

#include <exception>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

struct nearmiss_shape {
  nearmiss::Shape shape;
};

/// The queries of a pair begin when they are first asked, for each has memory of its own.
struct nearmiss_pair {
  struct Taken {
    nearmiss::Shape a, b;
    nearmiss::Pose poseA, poseB;
  };
  std::optional<Taken> taken;
  nearmiss::PairQuery collide;
  nearmiss::DistanceQuery distance;
  nearmiss::PenetrationQuery penetration;
  nearmiss::ProtrusionQuery protrusion;
  nearmiss::ManifoldQuery manifold;
  nearmiss::ManifoldSettings patch;  ///< of the manifold
  bool collides = false, measures = false, penetrates = false, protrudes = false;  ///< begun
  bool touches = false;                                                            ///< likewise
};

struct nearmiss_world {
  nearmiss::BodySet bodies;
  const nearmiss::BodySetCollisions* found = nullptr;   ///< of `bodies`; null before any detection
  const nearmiss::BodySetContacts* touching = nullptr;  ///< likewise: null before any contacts
  std::vector<nearmiss::BodyHandle> holders;            ///< kept for its memory
};

namespace nearmiss::c {

/// Keeps the sentence for nearmiss_error().
nearmiss_status failed(nearmiss_status status, std::string_view sentence) noexcept;
nearmiss_status failed(const Error& error) noexcept;
/// "`what` must not be null"
nearmiss_status isNull(std::string_view what) noexcept;

/// "pose_b: position.y is nan, but must be finite", of the error of a check().
nearmiss_status failed(std::string_view argument, const Error& error) noexcept;

/// Checks arguments in turn, each given by its name and its value. Fails with the first error.
template <class Value, class... Rest>
nearmiss_status checkArguments(std::string_view name, const Value& value, const Rest&... rest) {
  if (const auto sound = check(value); !sound) return failed(name, sound.error());
  if constexpr (sizeof...(rest) > 0) return checkArguments(rest...);
  return NEARMISS_OK;
}

/// What `work` returns, a status; nothing that it throws leaves.
template <class Work>
nearmiss_status guarded(const Work& work) noexcept {
  NEARMISS_TRY { return work(); }
  NEARMISS_CATCH(const std::exception&) {
    return failed(NEARMISS_OUT_OF_MEMORY, "there is not enough memory");
  }
}

/// Calls use(value) if there is one.
template <class T, class Use>
nearmiss_status withValue(Result<T> result, const Use& use) {
  if (!result) return failed(result.error());
  use(*std::move(result));
  return NEARMISS_OK;
}

/// Makes the shape of a mesh; fails as that did.
/// @param settings may be null or of another version, which is an error
[[nodiscard]] nearmiss_status makeFrom(Result<TriangleMesh> mesh,
                                       const nearmiss_shape_settings* settings,
                                       nearmiss_shape** shape);

/// The budget of `seconds`; nothing, and an error, where that is no time.
[[nodiscard]] std::optional<TimeBudget> budgetOf(double seconds) noexcept;

/// The first of these pointers that is null, by name; null if none is.
template <class... Pointers>
[[nodiscard]] const char* firstNull(const Pointers&... named) noexcept {
  const char* missing = nullptr;
  ((missing = !missing && !named.second ? named.first : missing), ...);
  return missing;
}

/// A pointer and the name of its parameter.
using Named = std::pair<const char*, const void*>;

[[nodiscard]] Vec3 vectorOf(const double* v) noexcept;
[[nodiscard]] Pose poseOf(const nearmiss_pose& pose) noexcept;
[[nodiscard]] nearmiss_answer plain(const Refinement& known) noexcept;
[[nodiscard]] nearmiss_distance_bounds plain(const DistanceBounds& bounds) noexcept;
[[nodiscard]] nearmiss_penetration_bounds plain(const PenetrationBounds& bounds) noexcept;
[[nodiscard]] nearmiss_protruding plain(const Protrusion& found) noexcept;
[[nodiscard]] nearmiss_ray_hit plain(const RayHit& found) noexcept;
[[nodiscard]] nearmiss_point_bounds plain(const NearestPoint& found) noexcept;
[[nodiscard]] nearmiss_manifold_point plain(const ManifoldPoint& point) noexcept;
[[nodiscard]] Ray rayOf(const nearmiss_ray& ray) noexcept;
void put(const Vec3& from, double* to) noexcept;

}  // namespace nearmiss::c
