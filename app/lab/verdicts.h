// SPDX-License-Identifier: MIT
/// Whether the figures of the papers reproduce: a sentence for each, worked out from the tables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/result.h"

namespace nearmiss::app::lab {

enum class Reproduction : std::uint8_t { Reproduced, Ahead, NotReproduced };

struct PaperVerdict {
  std::string figure;  ///< of which paper
  Reproduction verdict = Reproduction::NotReproduced;
  std::string because;  ///< the figures that decide it
};

/// "H96 Fig. 14, ahead: ..." or "..., not reproduced, because ...".
[[nodiscard]] std::string sentenceOf(const PaperVerdict& verdict);

/// Of all figures that the experiment is about; none where it is about no paper's.
[[nodiscard]] std::vector<PaperVerdict> verdictsOf(const ExperimentResult& result);

/// Puts these sentences before the other notes of the first table, and of a summary.
void noteVerdicts(ExperimentResult& result);

}  // namespace nearmiss::app::lab
