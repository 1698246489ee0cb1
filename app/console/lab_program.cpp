// SPDX-License-Identifier: MIT
#include "console/lab_program.h"

#include <fmt/format.h>

#include <cstdio>

#include "console/child_program.h"
#include "console/complaint.h"

namespace nearmiss::app {

std::optional<std::filesystem::path> findLabProgram() { return findProgram("nearmiss-lab"); }

std::string_view labProgramIsMissing() noexcept {
  return "cannot find nearmiss-lab next to nearmiss. Build it with cmake --build build --target "
         "nearmiss-lab";
}

int becomeLabProgram(const LabProgramCommand& command) {
  const auto file = findLabProgram();
  if (!file) {
    complain(labProgramIsMissing());
    return Environment;
  }
  complain(becomeProgram(*file, command.words).message);
  return Environment;
}

int listExperiments() {
  const auto file = findLabProgram();
  if (!file) {
    fmt::print("none: {}\n", labProgramIsMissing());
    return Ok;
  }
  std::fflush(stdout);
  const auto ended = runChild(*file, {"list"}, ChildOutput::Shown);
  return ended ? *ended : complain(ended.error(), Environment);
}

}  // namespace nearmiss::app
