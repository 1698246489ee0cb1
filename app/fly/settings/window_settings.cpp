// SPDX-License-Identifier: MIT
#include "fly/settings/window_settings.h"

#include <engine/base/atomic_file.h>
#include <engine/base/nearest_name.h>
#include <engine/base/resources.h>
#include <engine/scene/toml_file.h>
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "fly/command/command.h"

namespace nearmiss::app::fly {
namespace {

std::vector<std::string_view> commandNames() {
  std::vector<std::string_view> names;
  for (const Command& command : commands()) names.push_back(command.name);
  return names;
}

/// Reads [keys] entry by entry and reports invalid ones.
class KeyReader {
 public:
  KeyReader(KeyMap& keys, std::vector<std::string>& notes, const std::string& origin)
      : keys_(keys), notes_(notes), origin_(origin) {}

  void action(std::string_view name, const toml::node& node) {
    const Command* command = commandNamed(name);
    if (!command) {
      note(node, fmt::format("there is no action \"{}\".{}", name,
                             engine::didYouMean(name, commandNames())));
      return;
    }
    const toml::array* list = node.as_array();
    if (!list) {
      note(node, fmt::format("{} must be a list of keys, as in [\"W\", \"Shift+F6\"]", name));
      return;
    }
    // An empty list removes all keys; a list without a valid key does not
    std::vector<KeyPress> keys;
    for (const toml::node& entry : *list)
      if (const auto key = keyOf(entry)) keys.push_back(*key);
    if (keys.empty() && !list->empty()) return;
    if (auto set = keys_.set(command->action, keys); !set)
      note(node, fmt::format("{} keeps its usual keys: {}", name, set.error().message));
  }

  /// Call after all actions.
  void conflicts() {
    for (const KeyConflict& conflict : keys_.conflicts())
      notes_.push_back(fmt::format("{}: the key {} is bound to {} and {}; the first wins", origin_,
                                   keyName(conflict.key), commandOf(conflict.done).name,
                                   commandOf(conflict.idle).name));
  }

  void note(const toml::node& node, const std::string& fault) {
    notes_.push_back(fmt::format("{}:{}: {}", origin_, node.source().begin.line, fault));
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

  KeyMap& keys_;
  std::vector<std::string>& notes_;
  const std::string& origin_;
};

/// Actions without an entry, or with only invalid keys, have their default keys. `notes` get a
/// sentence for each invalid or ambiguous entry.
KeyMap readKeys(const toml::table& settings, const std::string& origin,
                std::vector<std::string>& notes) {
  KeyMap keys;
  const toml::node* node = settings.get("keys");
  if (!node) return keys;
  KeyReader reader(keys, notes, origin);
  if (const toml::table* table = node->as_table())
    for (const auto& entry : *table) reader.action(entry.first.str(), entry.second);
  else
    reader.note(*node, "keys must be a table, [keys]");
  reader.conflicts();
  return keys;
}

/// Writes text that reads back to equal keys; empty for the default keys.
std::string writeKeys(const KeyMap& keys) {
  std::string text;
  for (const Command& command : commands()) {
    if (keys.isDefault(command.action)) continue;
    std::string names;
    for (const KeyPress& key : keys.of(command.action))
      names += fmt::format("{}{:?}", names.empty() ? "" : ", ", keyName(key));
    text += fmt::format("{} = [{}]\n", command.name, names);
  }
  return text.empty() ? text : "\n[keys]\n" + text;
}

namespace fs = std::filesystem;

// In the order of the enums
constexpr std::array<std::string_view, 4> overlayNames{"full", "compact", "off", "player"};
constexpr std::array<std::string_view, 6> sphereNames{"off",     "contacts", "level 1",
                                                      "level 2", "level 3",  "level 4"};
constexpr std::array<std::string_view, 4> cameraNames{"chase", "cockpit", "orbit", "free"};
constexpr auto paletteNames = [] {
  std::array<std::string_view, palettes.size()> names;
  std::ranges::transform(palettes, names.begin(), &PaletteEntry::name);
  return names;
}();

/// The comment at the start of the file.
constexpr std::string_view heading =
    "# What was last chosen in the window. The program writes this file when a flight ends;\n"
    "# --defaults restores the defaults.\n";

/// Reads values of a table; keeps the first fault as a sentence.
class Reader {
 public:
  Reader(const toml::table& table, const std::string& origin) : table_(table), origin_(origin) {}

  void flag(std::string_view key, bool& out) {
    const toml::node* node = table_.get(key);
    if (!node) return;
    if (const auto value = node->value<bool>(); value && node->is_boolean())
      out = *value;
    else
      complain(key, *node, "true or false");
  }
  template <class Enum, std::size_t n>
  void name(std::string_view key, const std::array<std::string_view, n>& names, Enum& out) {
    const toml::node* node = table_.get(key);
    if (!node) return;
    const auto value = node->value<std::string>();
    const auto found = value ? std::ranges::find(names, *value) : names.end();
    if (found != names.end())
      out = static_cast<Enum>(found - names.begin());
    else
      complain(key, *node, fmt::format("one of \"{}\"", fmt::join(names, "\", \"")));
  }
  void scale(std::string_view key, float& out) { number(key, 0.75, 2.0, out); }
  void share(std::string_view key, float& out) { number(key, 0.0, 1.0, out); }
  [[nodiscard]] const std::string& fault() const noexcept { return fault_; }

