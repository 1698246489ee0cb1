// SPDX-License-Identifier: MIT
#include "fly/bench/bench_pose.h"

#include <engine/record/atomic_file.h>
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <glm/geometric.hpp>
#include <optional>
#include <system_error>

namespace nearmiss::app::fly {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t maxBenchFile = 1 << 16;  // bytes
constexpr double maxBenchMicroseconds = 1e9;

bool isBuiltIn(const std::string& model) {
  const std::vector<std::string> names = engine::builtInModels();
  return std::ranges::find(names, model) != names.end();
}

/// Keeps the first fault.
class BenchReader {
 public:
  explicit BenchReader(std::string origin) : origin_(std::move(origin)) {}

  [[nodiscard]] const std::string& fault() const noexcept { return fault_; }
  void add(const toml::node& where, const std::string& what) {
    if (fault_.empty()) fault_ = fmt::format("{}:{}: {}", origin_, where.source().begin.line, what);
  }
  void knows(const toml::table& table, std::initializer_list<std::string_view> keys) {
    for (const auto& [key, value] : table)
      if (std::ranges::find(keys, key.str()) == keys.end())
        add(value, fmt::format("unknown key \"{}\"", key.str()));
  }
  /// As many numbers as `out` has, if the key is there.
  template <std::size_t count>
  void numbers(const toml::table& table, std::string_view key, std::array<Real, count>& out) {
    const toml::node* node = table.get(key);
    if (!node) return;
    const toml::array* list = node->as_array();
    for (std::size_t i = 0; list && list->size() == count && i < count; ++i) {
      const auto value = list->get(i)->value<double>();
      if (!value || !(std::abs(*value) <= maxPoseMagnitude)) break;
      out[i] = *value;
      if (i + 1 == count) return;
    }
    add(*node, fmt::format("{} must be {} numbers in brackets", key, count));
  }

 private:
  std::string origin_, fault_;
};

void readBody(BenchReader& reader, const toml::table& table, const fs::path& beside,
              std::string& model, Pose& pose) {
  reader.knows(table, {"model", "position", "rotation"});
  const auto name = table["model"].value<std::string>();
  if (!name || name->empty())
    reader.add(table, "a body needs a model");
  else
    model = *name;
  if (!isBuiltIn(model) && !beside.empty() && fs::path(model).is_relative())
    model = (beside / model).string();
  std::array<Real, 3> position{};
  std::array<Real, 4> rotation{1.0, 0.0, 0.0, 0.0};
  reader.numbers(table, "position", position);
  reader.numbers(table, "rotation", rotation);
  pose.position = {position[0], position[1], position[2]};
  const Quat turn(rotation[0], rotation[1], rotation[2], rotation[3]);
  const Real length = glm::length(turn);
  if (!(length > 1e-6) || !std::isfinite(length))
    reader.add(table, "rotation must not be of length 0");
  else
    // One that was written here keeps its bits
    pose.rotation = std::abs(length - 1.0) < 1e-12 ? turn : glm::normalize(turn);
}

void readLimits(BenchReader& reader, const toml::table& table, BenchLimits& limits) {
  reader.knows(table, {"time_us", "level"});
  if (const toml::node* node = table.get("time_us")) {
    const auto time = node->value<double>();
    if (time && *time > 0.0 && *time <= maxBenchMicroseconds)
      limits.time = std::chrono::nanoseconds(std::llround(1e3 * *time));
    else
      reader.add(*node, "time_us must be a number of microseconds above 0");
  }
  if (const toml::node* node = table.get("level")) {
    const auto level = node->value<std::int64_t>();
    if (level && *level >= 0 && *level <= engine::exactDepth)
      limits.level = static_cast<int>(*level);
    else
      reader.add(*node, fmt::format("level must be from 0 to {}", engine::exactDepth));
  }
}

}  // namespace

std::string writeBench(const BenchSetup& setup) {
  std::string text = "# Two bodies on the bench of nearmiss: metres; rotations as w, x, y, z\n";
  for (std::size_t i = 0; i < 2; ++i) {
    const Vec3& at = setup.poses[i].position;
    const Quat& turn = setup.poses[i].rotation;
    std::string model;
    for (const char c : setup.models[i]) {
      if (c == '"' || c == '\\') model += '\\';
      model += c;
    }
    text += fmt::format(
        "\n[{}]\nmodel = \"{}\"\nposition = [{}, {}, {}]\nrotation = [{}, {}, {}, {}]\n",
        i == 0 ? "a" : "b", model, at.x, at.y, at.z, turn.w, turn.x, turn.y, turn.z);
  }
  text += fmt::format("\n[limits]\nlevel = {}  # {} is the triangles\n", setup.limits.level,
                      engine::exactDepth);
  if (setup.limits.time)
    text += fmt::format("time_us = {}\n", 1e-3 * static_cast<double>(setup.limits.time->count()));
  return text;
}

Result<BenchSetup> parseBench(std::string_view text, const std::string& origin,
                              const fs::path& beside) {
  toml::table table;
  try {
    table = toml::parse(text, origin);
  } catch (const toml::parse_error& error) {
    return Error{ErrorCode::BadFormat,
                 fmt::format("{}:{}: {}", origin, error.source().begin.line, error.description())};
  }
  BenchReader reader(origin);
  BenchSetup setup;
  reader.knows(table, {"a", "b", "limits"});
  for (std::size_t i = 0; i < 2; ++i) {
    const toml::table* body = table[i == 0 ? "a" : "b"].as_table();
    if (!body)
      return Error{ErrorCode::BadFormat,
                   fmt::format("{}: a pose of the bench needs the tables [a] and [b]", origin)};
    readBody(reader, *body, beside, setup.models[i], setup.poses[i]);
  }
  if (const toml::table* limits = table["limits"].as_table())
    readLimits(reader, *limits, setup.limits);
  if (!reader.fault().empty()) return Error{ErrorCode::BadFormat, reader.fault()};
  return setup;
}

Result<BenchSetup> readBench(const fs::path& file) {
  std::error_code failed;
  if (fs::exists(file, failed) && !fs::is_regular_file(file, failed))
    return Error{ErrorCode::Unreadable, fmt::format("\"{}\" is no file", file.string())};
  if (const auto size = fs::file_size(file, failed); !failed && size > maxBenchFile)
    return Error{ErrorCode::TooLarge,
                 fmt::format("\"{}\" is too large for a pose of the bench", file.string())};
  std::ifstream in(file, std::ios::binary);
  std::string text;
  if (in) text.assign(std::istreambuf_iterator<char>(in), {});
  if (!in) {
    const int error = errno;
    return Error{error == ENOENT ? ErrorCode::NotFound : ErrorCode::Unreadable,
                 fmt::format("cannot read \"{}\": {}", file.string(), std::strerror(error))};
  }
  return parseBench(text, file.string(), file.parent_path());
}

Result<Success> saveBench(const BenchSetup& setup, const fs::path& file) {
  if (std::ranges::any_of(setup.models, &std::string::empty))
    return Error{ErrorCode::NotFound, "the bench holds no two bodies yet: drop a model on it"};
  // Files are named as seen from this one
  BenchSetup named = setup;
  for (std::string& model : named.models) {
    if (isBuiltIn(model)) continue;
    std::error_code failed, alsoFailed, lost;
    const fs::path from = fs::absolute(file, failed).parent_path();
    const fs::path seen = fs::proximate(fs::absolute(model, alsoFailed), from, lost);
    if (!failed && !alsoFailed && !lost && !seen.empty()) model = seen.string();
  }
  return engine::writeWhole(file, writeBench(named));
}

}  // namespace nearmiss::app::fly
