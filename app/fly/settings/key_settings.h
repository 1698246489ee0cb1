// SPDX-License-Identifier: MIT
/// Keys as the file of remembered settings has them: [keys], the name of an action and its keys.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <vector>

#include "fly/host/key_map.h"

namespace nearmiss::app {

struct KeySettings {
  KeyMap keys;
  std::vector<std::string> notes;  ///< a sentence for all that is wrong, or has two meanings
};

/// Actions that are not named have their usual keys, as has one whose keys are all wrong. `origin`
/// stands for the file in notes.
[[nodiscard]] KeySettings readKeys(const toml::table& settings, const std::string& origin);
/// As text that reads back to the same; empty where all keys are the usual ones.
[[nodiscard]] std::string writeKeys(const KeyMap& keys);

}  // namespace nearmiss::app
