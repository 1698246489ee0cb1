// SPDX-License-Identifier: MIT
#include "fuzz/target.h"

namespace nearmiss::fuzz {

std::vector<Target> allTargets() {
  std::vector<Target> all;
  for (const auto& more : {meshTargets(), keptFileTargets(), textTargets(), robotTargets(),
#ifdef NEARMISS_HAVE_FLY
                           windowTargets(),
#endif
                           pairTargets()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace nearmiss::fuzz
