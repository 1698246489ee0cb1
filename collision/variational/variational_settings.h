// SPDX-License-Identifier: MIT
/// Which settings the variational builders can meet.
#pragma once

#include "tree/settings_check.h"
#include "variational/child_shares.h"

#include <nearmiss/sphere_tree_builder.h>

namespace nearmiss {

/// What is expected instead of a setting that cannot be met, or null.
[[nodiscard]] inline const char* faultOfVariational(const SphereTreeSettings& settings) noexcept {
  if (const char* fault = faultOfChoices(settings)) return fault;
  if (settings.branching < 2 || settings.branching > SpherePack::width)
    return "a branching of 2 to 8";
  if (settings.levels < 1 || settings.levels > 10) return "1 to 10 levels";
  if (!(settings.hausdorffTolerance > 0.0 && settings.hausdorffTolerance <= 1.0))
    return "a tolerance of H above 0 and at most 1";
  if (!(settings.errorBound >= 0.0)) return "no negative error bound";
  if (settings.mostSpheres > mostSpheresOf(settings.levels))
    return "at most 512 spheres for one level, 262144 for two and ten million for more";
  if (settings.workers < 1 || settings.workers > 1024) return "1 to 1024 workers";
  return nullptr;
}

}  // namespace nearmiss
