// SPDX-License-Identifier: MIT
/// Describes each setting of a scene once: its member, its valid values, and its names in files,
/// options, records and documentation.
#pragma once

#include <engine/flight/budget.h>
#include <nearmiss/math.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace nearmiss::engine {

/// A number. `unset` is the word for an unset number, such as "auto". Without it an unset number is
/// not written.
template <class Owner, class Number>
struct NumberValue {
  std::optional<Number> (*get)(const Owner&);
  void (*set)(Owner&, std::optional<Number>);
  Number min, max;
  std::string_view unset;
};
template <class Owner>
using RealValue = NumberValue<Owner, Real>;
template <class Owner>
using WholeValue = NumberValue<Owner, std::int64_t>;
/// kg, or "infinite".
template <class Owner>
struct MassValue {
  Real& (*at)(Owner&);
};
template <class Owner>
struct FlagValue {
  bool (*get)(const Owner&);
  void (*set)(Owner&, bool);
};
template <class Owner>
struct TextValue {
  std::string& (*at)(Owner&);
};
/// One of several names. `list` is the list of `nearmiss list` that shows them, if there are many.
template <class Owner>
struct NameValue {
  std::string_view (*get)(const Owner&);
  void (*set)(Owner&, std::string_view);
  std::vector<std::string_view> (*names)();
  std::string_view list = {};
};
template <class Owner>
struct BudgetValue {
  BudgetRule& (*at)(Owner&);
};
/// Two numbers, each at least `least`, the smaller first.
template <class Owner>
struct RangeValue {
  Real& (*low)(Owner&);
  Real& (*high)(Owner&);
  Real least;
};

/// Settings that are copied together, see as_published.h.
enum class SettingGroup : std::uint8_t {
  None,
  Trees,      ///< sphere trees: a change needs other trees
  Technique,  ///< how contacts are searched for and answered; a running flight can change it
  Depth,      ///< likewise, but the user's own choice unless as_published changes
  Pace        ///< steps and frames; fixed when a flight starts
};

template <class Owner>
struct Setting {
  std::string_view table;  ///< table of a scene file; empty: top level, or the owner's table
  std::string_view key;    ///< in that table
  std::variant<RealValue<Owner>, WholeValue<Owner>, MassValue<Owner>, FlagValue<Owner>,
               TextValue<Owner>, NameValue<Owner>, BudgetValue<Owner>, RangeValue<Owner>>
      value;
  std::string_view meaning;      ///< one sentence without a full stop
  std::string_view option = {};  ///< "--seed"; empty: none
  std::string_view head = {};    ///< name in record heads; empty: omitted
  SettingGroup group = SettingGroup::None;
  /// Sets the value of the papers; null: the default.
  void (*publish)(Owner&) = nullptr;
};

/// Copies the value of a setting.
template <class Owner>
void copyValue(const Setting<Owner>& setting, Owner& from, Owner& to) {
  std::visit(
      [&](const auto& value) {
        if constexpr (requires { value.set; }) {
          value.set(to, value.get(from));
        } else if constexpr (requires { value.at; }) {
          value.at(to) = value.at(from);
        } else {
          value.low(to) = value.low(from);
          value.high(to) = value.high(from);
        }
      },
      setting.value);
}

/// Returns true if both have the same value of a setting.
template <class Owner>
[[nodiscard]] bool sameValue(const Setting<Owner>& setting, Owner& a, Owner& b) {
  return std::visit(
      [&](const auto& value) {
        if constexpr (requires { value.get; })
          return value.get(a) == value.get(b);
        else if constexpr (requires { value.at; })
          return value.at(a) == value.at(b);
        else
          return value.low(a) == value.low(b) && value.high(a) == value.high(b);
      },
      setting.value);
}

namespace setting {

/// Returns the member at the end of a path of members, such as &Scene::arena, &ArenaRule::rim.
template <auto... path>
[[nodiscard]] constexpr auto& memberAt(auto& owner) noexcept {
  return (owner.*....*path);
}

template <class Member>
struct OwnerOfMember;
template <class Owner, class Type>
struct OwnerOfMember<Type Owner::*> {
  using type = Owner;
};
template <auto first, auto...>
struct OwnerOfPath : OwnerOfMember<decltype(first)> {};
template <auto... path>
using OwnerOf = typename OwnerOfPath<path...>::type;

// Functions that make a value from the path to its member.
template <class Number, auto... path>
constexpr auto numberSetting(Number min, Number max, std::string_view unset = {}) {
  using Owner = OwnerOf<path...>;
  using Kept = std::remove_cvref_t<decltype(memberAt<path...>(std::declval<Owner&>()))>;
  constexpr bool optional = requires(Kept kept) { kept.reset(); };
  return NumberValue<Owner, Number>{[](const Owner& owner) -> std::optional<Number> {
                                      if constexpr (optional)
                                        return memberAt<path...>(owner);
                                      else
                                        return static_cast<Number>(memberAt<path...>(owner));
                                    },
                                    [](Owner& owner, std::optional<Number> number) {
                                      auto& kept = memberAt<path...>(owner);
                                      if constexpr (optional)
                                        kept = number;
                                      else
                                        kept = static_cast<Kept>(*number);
                                    },
                                    min, max, unset};
}
template <auto... path>
constexpr auto real(Real min, Real max, std::string_view unset = {}) {
  return numberSetting<Real, path...>(min, max, unset);
}
template <auto... path>
constexpr auto whole(std::int64_t min, std::int64_t max, std::string_view unset = {}) {
  return numberSetting<std::int64_t, path...>(min, max, unset);
}
template <auto... path>
constexpr auto mass() {
  using Owner = OwnerOf<path...>;
  return MassValue<Owner>{[](Owner& owner) -> Real& { return memberAt<path...>(owner); }};
}
template <auto... path>
constexpr auto flag() {
  using Owner = OwnerOf<path...>;
  return FlagValue<Owner>{[](const Owner& owner) -> bool { return memberAt<path...>(owner); },
                          [](Owner& owner, bool on) { memberAt<path...>(owner) = on; }};
}
template <auto... path>
constexpr auto text() {
  using Owner = OwnerOf<path...>;
  return TextValue<Owner>{[](Owner& owner) -> std::string& { return memberAt<path...>(owner); }};
}
/// An enumeration or bool whose values have these names, in order.
template <const auto& names, auto... path>
constexpr auto named() {
  using Owner = OwnerOf<path...>;
  return NameValue<Owner>{
      [](const Owner& owner) { return names[static_cast<std::size_t>(memberAt<path...>(owner))]; },
      [](Owner& owner, std::string_view name) {
        auto& kept = memberAt<path...>(owner);
        kept = static_cast<std::remove_cvref_t<decltype(kept)>>(std::ranges::find(names, name) -
                                                                std::ranges::begin(names));
      },
      [] {
        return std::vector<std::string_view>(std::ranges::begin(names), std::ranges::end(names));
      }};
}
/// Returns the names of a catalogue's entries.
template <auto catalog>
std::vector<std::string_view> namesIn() {
  std::vector<std::string_view> names;
  for (const auto& entry : catalog()) names.push_back(entry.name);
  return names;
}
/// A name from a catalogue.
template <auto catalog, auto... path>
constexpr auto entryIn(std::string_view list) {
  using Owner = OwnerOf<path...>;
  return NameValue<Owner>{
      [](const Owner& owner) -> std::string_view { return memberAt<path...>(owner); },
      [](Owner& owner, std::string_view name) { memberAt<path...>(owner) = name; },
      namesIn<catalog>, list};
}

}  // namespace setting
}  // namespace nearmiss::engine
