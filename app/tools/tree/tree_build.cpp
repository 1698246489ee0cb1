// SPDX-License-Identifier: MIT
#include <engine/model/model_loader.h>
#include <fmt/format.h>
#include <nearmiss/advanced/fallbacks.h>
#include <nearmiss/mesh.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>

#include <chrono>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/output_files.h"
#include "console/progress_line.h"
#include "tools/tree/tree_commands.h"
#include "tools/tree/tree_model.h"

namespace nearmiss::app::tree {
namespace {

/// Loads, builds and writes, so that nothing is written after a failure. `blame` is the exit code
/// if the current step fails.
Result<SphereTreeFile> build(const TreeBuildCommand& command, const std::filesystem::path& model,
                             std::vector<std::string>& warnings, ExitCode& blame,
                             BuildProgress& progress) {
  blame = BadModelOrScene;
  auto loaded = engine::loadModel(model, {}, progress.cancelled);
  if (!loaded) return loaded.error();
  warnings = loaded->warnings;
  const auto prepared = makePolyhedron(std::move(loaded->mesh));
  if (!prepared) return prepared.error();
  const Polyhedron& polyhedron = *prepared;
  if (progress.cancelled) return Error{ErrorCode::Cancelled, "the build was cancelled"};

  blame = Usage;
  const SphereTreeBuilderEntry* builder = findSphereTreeBuilder(command.method);
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t before = fallbacksHere(Fallback::AnnealedApart);
  auto tree = buildSphereTree(*builder, polyhedron, command.settings, &progress);
  if (!tree) return tree.error();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

  SphereTreeFile file{
      {polyhedron.hash(), hashOf(command.method, command.settings)},
      builderOfFile(command.method, fallbacksHere(Fallback::AnnealedApart) > before),
      static_cast<std::uint32_t>(polyhedron.mesh().triangles.size()),
      seconds.count(),
      std::move(*tree)};
  blame = Environment;
  progress.enter(BuildStage::Writing);
  const auto written = writeSphereTree(command.out, file);
  if (!written) return written.error();
  return file;
}

}  // namespace

int buildTree(const TreeBuildCommand& typed) {
  TreeBuildCommand command = typed;
  command.out = outputOr(command.out, command.model, ".tree");
  if (const auto sound = checkSettings(command.method, command.settings); !sound)
    return complain(sound.error(), Usage);
  const auto model = engine::findModel(command.model);
  if (!model) return complain(model.error(), BadModelOrScene);
  if (const int exitCode = checkOutputs({{"-o", command.out}}, {*model}); exitCode != Ok)
    return exitCode;
  for (const std::string& option : command.ignoredOptions)
    complain(fmt::format("{} means nothing to the {} builder", option, command.method));
  watchForInterrupts();
  std::vector<std::string> warnings;
  ExitCode blame = Ok;
  const auto built = runWithProgressLine(
      fmt::format("building the {} tree of {}", command.method, command.model),
      [&](BuildProgress& progress) { return build(command, *model, warnings, blame, progress); });
  for (const std::string& warning : warnings) complain(warning);
  if (!built) return complain(built.error(), blame);

  if (command.settings.innerSpheres > 0 && built->tree.data().inner.empty())
    complain(fmt::format("no part of {} is closed, so nothing is inside it", command.model));
  printTree(*built);
  fmt::print("written to {}\n", command.out.string());
  return Ok;
}

}  // namespace nearmiss::app::tree
