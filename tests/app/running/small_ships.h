// SPDX-License-Identifier: MIT
/// The program with a scene of small generated ships at hand, and what of its output is looked at.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "support/files.h"
#include "support/meshes.h"
#include "support/program.h"

namespace nearmiss::test {

inline std::string lastLine(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  const std::size_t begin = text.rfind('\n', end);
  return text.substr(begin + 1, end - begin);
}

inline std::vector<std::string> rowsOf(const std::string& csv) {
  std::vector<std::string> rows;
  std::istringstream stream(csv);
  for (std::string line; std::getline(stream, line);)
    if (!line.starts_with('#')) rows.push_back(line);
  return rows;
}

/// Small generated ships, so that no shipped model is needed.
class SmallShips : public testing::Test {
 protected:
  SmallShips() {
    writeText(home() / "torus.obj", asObj(torus(10, 6)));
    writeText(home() / "star.obj", asObj(spikyStar(3, 6, 8)));
    writeText(home() / "crowd.toml",
              "name = \"crowd\"\n[detector]\ntree = \"octree\"\n[arena]\nradius = "
              "3.5\n[player]\nmodel = \"torus.obj\"\n"
              "[[drones]]\nmodel = \"star.obj\"\ncount = 8\n");
  }

  const TemporaryFolder& home() const { return program_.home(); }
  Outcome run(const Words& words) const { return program_.run(words); }
  Outcome runCrowd(Words more) const {
    more.insert(more.begin(), {"run", "crowd.toml"});
    return run(more);
  }
  std::vector<std::string> filesIn(const std::filesystem::path& folder) const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

  Program program_{NEARMISS_PROGRAM};
};

}  // namespace nearmiss::test
