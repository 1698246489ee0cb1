// SPDX-License-Identifier: MIT
#include "lab/experiments.h"

#include <array>

#include "lab/fig14.h"

namespace nearmiss::app {

std::span<const ExperimentEntry> experimentCatalog() noexcept {
  static constexpr std::array<ExperimentEntry, 1> entries{{{"fig14", fig14Summary}}};
  return entries;
}

}  // namespace nearmiss::app
