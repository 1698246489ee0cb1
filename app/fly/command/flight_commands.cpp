// SPDX-License-Identifier: MIT
#include <engine/model/model_loader.h>
#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "console/text.h"
#include "fly/choices/detection_choice.h"
#include "fly/command/rows.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {
namespace {

constexpr double doublePressSeconds = 0.4;

CommandRow held(Action action, std::string_view name, std::string_view title,
                std::string_view sentence, SDL_Scancode key,
                SDL_Scancode other = SDL_SCANCODE_UNKNOWN) {
  return CommandRow(KeyGroup::Flight, action, name, title, sentence).key(key, other).held();
}

void stopTurning(FlightContext& context, const Selection&) {
  const double now = context.times.wallSeconds();
  Steering& steering = context.steering;
  context.ui.steering.stick = glm::vec2(0.0f);
  steering.stopShip = now - steering.lastStopKey < doublePressSeconds;
  steering.lastStopKey = steering.stopShip ? -1.0 : now;
  context.say("stop", steering.stopShip ? "the ship stops" : "the ship stops turning");
}

void readSpeed(FlightContext& context, Control& control) {
  for (int e = slowestSpeed; e <= fastestSpeed; ++e)
    control.options.push_back(
        {e < 0 ? fmt::format("1/{} ×", 1 << -e) : fmt::format("{} ×", 1 << e), {}});
  control.chosen = static_cast<std::size_t>(context.ui.pace.speedExponent - slowestSpeed);
}

constexpr std::array<Real, 5> walls{10.0, 20.0, 42.0, 60.0, 120.0};  // metres
constexpr std::array droneCounts{1, 3, 6, 12, 24, 48, 100, 300};

/// Seeds to choose from, in ascending order, including the current one.
std::vector<std::uint64_t> seedChoices(std::uint64_t now) {
  std::vector<std::uint64_t> seeds{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 42};
  if (std::ranges::find(seeds, now) == seeds.end()) seeds.push_back(now);
  std::ranges::sort(seeds);
  return seeds;
}

}  // namespace

