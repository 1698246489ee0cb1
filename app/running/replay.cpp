// SPDX-License-Identifier: MIT
#include "running/replay.h"

#include <engine/base/threads.h>
#include <engine/record/commit.h>
#include <engine/record/record_head.h>
#include <engine/scene/scene.h>
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "console/complaint.h"
#include "console/interrupt.h"
#include "console/output_files.h"
#include "console/progress_line.h"
#include "running/scene_shapes.h"

namespace nearmiss::app {
namespace {

using ShapesPtr = engine::SessionPlayer::ShapesPtr;

Result<ShapesPtr> loadShapes(const Options& options, const engine::Scene& scene,
                             const std::vector<engine::SessionShape>& flown,
                             BuildProgress* progress) {
  engine::ShapeOptions wanted = shapeOptions(options, scene);
  if (!engine::needsBspTrees(scene)) wanted.bspTrees = engine::BspTrees::None;
  // Quickly built trees were in use until the better ones were built
  for (const engine::SessionShape& shape : flown) {
    if (shape.treeBuilder == scene.tree) continue;
    wanted.temporaryBuilder = shape.treeBuilder;
    wanted.temporaryFor.push_back(shape.name);
  }
  return loadSceneShapes(scene, wanted, progress);
}

Result<std::unique_ptr<engine::SessionPlayer>> openSession(const std::filesystem::path& file,
                                                           const Options& options) {
  std::optional<Result<engine::RecordedSession>> read;
  withProgressLine("reading", [&](WorkProgress& progress) {
    read = engine::RecordedSession::read(file, [&progress](double share) {
      progress.fraction = static_cast<float>(share);
      return !progress.cancelled;
    });
  });
  Result<engine::RecordedSession>& session = *read;
  if (!session) return session.error();
  if (!session->warning().empty()) complain(session->warning());
  const std::string recordedBy = session->headValue("build"), commit = session->headValue("commit");
  const engine::RecordHead here = engine::machineHead(engine::commitName());
  if (recordedBy != engine::buildName() || commit != engine::commitName())
    complain(fmt::format("recorded by {} ({}); this is {} ({}), which may fly otherwise",
                         recordedBy, commit, engine::buildName(), engine::commitName()));
  return engine::SessionPlayer::open(
      *std::move(session),
      [options](const engine::Scene& scene, const std::vector<engine::SessionShape>& flown,
                BuildProgress* progress) { return loadShapes(options, scene, flown, progress); },
      engine::workerPool(options.workers));
}

/// The models of all scenes.
InputFiles modelsFlownIn(const engine::RecordedSession& session) {
  InputFiles models;
  for (const engine::RecordedSession::SceneChange& change : session.scenes())
    if (const auto scene = engine::sceneOf(change.scene, session.file()))
      for (std::filesystem::path& model : modelsOf(*scene)) models.push_back(std::move(model));
  return models;
}

}  // namespace

int replay(const ReplayCommand& command,
           int (*show)(const Options& options, std::unique_ptr<engine::SessionPlayer> player)) {
  const OutputFiles outputs = outputsOf(command.options);
  if (const int exitCode = checkOutputs(outputs, {command.file}); exitCode != Ok) return exitCode;
  watchForInterrupts();
  auto player = openSession(command.file, command.options);
  if (!player) return complain(player.error(), BadModelOrScene);
  if (!outputs.empty())
    if (const int exitCode = checkOutputs(outputs, modelsFlownIn((*player)->session()));
        exitCode != Ok)
      return exitCode;
  Options options = command.options;
  options.scene = (*player)->scene();
  return show(options, *std::move(player));
}

int validateSession(const ReplayCommand& command) {
  watchForInterrupts();
  const auto player = openSession(command.file, command.options);
  if (!player) return complain(player.error(), BadModelOrScene);
  (*player)->disableSnapshots();
  Result<Success> flown = Success{};
  withProgressLine("replaying", [&](WorkProgress& progress) {
    (*player)->setCancelled(&progress.cancelled);
    while (flown && !(*player)->atEnd() && !(*player)->difference() && !progress.cancelled) {
      if (const auto frame = (*player)->step(); !frame && !progress.cancelled)
        flown = frame.error();
      progress.fraction = static_cast<float>((*player)->position()) /
                          static_cast<float>((*player)->session().frames());
    }
  });
  if (!flown) return complain(flown.error(), BadModelOrScene);
  const engine::SessionPlayer& end = **player;
  fmt::print("{}: {} of {} frames replayed\n", command.file.string(), end.position(),
             end.session().frames());
  if (const auto& difference = end.difference())
    return complain({ErrorCode::Unsupported, difference->text}, ValidationFailed);
  if (!end.atEnd()) return Interrupted;
  fmt::print("every ship is where it was recorded, in every frame\nstate 0x{:016x}\n",
             engine::stateHash((*player)->simulation().world().ships()));
  return Ok;
}

}  // namespace nearmiss::app
