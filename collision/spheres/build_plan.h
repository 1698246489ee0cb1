// SPDX-License-Identifier: MIT
/// Checked settings of one build.
#pragma once

#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/result.h>

#include <string_view>

namespace nearmiss {

/// The common settings together with those of one builder.
template <class Own>
struct BuildPlan : SphereTreeSettings, Own {
  BuildPlan(const SphereTreeSettings& common, const Own& own)
      : SphereTreeSettings(common), Own(own) {}
};

/// Maximum number of spheres of the deepest of `levels` levels.
[[nodiscard]] std::size_t maxSpheresOf(int levels) noexcept;

/// Errors: Unsupported, with a message that names the setting, its value and its range.
Result<Success> checkCommon(std::string_view builder, const SphereTreeSettings& settings);
Result<Success> checkOwn(std::string_view builder, const SphereTreeSettings& settings,
                         const VariationalSettings& own);
Result<Success> checkOwn(std::string_view builder, const SphereTreeSettings& settings,
                         const MedialSettings& own);

/// @param own the builder's own settings, part of `settings`
template <class Own>
Result<BuildPlan<Own>> planOf(std::string_view builder, const SphereTreeSettings& settings,
                              const Own& own) {
  auto sound = checkCommon(builder, settings);
  if (sound) sound = checkOwn(builder, settings, own);
  if (!sound) return sound.error();
  return BuildPlan<Own>(settings, own);
}

/// Enables the default node boxes and inner spheres if the settings have 0 of them.
void addUsual(std::size_t innerSpheres, SphereTreeSettings& settings) noexcept;

/// Converts the settings of a sphere-DAG to cluster settings without an error bound.
[[nodiscard]] VariationalSettings clusterSettings(const DagSettings& own) noexcept;

}  // namespace nearmiss
