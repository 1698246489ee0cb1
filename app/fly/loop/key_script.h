// SPDX-License-Identifier: MIT
/// Commands that a file gives at set times, for films and demonstrations that anyone can repeat.
///
/// Each line is `SECONDS COMMAND [VALUE] [for SECONDS]`, in the order of time. COMMAND is a name of
/// the key map, such as `thrust_forward`. VALUE selects an option of a choice, as in `scene chase`.
/// `for` holds the key of a command that acts while its key is down. `# ...` is a comment.
/// `SECONDS aim for SECONDS` flies towards the next ring or another goal of a mission, and
/// `SECONDS end` ends the flight.
#pragma once

#include <nearmiss/result.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fly/command/command.h"

namespace nearmiss::app::fly {

struct ScriptLine {
  enum class Kind : std::uint8_t { Press, Hold, Aim, End };
  Kind kind = Kind::Press;
  double from = 0.0, until = 0.0;    ///< seconds of the script; equal unless held
  const Command* command = nullptr;  ///< of Press and Hold
  std::string value;                 ///< the name of an option; empty: the key alone
};

class KeyScript {
 public:
  /// Errors: Unreadable; BadFormat, which names the line and the nearest command.
  static Result<KeyScript> read(const std::filesystem::path& file);
  /// As above, from text. `origin` stands for the file in messages.
  static Result<KeyScript> parse(std::string_view text, const std::string& origin);

  /// Advances the script by `seconds`.
  void advance(double seconds) noexcept { now_ += seconds; }
  /// Starts the next line that is due and returns it; null if no line is due. Valid while the
  /// script lives.
  const ScriptLine* next() noexcept;
  /// The commands whose keys are down now.
  [[nodiscard]] std::vector<Action> held() const;
  /// Returns true if the ship flies towards the goal now.
  [[nodiscard]] bool aims() const noexcept;

 private:
  std::vector<ScriptLine> lines_;
  std::size_t next_ = 0;
  double now_ = 0.0;
};

/// Gives the commands of the options' script that are due. The script waits while a scene loads or
/// trees are built, also between two lines of one time, so that it does the same on every machine.
void playScript(FlightContext& context);
/// Returns true if a script plays and does not wait.
[[nodiscard]] bool scriptRuns(const FlightContext& context) noexcept;
/// Replaces the user's controls by these, towards the next ring or the goal of the mission; without
/// a goal does nothing.
void aimAtGoal(FlightContext& context);
/// Seconds of a turn of the loop while a script plays.
[[nodiscard]] double scriptStep(const FlightContext& context) noexcept;

}  // namespace nearmiss::app::fly
