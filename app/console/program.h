// SPDX-License-Identifier: MIT
/// Common parts of all programs of this project: standard streams, signals, system errors, and
/// parsing of the command line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace nearmiss::app {

inline constexpr std::string_view exitCodes =
    "Exit codes: 0 ok, 1 usage, 2 environment (display, GL, disk), 3 model, scene or record,\n"
    "4 validation failed, 130 interrupted; a flight or a run that has begun ends with 0 then.";

/// Implements main(): calls `perform` with the arguments, reports exceptions as a sentence on
/// stderr, and checks that all output was written.
int runProgram(int count, char** words, int (*perform)(const std::vector<std::string>& words));

/// Complains and returns true if an argument is empty or ends with the '=' of its option, most
/// likely due to an unset variable of a script.
[[nodiscard]] bool complainOfEmptyWord(const std::vector<std::string>& words);

/// Prints `sentence` and where to find help; returns Usage.
int usageError(const CLI::App& app, std::string_view sentence);

/// Parses the options of `app` and its commands, at most two levels deep. Returns an exit code if
/// nothing is left to do because help or an error was printed.
[[nodiscard]] std::optional<int> parseWords(CLI::App& app, std::vector<std::string> words);

/// Returns the innermost command that was typed.
[[nodiscard]] const CLI::App& deepestCommand(const CLI::App& app);

}  // namespace nearmiss::app
