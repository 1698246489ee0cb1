// SPDX-License-Identifier: MIT
#include "console/child_program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <system_error>

namespace nearmiss::app {
namespace {

namespace fs = std::filesystem;

/// C-style arguments after the program's name; they point into `words`.
std::vector<char*> argumentsOf(std::string& program, std::vector<std::string>& words) {
  std::vector<char*> arguments{program.data()};
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  return arguments;
}

Error cannotStart(const std::string& program, int fault) {
  return {ErrorCode::Unreadable, "cannot start \"" + program + "\": " + std::strerror(fault)};
}

}  // namespace

std::optional<fs::path> findProgram(std::string_view name) {
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
    const fs::path candidate = folder / name;
    if (fs::is_regular_file(candidate, failed) && ::access(candidate.c_str(), X_OK) == 0)
      return candidate;
  }
  return std::nullopt;
}

Error becomeProgram(const fs::path& file, std::vector<std::string> words) {
  std::string program = file.string();
  ::execv(program.c_str(), argumentsOf(program, words).data());
  return cannotStart(program, errno);
}

Result<int> runChild(const fs::path& file, std::vector<std::string> words, ChildOutput output) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  if (output == ChildOutput::Dropped)
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
  // If the caller ignores ended children, this process inherits that and could not get the exit
  // code
  ::signal(SIGCHLD, SIG_DFL);
  std::string program = file.string();
  pid_t child = 0;
  const int fault = ::posix_spawn(&child, program.c_str(), &actions, nullptr,
                                  argumentsOf(program, words).data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (fault != 0) return cannotStart(program, fault);
  int status = 0;
  pid_t ended = 0;
  do ended = ::waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended < 0) return Error{ErrorCode::Unreadable, "cannot tell how \"" + program + "\" ended"};
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace nearmiss::app
