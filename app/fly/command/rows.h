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

/// Builder for one command.
class CommandRow {
 public:
  using Read = void (*)(FlightContext&, Control&);
  using Does = void (*)(FlightContext&, const Wish&);

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
  CommandRow& always() { return set(&Command::alwaysHeeded, true); }
  /// Hides the command from the panel.
  CommandRow& hidden() { return set(&Command::inPanel, false); }
  CommandRow& partOf(std::string_view title) { return set(&Command::partOf, title); }

  CommandRow& onOff(Read read) { return stands(Control::Kind::Switch, read); }
  CommandRow& choice(Read read) { return stands(Control::Kind::Choice, read); }
  CommandRow& scale(Read read) { return stands(Control::Kind::Scale, read); }
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

template <auto group, auto state>
void readSwitch(FlightContext& context, Control& control) {
  control.on = context.ui.*group.*state;
}
template <auto group, auto state>
void flip(FlightContext& context, const Wish&) {
  bool& on = context.ui.*group.*state;
  on = !on;
}

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
inline void offer(Control& control, std::initializer_list<ControlOption> options,
                  std::size_t chosen) {
  control.options = options;
  control.chosen = chosen;
}

}  // namespace nearmiss::app::fly
