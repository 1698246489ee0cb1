// SPDX-License-Identifier: MIT
/// Runs the real program as a user would, in surroundings of its own.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "support/files.h"

namespace nearmiss::test {

/// The words of a command line.
using Words = std::vector<std::string>;

[[nodiscard]] inline Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

struct Outcome {
  int exitCode = -1;  ///< -1: ended by a signal
  std::string out, err;
};

class Program {
 public:
  explicit Program(std::string path) : path_(std::move(path)) {}

  /// The folder that stands for the user's home and working folder.
  [[nodiscard]] const TemporaryFolder& home() const noexcept { return home_; }
  /// The greatest size of a file that the program may write; 0: no limit.
  std::uint64_t fileLimit = 0;
  /// Bytes of addresses that the program may have, its threads' stacks among them; 0: no limit.
  std::uint64_t memoryLimit = 0;
  /// Where its output goes instead of Outcome: a device, say; "-": its stream is closed.
  std::string outTo, errTo;
  int signal = SIGINT;
  /// Sends `signal` after so long; 0: never. Counted from when `interruptOnceThereIs` exists, if
  /// set.
  std::chrono::milliseconds interruptAfter{0};
  std::string interruptOnceThereIs;  ///< a file in home()

  [[nodiscard]] Outcome run(const Words& arguments) const {
    const pid_t child = ::fork();
    if (child == 0) become(arguments);
    if (interruptAfter.count() > 0) {
      const auto patience = std::chrono::steady_clock::now() + std::chrono::minutes(1);
      while (!interruptOnceThereIs.empty() &&
             !std::filesystem::exists(home_ / interruptOnceThereIs) &&
             std::chrono::steady_clock::now() < patience)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      std::this_thread::sleep_for(interruptAfter);
      ::kill(child, signal);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, readText(home_ / "out"),
            readText(home_ / "err")};
  }

  /// As run(), later and later while the signal comes before the program hears signals.
  [[nodiscard]] Outcome runInterrupted(const Words& arguments) {
    const std::chrono::milliseconds first = interruptAfter;
    Outcome outcome = run(arguments);
    for (; outcome.exitCode == -1 && interruptAfter < 100 * first; interruptAfter *= 2)
      outcome = run(arguments);
    interruptAfter = first;
    return outcome;
  }

 private:
  static void redirect(int stream, const std::filesystem::path& usual, const std::string& to) {
    const int file = ::open(usual.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(to.empty() || to == "-" ? file : ::open(to.c_str(), O_WRONLY), stream);
    ::close(file);
    if (to == "-") ::close(stream);
  }

  [[noreturn]] void become(const Words& arguments) const {
    redirect(STDOUT_FILENO, home_ / "out", outTo);
    redirect(STDERR_FILENO, home_ / "err", errTo);
    if (::chdir(home_.path().c_str()) != 0) ::_exit(127);
    ::setenv("HOME", home_.path().c_str(), 1);
    ::setenv("XDG_CACHE_HOME", (home_ / "cache").c_str(), 1);
    ::setenv("XDG_CONFIG_HOME", (home_ / "config").c_str(), 1);
    ::setenv("XDG_DATA_HOME", (home_ / "data").c_str(), 1);
    if (fileLimit > 0) {
      const rlimit limit{fileLimit, fileLimit};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    if (memoryLimit > 0) {
      const rlimit limit{memoryLimit, memoryLimit};
      ::setrlimit(RLIMIT_AS, &limit);
    }
    std::vector<char*> words{const_cast<char*>(path_.c_str())};
    for (const std::string& argument : arguments)
      words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    ::execv(path_.c_str(), words.data());
    ::_exit(127);
  }

  std::string path_;
  TemporaryFolder home_;
};

}  // namespace nearmiss::test
