// SPDX-License-Identifier: MIT
#include "list.h"

#include <engine/model_loader.h>
#include <engine/scene.h>
#include <fmt/format.h>
#include <nearmiss/detector_catalog.h>
#include <nearmiss/sphere_tree_builder.h>

#include <cstdio>
#include <string_view>

#include "complaint.h"
#include "lab/experiments.h"

namespace nearmiss::app {
namespace {

void printCatalog(const auto& catalog) {
  for (const auto& entry : catalog) fmt::print("{:<24} {}\n", entry.name, entry.summary);
}

void listTrees() {
  for (const SphereTreeBuilderEntry& entry : sphereTreeBuilderCatalog())
    fmt::print("{:<18} {}{}\n", entry.name, entry.summary,
               entry.name == defaultSphereTreeBuilder ? "; the default" : "");
}

/// One line about a scene: its ships and its target.
std::string summaryOf(const engine::Scene& scene) {
  std::string ships = scene.playerModel + " among";
  std::string_view gap = " ";
  for (const engine::DroneGroup& group : scene.drones) {
    ships += fmt::format("{}{} x {}", gap, group.count, group.model);
    gap = ", ";
  }
  return fmt::format("{}; {:.4g} ms a frame", ships, scene.frameMs);
}

int listScenes() {
  for (const std::string& name : engine::builtInScenes()) {
    const auto file = engine::findScene(name);
    if (!file) return complain(file.error(), BadModelOrScene);
    const auto scene = engine::readScene(*file);
    if (!scene) return complain(scene.error(), BadModelOrScene);
    fmt::print("{:<18} {}\n", name, summaryOf(*scene));
  }
  return Ok;
}

int listModels() {
  for (const std::string& name : engine::builtInModels()) {
    const auto file = engine::findModel(name);
    fmt::print("{:<18} {}\n", name, file ? file->string() : "missing");
  }
  return Ok;
}

}  // namespace

int list(const std::string& what) {
  if (what == "models") return listModels();
  if (what == "scenes") return listScenes();
  if (what == "broad") printCatalog(broadPhaseCatalog());
  if (what == "narrow") printCatalog(narrowPhaseCatalog());
  if (what == "trees") listTrees();
  if (what == "experiments") printCatalog(experimentCatalog());
  return Ok;
}

}  // namespace nearmiss::app
