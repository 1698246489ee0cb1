// SPDX-License-Identifier: MIT
#include "fly/loop/key_script.h"

#include <engine/base/nearest_name.h>
#include <engine/flight/drone_pilots.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <glm/geometric.hpp>
#include <span>
#include <sstream>
#include <utility>

#include "fly/command/actions.h"
#include "fly/flight_context.h"
#include "fly/loop/frame_times.h"

namespace nearmiss::app::fly {
namespace {

/// Seconds. A line belongs to the same frame on every machine in spite of rounding.
constexpr double slight = 1e-6;

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
  using enum ScriptLine::Kind;
  if (name == "end") {
    line.kind = End;
    return words >> word ? "nothing may follow \"end\"" : "";
  }
  if (name == "aim") {
    line.kind = Aim;
  } else {
    line.command = commandNamed(name);
    if (!line.command) return unknownCommand(name);
    if (line.command->held) line.kind = Hold;
  }
  for (; words >> word; line.value += (line.value.empty() ? "" : " ") + word) {
    if (word != "for") continue;
    double length = 0.0;
    if (!(words >> length) || !(length > 0.0) || words >> word)
      return "expected seconds above 0 after \"for\"";
    line.until = line.from + length;
    break;
  }
  const bool lasts = line.until > line.from;
  if (lasts && line.kind == Press) return fmt::format("\"{}\" acts once: remove \"for\"", name);
  if (!lasts && line.kind != Press)
    return fmt::format("\"{}\" acts while its key is down: add \"for SECONDS\"", name);
  if (!line.value.empty() && !(line.command && line.command->kind == Control::Kind::Choice))
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

const ScriptLine* KeyScript::next() noexcept {
  return next_ < lines_.size() && lines_[next_].from <= now_ + slight ? &lines_[next_++] : nullptr;
}

std::vector<Action> KeyScript::held() const {
  std::vector<Action> actions;
  for (const ScriptLine& line : std::span(lines_).first(next_))
    if (line.kind == ScriptLine::Kind::Hold && line.until > now_ + slight)
      actions.push_back(line.command->action);
  return actions;
}

bool KeyScript::aims() const noexcept {
  return std::ranges::any_of(std::span(lines_).first(next_), [this](const ScriptLine& line) {
    return line.kind == ScriptLine::Kind::Aim && line.until > now_ + slight;
  });
}

void aimAtGoal(FlightContext& context) {
  const FlightModes& modes = context.modes;
  const Vec3* goal = modes.mission.on() ? modes.mission.mission()->goal() : nullptr;
  if (modes.first.on())
    goal = modes.first.gates().empty() ? nullptr : &modes.first.gates()[0].centre;
  if (!context.hasFlight() || !goal) return;
  constexpr double ahead = 0.9;  // cosine from which the ship thrusts
  const Flight& flight = context.flight();
  const Pose& ship = flight.output().bodies[flight.simulation().userIndex()].pose;
  const Vec3 way = *goal - ship.position;
  engine::ShipControl control = engine::steerTowards({}, ship, way);
  const double along = glm::dot(ship.rotation * Vec3(0.0, 0.0, -1.0), way);
  control.thrust = along > ahead * glm::length(way) ? 1.0 : 0.0;
  context.steering.control = control;
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
  KeyScript& script = *context.script;
  script.advance(context.times.turnSeconds);
  while (scriptRuns(context)) {
    const ScriptLine* line = script.next();
    if (!line) break;
    if (line->kind == ScriptLine::Kind::Press) give(context, *line);
    if (line->kind == ScriptLine::Kind::End) context.stop();
  }
  context.input.hold(script.held());
}

}  // namespace nearmiss::app::fly
