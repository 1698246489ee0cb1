// SPDX-License-Identifier: MIT
/// How long a replay takes to stand at any frame.
#include <engine/record/commit.h>
#include <engine/record/record_head.h>
#include <engine/session/session_player.h>
#include <fmt/format.h>
#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <vector>

#include "bench.h"
#include "percentile.h"

namespace nearmiss::bench {
namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;

Result<engine::SessionPlayer::ShapesPtr> loadShapes(const engine::Scene& scene) {
  const auto files = engine::modelFilesOf(scene);
  if (!files) return files.error();
  engine::ShapeOptions options;
  options.treeBuilder = scene.tree;
  options.tree = engine::treeSettings(scene);
  return engine::buildShapeSet(*files, options);
}

}  // namespace

int seeks(const SeeksCommand& command) {
  auto session = engine::RecordedSession::read(command.session);
  if (!session) {
    fmt::print(stderr, "nearmiss-lab: {}\n", session.error().message);
    return 1;
  }
  const auto player = engine::SessionPlayer::open(
      *std::move(session),
      [](const engine::Scene& scene, const auto&, BuildProgress*) { return loadShapes(scene); });
  if (!player) {
    fmt::print(stderr, "nearmiss-lab: {}\n", player.error().message);
    return 1;
  }
  engine::SessionPlayer& flown = **player;
  const auto began = std::chrono::steady_clock::now();
  flown.scoutAhead();
  flown.awaitScout();
  const Milliseconds scouted = std::chrono::steady_clock::now() - began;

  SplitMix random(command.seed);
  std::vector<double> times;
  for (int n = 0; n < command.seeks; ++n) {
    const std::uint64_t to = 1 + random.bits() % flown.session().frames();
    const auto start = std::chrono::steady_clock::now();
    if (!flown.seek(to)) return 1;
    times.push_back(Milliseconds(std::chrono::steady_clock::now() - start).count());
  }
  std::ranges::sort(times);
  const auto table = command.folder / "seeks.csv";
  std::ofstream csv(table);
  csv << engine::headText(engine::machineHead(engine::commitName()))
      << "frames,ships,scout_ms,seeks,p50_ms,p99_ms,max_ms,differences\n"
      << fmt::format("{},{},{:.1f},{},{:.3f},{:.3f},{:.3f},{}\n", flown.session().frames(),
                     flown.simulation().world().states().size(), scouted.count(), times.size(),
                     percentile(times, 0.5), percentile(times, 0.99), times.back(),
                     flown.difference() ? 1 : 0);
  csv.close();
  fmt::print("{} frames scouted in {:.1f} ms; {} seeks: median {:.2f}, longest {:.2f} ms\n",
             flown.session().frames(), scouted.count(), times.size(), percentile(times, 0.5),
             times.back());
  return csv && !flown.difference() ? 0 : 1;
}

}  // namespace nearmiss::bench
