// SPDX-License-Identifier: MIT
#include "lab_program.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <system_error>

#include "console/complaint.h"

namespace nearmiss::app {
namespace {

namespace fs = std::filesystem;

/// The words as C has them, behind the program's name; they point into `words`.
std::vector<char*> argumentsOf(std::string& program, std::vector<std::string>& words) {
  std::vector<char*> arguments{program.data()};
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  return arguments;
}

}  // namespace

std::optional<fs::path> findLabProgram() {
  std::vector<fs::path> folders;
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  if (!failed) {
    folders.push_back(program.parent_path());
    folders.push_back(program.parent_path().parent_path() / "libexec" / "nearmiss");
  }
  const char* path = std::getenv("PATH");
  std::istringstream listed(path ? path : "");
  for (std::string folder; std::getline(listed, folder, ':');)
    if (!folder.empty()) folders.push_back(folder);
  for (const fs::path& folder : folders) {
    const fs::path candidate = folder / "nearmiss-lab";
    if (fs::is_regular_file(candidate, failed) && ::access(candidate.c_str(), X_OK) == 0)
      return candidate;
  }
  return std::nullopt;
}

std::string_view labProgramIsMissing() noexcept {
  return "nearmiss-lab is not beside this program; cmake --build build --target nearmiss-lab "
         "builds it";
}

int becomeLabProgram(const LabProgramCommand& command) {
  const auto file = findLabProgram();
  if (!file) {
    complain(labProgramIsMissing());
    return Environment;
  }
  std::string program = file->string();
  std::vector<std::string> words = command.words;
  ::execv(program.c_str(), argumentsOf(program, words).data());
  complain(fmt::format("cannot start \"{}\"", program), std::strerror(errno));
  return Environment;
}

int listExperiments() {
  const auto file = findLabProgram();
  if (!file) {
    fmt::print("none: {}\n", labProgramIsMissing());
    return Ok;
  }
  std::fflush(stdout);
  std::string program = file->string();
  std::vector<std::string> words{"list"};
  pid_t child = 0;
  int status = 0;
  const int fault = ::posix_spawn(&child, program.c_str(), nullptr, nullptr,
                                  argumentsOf(program, words).data(), environ);
  if (fault != 0) {
    complain(fmt::format("cannot start \"{}\"", program), std::strerror(fault));
    return Environment;
  }
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : Environment;
}

}  // namespace nearmiss::app
