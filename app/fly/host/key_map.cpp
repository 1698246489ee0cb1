// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/mesh_file.h>

#include "fly/host/key_map.h"

#include <SDL_keyboard.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace nearmiss::app::fly {
namespace {

constexpr std::string_view shiftPrefix = "Shift+";

struct FixedKey {
  SDL_Scancode key;
  Action action;
};
/// Needed to close a page or answer a question.
constexpr std::array fixedKeys{FixedKey{SDL_SCANCODE_ESCAPE, Action::Back},
                               FixedKey{SDL_SCANCODE_RETURN, Action::Confirm},
                               FixedKey{SDL_SCANCODE_KP_ENTER, Action::Confirm}};

const FixedKey* fixed(KeyPress key) noexcept {
  const auto* const found = std::ranges::find(fixedKeys, key.key, &FixedKey::key);
  return found == fixedKeys.end() ? nullptr : found;
}

std::vector<KeyPress> defaultKeys(Action action) {
  const Command& command = commandOf(action);
  std::vector<KeyPress> keys;
  for (const SDL_Scancode key : {command.key, command.otherKey})
    if (key != SDL_SCANCODE_UNKNOWN) keys.push_back({key, command.shift});
  return keys;
}

bool contains(std::span<const KeyPress> keys, KeyPress key) noexcept {
  return std::ranges::find(keys, key) != keys.end();
}

/// Returns why that key cannot be bound to an action; empty if it can.
std::string refusal(Action action, KeyPress key) {
  if (const FixedKey* own = fixed(key); own && (own->action != action || key.shift))
    return fmt::format("{} always means \"{}\"", keyName(key), commandOf(own->action).title);
  switch (key.key) {
    case SDL_SCANCODE_F12:
    case SDL_SCANCODE_PRINTSCREEN:
      return fmt::format("{} is reserved for debuggers", keyName(key));
    case SDL_SCANCODE_LSHIFT:
    case SDL_SCANCODE_RSHIFT:
      // It may act beside the keys that it modifies
      if (action != Action::Boost) return "Shift alone cannot be a key";
      break;
    default:
      break;
  }
  // Settings store keys by name
  if (keyNamed(keyName({key.key, false})) != KeyPress{key.key, false})
    return "this key has no name, so it cannot be saved";
  if (key.shift && commandOf(action).held)
    return fmt::format("\"{}\" is held down, which works without Shift", commandOf(action).title);
  return {};
}

KeyMap& keysInUse() {
  static KeyMap keys;
  return keys;
}

/// Keys of an action that no other action overrides.
std::vector<KeyPress> effectiveKeys(Action action) {
  std::vector<KeyPress> keys;
  for (const KeyPress& key : currentKeys().of(action))
    if (currentKeys().find(key)->action == action) keys.push_back(key);
  return keys;
}

bool ofKeypad(KeyPress key) noexcept {
  return key.key >= SDL_SCANCODE_KP_DIVIDE && key.key <= SDL_SCANCODE_KP_PERIOD;
}

}  // namespace

KeyMap::KeyMap() : keys_(commands().size()) {
  for (const Command& command : commands()) setDefault(command.action);
}

Result<Success> KeyMap::add(Action action, KeyPress key) {
  if (std::string why = refusal(action, key); !why.empty())
    return Error{ErrorCode::Unsupported, std::move(why)};
  auto& keys = keys_[static_cast<std::size_t>(action)];
  if (!contains(keys, key)) keys.push_back(key);
  return Success{};
}

Result<Success> KeyMap::remove(Action action, KeyPress key) {
  auto& keys = keys_[static_cast<std::size_t>(action)];
  const FixedKey* own = fixed(key);
  if (own && own->action == action)
    return Error{ErrorCode::Unsupported,
                 fmt::format("{} always means \"{}\"", keyName(key), commandOf(action).title)};
  // Otherwise this page would become unreachable
  if (action == Action::OpenControls && keys.size() == 1 && contains(keys, key))
    return Error{ErrorCode::Unsupported, "at least one key must open the panel"};
  std::erase(keys, key);
  return Success{};
}

