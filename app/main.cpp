// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <string_view>

#include "command_line.h"
#include "complaint.h"
#include "list.h"
#include "run.h"
#ifdef NEARMISS_HAVE_FLY
#include "fly/fly.h"
#endif

namespace nearmiss::app {
namespace {

int execute(const Ended& ended) { return ended.exitCode; }

#ifdef NEARMISS_HAVE_FLY
int execute(const FlyCommand& command) { return fly(command.options); }
int execute(const TreeSheetCommand& command) { return drawSheet(command); }
#else
int refuse(std::string_view instead) {
  complain(fmt::format(
      "this program was built without the window (SDL2, OpenGL or Dear ImGui was missing); {}",
      instead));
  return Environment;
}
int execute(const FlyCommand&) { return refuse("nearmiss run simulates without it"); }
int execute(const TreeSheetCommand&) { return refuse("nearmiss tree info gives the figures"); }
#endif

int execute(const RunCommand& command) { return run(command.options); }

int execute(const PrintConfigCommand& command) {
  fmt::print("{}", engine::writeScene(command.options.scene));
  return Ok;
}

int execute(const ListCommand& command) { return list(command.what); }
int execute(const TreeBuildCommand& command) { return buildTree(command); }
int execute(const TreeInfoCommand& command) { return describeTree(command); }
int execute(const TreeExportCommand& command) { return exportTree(command); }
int execute(const TreeCheckCommand& command) { return checkTree(command); }
int execute(const Fig14Command& command) { return runFig14(command); }
int execute(const ProjectionCommand& command) { return runProjection(command); }
int execute(const TurkCommand& command) { return runTurk(command); }

}  // namespace
}  // namespace nearmiss::app

int main(int count, char** words) {
  using namespace nearmiss::app;
  // A file that reaches the limit on its size is a full disk, not the end of the program
  std::signal(SIGXFSZ, SIG_IGN);
  // What the machine cannot give, memory above all, ends here
  try {
    const Command command = parseCommandLine(std::vector<std::string>(words + 1, words + count));
    const int code = std::visit([](const auto& each) { return execute(each); }, command);
    if (std::fflush(stdout) == 0) return code;
    complain("cannot write to the standard output");
    return code == Ok ? Environment : code;
  } catch (const std::exception& fault) {
    complain(fmt::format("cannot go on: {}", fault.what()));
    return Environment;
  }
}
