// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <string_view>

#include "command_line/command_line.h"
#include "command_line/list.h"
#include "console/complaint.h"
#include "console/program.h"
#include "running/replay.h"
#include "running/run.h"
#ifdef NEARMISS_HAVE_FLY
#include "fly/fly.h"
#endif

namespace nearmiss::app {
namespace {

int execute(const Ended& ended) { return ended.exitCode; }

#ifdef NEARMISS_HAVE_FLY
int execute(const FlyCommand& command) { return fly::flyScene(command.options, command.memory); }
int execute(const ReplayCommand& command) {
  return command.validate ? validateSession(command) : replay(command, fly::flySession);
}
int execute(const tree::TreeSheetCommand& command) { return tree::drawSheet(command); }
#else
int refuse(std::string_view instead) {
  complain(fmt::format(
      "this program was built without the window (SDL2, OpenGL or Dear ImGui was missing); {}",
      instead));
  return Environment;
}
int execute(const FlyCommand&) { return refuse("nearmiss run simulates without it"); }
int execute(const ReplayCommand& command) {
  return command.validate ? validateSession(command)
                          : refuse("nearmiss replay --validate compares without it");
}
int execute(const tree::TreeSheetCommand&) {
  return refuse("nearmiss tree info gives the figures");
}
#endif

int execute(const RunCommand& command) { return run(command.options); }

int execute(const PrintConfigCommand& command) {
  fmt::print("{}", engine::writeScene(command.options.scene));
  return Ok;
}

int execute(const ListCommand& command) { return list(command.what); }
int execute(const tree::TreeBuildCommand& command) { return tree::buildTree(command); }
int execute(const tree::TreeInfoCommand& command) { return tree::describeTree(command); }
int execute(const tree::TreeExportCommand& command) { return tree::exportTree(command); }
int execute(const tree::TreeCheckCommand& command) { return tree::checkTree(command); }
int execute(const mesh::MeshCheckCommand& command) { return mesh::checkMeshFile(command); }
int execute(const tree::SpheresCommand& command) { return tree::writeSpheres(command); }
int execute(const robot::RobotCommand& command) { return robot::writeRobot(command); }
int execute(const robot::AuditCommand& command) { return robot::auditSpheres(command); }
int execute(const InterfereCommand& command) { return interfere(command); }
int execute(const LabProgramCommand& command) { return becomeLabProgram(command); }

int perform(const std::vector<std::string>& words) {
  const Command command = parseCommandLine(words);
  return std::visit([](const auto& each) { return execute(each); }, command);
}

}  // namespace
}  // namespace nearmiss::app

int main(int count, char** words) {
  return nearmiss::app::runProgram(count, words, nearmiss::app::perform);
}
