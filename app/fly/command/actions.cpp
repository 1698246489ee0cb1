// SPDX-License-Identifier: MIT
#include "fly/command/actions.h"

#include <algorithm>

#include "fly/flight_context.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

/// Commands that have their own row in the panel.
const std::vector<const Command*>& panelCommands() {
  static const std::vector<const Command*> all = [] {
    std::vector<const Command*> found;
    for (const Command& command : commands())
      if (command.inPanel && command.partOf.empty()) found.push_back(&command);
    return found;
  }();
  return all;
}

/// Keys of a command and of its parts.
std::vector<Action> keysOf(const Command& command) {
  std::vector<Action> keys;
  if (command.hasDefaultKey()) keys.push_back(command.action);
  for (const Command& part : commands())
    if (part.partOf == command.title) keys.push_back(part.action);
  return keys;
}

/// The option after the selected one.
Selection nextOption(FlightContext& context, const Command& command) {
  Control control;
  command.read(context, control);
  const std::size_t next = control.chosen + 1;
  return {next < control.options.size() ? next : 0, {}};
}

void execute(FlightContext& context, const Command& command, const Selection& selection) {
  command.does(context, selection);
  if (command.onText.empty()) return;
  Control control;
  command.read(context, control);
  context.say(std::string(command.name),
              std::string(control.on ? command.onText : command.offText));
}

}  // namespace

bool hasEffect(Action action) noexcept { return commandOf(action).does != nullptr; }

void apply(FlightContext& context, Action action) {
  // While a question is open, other keys do nothing
  const bool answers = action == Action::Confirm || action == Action::Back;
  if (!context.ending.failure.empty()) {
    if (answers) context.stop();
    return;
  }
  if (context.ui.pages.quitQuestion && !answers) return;
  for (Mode* mode : context.modes.all())
    if (mode->handle(context, action)) return context.view.contacts.follow(context);
  press(context, action);
  context.view.contacts.follow(context);
}

void press(FlightContext& context, Action action) {
  const Command& command = commandOf(action);
  if (!command.does || (!context.hasFlight() && !command.worksWithoutFlight)) return;
  const bool choice = command.kind == Control::Kind::Choice;
  execute(context, command, choice ? nextOption(context, command) : Selection());
}

void closeTopmost(FlightContext& context) {
  UiState& ui = context.ui;
  FlightModes& modes = context.modes;
  ScreenPanels& panels = context.panels;
  const bool buildShown = panels.overlay.areaOf(Panel::Build).shown();
  if (loadingShown(context))
    context.flightManager.cancel();
  else if (ui.pages.quitQuestion)
    ui.pages.quitQuestion = false;
  else if (ui.pages.help)
    ui.pages.help = false;
  else if (ui.pages.numbers || ui.pages.messages)
    ui.pages.numbers = ui.pages.messages = false;
  else if (ui.pages.runEnd)
    ui.pages.runEnd = ui.pace.paused = false;
  else if (panels.hover.pins())
    panels.hover.release();
  else if (modes.bench.on())
    modes.bench.leave(context);
  else if (modes.photo.on())
    modes.photo.toggle(context);
  else if (ui.pages.controls && ui.pages.keyPage)
    ui.pages.keyPage = panels.keys.closeList();
  else if (ui.pages.controls)
    ui.pages.controls = panels.controls.closeList();
  else if (modes.tour.on())
    modes.tour.leave(context);
  else if (context.view.contacts.on())
    context.view.contacts.end(context);
  else if (ui.view.picked.a != 0)
    ui.view.picked = {};
  else if (ui.steering.mouseSteering)
    ui.steering.mouseSteering = false;
  else if (context.flightManager.isBuilding() && buildShown)
    context.flightManager.cancel();
  else if (modes.split.build() && buildShown)
    modes.split.cancelBuild();
  else if (modes.split.on())
    modes.split.toggle(context);
  else if (modes.ghost.on())
    modes.ghost.toggle(context);
  else if (modes.first.on())
    modes.first.toggle(context);
  else
    ui.pages.quitQuestion = true;
}

std::vector<Control> controlTable() {
  std::vector<Control> table;
  for (const Command* command : panelCommands()) {
    Control& control = table.emplace_back();
    control.kind = command->kind;
    control.group = command->group;
    control.name = command->title;
    control.words = command->sentence;
    control.keys = keysOf(*command);
  }
  return table;
}

std::vector<Control> controls(FlightContext& context) {
  std::vector<Control> now = controlTable();
  for (std::size_t i = 0; i < now.size(); ++i)
    if (const auto read = panelCommands()[i]->read) read(context, now[i]);
  return now;
}

void choose(FlightContext& context, const ControlInput& selection) {
  if (!context.hasFlight()) return;
  const Command& command = *panelCommands()[selection.control];
  if (selection.step != 0) {
    const std::vector<Action> keys = keysOf(command);
    if (!keys.empty()) return apply(context, selection.step < 0 ? keys.front() : keys.back());
    Control control;
    command.read(context, control);
    execute(context, command,
            {Control::none, std::clamp(control.place + 0.05 * selection.step, 0.0, 1.0)});
  } else if (selection.option == Control::none && !selection.place) {
    apply(context, command.action);
  } else if (!command.refusedInReplay || !ReplayMode::refuses(context)) {
    execute(context, command, {selection.option, selection.place});
  }
}

std::string_view wordsFor(std::string_view name) {
  for (const Command* command : panelCommands())
    if (command->title == name) return command->sentence;
  return hoverWords(name);
}

}  // namespace nearmiss::app::fly