 private:
  void number(std::string_view key, double low, double high, float& out) {
    const toml::node* node = table_.get(key);
    if (!node) return;
    const auto value = node->value<double>();
    if (value && *value >= low && *value <= high)
      out = static_cast<float>(*value);
    else
      complain(key, *node, fmt::format("from {} to {}", low, high));
  }
  void complain(std::string_view key, const toml::node& node, std::string_view wanted) {
    if (fault_.empty())
      fault_ = fmt::format("{}:{}: {} must be {}", origin_, node.source().begin.line, key, wanted);
  }

  const toml::table& table_;
  const std::string& origin_;
  std::string fault_;
};

/// Writes lines for Reader.
struct SettingsWriter {
  std::string text;

  void flag(std::string_view key, bool value) { text += fmt::format("{} = {}\n", key, value); }
  template <class Enum, std::size_t n>
  void name(std::string_view key, const std::array<std::string_view, n>& names, Enum value) {
    text += fmt::format("{} = \"{}\"\n", key, names[static_cast<std::size_t>(value)]);
  }
  void scale(std::string_view key, float value) {
    if (value > 0.0f) share(key, value);
  }
  void share(std::string_view key, float value) { text += fmt::format("{} = {}\n", key, value); }
};

/// All settings except keys, for reading and writing.
void eachSetting(auto& fields, auto& s) {
  fields.name("overlay", overlayNames, s.overlay);
  fields.name("spheres", sphereNames, s.spheres);
  fields.name("camera", cameraNames, s.camera);
  fields.flag("wireframe", s.wireframe);
  fields.flag("bounding_spheres", s.boundingSpheres);
  fields.flag("marks_of_flight", s.cues);
  fields.flag("reduced_flashing", s.reduceFlashing);
  fields.flag("muted", s.muted);
  fields.share("effects_volume", s.volumes.effects);
  fields.share("engine_volume", s.volumes.engine);
  fields.share("music_volume", s.volumes.music);
  fields.flag("flight_assist", s.assist);
  fields.flag("introduced", s.introduced);
  fields.name("palette", paletteNames, s.palette);
  fields.scale("ui_scale", s.uiScale);
}

/// Files written here have a few kilobytes.
constexpr std::uintmax_t maxSettingsBytes = std::uintmax_t{1} << 20;

/// "window-damaged.toml", or a numbered variant if that exists.
fs::path unusedSiblingName(const fs::path& file) {
  std::error_code ignored;
  fs::path name;
  for (int n = 1; n == 1 || (n < 100 && fs::exists(name, ignored)); ++n)
    name = file.parent_path() / fmt::format("{}-damaged{}{}", file.stem().string(),
                                            n > 1 ? fmt::format("-{}", n) : "",
                                            file.extension().string());
  return name;
}

}  // namespace

Result<WindowSettings> parseWindowSettings(std::string_view text, const std::string& origin,
                                           std::vector<std::string>* notes) {
  if (text.size() > maxSettingsBytes)
    return Error{ErrorCode::TooLarge,
                 fmt::format("{} is larger than {} MiB", origin, maxSettingsBytes >> 20)};
  const Result<toml::table> table = engine::parseToml(text, origin);
  if (!table) return table.error();
  WindowSettings settings;
  Reader reader(*table, origin);
  eachSetting(reader, settings);
  if (!reader.fault().empty()) return Error{ErrorCode::BadFormat, reader.fault()};
  std::vector<std::string> told;
  settings.keys = readKeys(*table, origin, told);
  if (notes) *notes = std::move(told);
  return settings;
}

std::string writeWindowSettings(const WindowSettings& s) {
  SettingsWriter writer{std::string(heading)};
  eachSetting(writer, s);
  return writer.text + writeKeys(s.keys);
}

LoadedSettings loadSettings(const fs::path& file) {
  std::error_code failed;
  if (file.empty() || !fs::exists(file, failed)) return {};
  // A device could be endless; stop reading a file that is too large
  std::ifstream in;
  if (fs::is_regular_file(file, failed)) in.open(file);
  std::string text(maxSettingsBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (!in.is_open() || in.bad())
    return {
        {},
        fmt::format("cannot read \"{}\": the defaults apply, and it stays as it is", file.string()),
        {},
        true};
  std::vector<std::string> keyNotes;
  auto settings = parseWindowSettings(text, file.filename().string(), &keyNotes);
  if (settings) return {std::move(*settings), {}, std::move(keyNotes)};

  // Preserve the user's file before a new one is written
  const fs::path aside = unusedSiblingName(file);
  fs::rename(file, aside, failed);
  return {{},
          failed ? fmt::format("{}; the defaults apply, and it stays as it is",
                               settings.error().message)
                 : fmt::format("{}; it is kept as \"{}\", and the defaults apply",
                               settings.error().message, aside.string()),
          {},
          static_cast<bool>(failed)};
}

Result<Success> saveSettings(const fs::path& file, const WindowSettings& settings) {
  std::error_code failed;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), failed);
  if (failed) return engine::cannotWrite(file, failed.value());
  return engine::writeWhole(file, writeWindowSettings(settings));
}

fs::path windowSettingsFile() {
  const fs::path own = engine::userSettingsFile();
  return own.empty() ? fs::path() : own.parent_path() / "window.toml";
}

}  // namespace nearmiss::app::fly
