// SPDX-License-Identifier: MIT
/// What every program of this project does around its commands: standard streams, signals, errors
/// of the machine, and the parsing of what was typed.
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

/// The whole of main(): calls `perform` with the words behind the program's name, turns what it
/// throws into a sentence on stderr, and makes sure that all that was printed arrived.
int runProgram(int count, char** words, int (*perform)(const std::vector<std::string>& words));

/// After a complaint, if a word is empty or ends with the '=' of its option: most likely a variable
/// of a script that was never set.
[[nodiscard]] bool complainOfEmptyWord(const std::vector<std::string>& words);

/// Prints `sentence` and where the help is; returns Usage.
int usageError(const CLI::App& app, std::string_view sentence);

/// Fills what the options of `app` and its commands, at most two levels deep, are bound to.
/// Returns an exit code if nothing is left to do, since help was printed or a mistake named.
[[nodiscard]] std::optional<int> parseWords(CLI::App& app, std::vector<std::string> words);

/// The command that was typed, down to the last.
[[nodiscard]] const CLI::App& deepestCommand(const CLI::App& app);

}  // namespace nearmiss::app
