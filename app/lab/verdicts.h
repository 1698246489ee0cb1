// SPDX-License-Identifier: MIT
/// Judges from the tables whether the papers' figures reproduce; one sentence per figure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/result.h"

namespace nearmiss::app::lab {

enum class Reproduction : std::uint8_t { Reproduced, Ahead, NotReproduced };

struct PaperVerdict {
  std::string figure;  ///< figure of the paper
  Reproduction verdict = Reproduction::NotReproduced;
  std::string because;  ///< the values that decide it
};

/// "H96 Fig. 14, ahead: ..." or "..., not reproduced, because ...".
[[nodiscard]] std::string sentenceOf(const PaperVerdict& verdict);

/// Verdicts for all figures of an experiment; empty if it does not reproduce a paper.
[[nodiscard]] std::vector<PaperVerdict> verdictsOf(const ExperimentResult& result);

/// Inserts these sentences before the other notes of the first table and of a summary.
void noteVerdicts(ExperimentResult& result);

}  // namespace nearmiss::app::lab
