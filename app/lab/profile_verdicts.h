// SPDX-License-Identifier: MIT
/// Verdicts on the flights of H96 §11.3, in real time and at the prices of 1996.
#pragma once

#include <vector>

#include "lab/verdicts.h"

namespace nearmiss::app::lab {

[[nodiscard]] std::vector<PaperVerdict> judgeProfiles(const ExperimentResult& result);
[[nodiscard]] std::vector<PaperVerdict> judgeProfiles1996(const ExperimentResult& result);

}  // namespace nearmiss::app::lab
