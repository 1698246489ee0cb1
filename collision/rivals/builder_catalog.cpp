// SPDX-License-Identifier: MIT
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <array>
#include <string>

#include "rivals/anchored.h"
#include "rivals/annealed.h"
#include "spheres/build_hash.h"

namespace nearmiss {
namespace {

constexpr std::string_view gaveWayNote = " (gave way to annealed-apart)";

Result<Success> checkAnnealed(std::string_view name, const SphereTreeSettings& settings) {
  return checkOwn(name, settings, settings.annealed);
}

void hashAnnealed(Fingerprint& key, const SphereTreeSettings& settings) {
  const AnnealedSettings& own = settings.annealed;
  addNumbers(key, own.objective, own.schedule.seed, own.schedule.steps);
  key.add(own.schedule.heat);
  key.add(own.schedule.cooled);
}

const SphereTreeBuilderEntry& ofCore(std::string_view name) noexcept {
  return *findCoreSphereTreeBuilder(name);
}

}  // namespace

std::span<const SphereTreeBuilderEntry> sphereTreeBuilderCatalog() noexcept {
  static const std::array builders{
      ofCore("octree"),
      ofCore("sah"),
      SphereTreeBuilderEntry{"annealed",
                             "the octree's spheres, those of a level moved together by simulated "
                             "annealing",
                             buildAnnealedTogether, checkAnnealed, hashAnnealed},
      SphereTreeBuilderEntry{"annealed-apart",
                             "the octree's spheres, each moved by itself by simulated annealing",
                             buildAnnealedSphereTree, checkAnnealed, hashAnnealed},
      ofCore("variational"),
      ofCore("dag"),
      ofCore("medial"),
      SphereTreeBuilderEntry{
          "medial-dag",
          "the paper's DAG: spheres of the medial axis merged for each level as a whole",
          buildMedialDag,
          [](std::string_view name, const SphereTreeSettings& settings) {
            return checkOwn(name, settings, settings.medial);
          },
          [](Fingerprint& key, const SphereTreeSettings& settings) {
            addOwn(key, settings.medial);
          }},
      SphereTreeBuilderEntry{"anchored",
                             "balls that touch the surface from inside, O'Rourke and Badler's, "
                             "merged likewise",
                             buildAnchoredSphereTree,
                             [](std::string_view name, const SphereTreeSettings& settings) {
                               return checkOwn(name, settings, settings.anchored);
                             },
                             [](Fingerprint& key, const SphereTreeSettings& settings) {
                               addOwn(key, mergeSettings(settings.anchored));
                             }},
  };
  return builders;
}

const SphereTreeBuilderEntry* findSphereTreeBuilder(std::string_view name) noexcept {
  const auto all = sphereTreeBuilderCatalog();
  const auto found = std::ranges::find(all, name, &SphereTreeBuilderEntry::name);
  return found == all.end() ? nullptr : &*found;
}

Result<Success> checkSettings(std::string_view builder, const SphereTreeSettings& settings) {
  if (const SphereTreeBuilderEntry* entry = findSphereTreeBuilder(builder))
    return checkSettings(*entry, settings);
  return Error{ErrorCode::Unsupported,
               "there is no sphere-tree builder \"" + std::string(builder) + "\""};
}

std::uint64_t hashOf(std::string_view builder, const SphereTreeSettings& settings) {
  if (const SphereTreeBuilderEntry* entry = findSphereTreeBuilder(builder))
    return hashOf(*entry, settings);
  SphereTreeBuilderEntry unknown{};
  unknown.name = builder;
  return hashOf(unknown, settings);
}

std::string builderOfFile(std::string_view builder, bool fellBack) {
  return std::string(builder) + std::string(fellBack ? gaveWayNote : "");
}

bool gaveWay(std::string_view builderOfFile) noexcept {
  return builderOfFile.ends_with(gaveWayNote);
}

}  // namespace nearmiss
