// SPDX-License-Identifier: MIT
/// The work of an experiment whose items are models.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "lab/model_choice.h"
#include "lab/results.h"

namespace nearmiss::app {

/// Measures the models of these names one after another, those of the shard: `measure(model, rows)`
/// appends what it finds, and `write(item, row)` puts a row into the result. What was measured
/// until an interrupt is kept. Returns an exit code where a model cannot be had or measured.
template <class Row, class Command, class Measure, class Write>
[[nodiscard]] std::optional<int> measureModels(const std::vector<std::string>& names,
                                               const Command& command, LabResult& result,
                                               std::vector<Row>& rows, const Measure& measure,
                                               const Write& write) {
  const auto models = chooseModels(names);
  if (!models) return complain(models.error(), BadModelOrScene);
  result.items = models->size();
  for (std::size_t item = 0; item < models->size(); ++item) {
    if (!command.shard.has(item)) continue;
    const std::size_t first = rows.size();
    const auto added = measure((*models)[item], rows);
    if (!added && added.error().code == ErrorCode::Cancelled && interrupted()) break;
    if (!added) return complain(added.error(), BadModelOrScene);
    for (std::size_t i = first; i < rows.size(); ++i) write(item, rows[i]);
  }
  return std::nullopt;
}

}  // namespace nearmiss::app
