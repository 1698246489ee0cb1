// SPDX-License-Identifier: MIT
/// The verdict for users who do not check Refinement::conservative.
#pragma once

#include <nearmiss/advanced/narrow_phase.h>

namespace nearmiss {

/// Returns Possible for a Separate that the coverage does not guarantee.
[[nodiscard]] inline Verdict promisedVerdict(const Refinement& known) noexcept {
  const bool promised = known.conservative || known.verdict != Verdict::Separate;
  return promised ? known.verdict : Verdict::Possible;
}

}  // namespace nearmiss
