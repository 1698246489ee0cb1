// SPDX-License-Identifier: MIT
#include "tools/clash/interfere.h"

#include <engine/base/atomic_file.h>
#include <engine/base/resources.h>
#include <engine/interference/interference.h>
#include <fmt/format.h>
#include <malloc.h>
#include <nearmiss/advanced/fallbacks.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/tree_builders.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/output_files.h"
#include "console/progress_line.h"
#include "options/option_checks.h"
#include "options/options.h"
#include "tools/clash/bcf.h"
#include "tools/clash/clash_table.h"
#include "tools/robot/semantics/ignored_pairs.h"

namespace nearmiss::app {
namespace {

constexpr double mebi = 1048576.0;

/// Maximum number of clashes in the files, which are built in memory: about 10 GB.
constexpr std::size_t maxListed = std::size_t{1} << 26;

/// A value in kB of /proc/self/status, converted to MB; 0 if it is missing.
double statusMb(std::string_view key) {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line))
    if (line.starts_with(key)) return std::strtod(line.c_str() + key.size() + 1, nullptr) / 1024.0;
  return 0.0;
}

/// Measures the memory of the process from its construction on: current size and maximum growth.
class MemoryWatch {
 public:
  MemoryWatch() {
    ::malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5;  // resets the peak
    start_ = statusMb("VmRSS");
  }
  [[nodiscard]] double growth() const { return std::max(0.0, statusMb("VmHWM") - start_); }

 private:
  double start_;
};

engine::InterferenceSettings settingsOf(const InterfereCommand& command) {
  engine::InterferenceSettings settings;
  if (command.residentMb > 0.0) {
    settings.memoryLimit = static_cast<std::uint64_t>(command.residentMb * mebi);
    // Return freed blocks to the system immediately, despite fragmentation
    ::mallopt(M_MMAP_THRESHOLD, 1 << 16);
  }
  if (command.order == "given") settings.order = engine::VisitOrder::Given;
  settings.limits = {command.tolerance, command.clearance};
  return settings;
}

/// The name of a class as one word.
std::string typedName(engine::ClashClass kind) {
  std::string name(nameOf(kind));
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::vector<std::string_view> typedNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < engine::clashNames.size(); ++i)
      all.push_back(typedName(static_cast<engine::ClashClass>(i)));
    return all;
  }();
  return {names.begin(), names.end()};
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// Writes a file and prints its name. Returns an ExitCode.
int writeNamed(const std::filesystem::path& file, const std::string& text) {
  const auto kept = engine::writeWhole(file, text);
  if (!kept) return complain(kept.error(), Environment);
  fmt::print("written to {}\n", file.string());
  return Ok;
}

int writeTopics(const InterfereCommand& command, const engine::StillScene& scene,
                std::span<const engine::Clash> clashes) {
  if (command.bcf.empty()) return Ok;
  const auto text = clash::bcfOf(scene, clashes, std::time(nullptr));
  if (!text) return complain(text.error(), Usage);
  return writeNamed(command.bcf, *text);
}

/// The classes to list, in the order of ClashClass.
std::vector<engine::ClashClass> classesOf(const InterfereCommand& command) {
  std::vector<engine::ClashClass> classes;
  for (std::size_t i = 0; i < engine::clashNames.size(); ++i) {
    const auto kind = static_cast<engine::ClashClass>(i);
    const bool named = std::ranges::any_of(
        command.classes, [kind](const std::string& name) { return name == typedName(kind); });
    if (named || (command.classes.empty() && kind != engine::ClashClass::Clear))
      classes.push_back(kind);
  }
  return classes;
}

/// Checks that outputs can be written, before the slow storing of shapes.
int checkFiles(const InterfereCommand& command) {
  OutputFiles outputs;
  if (!command.pairs.empty()) outputs.emplace_back("--output", command.pairs);
  if (!command.bcf.empty()) outputs.emplace_back("--bcf", command.bcf);
  if (!command.summary.empty()) outputs.emplace_back("--summary", command.summary);
  if (const int fault = checkOutputs(outputs, {command.layout, command.allowed})) return fault;
  if (outputs.empty()) return Ok;
  const auto models = engine::modelsOfLayout(command.layout);
  return models ? checkOutputs(outputs, *models) : complain(models.error(), BadModelOrScene);
}

int writeClashes(const InterfereCommand& command, const engine::StillScene& scene,
                 const engine::Interference& found) {
  if (command.pairs.empty() && command.bcf.empty()) return Ok;
  const auto classes = classesOf(command);
  const clash::ClassCounts counts = clash::countClasses(scene, found);
  std::size_t listed = 0;
  for (const engine::ClashClass kind : classes) listed += counts[static_cast<std::size_t>(kind)];
  if (listed > maxListed) {
    complain(
        fmt::format("the files would list {} pairs, and {} are the most; --classes lists fewer",
                    listed, maxListed));
    return Usage;
  }
  const auto clashes = clash::clashesOf(scene, found, classes);
  if (!command.pairs.empty())
    if (const int fault = writeNamed(command.pairs, clash::csvOf(scene, clashes)); fault != Ok)
      // Write the other file nevertheless
      return std::max(fault, writeTopics(command, scene, clashes));
  return writeTopics(command, scene, clashes);
}

