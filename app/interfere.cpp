// SPDX-License-Identifier: MIT
#include "interfere.h"

#include <engine/interference/interference.h>
#include <engine/record/atomic_file.h>
#include <engine/scene/resources.h>
#include <fmt/format.h>
#include <malloc.h>
#include <nearmiss/fallbacks.h>
#include <nearmiss/methods/tree_builders.h>
#include <nearmiss/tree_builders.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/output_files.h"
#include "console/progress_line.h"
#include "option_checks.h"
#include "options.h"

namespace nearmiss::app {
namespace {

constexpr double mebi = 1048576.0;

/// A number of kB in /proc/self/status; 0 where there is none.
double statusMb(std::string_view key) {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line))
    if (line.starts_with(key)) return std::strtod(line.c_str() + key.size() + 1, nullptr) / 1024.0;
  return 0.0;
}

/// The memory of the process from here on: what it has now, and how much more it had at most.
class MemoryWatch {
 public:
  MemoryWatch() {
    ::malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5;  // forgets the peak
    start_ = statusMb("VmRSS");
  }
  [[nodiscard]] double growth() const { return std::max(0.0, statusMb("VmHWM") - start_); }

 private:
  double start_;
};

std::string csvOf(const engine::StillScene& scene, const engine::Interference& found) {
  std::string text = "a,b\n";
  for (const BodyPair& pair : found.contacts)
    fmt::format_to(std::back_inserter(text), "{},{}\n", csvText(scene.objects[pair.a].name),
                   csvText(scene.objects[pair.b].name));
  return text;
}

std::string jsonOf(const engine::StillScene& scene, const engine::Interference& found,
                   double seconds, double growth) {
  const auto& figures = found.figures;
  return fmt::format(
      "{{\"objects\": {}, \"shapes\": {}, \"scene_mb\": {:.1f}, \"pairs\": {}, \"contacts\": {}, "
      "\"groups\": {}, \"split_off\": {}, \"partition_halves\": {}, \"reads\": {}, \"read_mb\": "
      "{:.1f}, \"most_mb\": {:.1f}, "
      "\"waits\": {}, \"resident_growth_mb\": {:.1f}, \"seconds\": {:.3f}}}\n",
      scene.objects.size(), scene.shapes.size(), static_cast<double>(found.sceneBytes) / mebi,
      found.pairs, found.contacts.size(), found.groups, found.splitOff,
      fallbacks(Fallback::PartitionHalves), figures.reads,
      static_cast<double>(figures.bytesRead) / mebi, static_cast<double>(figures.maxBytes) / mebi,
      figures.waits, growth, seconds);
}

engine::InterferenceSettings settingsOf(const InterfereCommand& command) {
  engine::InterferenceSettings settings;
  if (command.residentMb > 0.0) {
    settings.memoryLimit = static_cast<std::uint64_t>(command.residentMb * mebi);
    // Blocks that are given back leave the process at once, however they lie
    ::mallopt(M_MMAP_THRESHOLD, 1 << 16);
  }
  if (command.order == "given") settings.order = engine::VisitOrder::Given;
  return settings;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// Once for each shape, by the name of the first object that has it.
void warnOfSides(const engine::StillScene& scene) {
  std::vector<bool> told(scene.shapes.size(), false);
  for (const engine::StillObject& object : scene.objects) {
    const SolidSide side = scene.shapes[object.shape].side;
    if (told[object.shape]) continue;
    told[object.shape] = true;
    for (const std::string& note : scene.shapes[object.shape].notes) complain(note);
    if (side == SolidSide::None)
      complain(fmt::format("\"{}\" is not a solid: its surface alone collides", object.name));
    if (side == SolidSide::Turned)
      complain(
          fmt::format("\"{}\" faced inwards: what it encloses is taken as the solid", object.name));
  }
}

}  // namespace

