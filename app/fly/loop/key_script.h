// SPDX-License-Identifier: MIT
/// Commands that a file gives at set times, for films and demonstrations that anyone can repeat.
///
/// Each line is `SECONDS COMMAND [VALUE] [for SECONDS]`, in the order of time. COMMAND is a name of
/// the key map, such as `thrust_forward`. VALUE selects an option of a choice, as in `scene chase`.
/// `for` holds the key of a command that acts while its key is down. `# ...` is a comment.
/// `SECONDS aim for SECONDS` flies towards the next ring, and `SECONDS end`
/// ends the flight.
#pragma once

#include <engine/flight/ship.h>
#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fly/command/command.h"

namespace nearmiss::app::fly {

struct ScriptLine {
  double from = 0.0, until = 0.0;    ///< seconds of the script; equal: pressed once
  const Command* command = nullptr;  ///< null: aim, or the end if `until` is `from`
  std::string value;                 ///< the name of an option; empty: the key alone
};

class KeyScript {
 public:
  /// Errors: Unreadable; BadFormat, which names the line and the nearest command.
  static Result<KeyScript> read(const std::filesystem::path& file);
  /// As above, from text. `origin` stands for the file in messages.
  static Result<KeyScript> parse(std::string_view text, const std::string& origin);

  /// Advances the script by `seconds` and returns the lines that became due.
  [[nodiscard]] std::vector<ScriptLine> advance(double seconds);
  /// The commands whose keys are down now.
  [[nodiscard]] const std::vector<Action>& held() const noexcept { return held_; }
  /// Returns true if the ship flies towards the next ring now.
  [[nodiscard]] bool aims() const noexcept { return aims_; }
  [[nodiscard]] bool atEnd() const noexcept { return ended_; }

 private:
  std::vector<ScriptLine> lines_;
  std::vector<Action> held_;
  std::size_t next_ = 0;
  double now_ = 0.0;
  bool aims_ = false, ended_ = false;
};

/// Gives the commands of the options' script that are due. The script waits while a scene loads or
/// trees are built, so that it does the same on every machine.
void playScript(FlightContext& context);
/// Returns true if a script plays and does not wait.
[[nodiscard]] bool scriptRuns(const FlightContext& context) noexcept;
/// Returns the controls that fly `ship` towards `target`, world frame.
[[nodiscard]] engine::ShipControl controlTowards(const Pose& ship, const Vec3& target) noexcept;
/// Replaces the user's controls by these, towards the next ring; without a ring does nothing.
void aimAtRing(FlightContext& context);
/// Seconds of a turn of the loop while a script plays.
[[nodiscard]] double scriptStep(const FlightContext& context) noexcept;

}  // namespace nearmiss::app::fly
