// SPDX-License-Identifier: MIT
/// The verdict as it is told to those who do not see Refinement::conservative.
#pragma once

#include <nearmiss/narrow_phase.h>

namespace nearmiss {

/// Possible for a Separate that the coverage does not guarantee.
[[nodiscard]] inline Verdict promisedVerdict(const Refinement& known) noexcept {
  const bool promised = known.conservative || known.verdict != Verdict::Separate;
  return promised ? known.verdict : Verdict::Possible;
}

}  // namespace nearmiss
