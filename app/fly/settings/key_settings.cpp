// SPDX-License-Identifier: MIT
#include "fly/settings/key_settings.h"

#include <engine/scene/nearest_name.h>
#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "fly/host/action_names.h"

namespace nearmiss::app {
namespace {

/// Reads [keys] line by line, and tells what it cannot follow.
class Reader {
 public:
  Reader(KeySettings& out, const std::string& origin) : out_(out), origin_(origin) {}

  void action(std::string_view name, const toml::node& node) {
    const std::optional<Action> action = actionNamed(name);
    if (!action) {
      note(node, fmt::format("there is no action \"{}\".{}", name,
                             engine::didYouMean(name, actionNames())));
      return;
    }
    const toml::array* list = node.as_array();
    if (!list) {
      note(node, fmt::format("{} must be a list of keys, as in [\"W\", \"Shift+F6\"]", name));
      return;
    }
    // An empty list takes all keys away; one of which nothing can be read does not
    std::vector<KeyPress> keys;
    for (const toml::node& entry : *list)
      if (const auto key = keyOf(entry)) keys.push_back(*key);
    if (keys.empty() && !list->empty()) return;
    if (auto set = out_.keys.set(*action, keys); !set)
      note(node, fmt::format("{} keeps its usual keys: {}", name, set.error().message));
  }

  /// After all actions.
  void conflicts() {
    for (const KeyConflict& conflict : out_.keys.conflicts())
      out_.notes.push_back(fmt::format("{}: the key {} is of {} and of {}; it does the first",
                                       origin_, keyName(conflict.key), actionName(conflict.done),
                                       actionName(conflict.idle)));
  }

  void note(const toml::node& node, const std::string& fault) {
    out_.notes.push_back(fmt::format("{}:{}: {}", origin_, node.source().begin.line, fault));
  }

 private:
  std::optional<KeyPress> keyOf(const toml::node& node) {
    const auto name = node.value<std::string>();
    if (!name) {
      note(node, "a key is a name, as in \"Shift+F6\"");
      return std::nullopt;
    }
    const auto key = keyNamed(*name);
    if (!key)
      note(node, fmt::format("there is no key \"{}\".{}", *name,
                             engine::didYouMean(*name, allKeyNames())));
    return key;
  }

  KeySettings& out_;
  const std::string& origin_;
};

std::string quoted(std::string_view name) {
  std::string text = "\"";
  for (const char letter : name) {
    if (letter == '"' || letter == '\\') text += '\\';
    text += letter;
  }
  return text + '"';
}

}  // namespace

KeySettings readKeys(const toml::table& settings, const std::string& origin) {
  KeySettings read;
  const toml::node* node = settings.get("keys");
  if (!node) return read;
  Reader reader(read, origin);
  if (const toml::table* keys = node->as_table())
    for (const auto& entry : *keys) reader.action(entry.first.str(), entry.second);
  else
    reader.note(*node, "keys must be a table, [keys]");
  reader.conflicts();
  return read;
}

std::string writeKeys(const KeyMap& keys) {
  std::string text;
  for (const KeyBinding& binding : keyBindings()) {
    if (keys.isUsual(binding.action)) continue;
    std::string names;
    for (const KeyPress& key : keys.of(binding.action))
      names += (names.empty() ? "" : ", ") + quoted(keyName(key));
    text += fmt::format("{} = [{}]\n", actionName(binding.action), names);
  }
  return text.empty() ? text : "\n[keys]\n" + text;
}

}  // namespace nearmiss::app
