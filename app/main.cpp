// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>

#include "command_line.h"
#include "console/complaint.h"
#include "list.h"
#include "replay.h"
#include "run.h"
#ifdef NEARMISS_HAVE_FLY
#include "fly/fly.h"
#endif

namespace nearmiss::app {
namespace {

int execute(const Ended& ended) { return ended.exitCode; }

#ifdef NEARMISS_HAVE_FLY
int execute(const FlyCommand& command) { return fly(command.options, command.memory); }
int execute(const ReplayCommand& command) {
  return command.validate ? validateSession(command) : replay(command, flySession);
}
int execute(const TreeSheetCommand& command) { return drawSheet(command); }
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
int execute(const SpheresCommand& command) { return writeSpheres(command); }
int execute(const RobotCommand& command) { return writeRobot(command); }
int execute(const InterfereCommand& command) { return interfere(command); }
int execute(const ExperimentCommand& command) { return command.run(); }
int execute(const ReportCommand& command) { return writeReport(command); }

/// A stream that was closed would lend its number to the next file that is opened, and what is said
/// to the user would end up there.
void keepStandardStreams() noexcept {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) (void)::open("/dev/null", O_RDONLY);
}

/// `code`, unless something that was printed got lost.
int whenAllIsPrinted(int code) noexcept {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  const int why = errno;
  if (flushed && std::ferror(stdout) == 0) return code;
  complain("cannot write to the standard output", why == 0 ? "" : std::strerror(why));
  return code == Ok ? Environment : code;
}

int perform(int count, char** words) {
  const Command command =
      parseCommandLine(std::vector<std::string>(words + std::min(count, 1), words + count));
  return std::visit([](const auto& each) { return execute(each); }, command);
}

}  // namespace
}  // namespace nearmiss::app

int main(int count, char** words) {
  using namespace nearmiss::app;
  // A file that reaches the limit on its size is a full disk, and a pipe that nobody reads any more
  // a file that cannot be written: neither is the end of the program
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  keepStandardStreams();
  // Errors of the machine, lack of memory above all, end here
  int code = Environment;
  try {
    code = perform(count, words);
  } catch (const std::bad_alloc&) {
    complain("there is not enough memory");
  } catch (const std::exception& fault) {
    if (std::ferror(stdout) == 0) complain("cannot go on", fault.what());
  } catch (...) {
    complain("the program failed for a reason that it does not know");
  }
  return whenAllIsPrinted(code);
}
