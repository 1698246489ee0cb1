// SPDX-License-Identifier: MIT
/// Reads untrusted TOML files.
#pragma once

#include <engine/base/file_path.h>
#include <engine/base/nearest_name.h>
#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::engine {

/// Reads a whole regular file of at most `maxBytes` bytes. `kind` names it in messages, such as "a
/// scene file". Errors: NotFound, Unreadable, TooLarge.
Result<std::string> readTextFile(const FilePath& file, std::string_view kind,
                                 std::uintmax_t maxBytes = std::uintmax_t{1} << 20);

/// Parses TOML. `origin` stands for the file in messages. Errors: BadFormat, with line and column.
Result<toml::table> parseToml(std::string_view text, const std::string& origin);

// Written values read back to the same bits and bytes.

/// Formats with a point or an exponent, so that it is read as a floating-point number.
[[nodiscard]] std::string tomlNumber(Real value);
/// Quotes a text.
/// @pre UTF-8
[[nodiscard]] std::string tomlText(std::string_view value);

// Reads TOML tables key by key. Only the first fault in the file is kept.

/// Maximum magnitude of numbers: large enough for any purpose, small enough to avoid overflow.
inline constexpr Real maxNumber = 1e9;

/// The first fault of a file, by line.
struct Faults {
  std::string origin;
  std::string text;
  toml::source_index line = 0;

  void add(const toml::source_region& where, const std::string& fault) {
    if (!text.empty() && line <= where.begin.line) return;
    line = where.begin.line;
    text = fmt::format("{}:{}: {}", origin, line, fault);
  }
};

/// A table whose keys are taken one by one. Remaining keys are unknown, which is a fault.
class TableReader {
 public:
  TableReader(const toml::table& table, std::string name, Faults& faults)
      : table_(table), name_(std::move(name)), faults_(faults) {}

  /// Returns the node of a value, or null if it is missing.
  const toml::node* take(std::string_view key) {
    if (std::ranges::find(known_, key) == known_.end()) known_.push_back(key);
    return table_.get(key);
  }

  // The values of keys. `nullopt` if a key is missing or, which is a fault, its value is invalid.
  // In that case overloads with `out` leave it unchanged.
  std::optional<Real> real(std::string_view key, Real low, Real high) {
    return inRange(key, low, high, "a number", realOf);
  }
  std::optional<std::int64_t> integer(std::string_view key, std::int64_t low, std::int64_t high) {
    return inRange(key, low, high, "a whole number", typed<std::int64_t>);
  }
  std::optional<bool> boolean(std::string_view key) {
    return ofType(key, take(key), "true or false", typed<bool>);
  }
  std::optional<std::string> text(std::string_view key) {
    return ofType(key, take(key), "a text in quotes", typed<std::string>);
  }
  void real(std::string_view key, Real& out, Real low, Real high) {
    out = real(key, low, high).value_or(out);
  }
  void text(std::string_view key, std::string& out) { out = text(key).value_or(out); }

  /// Reads an array of exactly out.size() numbers, each of at most this magnitude.
  void numbers(std::string_view key, std::span<Real> out, Real most = maxNumber) {
    const toml::node* node = take(key);
    if (!node) return;
    const toml::array* array = node->as_array();
    std::vector<Real> values;
    for (std::size_t i = 0; array && i < array->size(); ++i)
      if (const auto value = realOf(*array->get(i))) values.push_back(*value);
    if (values.size() != out.size() || array->size() != out.size())
      return fault(*node, fmt::format("{} must be {} numbers in brackets", key, out.size()));
    for (const Real value : values)
      if (!(std::abs(value) <= most))
        return fault(*node, fmt::format("{} holds {:g}, and its numbers must be from -{:g} to {:g}",
                                        key, value, most, most));
    std::ranges::copy(values, out.begin());
  }

  /// Reads the key "rotation" as w, x, y, z of nonzero length; `out` is unchanged if it is missing.
  void rotation(Quat& out) {
    std::array<Real, 4> read{out.w, out.x, out.y, out.z};
    numbers("rotation", read);
    const Quat turn(read[0], read[1], read[2], read[3]);
    if (glm::length(turn) > 1e-6)
      out = turn;
    else
      faults_.add(table_.source(), "rotation must not be of length 0");
  }