std::vector<Command> flightCommands() {
  using enum Action;
  return {
      CommandRow(KeyGroup::Flight, "scene", "scene",
                 "Which ships fly, how many and where; detection stays as it is.")
          .choice([](FlightContext& context, Control& control) {
            static const std::vector<std::string> scenes = engine::builtInScenes();
            offer(control, scenes, context.flight().scene().name);
          })
          .does([](FlightContext& context, const Selection& selection) {
            selectScene(context, engine::builtInScenes()[selection.option]);
          }),
      CommandRow(KeyGroup::Flight, "drone_model", "drones' model",
                 "Model of the other ships; a file of your own can be dropped on the window.")
          .choice([](FlightContext& context, Control& control) {
            static const std::vector<std::string> models = engine::builtInModels();
            const auto& drones = context.flight().scene().drones;
            offer(control, models, drones.empty() ? std::string_view() : drones.front().model);
          })
          .does([](FlightContext& context, const Selection& selection) {
            dropModel(context, engine::builtInModels()[selection.option]);
          }),
      CommandRow(KeyGroup::Flight, "drones", "drones",
                 "How many other ships fly; the scene starts again.")
          .choice([](FlightContext& context, Control& control) {
            int flying = 0;
            for (const auto& group : context.flight().scene().drones) flying += group.count;
            offer(
                control, droneCounts, [=](int count) { return count == flying; },
                [](int count) { return fmt::format("{}", count); });
          })
          .does([](FlightContext& context, const Selection& selection) {
            selectDroneCount(context, droneCounts[selection.option]);
          }),
      CommandRow(KeyGroup::Flight, "arena", "arena",
                 "How far the wall is from the middle; the scene starts again.")
          .choice([](FlightContext& context, Control& control) {
            const Real now = context.flight().world().ships().arena().radius;
            offer(
                control, walls, [=](Real wall) { return wall == now; }, gapText);
          })
          .does([](FlightContext& context, const Selection& selection) {
            selectArena(context, walls[selection.option]);
          }),
      CommandRow(KeyGroup::Flight, "model_file", "model file",
                 "A model in this folder, for the other ships.")
          .choice([](FlightContext& context, Control& control) {
            for (const auto& file : context.panels.models.look(context.times.wallSeconds()))
              control.options.push_back({file.filename().string(), {}});
          })
          .does([](FlightContext& context, const Selection& selection) {
            const auto& files = context.panels.models.offered();
            if (selection.option < files.size())
              dropModel(context, files[selection.option]);
            else
              context.say("model", "no models in this folder");
          }),
      held(ThrustForward, "thrust_forward", "thrust forward", "Thrust forward.", SDL_SCANCODE_W),
      held(ThrustBack, "thrust_back", "thrust back", "Thrust back.", SDL_SCANCODE_S),
      held(YawLeft, "yaw_left", "yaw left", "Yaw left.", SDL_SCANCODE_A, SDL_SCANCODE_LEFT),
      held(YawRight, "yaw_right", "yaw right", "Yaw right.", SDL_SCANCODE_D, SDL_SCANCODE_RIGHT),
      held(PitchUp, "pitch_up", "nose up", "Nose up.", SDL_SCANCODE_UP),
      held(PitchDown, "pitch_down", "nose down", "Nose down.", SDL_SCANCODE_DOWN),
      held(RollLeft, "roll_left", "roll left", "Roll left.", SDL_SCANCODE_Q),
      held(RollRight, "roll_right", "roll right", "Roll right.", SDL_SCANCODE_E),
      held(Boost, "boost", "boost", "Boost, while its reserve lasts.", SDL_SCANCODE_LSHIFT),
      CommandRow(KeyGroup::Flight, StopRotation, "stop_turning", "stop turning",
                 "Stop turning; twice: stop the ship.")
          .key(SDL_SCANCODE_X)
          .does(stopTurning),
      CommandRow(KeyGroup::Flight, FlightAssist, "flight_assist", "flight assist",
                 "Flight assist: holds the speed, brakes when you let go.")
          .safeIn(SafeIn::Bench)
          .shift(SDL_SCANCODE_X)
          .flips<&UiState::steering, &SteeringChoice::assist>()
          .says("flight assist: on", "flight assist: off; the ship drifts"),
      CommandRow(KeyGroup::Flight, FineControl, "fine_control", "fine control",
                 "Fine control: gentle thrust and turning.")
          .safeIn(SafeIn::Bench)
          .key(SDL_SCANCODE_Z)
          .flips<&UiState::steering, &SteeringChoice::fineControl>()
          .says("fine control: on", "fine control: off"),
      CommandRow(KeyGroup::Flight, MouseSteering, "steer_by_mouse", "steer by mouse",
                 "Steer by mouse (or hold the right button).")
          .key(SDL_SCANCODE_M)
          .flips<&UiState::steering, &SteeringChoice::mouseSteering>()
          .says("the mouse steers: move it away from the middle", "the mouse no longer steers"),
      CommandRow(KeyGroup::Flight, Shoot, "shoot", "shoot",
                 "Shoot a small body, or throw what is towed.")
          .refusedInReplay()
          .key(SDL_SCANCODE_LCTRL)
          .repeats()
          .does([](FlightContext& context, const Selection&) {
            if (!context.modes.tow.throwAhead(context)) context.modes.hands.shoot(context);
          }),
      CommandRow(KeyGroup::Flight, Tow, "tow", "tow beam",
                 "Tow the body in front of the ship; again: release it.")
          .refusedInReplay()
          .key(SDL_SCANCODE_APOSTROPHE)
          .toggles<&FlightModes::tow>()};
}

