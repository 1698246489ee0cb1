// SPDX-License-Identifier: MIT
/// What the mouse can set: each with a name, its state, and a sentence that says what it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fly/host/key_map.h"

namespace nearmiss::app {

struct ControlOption {
  std::string name;
  std::string_view words;  ///< may be empty
};

struct Control {
  enum class Kind : std::uint8_t {
    Press,   ///< does something once
    Switch,  ///< is on or off
    Choice,  ///< is one of its options
    List,    ///< a list of things to do, of which none is chosen
    Scale    ///< stands somewhere on a line
  };
  static constexpr std::size_t none = SIZE_MAX;

  Kind kind = Kind::Press;
  KeyGroup group = KeyGroup::Program;
  std::string_view name;
  std::string_view words;    ///< one sentence
  std::vector<Action> keys;  ///< which do the same; may be empty

  // As it stands
  bool on = false;
  std::vector<ControlOption> options;
  std::size_t chosen = none;
  double place = 0.0;  ///< on the scale, in [0, 1]
  std::string value;   ///< of a scale or a list, in words
  std::string note;    ///< a line below, for what is wrong; may be empty
};

/// What the user wants of one control.
struct ControlWish {
  std::size_t control = 0;             ///< its index
  std::size_t option = Control::none;  ///< of a choice
  std::optional<double> place;         ///< of a scale
  int step = 0;                        ///< of a scale: one down or up, as by its keys
};

}  // namespace nearmiss::app
