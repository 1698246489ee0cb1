// SPDX-License-Identifier: MIT
#include <engine/model/model_loader.h>
#include <fmt/format.h>
#include <nearmiss/mesh.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <chrono>
#include <deque>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/output_files.h"
#include "console/progress_line.h"
#include "fly/sheet/tree_sheet.h"
#include "tools/tree/tree_commands.h"

namespace nearmiss::app::tree {
namespace {

/// A model with everything that its sheet shows.
struct Grown {
  std::string model;
  engine::DrawMesh draw;
  std::vector<std::string> warnings;
  std::size_t triangles = 0;
  double radius = 1.0;
  std::deque<SphereTree> trees;
  std::vector<fly::SheetRow> rows;
};

Result<Grown> grow(const TreeSheetCommand& command, const std::filesystem::path& file,
                   ExitCode& blame, BuildProgress& progress) {
  blame = BadModelOrScene;
  auto loaded = engine::loadModel(file, {}, progress.cancelled);
  if (!loaded) return loaded.error();
  Grown grown{loaded->name, std::move(loaded->draw), std::move(loaded->warnings), 0, 1.0, {}, {}};
  const auto prepared = makePolyhedron(std::move(loaded->mesh));
  if (!prepared) return prepared.error();
  const Polyhedron& polyhedron = *prepared;
  grown.triangles = polyhedron.mesh().triangles.size();
  grown.radius = polyhedron.radius();

  // The octree first, as reference for the others
  blame = Usage;
  std::vector<std::string> names{"octree"};
  for (const std::string& name : command.builders)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  for (const std::string& name : names) {
    if (progress.cancelled) return Error{ErrorCode::Cancelled, "the sheet was cancelled"};
    const SphereTreeBuilderEntry* builder = findSphereTreeBuilder(name);
    SphereTreeSettings settings;
    settings.levels = fly::TreeSheet::levels;
    const auto start = std::chrono::steady_clock::now();
    auto tree = builder->build(polyhedron, settings, &progress);
    if (!tree) return tree.error();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    grown.trees.push_back(*std::move(tree));
    grown.rows.push_back({name, std::string(builder->summary), &grown.trees.back(), took.count()});
  }
  return grown;
}

}  // namespace

int drawSheet(const TreeSheetCommand& typed) {
  TreeSheetCommand command = typed;
  command.out = outputOr(command.out, command.model, "_sheet.png");
  const auto file = engine::findModel(command.model);
  if (!file) return complain(file.error(), BadModelOrScene);
  if (const int exitCode = checkOutputs({{"-o", command.out}}, {*file}); exitCode != Ok)
    return exitCode;
  // Install the handler for Ctrl-C before SDL does
  watchForInterrupts();
  auto sheet = fly::TreeSheet::open();
  if (!sheet) return complain(sheet.error(), Environment);

  ExitCode blame = Ok;
  const auto grown = runWithProgressLine(
      fmt::format("building the trees of {}", command.model),
      [&](BuildProgress& progress) { return grow(command, *file, blame, progress); });
  if (!grown) return complain(grown.error(), blame);
  const Grown& model = *grown;
  for (const std::string& warning : model.warnings) complain(warning);

  const auto picture =
      sheet->draw({model.model, model.triangles, model.radius, &model.draw, model.rows});
  if (!picture) return complain(picture.error(), Environment);
  if (auto written = fly::writePng(command.out, picture->width, picture->height, picture->rgb);
      !written)
    return complain(written.error(), Environment);
  fmt::print("written to {}, {} x {} pixels\n", command.out.string(), picture->width,
             picture->height);
  return Ok;
}

}  // namespace nearmiss::app::tree
