// SPDX-License-Identifier: MIT
#include "console/program.h"

#include <engine/base/nearest_name.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "console/complaint.h"

namespace nearmiss::app {
namespace {

/// Opens closed standard streams. Otherwise the next opened file would get their number, and
/// messages would be written into it.
void openStandardStreams() noexcept {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) (void)::open("/dev/null", O_RDONLY);
}

/// Without any memory, a library's destructor may fail and terminate the program: print a sentence
/// even then.
[[noreturn]] void endWithSentence() noexcept {
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    complain("not enough memory");
    std::_Exit(Environment);
  } catch (...) {
  }
  std::abort();
}

/// Returns `code`, or an error code if output was lost.
int flushOutput(int code) noexcept {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  const int why = errno;
  if (flushed && std::ferror(stdout) == 0) return code;
  complain("cannot write to the standard output", why == 0 ? "" : std::strerror(why));
  return code == Ok ? Environment : code;
}

/// The full command, such as "nearmiss tree build".
std::string pathOf(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent ? pathOf(*parent) + " " + app.get_name() : app.get_name();
}

/// Complains about remaining words: an unknown option or an excess argument.
std::optional<int> unknownWords(const CLI::App& app) {
  const std::vector<std::string> extras = app.remaining();
  if (extras.empty()) return std::nullopt;
  const auto option = std::find_if(extras.begin(), extras.end(), [](const std::string& extra) {
    return extra.size() > 1 && extra[0] == '-';
  });
  std::vector<std::string> known;
  const bool mistypedCommand = !app.get_subcommands({}).empty() && option != extras.begin();
  if (option == extras.end() || mistypedCommand) {
    for (const CLI::App* each : app.get_subcommands({})) known.push_back(each->get_name());
    if (known.empty())
      return usageError(app, fmt::format("unexpected argument \"{}\"", extras.front()));
    const std::vector<std::string_view> views(known.begin(), known.end());
    return usageError(
        app, fmt::format("unknown command \"{}\".{} Known: {}", extras.front(),
                         engine::didYouMean(extras.front(), views), fmt::join(known, ", ")));
  }
  for (const CLI::Option* each : app.get_options())
    for (const std::string& name : each->get_lnames()) known.push_back("--" + name);
  const std::vector<std::string_view> views(known.begin(), known.end());
  const std::string name = option->substr(0, option->find('='));
  return usageError(app,
                    fmt::format("unknown option \"{}\".{}", name, engine::didYouMean(name, views)));
}

}  // namespace

int runProgram(int count, char** words, int (*perform)(const std::vector<std::string>& words)) {
  // Treat a file size limit like a full disk, and a closed pipe like an unwritable file: neither
  // should end the program
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  openStandardStreams();
  std::set_terminate(endWithSentence);
  // The C library loads its unwinder at first use and terminates if memory has run out by then:
  // load it now
  void* frame = nullptr;
  (void)::backtrace(&frame, 1);
  // System errors such as lack of memory end here
  int code = Environment;
  try {
    code = perform(std::vector<std::string>(words + std::min(count, 1), words + count));
  } catch (const std::bad_alloc&) {
    complain("not enough memory");
  } catch (const std::exception& fault) {
    if (std::ferror(stdout) == 0) complain("cannot go on", fault.what());
  } catch (...) {
    complain("unknown error");
  }
  return flushOutput(code);
}

bool complainOfEmptyWord(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (!word.empty() && !(word.starts_with("--") && word.ends_with('='))) continue;
    complain(word.empty() ? std::string("an argument is empty")
                          : fmt::format("nothing follows \"{}\"", word));
    return true;
  }
  return false;
}

int usageError(const CLI::App& app, std::string_view sentence) {
  complain(sentence);
  printStderr(fmt::format("See {} --help.\n", pathOf(app)));
  return Usage;
}

std::optional<int> parseWords(CLI::App& app, std::vector<std::string> words) {
  app.require_subcommand(1);
  for (CLI::App* each : app.get_subcommands({})) {
    each->allow_extras();
    for (CLI::App* inner : each->get_subcommands({})) inner->allow_extras();
  }
  // CLI11 expects the arguments in reverse order
  std::reverse(words.begin(), words.end());
  try {
    app.parse(words);
  } catch (const CLI::Success& ended) {
    app.exit(ended);
    return Ok;
  } catch (const CLI::ParseError& mistake) {
    const CLI::App& at = deepestCommand(app);
    if (const auto unknown = unknownWords(at)) return unknown;
    return usageError(at, mistake.what());
  }
  return unknownWords(deepestCommand(app));
}

const CLI::App& deepestCommand(const CLI::App& app) {
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return *at;
}

}  // namespace nearmiss::app
