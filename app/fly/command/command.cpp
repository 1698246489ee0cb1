// SPDX-License-Identifier: MIT
#include "fly/command/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "fly/command/rows.h"
#include "fly/host/key_map.h"

namespace nearmiss::app::fly {
namespace {

/// Numbers the commands without an Action after those that have one.
std::vector<Command> numbered() {
  std::vector<Command> all;
  for (const auto part :
       {flightCommands, timeCommands, detectionCommands, viewCommands, programCommands})
    std::ranges::move(part(), std::back_inserter(all));
  auto next = static_cast<std::uint8_t>(Action::Unnamed);
  for (Command& command : all)
    if (command.action == Action::Unnamed) command.action = static_cast<Action>(next++);
  return all;
}

}  // namespace

std::span<const Command> commands() noexcept {
  static const std::vector<Command> all = numbered();
  return all;
}

const Command& commandOf(Action action) noexcept {
  return *std::ranges::find(commands(), action, &Command::action);
}

const Command* commandNamed(std::string_view name) noexcept {
  const auto found = std::ranges::find(commands(), name, &Command::name);
  return found == commands().end() ? nullptr : &*found;
}

std::string_view groupName(KeyGroup group) noexcept {
  constexpr std::array<std::string_view, 5> names{"Flight", "Time", "Detection", "View", "Program"};
  return names[static_cast<std::size_t>(group)];
}

std::string keyTable() {
  std::string table = "| key | name | what it does |\n|---|---|---|\n";
  for (const Command& command : commands()) {
    if (!command.hasDefaultKey()) continue;
    std::string keys = keyName({command.key, command.shift});
    if (command.otherKey != SDL_SCANCODE_UNKNOWN)
      keys += ", " + keyName({command.otherKey, command.shift});
    table += fmt::format("| {} | `{}` | {} |\n", keys, command.name, command.sentence);
  }
  return table;
}

}  // namespace nearmiss::app::fly
