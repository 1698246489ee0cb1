// SPDX-License-Identifier: MIT
/// Meshes of the lab besides the ships, and the work of an experiment whose items are models.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <optional>
#include <string>
#include <vector>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "lab/result.h"

namespace nearmiss::app::lab {

struct LabModel {
  std::string name;
  std::string kind;  ///< "thick", "thin", "link", "open" or "robot"; else "ship"
  TriangleMesh mesh;
};

/// Sixteen thick and thin solids, links of robots and open surfaces, each of a few thousand
/// triangles and about a metre in radius; the same bits each time, as are all below.
[[nodiscard]] std::vector<LabModel> makeLabModels();

/// Four parts of robots as CAD programs leave them, about a metre in radius: large triangles beside
/// small ones, several parts, some of them open. Their kind is "robot".
[[nodiscard]] std::vector<LabModel> makeRobotModels();

/// Ten links of robots, as collision meshes have them: one solid, overlapping parts, an open shell.
/// Those of makeLabModels() that are links, and others of boxes and capsules.
[[nodiscard]] std::vector<LabModel> makeLinkModels();

/// The names of makeLabModels() and of makeRobotModels().
[[nodiscard]] std::vector<std::string> labModelNames();

/// The lab's own models of these names, robots among them; other names are those of built-in models
/// or of files, of the kind "ship". Warns of what these need repaired. Errors: those of reading.
[[nodiscard]] Result<std::vector<LabModel>> chooseModels(const std::vector<std::string>& names);

/// Reads a built-in model or a file, and warns of what it needs repaired. Errors: those of reading.
[[nodiscard]] Result<LabModel> readShip(const std::string& nameOrFile);

/// Every triangle as four, by the midpoints of its edges: the surface stays where it is, and a
/// closed one closed.
[[nodiscard]] TriangleMesh subdivided(const TriangleMesh& mesh);

/// Measures the models of these names one after another, those of the shard: `measure(model, rows)`
/// appends what it finds, and each row goes to the table. Returns what keepResult() is to be told;
/// what was measured before an interrupt, or before a model that cannot be measured, stays.
template <class Row, class Measure>
[[nodiscard]] int measureModels(const std::vector<std::string>& names,
                                const ExperimentCommand& command, ExperimentResult& result,
                                const TableOf<Row>& table, std::vector<Row>& rows,
                                const Measure& measure) {
  result.tables = {table.empty()};
  const auto models = chooseModels(names);
  if (!models) return complain(models.error(), BadModelOrScene);
  result.items = models->size();
  for (std::size_t item = 0; item < models->size(); ++item) {
    if (!command.shard.has(item)) continue;
    const std::size_t first = rows.size();
    const auto added = measure((*models)[item], rows);
    if (!added) {
      rows.resize(first);
      return outcomeOf(added, BadModelOrScene);
    }
    for (std::size_t i = first; i < rows.size(); ++i) table.add(result.tables[0], item, rows[i]);
  }
  return Ok;
}

}  // namespace nearmiss::app::lab
