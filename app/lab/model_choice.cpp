// SPDX-License-Identifier: MIT
#include "lab/model_choice.h"

#include <engine/model/model_loader.h>

#include <algorithm>
#include <utility>

#include "console/complaint.h"
#include "lab/robot_models.h"

namespace nearmiss::app {

Result<std::vector<LabModel>> chooseModels(const std::vector<std::string>& names) {
  std::vector<LabModel> known = makeLabModels(), models;
  for (LabModel& robot : makeRobotModels()) known.push_back(std::move(robot));
  for (const std::string& name : names) {
    const auto own = std::find_if(known.begin(), known.end(),
                                  [&](const LabModel& model) { return model.name == name; });
    if (own != known.end()) {
      models.push_back(*own);
      continue;
    }
    const auto path = engine::findModel(name);
    if (!path) return path.error();
    auto loaded = engine::loadModel(*path);
    if (!loaded) return loaded.error();
    for (const std::string& warning : loaded->warnings) complain(warning);
    models.push_back({loaded->name, "ship", std::move(loaded->mesh)});
  }
  return models;
}

}  // namespace nearmiss::app