  /// Returns the list of tables [[key]], or null if there is none.
  const toml::array* tables(std::string_view key) {
    const toml::node* node = take(key);
    const toml::array* array = node ? node->as_array() : nullptr;
    return array && array->is_homogeneous<toml::table>() ? array : nullptr;
  }

  /// Reads a text that must be one of `names`.
  std::optional<std::string> oneOf(std::string_view key, std::span<const std::string_view> names) {
    const std::optional<std::string> value = text(key);
    if (!value || std::ranges::find(names, *value) != names.end()) return value;
    fault(*table_.get(key), fmt::format("{} \"{}\" is not known.{} Known: {}", key, *value,
                                        didYouMean(*value, names), fmt::join(names, ", ")));
    return std::nullopt;
  }

  /// Returns true if the value of a key is this text.
  bool is(std::string_view key, std::string_view word) {
    const toml::node* node = take(key);
    return node && node->value_or(std::string_view()) == word;
  }

  /// Mass in kg, or "infinite".
  std::optional<Real> mass(std::string_view key) {
    const toml::node* node = take(key);
    if (!node || !node->is_string()) return real(key, 1e-9, maxNumber);
    if (is(key, "infinite")) return std::numeric_limits<Real>::infinity();
    fault(*node, fmt::format("{} must be a number of kg or \"infinite\"", key));
    return std::nullopt;
  }

  void fault(const toml::node& node, const std::string& what) { faults_.add(node.source(), what); }

  void wrongType(std::string_view key, const toml::node& node, std::string_view expected) {
    std::ostringstream found;
    found << node.type();
    fault(node, fmt::format("{} must be {}, not {}", key, expected, found.str()));
  }

  /// Reports every unknown key.
  void finish() {
    for (const auto& [key, value] : table_) {
      if (std::find(known_.begin(), known_.end(), key.str()) != known_.end()) continue;
      const std::string place = name_.empty() ? "at the top level" : "in " + name_;
      std::string hint = didYouMean(key.str(), known_);
      if (hint.empty()) hint = fmt::format(" Known: {}", fmt::join(known_, ", "));
      faults_.add(key.source(), fmt::format("unknown key \"{}\" {}.{}", key.str(), place, hint));
    }
  }

  static std::optional<Real> realOf(const toml::node& node) {
    if (!node.is_number()) return std::nullopt;
    return node.value<Real>();
  }

  Faults& faults() noexcept { return faults_; }

 private:
  template <class Type>
  static std::optional<Type> typed(const toml::node& node) {
    return node.is<Type>() ? node.value<Type>() : std::nullopt;
  }
  auto ofType(std::string_view key, const toml::node* node, std::string_view expected,
              const auto& valueOf) -> decltype(valueOf(*node)) {
    if (!node) return std::nullopt;
    auto value = valueOf(*node);
    if (!value) wrongType(key, *node, expected);
    return value;
  }
  auto inRange(std::string_view key, auto low, auto high, std::string_view expected,
               const auto& valueOf) -> decltype(valueOf(std::declval<const toml::node&>())) {
    const toml::node* node = take(key);
    auto value = ofType(key, node, expected, valueOf);
    if (!value || (*value >= low && *value <= high)) return value;
    fault(*node, fmt::format("{} must be from {} to {}", key, low, high));
    return std::nullopt;
  }

  const toml::table& table_;
  std::string name_;
  Faults& faults_;
  std::vector<std::string_view> known_;
};

/// Reads the table `key` of `parent` with `read`, if it exists.
inline void subTable(TableReader& parent, std::string_view key, const auto& read) {
  const toml::node* node = parent.take(key);
  if (!node) return;
  const toml::table* table = node->as_table();
  if (!table) return parent.wrongType(key, *node, "a table");
  TableReader reader(*table, fmt::format("[{}]", key), parent.faults());
  read(reader);
  reader.finish();
}

}  // namespace nearmiss::engine
