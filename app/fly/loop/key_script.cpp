// SPDX-License-Identifier: MIT
#include "fly/loop/key_script.h"

#include <engine/base/nearest_name.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <sstream>
#include <utility>

#include "fly/command/actions.h"
#include "fly/flight_context.h"
#include "fly/loop/frame_times.h"

namespace nearmiss::app::fly {
namespace {

std::string unknownCommand(const std::string& name) {
  std::vector<std::string_view> names{"aim", "end"};
  for (const Command& command : commands()) names.push_back(command.name);
  return fmt::format("there is no command \"{}\".{}", name, engine::didYouMean(name, names));
}

/// Reads a line without its comment. Returns what is wrong with it; empty: nothing.
std::string readLine(std::istringstream& words, ScriptLine& line) {
  std::string name, word;
  if (!(words >> line.from >> name) || !std::isfinite(line.from) || line.from < 0.0)
    return "expected SECONDS COMMAND [VALUE] [for SECONDS]";
  line.until = line.from;
  if (name == "end") return words >> word ? "nothing may follow \"end\"" : "";
  const bool aims = name == "aim";
  line.command = commandNamed(name);
  if (!line.command && !aims) return unknownCommand(name);
  for (; words >> word; line.value += (line.value.empty() ? "" : " ") + word) {
    if (word != "for") continue;
    double length = 0.0;
    if (!(words >> length) || !(length > 0.0) || words >> word)
      return "expected seconds above 0 after \"for\"";
    line.until = line.from + length;
    break;
  }
  const bool held = line.until > line.from;
  const bool holds = aims || line.command->held;
  if (held && !holds) return fmt::format("\"{}\" acts once: remove \"for\"", name);
  if (!held && holds)
    return fmt::format("\"{}\" acts while its key is down: add \"for SECONDS\"", name);
  if (!line.value.empty() && (aims || line.command->kind != Control::Kind::Choice))
    return fmt::format("\"{}\" takes no value", name);
  return {};
}

/// Presses the key, or selects the named option.
void give(FlightContext& context, const ScriptLine& line) {
  const Command& command = *line.command;
  if (line.value.empty()) return apply(context, command.action);
  Control control;
  if (command.read) command.read(context, control);
  const auto option = std::ranges::find(control.options, line.value, &ControlOption::name);
  if (option == control.options.end()) {
    std::vector<std::string_view> names;
    for (const ControlOption& each : control.options) names.push_back(each.name);
    const std::string wrong =
        fmt::format("the script: \"{}\" has no option \"{}\".{}", command.name, line.value,
                    engine::didYouMean(line.value, names));
    return context.fail({ErrorCode::BadFormat, wrong}, Usage);
  }
  command.does(context, {static_cast<std::size_t>(option - control.options.begin()), std::nullopt});
}

}  // namespace

Result<KeyScript> KeyScript::read(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf()))
    return Error{ErrorCode::Unreadable, fmt::format("\"{}\" cannot be read", file.string())};
  return parse(text.str(), file.string());
}

Result<KeyScript> KeyScript::parse(std::string_view text, const std::string& origin) {
  KeyScript script;
  std::istringstream in{std::string(text)};
  std::string row;
  for (int number = 1; std::getline(in, row); ++number) {
    row.resize(std::min(row.size(), row.find('#')));
    if (row.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::istringstream words(row);
    ScriptLine line;
    std::string wrong = readLine(words, line);
    if (wrong.empty() && !script.lines_.empty() && line.from < script.lines_.back().from)
      wrong = "the times must not decrease";
    if (!wrong.empty())
      return Error{ErrorCode::BadFormat, fmt::format("\"{}\", line {}: {}", origin, number, wrong)};
    script.lines_.push_back(std::move(line));
  }
  return script;
}

std::vector<ScriptLine> KeyScript::advance(double seconds) {
  // A tolerance for rounding, so that a line belongs to the same frame on every machine
  constexpr double slight = 1e-6;
  now_ += seconds;
  std::vector<ScriptLine> due;
  for (; next_ < lines_.size() && lines_[next_].from <= now_ + slight; ++next_)
    due.push_back(lines_[next_]);
  held_.clear();
  aims_ = false;
  for (std::size_t i = 0; i < next_; ++i) {
    const ScriptLine& line = lines_[i];
    const bool now = line.until > now_ + slight;
    if (now && line.command) held_.push_back(line.command->action);
    aims_ = aims_ || (now && !line.command);
    ended_ = ended_ || (!line.command && line.until == line.from);
  }
  return due;
}

engine::ShipControl controlTowards(const Pose& ship, const Vec3& target) noexcept {
  constexpr double gain = 3.0, ahead = 0.9;
  const Vec3 apart = glm::conjugate(ship.rotation) * (target - ship.position);
  const double distance = glm::length(apart);
  engine::ShipControl control;
  if (!(distance > 0.0)) return control;
  const Vec3 way = apart / distance;
  // Behind the ship, any turn will do
  control.yaw = way.z > 0.0 ? (way.x > 0.0 ? -1.0 : 1.0) : std::clamp(-gain * way.x, -1.0, 1.0);
  control.pitch = std::clamp(gain * way.y, -1.0, 1.0);
  control.thrust = way.z < -ahead ? 1.0 : 0.0;
  return control;
}

void aimAtRing(FlightContext& context) {
  const FlightModes& modes = context.modes;
  const auto gates = modes.first.on() ? modes.first.gates() : modes.mission.gates();
  if (!context.hasFlight() || gates.empty()) return;
  const Flight& flight = context.flight();
  context.steering.control = controlTowards(
      flight.output().bodies[flight.simulation().userIndex()].pose, gates.front().centre);
}

bool scriptRuns(const FlightContext& context) noexcept {
  return context.script && context.hasFlight() && !context.flightManager.worker().busy() &&
         !context.modes.split.build();
}

double scriptStep(const FlightContext& context) noexcept {
  return engine::frameStep(context.options.scene);
}

void playScript(FlightContext& context) {
  if (!scriptRuns(context)) return;
  for (const ScriptLine& line : context.script->advance(context.times.turnSeconds))
    if (line.command && !line.command->held) give(context, line);
  context.input.hold(context.script->held());
  if (context.script->atEnd()) context.stop();
}

}  // namespace nearmiss::app::fly
