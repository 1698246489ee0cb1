// SPDX-License-Identifier: MIT
/// The controls of a flight: how each stands, and what choosing does.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fly/flight_context.h"

namespace nearmiss::app {

/// Everything that the mouse can set, not as it stands but by name and words.
[[nodiscard]] std::vector<Control> controlTable();
/// As it stands, in that order.
[[nodiscard]] std::vector<Control> controls(FlightContext& context);
/// Does what the panel is asked for.
void choose(FlightContext& context, const ControlWish& wish);
/// Of the choice that this key goes on in.
void chooseNext(FlightContext& context, Action key);
/// What something on the screen is: a control of that name, or a number.
[[nodiscard]] std::string_view wordsFor(std::string_view name);

/// What the panel offers, and what choosing does. Keys that go on to the next option choose here,
/// too.
struct ControlTable {
  struct Row {
    Control control;
    /// Fills in how it stands; null where there is nothing to say.
    void (*read)(FlightContext& context, Control& control) = nullptr;
    /// Of a choice, or of a switch that no key turns; else the first key's effect.
    void (*choose)(FlightContext& context, std::size_t option) = nullptr;
  };
  static const std::vector<Row>& rows();

 private:
  using Kind = Control::Kind;
  using enum KeyGroup;
  using enum Action;

  static Control of(Kind kind, KeyGroup group, std::string_view name, std::string_view words,
                    std::vector<Action> keys = {}) {
    Control control;
    control.kind = kind;
    control.group = group;
    control.name = name;
    control.words = words;
    control.keys = std::move(keys);
    return control;
  }
  template <bool UiState::*state>
  static void readSwitch(FlightContext& context, Control& control) {
    control.on = context.ui.*state;
  }
  // Options, one of them chosen
  template <class Catalog>
  static void offer(Control& control, const Catalog& catalog, std::string_view chosen) {
    for (const auto& entry : catalog) {
      if (entry.name == chosen) control.chosen = control.options.size();
      control.options.push_back({std::string(entry.name), entry.summary});
    }
  }

  static void offer(Control& control, const std::vector<std::string>& names,
                    std::string_view chosen) {
    for (const std::string& name : names) {
      if (name == chosen) control.chosen = control.options.size();
      control.options.push_back({name, {}});
    }
  }

  static void offer(Control& control, std::initializer_list<ControlOption> options,
                    std::size_t chosen) {
    control.options = options;
    control.chosen = chosen;
  }
  static std::vector<Row> flightRows();
  static std::vector<Row> timeRows();
  static std::vector<Row> methodRows();
  static std::vector<Row> budgetRows();
  static std::vector<Row> viewRows();
  static std::vector<Row> comparisonRows();
  static std::vector<Row> programRows();
};

}  // namespace nearmiss::app