Result<Success> KeyMap::set(Action action, std::span<const KeyPress> wanted) {
  std::vector<KeyPress> keys;
  for (const FixedKey& own : fixedKeys)
    if (own.action == action) keys.push_back({own.key, false});
  for (const KeyPress& key : wanted) {
    if (std::string why = refusal(action, key); !why.empty())
      return Error{ErrorCode::Unsupported, std::move(why)};
    if (!contains(keys, key)) keys.push_back(key);
  }
  if (action == Action::OpenControls && keys.empty())
    return Error{ErrorCode::Unsupported, "at least one key must open the panel"};
  keys_[static_cast<std::size_t>(action)] = std::move(keys);
  return Success{};
}

void KeyMap::setDefault(Action action) {
  keys_[static_cast<std::size_t>(action)] = defaultKeys(action);
}

bool KeyMap::isDefault(Action action) const {
  return std::ranges::equal(of(action), defaultKeys(action));
}

const Command* KeyMap::owner(KeyPress key) const noexcept {
  const Command* usual = nullptr;
  for (const Command& command : commands()) {
    if (!contains(of(command.action), key)) continue;
    const bool here =
        key.shift == command.shift && (key.key == command.key || key.key == command.otherKey);
    if (!here) return &command;
    if (!usual) usual = &command;
  }
  return usual;
}

const Command* KeyMap::find(KeyPress key) const noexcept {
  const Command* with = owner(key);
  return with || !key.shift ? with : owner({key.key, false});
}

std::vector<KeyConflict> KeyMap::conflicts() const {
  std::vector<KeyConflict> found;
  for (const Command& command : commands())
    for (const KeyPress& key : of(command.action))
      if (const Action done = owner(key)->action; done != command.action)
        found.push_back({key, done, command.action});
  return found;
}

const KeyMap& currentKeys() noexcept { return keysInUse(); }

void useKeys(KeyMap keys) { keysInUse() = std::move(keys); }

std::string keyName(KeyPress key) {
  return fmt::format("{}{}", key.shift ? shiftPrefix : "", SDL_GetScancodeName(key.key));
}

std::optional<KeyPress> keyNamed(std::string_view name) {
  const bool shift = name.size() > shiftPrefix.size() && name.starts_with(shiftPrefix);
  if (shift) name.remove_prefix(shiftPrefix.size());
  const SDL_Scancode key = SDL_GetScancodeFromName(std::string(name).c_str());
  if (key == SDL_SCANCODE_UNKNOWN) return std::nullopt;
  return KeyPress{key, shift};
}

std::vector<std::string_view> allKeyNames() {
  std::vector<std::string_view> names;
  for (int code = 1; code < SDL_NUM_SCANCODES; ++code)
    if (const std::string_view name = SDL_GetScancodeName(static_cast<SDL_Scancode>(code));
        !name.empty())
      names.push_back(name);
  return names;
}

std::string localKeyName(KeyPress key) {
  std::string name = SDL_GetKeyName(SDL_GetKeyFromScancode(key.key));
  if (name.empty()) name = SDL_GetScancodeName(key.key);
  return key.shift ? std::string(shiftPrefix) + name : name;
}

std::string localKeyName(Action action) {
  const std::vector<KeyPress> keys = effectiveKeys(action);
  const bool onlyKeypad = std::ranges::all_of(keys, ofKeypad);
  std::string names;
  for (const KeyPress& key : keys) {
    if (ofKeypad(key) && !onlyKeypad) continue;
    if (!names.empty()) names += ", ";
    names += localKeyName(key);
  }
  return names.empty() ? std::string(noKey) : names;
}

std::string firstKeyName(Action action) {
  const std::vector<KeyPress> keys = effectiveKeys(action);
  return keys.empty() ? std::string(noKey) : localKeyName(keys.front());
}

}  // namespace nearmiss::app::fly
