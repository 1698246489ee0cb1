// SPDX-License-Identifier: MIT
#include "tools/clash/clash_table.h"

#include <fmt/format.h>
#include <nearmiss/advanced/fallbacks.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "console/output_files.h"

namespace nearmiss::app::clash {
namespace {

using engine::Clash;
using engine::ClashClass;
using engine::DeepestPart;
using engine::Interference;
using engine::SkipReason;
using engine::StillScene;

constexpr double mebi = 1048576.0;

std::size_t skippedFor(const StillScene& scene, SkipReason why) {
  return static_cast<std::size_t>(
      std::ranges::count(scene.skipped, why, &engine::SkippedPair::why));
}

std::string number(Real value) { return fmt::format("{:.9g}", value); }

/// The object with the deepest part, or the inner object.
std::string ownerOf(const StillScene& scene, const Clash& clash) {
  const bool has = clash.kind == ClashClass::Enclosed ||
                   (clash.kind == ClashClass::Protruding && clash.part != DeepestPart::None);
  return has ? csvText(scene.objects[clash.ofB ? clash.pair.b : clash.pair.a].name) : "";
}

std::string_view partOf(const Clash& clash) {
  if (clash.kind == ClashClass::Enclosed) return "whole";
  if (clash.part == DeepestPart::Vertex) return "vertex";
  if (clash.part == DeepestPart::Face) return "face";
  return clash.part == DeepestPart::Edge ? "edge" : "";
}

}  // namespace

ClassCounts countClasses(const StillScene& scene, const Interference& found) {
  ClassCounts counts{};
  for (const Clash& clash : found.clashes) ++counts[static_cast<std::size_t>(clash.kind)];
  const std::size_t objects = scene.objects.size();
  const std::size_t all = objects * (objects - std::min<std::size_t>(objects, 1)) / 2;
  counts[static_cast<std::size_t>(ClashClass::Clear)] =
      all - scene.skipped.size() - found.clashes.size();
  return counts;
}

std::vector<Clash> clashesOf(const StillScene& scene, const Interference& found,
                             std::span<const ClashClass> classes) {
  std::vector<Clash> chosen;
  for (const Clash& clash : found.clashes)
    if (std::ranges::find(classes, clash.kind) != classes.end()) chosen.push_back(clash);
  if (std::ranges::find(classes, ClashClass::Clear) == classes.end()) return chosen;
  const auto count = static_cast<std::uint32_t>(scene.objects.size());
  for (std::uint32_t a = 0; a < count; ++a)
    for (std::uint32_t b = a + 1; b < count; ++b) {
      const BodyPair pair = pairOf(a, b);
      if (!std::ranges::binary_search(found.clashes, pair, {}, &Clash::pair) &&
          !std::ranges::binary_search(scene.skipped, pair, {}, &engine::SkippedPair::pair))
        chosen.push_back({.pair = pair});
    }
  std::ranges::sort(chosen, {}, &Clash::pair);
  return chosen;
}

std::string csvOf(const StillScene& scene, std::span<const Clash> clashes) {
  std::string text = "a,b,class,depth,of,part,gap,x,y,z\n";
  for (const Clash& clash : clashes) {
    const bool deep = clash.part != DeepestPart::None;
    const bool apart =
        clash.kind == ClashClass::Touching || clash.kind == ClashClass::WithinClearance;
    const bool placed = clash.kind != ClashClass::Clear;
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{}\n",
                   csvText(scene.objects[clash.pair.a].name),
                   csvText(scene.objects[clash.pair.b].name), nameOf(clash.kind),
                   deep ? number(clash.depth) : "", ownerOf(scene, clash), partOf(clash),
                   apart ? number(clash.gap) : "", placed ? number(clash.at.x) : "",
                   placed ? number(clash.at.y) : "", placed ? number(clash.at.z) : "");
  }
  return text;
}

std::string jsonOf(const StillScene& scene, const Interference& found, const RunFigures& run) {
  const auto& figures = found.figures;
  const ClassCounts counts = countClasses(scene, found);
  std::string classes;
  for (std::size_t i = 0; i < counts.size(); ++i)
    classes += fmt::format("{}\"{}\": {}", i == 0 ? "" : ", ", engine::clashNames[i], counts[i]);
  return fmt::format(
      "{{\"objects\": {}, \"shapes\": {}, \"scene_mb\": {:.1f}, \"pairs\": {}, \"contacts\": {}, "
      "\"classes\": {{{}}}, \"left_out\": {{\"joint\": {}, \"allowed\": {}}}, "
      "\"groups\": {}, \"split_off\": {}, \"partition_halves\": {}, \"reads\": {}, \"read_mb\": "
      "{:.1f}, \"most_mb\": {:.1f}, "
      "\"waits\": {}, \"resident_growth_mb\": {:.1f}, \"seconds\": {:.3f}}}\n",
      scene.objects.size(), scene.shapes.size(), static_cast<double>(found.sceneBytes) / mebi,
      found.pairs, contactsIn(found), classes, skippedFor(scene, SkipReason::Joint),
      skippedFor(scene, SkipReason::Allowed), found.groups, found.splitOff,
      fallbacks(Fallback::PartitionHalves), figures.reads,
      static_cast<double>(figures.bytesRead) / mebi, static_cast<double>(figures.maxBytes) / mebi,
      figures.waits, run.growthMb, run.seconds);
}

std::string classLines(const StillScene& scene, const Interference& found) {
  const ClassCounts counts = countClasses(scene, found);
  std::string classes;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0)
      classes +=
          fmt::format("{}{} {}", classes.empty() ? "" : ", ", counts[i], engine::clashNames[i]);
  std::string text = classes.empty() ? "" : fmt::format("pairs by class: {}\n", classes);
  if (scene.skipped.empty()) return text;
  const std::size_t joints = skippedFor(scene, SkipReason::Joint);
  const std::size_t allowed = skippedFor(scene, SkipReason::Allowed);
  std::string why;
  if (joints > 0) why += fmt::format("{} share{} a joint", joints, joints == 1 ? "s" : "");
  if (allowed > 0)
    why += fmt::format("{}{} {} allowed", why.empty() ? "" : ", ", allowed,
                       allowed == 1 ? "is" : "are");
  return text + fmt::format("{} pair{} left out: {}\n", scene.skipped.size(),
                            scene.skipped.size() == 1 ? "" : "s", why);
}

}  // namespace nearmiss::app::clash
