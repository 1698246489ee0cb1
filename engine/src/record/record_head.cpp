// SPDX-License-Identifier: MIT
#include <engine/record/record_head.h>
#include <engine/scene/setting_text.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string_view>
#include <thread>
#include <utility>

namespace nearmiss::engine {
namespace {

/// FNV-1a: identifies a text; not for security.
std::uint64_t hashOfText(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

std::string processorName() {
  std::ifstream about("/proc/cpuinfo");
  std::string line;
  while (std::getline(about, line))
    if (line.starts_with("model name") && line.find(": ") != std::string::npos)
      return line.substr(line.find(": ") + 2);
  return "unknown";
}

/// Load average of the last minute.
std::string loadOfMachine() {
  std::ifstream average("/proc/loadavg");
  std::string load;
  return average >> load ? load : "unknown";
}

/// The builders of the trees in use; several only while better trees are being built.
std::string treeNames(const ShapeSet& shapes) {
  std::vector<std::string> names;
  for (const LoadedShape& shape : shapes.shapes()) {
    std::string name = fmt::format("{} 0x{:016x}", shape.treeBuilder, shape.treeHash);
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  return fmt::format("{}", fmt::join(names, " + "));
}

}  // namespace

std::string headText(const RecordHead& head) {
  std::string text;
  for (const auto& [key, value] : head) {
    std::string line = fmt::format("# {}: {}", key, value);
    std::ranges::replace_if(
        line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    text += line + '\n';
  }
  return text;
}

std::string buildName() { return "nearmiss " NEARMISS_VERSION ", " NEARMISS_BUILD; }

RecordHead machineHead(std::string_view commit) {
  return {{"format", "nearmiss record 3"},
          {"build", buildName()},
          {"commit", std::string(commit)},
          {"flags", NEARMISS_FLAGS},
          {"cpu", processorName()},
          {"cores", fmt::format("{}", std::thread::hardware_concurrency())},
          {"load", loadOfMachine()}};
}

RecordHead recordHead(std::string_view commit, const Scene& scene, const ShapeSet& shapes,
                      const std::string& renderer, std::optional<bool> realtime) {
  RecordHead settings = headSettings(scene);
  const auto take = [&settings](std::string_view key) {
    const auto line = std::ranges::find(settings, key, &RecordHead::value_type::first);
    auto taken = std::move(*line);
    settings.erase(line);
    return taken;
  };
  RecordHead head = machineHead(commit);
  head.emplace_back("renderer", renderer);
  head.push_back(take("scene"));
  head.emplace_back("scene_hash", fmt::format("0x{:016x}", hashOfText(writeScene(scene))));
  for (const char* key : {"seed", "target_ms", "clock", "budget"}) head.push_back(take(key));
  if (realtime) head.emplace_back("realtime", *realtime ? "yes" : "no");
  head.emplace_back("detector", broadPhaseOf(scene) + " + " + scene.narrow);
  head.push_back(take("reference"));
  head.emplace_back("tree", treeNames(shapes));
  std::ranges::move(settings, std::back_inserter(head));
  for (std::size_t i = 0; i < shapes.shapes().size(); ++i) {
    const Polyhedron& polyhedron = shapes.polyhedron(static_cast<std::uint32_t>(i));
    head.emplace_back(fmt::format("model_{}", i),
                      fmt::format("{} 0x{:016x}, {} triangles", shapes.shapes()[i].name,
                                  polyhedron.hash(), polyhedron.mesh().triangles.size()));
  }
  return head;
}

}  // namespace nearmiss::engine
