// SPDX-License-Identifier: MIT
#include "fly/modes/bench/bench_pose.h"

#include <engine/base/atomic_file.h>
#include <engine/scene/toml_file.h>
#include <engine/scene/utf8.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <initializer_list>
#include <span>
#include <system_error>

namespace nearmiss::app::fly {
namespace {

namespace fs = std::filesystem;

constexpr double maxBenchMicroseconds = 1e9;

bool isBuiltIn(const std::string& model) {
  const std::vector<std::string> names = engine::builtInModels();
  return std::ranges::find(names, model) != names.end();
}

/// Makes a path relative to another file's folder; leaves it unchanged if that is impossible.
std::string seenFrom(const fs::path& file, const std::string& model) {
  std::error_code failed;
  const fs::path folder = fs::absolute(file, failed).parent_path();
  if (failed) return model;
  const fs::path whole = fs::absolute(model, failed);
  if (failed) return model;
  const fs::path seen = fs::proximate(whole, folder, failed);
  return failed || seen.empty() ? model : seen.string();
}

void readBody(engine::TableReader& table, const fs::path& beside, std::string& model, Pose& pose) {
  table.text("model", model);
  if (!model.empty() && !isBuiltIn(model) && !beside.empty() && fs::path(model).is_relative())
    model = (beside / model).string();
  table.numbers("position", std::span(&pose.position.x, 3), maxPoseMagnitude);
  table.rotation(pose.rotation);
  // Keep the bits of a pose that was written by this program
  if (std::abs(glm::length(pose.rotation) - 1.0) > 1e-12)
    pose.rotation = glm::normalize(pose.rotation);
}

void readLimits(engine::TableReader& table, BenchLimits& limits) {
  if (const auto time = table.real("time_us", 1e-3, maxBenchMicroseconds))
    limits.time = std::chrono::nanoseconds(std::llround(1e3 * *time));
  if (const auto level = table.integer("level", 0, engine::exactDepth))
    limits.level = static_cast<int>(*level);
}

std::string listOf(std::initializer_list<Real> numbers) {
  std::string text;
  for (const Real number : numbers)
    text += (text.empty() ? "[" : ", ") + engine::tomlNumber(number);
  return text + "]";
}

}  // namespace

std::string writeBench(const BenchSetup& setup) {
  std::string text = "# Two bodies on the bench of nearmiss: metres; rotations as w, x, y, z\n";
  for (std::size_t i = 0; i < 2; ++i) {
    const Vec3& at = setup.poses[i].position;
    const Quat& turn = setup.poses[i].rotation;
    text += fmt::format("\n[{}]\nmodel = {}\nposition = {}\nrotation = {}\n", i == 0 ? "a" : "b",
                        engine::tomlText(setup.models[i]), listOf({at.x, at.y, at.z}),
                        listOf({turn.w, turn.x, turn.y, turn.z}));
  }
  text += fmt::format("\n[limits]\nlevel = {}  # {} is the triangles\n", setup.limits.level,
                      engine::exactDepth);
  if (setup.limits.time)
    text += fmt::format("time_us = {}\n",
                        engine::tomlNumber(1e-3 * static_cast<double>(setup.limits.time->count())));
  return text;
}

Result<BenchSetup> parseBench(std::string_view text, const std::string& origin,
                              const fs::path& beside) {
  const Result<toml::table> parsed = engine::parseToml(text, origin);
  if (!parsed) return parsed.error();
  engine::Faults faults{origin, {}, 0};
  engine::TableReader top(*parsed, "", faults);
  BenchSetup setup;
  for (std::size_t i = 0; i < 2; ++i)
    engine::subTable(top, i == 0 ? "a" : "b", [&](engine::TableReader& body) {
      readBody(body, beside, setup.models[i], setup.poses[i]);
    });
  engine::subTable(top, "limits",
                   [&](engine::TableReader& limits) { readLimits(limits, setup.limits); });
  top.finish();
  if (!faults.text.empty()) return Error{ErrorCode::BadFormat, faults.text};
  if (std::ranges::any_of(setup.models, &std::string::empty))
    return Error{ErrorCode::BadFormat,
                 fmt::format("{}: a pose of the bench needs the tables [a] and [b], each with a "
                             "model",
                             origin)};
  return setup;
}

Result<BenchSetup> readBench(const fs::path& file) {
  const Result<std::string> text = engine::readTextFile(file, "a pose of the bench");
  if (!text) return text.error();
  return parseBench(*text, file.string(), file.parent_path());
}

Result<Success> saveBench(const BenchSetup& setup, const fs::path& file) {
  if (std::ranges::any_of(setup.models, &std::string::empty))
    return Error{ErrorCode::NotFound, "the bench needs two bodies: drop a model on it"};
  // Store paths relative to this file
  BenchSetup named = setup;
  for (std::string& model : named.models)
    if (!isBuiltIn(model)) model = seenFrom(file, model);
  if (!std::ranges::all_of(named.models, engine::isUtf8))
    return Error{ErrorCode::Unsupported,
                 "a model has a name that is not UTF-8: no pose of the bench can name it"};
  return engine::writeWhole(file, writeBench(named));
}

}  // namespace nearmiss::app::fly