/// Leaves out the pairs of a robot's file, by the names of objects.
Result<Success> skipAllowedContacts(const InterfereCommand& command, engine::StillScene& scene) {
  if (command.allowed.empty()) return Success{};
  const auto ignored = robot::readIgnoredPairs(command.allowed);
  if (!ignored) return ignored.error();
  std::vector<std::string> names;
  for (const engine::StillObject& object : scene.objects) names.push_back(object.name);
  const auto named = [&command](const Error& error) {
    return Error{error.code, fmt::format("\"{}\": {}", command.allowed.string(), error.message)};
  };
  const auto pairs = robot::pairsAmong(*ignored, names);
  if (!pairs) return named(pairs.error());
  std::vector<engine::SkippedNames> skipped;
  for (const robot::IgnoredPair& pair : *pairs)
    skipped.push_back(
        {pair.a, pair.b,
         pair.reason == "Adjacent" ? engine::SkipReason::Joint : engine::SkipReason::Allowed});
  const auto left = engine::leaveOut(skipped, scene);
  return left ? left : named(left.error());
}

/// Warns once per shape, with the name of its first object.
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
      "  rotation = [0.7071, 0, 0.7071, 0]\n"
      "Pairs of names that are not compared stand above the objects:\n"
      "  joints = [[\"arm\", \"hand\"]]\n"
      "  allowed = [[\"pump\", \"seal\"]]");
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
  interfere
      ->add_option("--tolerance", command.tolerance,
                   "metres: bodies that overlap by at most this are touching, and shapes that "
                   "differ by at most this are duplicates")
      ->check(numberFrom(0.0, 1e9))
      ->capture_default_str();
  interfere
      ->add_option("--clearance", command.clearance,
                   "metres: pairs at most this far apart are within clearance")
      ->check(numberFrom(0.0, 1e9))
      ->capture_default_str();
  interfere
      ->add_option("--classes", command.classes,
                   "which clashes the files list: duplicate, enclosed, protruding, touching, "
                   "within-clearance, clear, joined by commas; default: all but clear")
      ->delimiter(',')
      ->check(oneOf(typedNames(), "LIST"));
  interfere->add_option("--allowed", command.allowed,
                        "an SRDF, XRDF or cuRobo file of links that may touch: objects of these "
                        "names are not compared");
  interfere->add_option("-o,--output", command.pairs, "a table of the clashes, FILE.csv");
  interfere->add_option("--bcf", command.bcf,
                        "the clashes as topics for building models, FILE.bcf (BCF 2.1)");
  interfere->add_option("--summary", command.summary, "the figures, FILE.json");
}

int interfere(const InterfereCommand& command) {
  watchForInterrupts();
  if (const int fault = checkFiles(command)) return fault;
  const engine::InterferenceSettings settings = settingsOf(command);
  const std::filesystem::path store =
      command.store.empty() ? engine::defaultCacheFolder() / "shapes" : command.store;
  auto scene = runWithProgressLine("storing the shapes", [&](BuildProgress& progress) {
    return engine::readStillScene(command.layout, store, command.tree, &progress);
  });
  if (!scene) return complain(scene.error(), BadModelOrScene);
  if (const auto left = skipAllowedContacts(command, *scene); !left)
    return complain(left.error(), BadModelOrScene);
  warnOfSides(*scene);

  const MemoryWatch memory;
  const auto start = std::chrono::steady_clock::now();
  const auto found =
      runToEndWithProgressLine("comparing the objects", [&](BuildProgress& progress) {
        return engine::findInterference(*scene, settings, &progress);
      });
  if (!found && found.error().code == ErrorCode::Cancelled) {
    complain(found.error().message + "; no file was written");
    return Interrupted;
  }
  if (!found)
    return complain(found.error(),
                    found.error().code == ErrorCode::Unsupported ? Usage : BadModelOrScene);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double growth = memory.growth();

  fmt::print("{} of {}, {:.0f} MiB in memory if all were there\n",
             counted(scene->objects.size(), "object"), counted(scene->shapes.size(), "shape"),
             static_cast<double>(found->sceneBytes) / mebi);
  const std::size_t contacts = contactsIn(*found);
  fmt::print("{} by their boxes; {}\n",
             found->pairs == 1 ? std::string("1 pair overlaps")
                               : fmt::format("{} pairs overlap", found->pairs),
             contacts == 1 ? std::string("1 touches") : fmt::format("{} touch", contacts));
  fmt::print("{}", clash::classLines(*scene, *found));
  fmt::print(
      "{}, {:.0f} MiB, in {}; at most {:.0f} MiB of shapes at once, the process "
      "grew by {:.0f} MiB; {:.2f} s\n",
      counted(found->figures.reads, "read"), static_cast<double>(found->figures.bytesRead) / mebi,
      counted(found->groups, "group"), static_cast<double>(found->figures.maxBytes) / mebi, growth,
      seconds);
  fmt::print("{}", fallbackLines());
  const int exitCode = writeClashes(command, *scene, *found);
  if (command.summary.empty()) return exitCode;
  return std::max(exitCode,
                  writeNamed(command.summary, clash::jsonOf(*scene, *found, {seconds, growth})));
}

}  // namespace nearmiss::app
