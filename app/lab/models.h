// SPDX-License-Identifier: MIT
/// Meshes of the lab other than the ships, and a loop over models as work items.
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

/// Returns sixteen thick and thin solids, robot links and open surfaces, each with a few thousand
/// triangles and a radius of about 1 m. All models in this file are bitwise reproducible.
[[nodiscard]] std::vector<LabModel> makeLabModels();

/// Returns four robot parts as CAD programs export them, with a radius of about 1 m: large
/// triangles next to small ones, several components, some open. Their kind is "robot".
[[nodiscard]] std::vector<LabModel> makeRobotModels();

/// Returns ten robot links as collision meshes: a single solid, overlapping parts, or an open
/// shell. Includes the links of makeLabModels(); the others consist of boxes and capsules.
[[nodiscard]] std::vector<LabModel> makeLinkModels();

/// The built-in models that stand for the paper's ships [H96 §11].
[[nodiscard]] inline std::vector<std::string> paperModels() {
  return {"lamp", "faucet", "rocket", "truck"};
}

/// Names of makeLabModels() and makeRobotModels().
[[nodiscard]] std::vector<std::string> labModelNames();

/// Returns the lab's models of these names, including robots. Other names are built-in models or
/// files, of the kind "ship", with warnings about repairs. Errors: those of reading.
[[nodiscard]] Result<std::vector<LabModel>> chooseModels(const std::vector<std::string>& names);

/// Reads a built-in model or a file, with warnings about repairs. Errors: those of reading.
[[nodiscard]] Result<LabModel> readShip(const std::string& nameOrFile);

/// Splits every triangle into four at the midpoints of its edges. The surface does not move, and a
/// closed surface stays closed.
[[nodiscard]] TriangleMesh subdivided(const TriangleMesh& mesh);

/// Measures the models of the shard one after another; `measure(model, rows)` appends its rows,
/// which are added to the table. Returns the outcome for writeResult(). Rows measured before an
/// interrupt or a failure are kept.
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
