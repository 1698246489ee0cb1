// SPDX-License-Identifier: MIT
#include "tools/tree/spheres_command.h"

#include <engine/base/atomic_file.h>
#include <engine/base/threads.h>
#include <engine/model/model_loader.h>
#include <fmt/format.h>
#include <nearmiss/mesh.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/output_files.h"
#include "options/option_checks.h"
#include "tools/tree/flat_set.h"
#include "tools/tree/sphere_formats.h"

namespace nearmiss::app::tree {

void addFlatSetOptions(CLI::App& app, FlatSetSettings& settings, const char* count) {
  settings.workers = 0;
  app.add_option("--count", settings.count, count)
      ->transform(wholeFrom(1, maxSpheresOfFlatSet))
      ->capture_default_str();
  app.add_option("--seed", settings.seed, "seed of the search")
      ->transform(wholeFrom(0, maxSeed))
      ->capture_default_str();
  app.add_option("--jobs", settings.workers,
                 "threads; default: one per core; the spheres do not depend on them")
      ->transform(wholeFrom(1, maxBuildWorkers));
}

FlatSetSettings withWorkers(const FlatSetSettings& settings) noexcept {
  FlatSetSettings complete = settings;
  complete.workers = engine::threadCount(complete.workers);
  return complete;
}

CLI::App& addSpheresCommand(CLI::App& app, SpheresCommand& command) {
  CLI::App* spheres = app.add_subcommand("spheres", std::string(spheresSummary));
  // Not marked as required: otherwise the parser would take the word "check" as the model
  spheres->add_option("MODEL", command.model, "a built-in name or a file; required");
  spheres->add_option("-o,--output", command.out,
                      "the file to write; default: MODEL_spheres with the format's extension");
  addFlatSetOptions(*spheres, command.settings, "at most N spheres; fewer if more would not help");
  spheres->add_option("--format", command.format, "csv, json, curobo, foam, urdf or sph")
      ->check(oneOf(namesOf(sphereFormats()), "NAME"))
      ->capture_default_str();
  return *spheres;
}

int writeSpheres(const SpheresCommand& typed) {
  if (typed.model.empty()) {
    complain("MODEL is required: a built-in name or a file");
    return Usage;
  }
  SpheresCommand command = typed;
  command.out = outputOr(command.out, command.model, "_spheres" + extensionOf(command.format));
  const auto path = engine::findModel(command.model);
  const InputFiles inputs{path ? *path : std::filesystem::path()};
  if (const int exitCode = checkOutputs({{"-o", command.out}}, inputs); exitCode != Ok)
    return exitCode;
  if (!path) return complain(path.error(), BadModelOrScene);
  auto loaded = engine::loadModel(*path);
  if (!loaded) return complain(loaded.error(), BadModelOrScene);
  for (const std::string& warning : loaded->warnings) complain(warning);
  const auto polyhedron = makePolyhedron(std::move(loaded->mesh));
  if (!polyhedron) return complain(polyhedron.error(), BadModelOrScene);
  watchForInterrupts();
  auto set = fittedSet(loaded->name, *polyhedron, withWorkers(command.settings));
  if (!set) return complain(set.error(), Usage);

  std::vector<Sphere> spheres;
  for (const ListedSphere& each : *set) spheres.push_back(each.sphere);
  const UnionVolume volume = measureUnion(*polyhedron, spheres);
  SphereListing listing{loaded->name, "flat set", true, true, {*std::move(set)}};
  moveTo({loaded->centre, loaded->scale, loaded->rounding}, listing.levels);
  const auto written = sphereFormat(command.format).write(listing, -1);
  if (!written) return complain(written.error(), Usage);
  if (const auto kept = engine::writeWhole(command.out, written->text); !kept)
    return complain(kept.error(), Environment);
  fmt::print("{} spheres, in the frame and unit of the model's file\n", written->count);
  if (volume.solid > 0.0)
    fmt::print("outside of the model: {:.3g} of its volume\n", volume.outside / volume.solid);
  fmt::print("written to {}\n", command.out.string());
  return Ok;
}

}  // namespace nearmiss::app::tree
