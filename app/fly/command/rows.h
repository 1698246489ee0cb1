// SPDX-License-Identifier: MIT
/// Helpers to write rows of the command table.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "fly/command/command.h"
#include "fly/flight_context.h"

namespace nearmiss::app::fly {

[[nodiscard]] std::vector<Command> flightCommands();
[[nodiscard]] std::vector<Command> timeCommands();
[[nodiscard]] std::vector<Command> detectionCommands();
[[nodiscard]] std::vector<Command> viewCommands();
[[nodiscard]] std::vector<Command> programCommands();

template <auto group, auto state>
void readSwitch(FlightContext& context, Control& control) {
  control.on = context.ui.*group.*state;
}
template <auto group, auto state>
void flip(FlightContext& context, const Selection&) {
  bool& on = context.ui.*group.*state;
  on = !on;
}

/// Builder for one command.
class CommandRow {
 public:
  using Read = void (*)(FlightContext&, Control&);
  using Does = void (*)(FlightContext&, const Selection&);

  CommandRow(KeyGroup group, std::string_view name, std::string_view title,
             std::string_view sentence)
      : CommandRow(group, Action::Unnamed, name, title, sentence) {}
  CommandRow(KeyGroup group, Action action, std::string_view name, std::string_view title,
             std::string_view sentence)
      : command_{group, name, title, sentence, action} {}
  operator Command() const { return command_; }

  CommandRow& key(SDL_Scancode code, SDL_Scancode other = SDL_SCANCODE_UNKNOWN) {
    return set(&Command::key, code).set(&Command::otherKey, other);
  }
  CommandRow& shift(SDL_Scancode code) { return key(code).set(&Command::shift, true); }
  CommandRow& held() { return set(&Command::held, true).hidden(); }
  CommandRow& repeats() { return set(&Command::repeats, true); }
  CommandRow& always() { return set(&Command::worksWithoutFlight, true); }
  CommandRow& safeIn(SafeIn modes) { return set(&Command::safeIn, modes); }
  CommandRow& endsTour() { return set(&Command::endsTour, true); }
  CommandRow& refusedInReplay() { return set(&Command::refusedInReplay, true); }
  /// Hides the command from the panel.
  CommandRow& hidden() { return set(&Command::inPanel, false); }
  CommandRow& partOf(std::string_view title) { return set(&Command::partOf, title); }

  CommandRow& onOff(Read read) { return stands(Control::Kind::Switch, read); }
  CommandRow& choice(Read read) { return stands(Control::Kind::Choice, read); }
  CommandRow& scale(Read read) { return stands(Control::Kind::Scale, read); }
  /// Switches a flag of UiState.
  template <auto group, auto flag>
  CommandRow& flips() {
    return onOff(readSwitch<group, flag>).does(flip<group, flag>);
  }
  /// Turns a mode on or off.
  template <auto mode>
  CommandRow& toggles() {
    return onOff([](FlightContext& context, Control& control) {
             control.on = (context.modes.*mode).on();
           })
        .does([](FlightContext& context, const Selection&) {
          (context.modes.*mode).toggle(context);
        });
  }
  /// Messages of a switch.
  CommandRow& says(std::string_view on, std::string_view off) {
    return set(&Command::onText, on).set(&Command::offText, off);
  }
  CommandRow& does(Does effect) { return set(&Command::does, effect); }

 private:
  template <class T>
  CommandRow& set(T Command::*field, const T& value) {
    command_.*field = value;
    return *this;
  }
  CommandRow& stands(Control::Kind kind, Read read) {
    return set(&Command::kind, kind).set(&Command::read, read);
  }

  Command command_;
};

// A choice between the entries of a catalogue
template <class Catalog>
void offer(Control& control, const Catalog& catalog, std::string_view chosen) {
  for (const auto& entry : catalog) {
    if (entry.name == chosen) control.chosen = control.options.size();
    control.options.push_back({std::string(entry.name), entry.summary});
  }
}
inline void offer(Control& control, const std::vector<std::string>& names,
                  std::string_view chosen) {
  for (const std::string& name : names) {
    if (name == chosen) control.chosen = control.options.size();
    control.options.push_back({name, {}});
  }
}
/// A choice between values. `isCurrent` returns true for the current one.
void offer(Control& control, const auto& values, const auto& isCurrent, const auto& textOf) {
  for (const auto& value : values) {
    if (isCurrent(value)) control.chosen = control.options.size();
    control.options.push_back({textOf(value), {}});
  }
}
inline void offer(Control& control, std::initializer_list<ControlOption> options,
                  std::size_t chosen) {
  control.options = options;
  control.chosen = chosen;
}

}  // namespace nearmiss::app::fly
