// SPDX-License-Identifier: MIT
/// `nearmiss lab checks`: small numbers that the papers state, worked out again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lab/lab_result.h"

namespace nearmiss::app {

inline constexpr std::string_view checksSummary = "small numbers of the papers, worked out again";

struct ChecksCommand : LabCommand {
  std::size_t rotations = 500'000;  ///< of a unit cube [H96 §3]
  std::uint64_t seed = 1;
};

/// Prints a table; writes checks. Returns an ExitCode: ValidationFailed where a box is larger than
/// it can be.
int runChecks(const ChecksCommand& command);

}  // namespace nearmiss::app