void addInterfereCommand(CLI::App& app, InterfereCommand& command) {
  CLI::App* interfere = app.add_subcommand("interfere", std::string(interfereSummary));
  interfere->add_option("LAYOUT", command.layout, "a TOML file of objects and their poses")
      ->required();
  interfere->footer(
      "A layout has a table for each object: a built-in model or a file beside it, metres, and a "
      "rotation as w, x, y, z:\n"
      "  version = 1\n"
      "  [[objects]]\n"
      "  model = \"lamp\"\n"
      "  [[objects]]\n"
      "  name = \"pump\"\n"
      "  model = \"pump.obj\"\n"
      "  position = [1.5, 0, 0]\n"
      "  rotation = [0.7071, 0, 0.7071, 0]");
  interfere
      ->add_option("--resident-mb", command.residentMb,
                   "MiB of shapes in memory at once; default: no limit")
      ->check(numberFrom(1.0, 1e9));
  interfere
      ->add_option("--order", command.order, "planned: by groups that overlap; given: as listed")
      ->check(oneOf({"planned", "given"}, "planned|given"))
      ->capture_default_str();
  interfere
      ->add_option("--tree", command.tree,
                   "the builder of trees for models that are not stored yet")
      ->check(oneOf(namesOf(sphereTreeBuilderCatalog()), "NAME"))
      ->capture_default_str();
  interfere->add_option("--store", command.store, "the folder of stored shapes");
  interfere->add_option("-o,--output", command.pairs,
                        "a table of the objects that touch, FILE.csv");
  interfere->add_option("--summary", command.summary, "the figures, FILE.json");
}

int interfere(const InterfereCommand& command) {
  OutputFiles outputs;
  if (!command.pairs.empty()) outputs.emplace_back("--output", command.pairs);
  if (!command.summary.empty()) outputs.emplace_back("--summary", command.summary);
  if (const int fault = checkOutputs(outputs)) return fault;
  watchForInterrupts();
  const engine::InterferenceSettings settings = settingsOf(command);
  const std::filesystem::path store =
      command.store.empty() ? engine::defaultCacheFolder() / "shapes" : command.store;
  const auto scene = answerWithProgressLine("storing the shapes", [&](BuildProgress& progress) {
    return engine::readStillScene(command.layout, store, command.tree, &progress);
  });
  if (!scene) return complain(scene.error(), BadModelOrScene);
  warnOfSides(*scene);

  const MemoryWatch memory;
  const auto start = std::chrono::steady_clock::now();
  const auto found = answerWithProgressLine("comparing the objects", [&](BuildProgress& progress) {
    return engine::findInterference(*scene, settings, &progress);
  });
  if (!found)
    return complain(found.error(),
                    found.error().code == ErrorCode::Unsupported ? Usage : BadModelOrScene);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double growth = memory.growth();

  fmt::print("{} of {}, {:.0f} MiB in memory if all were there\n",
             counted(scene->objects.size(), "object"), counted(scene->shapes.size(), "shape"),
             static_cast<double>(found->sceneBytes) / mebi);
  fmt::print("{} by their boxes; {}\n",
             found->pairs == 1 ? std::string("1 pair overlaps")
                               : fmt::format("{} pairs overlap", found->pairs),
             found->contacts.size() == 1 ? std::string("1 touches")
                                         : fmt::format("{} touch", found->contacts.size()));
  fmt::print(
      "{}, {:.0f} MiB, in {}; at most {:.0f} MiB of shapes at once, the process "
      "grew by {:.0f} MiB; {:.2f} s\n",
      counted(found->figures.reads, "read"), static_cast<double>(found->figures.bytesRead) / mebi,
      counted(found->groups, "group"), static_cast<double>(found->figures.maxBytes) / mebi, growth,
      seconds);
  fmt::print("{}", fallbackLines());
  const auto write = [](const std::filesystem::path& file, const std::string& text) {
    if (file.empty()) return static_cast<int>(Ok);
    const auto written = engine::writeWhole(file, text);
    return written ? static_cast<int>(Ok) : complain(written.error(), Environment);
  };
  if (const int fault = write(command.pairs, csvOf(*scene, *found))) return fault;
  return write(command.summary, jsonOf(*scene, *found, seconds, growth));
}

}  // namespace nearmiss::app