std::vector<Command> timeCommands() {
  using enum Action;
  using enum KeyGroup;
  return {
      CommandRow(Time, Pause, "pause", "pause", "Pause.")
          .safeIn(SafeIn::Rewind)
          .key(SDL_SCANCODE_SPACE)
          .onOff(readSwitch<&UiState::pace, &PaceChoice::paused>)
          .does([](FlightContext& context, const Selection& selection) {
            flip<&UiState::pace, &PaceChoice::paused>(context, selection);
            context.ui.pace.pendingSteps = 0;
          }),
      CommandRow(Time, Step, "step", "one frame forward", "Pause, then one frame per press.")
          .key(SDL_SCANCODE_PERIOD)
          .repeats()
          .does([](FlightContext& context, const Selection&) {
            context.ui.pace.pendingSteps += context.ui.pace.paused ? 1 : 0;
            context.ui.pace.paused = true;
          }),
      CommandRow(Time, StepBack, "step_back", "one frame back",
                 "In a replay: one frame back per press.")
          .key(SDL_SCANCODE_COMMA)
          .repeats()
          .does([](FlightContext& context, const Selection&) {
            context.ui.pace.paused = true;
            context.say("replay", fmt::format("only a replay steps back; {} records a flight",
                                              firstKeyName(RecordSession)));
          }),
      CommandRow(Time, Slower, "slower", "slower", "Slower.")
          .key(SDL_SCANCODE_LEFTBRACKET)
          .partOf("speed")
          .does([](FlightContext& context, const Selection&) {
            changeSpeed(context, context.ui.pace.speedExponent - 1);
          }),
      CommandRow(Time, Faster, "faster", "faster", "Faster.")
          .key(SDL_SCANCODE_RIGHTBRACKET)
          .partOf("speed")
          .does([](FlightContext& context, const Selection&) {
            changeSpeed(context, context.ui.pace.speedExponent + 1);
          }),
      CommandRow(Time, NormalSpeed, "normal_speed", "normal speed", "Normal speed.")
          .shift(SDL_SCANCODE_BACKSPACE)
          .partOf("speed")
          .does([](FlightContext& context, const Selection&) { changeSpeed(context, 0); }),
      CommandRow(Time, "speed", "speed", "Simulated time / real time.")
          .choice(readSpeed)
          .does([](FlightContext& context, const Selection& selection) {
            changeSpeed(context, slowestSpeed + static_cast<int>(selection.option));
          }),
      CommandRow(Time, "target", "target", "Time per frame for an even picture.")
          .choice([](FlightContext& context, Control& control) {
            const double now = milliseconds(targetOf(context.flight()));
            offer(
                control, targets, [=](double target) { return std::abs(now - target) < 0.05; },
                formatTime);
          })
          .does([](FlightContext& context, const Selection& selection) {
            selectTarget(context, targets[selection.option]);
          }),
      CommandRow(Time, Action::Rewind, "rewind", "fly backwards",
                 "Hold: fly backwards; then fly on.")
          .key(SDL_SCANCODE_BACKSPACE)
          .held(),
      CommandRow(Time, Restart, "restart", "restart", "Restart with the same seed.")
          .endsTour()
          .refusedInReplay()
          .key(SDL_SCANCODE_R)
          .does([](FlightContext& context, const Selection&) {
            context.restart(context.flight().scene().seed);
          }),
      CommandRow(Time, NewSeed, "new_seed", "restart with a new seed", "Restart with a new seed.")
          .endsTour()
          .refusedInReplay()
          .shift(SDL_SCANCODE_R)
          .does([](FlightContext& context, const Selection&) {
            context.restart(SplitMix(context.flight().scene().seed).bits() % 1000000);
          }),
      CommandRow(Time, "seed", "seed", "The seed of places and paths; the scene starts again.")
          .refusedInReplay()
          .choice([](FlightContext& context, Control& control) {
            const std::uint64_t now = context.flight().scene().seed;
            offer(
                control, seedChoices(now), [=](std::uint64_t seed) { return seed == now; },
                [](std::uint64_t seed) { return fmt::format("{}", seed); });
          })
          .does([](FlightContext& context, const Selection& selection) {
            context.restart(seedChoices(context.flight().scene().seed)[selection.option]);
          }),
      CommandRow(Time, Run, "run_for_points", "run for points",
                 "Run of 90 s for points; again: give up.")
          .endsTour()
          .refusedInReplay()
          .key(SDL_SCANCODE_F5)
          .toggles<&FlightModes::run>(),
      CommandRow(Time, NextMission, "next_mission", "next mission",
                 "Next mission: slalom, escape, docking, salvage; then the duel.")
          .endsTour()
          .refusedInReplay()
          .shift(SDL_SCANCODE_F5)
          .does([](FlightContext& context, const Selection&) {
            context.modes.mission.next(context);
          })};
}

}  // namespace nearmiss::app::fly
