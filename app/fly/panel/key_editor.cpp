// SPDX-License-Identifier: MIT
#include "fly/panel/key_editor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>
#include <vector>

namespace nearmiss::app::fly {
namespace {

struct Given {
  Action action;
  KeyPress key;
  bool beside = true;  ///< keep the default keys, which are needed for something else otherwise
};

constexpr KeyPress unshifted(SDL_Scancode key) noexcept { return {key, false}; }
constexpr KeyPress shifted(SDL_Scancode key) noexcept { return {key, true}; }

KeyMap usualWith(std::initializer_list<Given> given) {
  KeyMap keys;
  for (const Given& row : given) {
    // Never refused: a test checks the layouts
    if (row.beside)
      (void)keys.add(row.action, row.key);
    else
      (void)keys.set(row.action, std::array{row.key});
  }
  return keys;
}

/// Around W A S D: flying and frequent commands within reach of the left hand.
KeyMap leftHand() {
  using enum Action;
  return usualWith({
      Given{PitchUp, unshifted(SDL_SCANCODE_R)},
      Given{PitchDown, unshifted(SDL_SCANCODE_F)},
      Given{MouseSteering, unshifted(SDL_SCANCODE_GRAVE)},
      Given{Restart, unshifted(SDL_SCANCODE_T), false},
      Given{NewSeed, shifted(SDL_SCANCODE_T), false},
      Given{NextResponse, shifted(SDL_SCANCODE_R), false},
      Given{NextTree, shifted(SDL_SCANCODE_F), false},
      Given{Step, shifted(SDL_SCANCODE_SPACE)},
      Given{Slower, shifted(SDL_SCANCODE_Q)},
      Given{Faster, shifted(SDL_SCANCODE_E)},
      Given{NormalSpeed, shifted(SDL_SCANCODE_W)},
      Given{BudgetDown, shifted(SDL_SCANCODE_A)},
      Given{BudgetUp, shifted(SDL_SCANCODE_D)},
      Given{EraMode, shifted(SDL_SCANCODE_S)},
      Given{CapNone, shifted(SDL_SCANCODE_1)},
      Given{NextNarrowPhase, shifted(SDL_SCANCODE_X)},
      Given{NextDrawLevel, shifted(SDL_SCANCODE_C)},
      Given{NextPair, shifted(SDL_SCANCODE_V)},
      Given{ResetCamera, shifted(SDL_SCANCODE_Z)},
      Given{Rewind, unshifted(SDL_SCANCODE_6)},
      Given{Tow, unshifted(SDL_SCANCODE_7)},
      // Shift gives other meanings to the flying keys
      Given{Boost, unshifted(SDL_SCANCODE_G), false},
      Given{ReduceFlashing, shifted(SDL_SCANCODE_G), false},
      Given{FlightAssist, shifted(SDL_SCANCODE_2), false},
  });
}

/// Around I J K L and the arrow keys, for the right hand.
KeyMap rightHand() {
  using enum Action;
  return usualWith({
      Given{ThrustForward, unshifted(SDL_SCANCODE_I)},
      Given{ThrustBack, unshifted(SDL_SCANCODE_K)},
      Given{YawLeft, unshifted(SDL_SCANCODE_J)},
      Given{YawRight, unshifted(SDL_SCANCODE_L)},
      Given{RollLeft, unshifted(SDL_SCANCODE_U)},
      Given{RollRight, unshifted(SDL_SCANCODE_O)},
      Given{PitchUp, unshifted(SDL_SCANCODE_P)},
      Given{PitchDown, unshifted(SDL_SCANCODE_SEMICOLON)},
      Given{FlightCues, shifted(SDL_SCANCODE_I), false},
      Given{NearestShips, shifted(SDL_SCANCODE_K), false},
      Given{NextNarrowPhase, shifted(SDL_SCANCODE_J), false},
      Given{NextDrawLevel, shifted(SDL_SCANCODE_L), false},
      Given{AsPublished, shifted(SDL_SCANCODE_U), false},
      Given{NextOrder, shifted(SDL_SCANCODE_O), false},
      Given{SpaceTimeBounds, shifted(SDL_SCANCODE_P), false},
      Given{StopRotation, unshifted(SDL_SCANCODE_SLASH)},
      Given{PinExplanation, shifted(SDL_SCANCODE_SLASH), false},
      Given{FineControl, unshifted(SDL_SCANCODE_APOSTROPHE)},
      Given{Pause, unshifted(SDL_SCANCODE_BACKSLASH)},
      Given{Restart, unshifted(SDL_SCANCODE_END)},
      Given{NewSeed, shifted(SDL_SCANCODE_END)},
      Given{NextMethod, unshifted(SDL_SCANCODE_7)},
      Given{Wireframe, unshifted(SDL_SCANCODE_8)},
      Given{NextCamera, unshifted(SDL_SCANCODE_9)},
      Given{NextOverlay, unshifted(SDL_SCANCODE_DELETE)},
      Given{OpenControls, unshifted(SDL_SCANCODE_INSERT)},
      Given{Rewind, unshifted(SDL_SCANCODE_H)},
      Given{BoundingSpheres, shifted(SDL_SCANCODE_H), false},
      Given{Shoot, unshifted(SDL_SCANCODE_RCTRL)},
      Given{Tow, unshifted(SDL_SCANCODE_6), false},
      Given{Boost, unshifted(SDL_SCANCODE_Y), false},
      Given{EraMode, shifted(SDL_SCANCODE_Y), false},
      Given{FlightAssist, shifted(SDL_SCANCODE_APOSTROPHE)},
  });
}

constexpr std::array layouts{
    KeyLayout{"default", "Both hands on the keyboard.", [] { return KeyMap(); }},
    KeyLayout{"left hand", "Flying keys within reach of the left hand; the right has the mouse.",
              leftHand},
    KeyLayout{"right hand", "Flying keys within reach of the right hand; the left has the mouse.",
              rightHand}};

}  // namespace

std::span<const KeyLayout> keyLayouts() noexcept { return layouts; }

namespace {

constexpr std::size_t maxTakenBack = 100;

/// Meaning of a row of the page.
struct KeyRow {
  enum class Kind : std::uint8_t { Layout, Undo, Done, Keys } kind;
  KeyGroup group;
  const Command* command = nullptr;  ///< for Kind::Keys
};

const std::vector<KeyRow>& rows() {
  static const std::vector<KeyRow> all = [] {
    std::vector<KeyRow> made;
    for (const KeyGroup group : keyGroups) {
      for (const KeyRow::Kind kind : {KeyRow::Kind::Done, KeyRow::Kind::Layout, KeyRow::Kind::Undo})
        made.push_back({kind, group});
      for (const Command& command : commands())
        if (command.group == group) made.push_back({KeyRow::Kind::Keys, group, &command});
    }
    return made;
  }();
  return all;
}

Control layoutControl() {
  Control control;
  control.kind = Control::Kind::Choice;
  control.name = "layout";
  control.words = "Ready-made keys for all commands.";
  for (const KeyLayout& layout : keyLayouts()) {
    if (layout.keys() == currentKeys()) control.chosen = control.options.size();
    control.options.push_back({std::string(layout.name), layout.words});
  }
  return control;
}

/// A sentence about the command that shares a key with this one.
std::string noteOf(Action action, const std::vector<KeyConflict>& conflicts) {
  for (const KeyConflict& conflict : conflicts) {
    if (conflict.idle == action)
      return fmt::format("{} is taken by: {}", localKeyName(conflict.key),
                         commandOf(conflict.done).title);
    if (conflict.done == action)
      return fmt::format("{} no longer means: {}", localKeyName(conflict.key),
                         commandOf(conflict.idle).title);
  }
  return {};
}

std::string namesOf(Action action) {
  std::string names;
  for (const KeyPress& key : currentKeys().of(action))
    names += (names.empty() ? "" : ", ") + localKeyName(key);
  return names.empty() ? "no key" : names;
}

}  // namespace

std::vector<Control> KeyEditor::controls() const {
  const std::vector<KeyConflict> conflicts = currentKeys().conflicts();
  std::vector<Control> controls;
  for (const KeyRow& row : rows()) {
    Control control;
    switch (row.kind) {
      case KeyRow::Kind::Done:
        control.name = "back to the panel";
        control.words = "All changes apply at once and are remembered.";
        break;
      case KeyRow::Kind::Layout:
        control = layoutControl();
        break;
      case KeyRow::Kind::Undo:
        control.name = before_.empty() ? "nothing to undo" : "undo the last change";
        control.words = "Restores the keys from before it; can be repeated.";
        break;
      case KeyRow::Kind::Keys:
        control = controlOf(*row.command, conflicts);
        break;
    }
    control.group = row.group;
    controls.push_back(std::move(control));
  }
  return controls;
}

Control KeyEditor::controlOf(const Command& command,
                             const std::vector<KeyConflict>& conflicts) const {
  Control control;
  control.kind = Control::Kind::List;
  control.name = command.title;
  control.words = command.sentence;
  control.value = requested_ == command.action ? "press a key; Esc: none" : namesOf(command.action);
  control.note = noteOf(command.action, conflicts);
  control.options.push_back({"add a key", "The next key that is pressed does this, too."});
  for (const KeyPress& key : currentKeys().of(command.action))
    control.options.push_back({"remove: " + localKeyName(key), {}});
  if (!currentKeys().isDefault(command.action))
    control.options.push_back({"restore the default keys", {}});
  return control;
}

std::string KeyEditor::act(const ControlInput& selection) {
  requested_.reset();
  const KeyRow& row = rows()[selection.control];
  switch (row.kind) {
    case KeyRow::Kind::Done:
      left_ = true;
      return {};
    case KeyRow::Kind::Undo:
      return undo();
    case KeyRow::Kind::Layout:
      if (selection.option >= keyLayouts().size()) return {};
      change(keyLayouts()[selection.option].keys());
      return fmt::format("keys: {}", keyLayouts()[selection.option].name);
    case KeyRow::Kind::Keys:
      break;
  }
  return choose(row.command->action, selection.option);
}

std::string KeyEditor::choose(Action action, std::size_t option) {
  if (option == 0) {
    requested_ = action;
    return fmt::format("press the key for \"{}\"; Esc: none", commandOf(action).title);
  }
  KeyMap keys = currentKeys();
  const auto own = keys.of(action);
  if (option <= own.size()) {
    const KeyPress key = own[option - 1];
    if (auto removed = keys.remove(action, key); !removed) return removed.error().message;
  } else {
    keys.setDefault(action);
  }
  change(std::move(keys));
  return {};
}

std::string KeyEditor::give(KeyPress key) {
  const Action action = *std::exchange(requested_, std::nullopt);
  if (key.key == SDL_SCANCODE_ESCAPE) return {};
  // Held commands ignore Shift
  if (commandOf(action).held) key.shift = false;
  KeyMap keys = currentKeys();
  if (auto added = keys.add(action, key); !added) return added.error().message;
  change(std::move(keys));
  const std::string note = noteOf(action, currentKeys().conflicts());
  return note.empty() ? fmt::format("{}: {}", localKeyName(key), commandOf(action).title) : note;
}

std::string KeyEditor::undo() {
  if (before_.empty()) return "nothing to undo";
  useKeys(std::move(before_.back()));
  before_.pop_back();
  return "last change undone";
}

void KeyEditor::change(KeyMap keys) {
  if (keys == currentKeys()) return;
  before_.push_back(currentKeys());
  if (before_.size() > maxTakenBack) before_.erase(before_.begin());
  useKeys(std::move(keys));
}

}  // namespace nearmiss::app::fly
