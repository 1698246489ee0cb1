// SPDX-License-Identifier: MIT
#include <engine/session/session_player.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace nearmiss::engine {
namespace {

/// Maximum bytes of all snapshots together (one snapshot may exceed it), and approximate bytes per
/// ship in a snapshot.
constexpr std::size_t maxRemembered = std::size_t{1} << 28, perShip = 1500;

Error otherModel(const SessionShape& recorded, std::string_view what) {
  return {ErrorCode::Unsupported,
          fmt::format("the session cannot be replayed: {} of \"{}\" is not the one that flew", what,
                      recorded.name)};
}

/// Returns true if the set has the scene's model files. Two files may hold the same mesh, so hashes
/// are not sufficient.
bool holdModelsOf(const Scene& scene, const ShapeSet& shapes) {
  const auto files = modelFilesOf(scene);
  const auto isThere = [&shapes](const ModelFile& file) {
    return std::ranges::any_of(shapes.shapes(), [&file](const LoadedShape& shape) {
      return shape.file == file.path && shape.ownFrame == file.ownFrame;
    });
  };
  return files && std::ranges::all_of(*files, isThere);
}

}  // namespace

SessionPlayer::SessionPlayer(RecordedSession session, ShapeSource source,
                             std::shared_ptr<WorkerPool> pool)
    : session_(std::move(session)), source_(std::move(source)), pool_(std::move(pool)) {
  const std::uint64_t ships = std::max<std::uint64_t>(1, session_.mostShips());
  const std::uint64_t most = std::clamp<std::uint64_t>(maxRemembered / (ships * perShip), 1, 1024);
  markEvery_ = std::max<std::uint64_t>(16, (session_.frames() + most - 1) / most);
}

SessionPlayer::~SessionPlayer() = default;

void SessionPlayer::setCancelled(const std::atomic<bool>* cancelled) noexcept {
  cancelled_ = cancelled;
  simulation_->setCancelled(cancelled);
}

std::unique_ptr<Simulation> SessionPlayer::release() noexcept {
  scout_.reset();
  simulation_->setCancelled(nullptr);
  return std::move(simulation_);
}

Result<std::unique_ptr<SessionPlayer>> SessionPlayer::open(RecordedSession session,
                                                           ShapeSource source,
                                                           std::shared_ptr<WorkerPool> pool) {
  std::unique_ptr<SessionPlayer> player(
      new SessionPlayer(std::move(session), std::move(source), std::move(pool)));
  if (auto entered = player->enter(0); !entered) return entered.error();
  return player;
}

/// The scene that started the current world.
std::size_t SessionPlayer::startOf(std::size_t scene) const noexcept {
  while (scene > 0 && !session_.scenes()[scene].scene.restart) --scene;
  return scene;
}

Result<SessionPlayer::ShapesPtr> SessionPlayer::shapesOf(const Scene& scene,
                                                         const SessionScene& recorded) {
  for (const auto& [shapes, loaded] : known_)
    if (shapes == recorded.shapes && holdModelsOf(scene, *loaded)) return loaded;
  auto loaded = source_(scene, recorded.shapes, loading_);
  if (!loaded) return loaded.error();
  const SessionScene found = sessionSceneOf(scene, recorded.narrow, **loaded, recorded.restart);
  if (found.shapes.size() != recorded.shapes.size())
    return Error{ErrorCode::Unsupported, "the session cannot be replayed: its models have changed"};
  for (std::size_t i = 0; i < found.shapes.size(); ++i) {
    if (found.shapes[i].mesh != recorded.shapes[i].mesh)
      return otherModel(recorded.shapes[i], "the mesh");
    if (found.shapes[i].tree != recorded.shapes[i].tree)
      return otherModel(recorded.shapes[i],
                        fmt::format("the sphere tree ({})", recorded.shapes[i].treeBuilder));
  }
  known_.emplace_back(recorded.shapes, *loaded);
  return loaded;
}

Result<Success> SessionPlayer::enter(std::size_t index) {
  const SessionScene& recorded = session_.scenes()[index].scene;
  auto scene = sceneOf(recorded, session_.file());
  if (!scene) return scene.error();
  scene->narrow = recorded.narrow;
  scene->reference.clear();
  auto shapes = shapesOf(*scene, recorded);
  if (!shapes) return shapes.error();
  if (recorded.restart) {
    auto simulation = makeSimulation(*scene, **shapes, clock_);
    if (!simulation) return simulation.error();
    simulation_ = *std::move(simulation);
    simulation_->shareWork(pool_.get());
    simulation_->setCancelled(cancelled_);
  } else {
    auto detector = makeDetector(broadPhaseOf(*scene), scene->narrow, **shapes);
    if (!detector) return detector.error();
    simulation_->setDetector(*std::move(detector));
  }
  // Change nothing before success, so that the player stays valid
  scene_ = *std::move(scene);
  shapes_ = *std::move(shapes);
  entered_ = index;
  return Success{};
}

/// Enters the last scene that starts before the next frame. Skips scenes without frames, because
/// entering one may take seconds.
Result<Success> SessionPlayer::enterDue() {
  std::size_t last = entered_;
  while (last + 1 < session_.scenes().size() && session_.scenes()[last + 1].frame <= position_)
    ++last;
  if (const std::size_t start = startOf(last); start > entered_)
    if (auto entered = enter(start); !entered) return entered;
  return last > entered_ ? enter(last) : Success{};
}

Result<const FrameOutput*> SessionPlayer::step() {
  collect();
  remember();
  if (auto entered = enterDue(); !entered) return entered.error();
  const SessionFrame& frame = session_.frame(position_);
  FrameInput input = frame.repeated();
  // Granted work applies to the same ships only
  const Simulation& now = *simulation_;
  const std::size_t shot = now.shots().countAfter(frame.acts) - now.shots().count();
  if (frame.ships.size() != now.world().states().size() + shot)
    input.repeated = std::span<const GrantedWork>();
  const FrameOutput& output = simulation_->advance(input);
  if (output.cancelled) return Error{ErrorCode::Cancelled, "cancelled"};
  compare(frame, output);
  ++position_;
  return &output;
}

void SessionPlayer::compare(const SessionFrame& frame, const FrameOutput& output) {
  if (difference_) return;
  const Ships& ships = simulation_->world().ships();
  if (frame.ships.size() != ships.states().size()) {
    difference_ = {position_, std::nullopt,
                   fmt::format("frame {}: {} ships were recorded, and {} fly", position_,
                               frame.ships.size(), ships.states().size())};
    return;
  }
  for (std::size_t i = 0; i < frame.ships.size(); ++i) {
    if (digestOf(ships, i) == frame.ships[i]) continue;
    const auto shape = static_cast<std::size_t>(ships.states()[i].shape.index());
    difference_ = {position_, i,
                   fmt::format("frame {}: ship {} ({}) is not where it was recorded", position_, i,
                               shapes_->shapes()[shape].name)};
    return;
  }
  std::string_view other;
  if (frame.stateHash && *frame.stateHash != stateHash(ships))
    other = "states";
  else if (output.granted.size() != frame.granted.size())
    other = "detections";
  else if (output.collisions.size() != frame.collisions)
    other = "collisions";
  if (!other.empty())
    difference_ = {position_, std::nullopt,
                   fmt::format("frame {}: other {} were recorded", position_, other)};
}

/// Stores a snapshot from time to time.
void SessionPlayer::remember() {
  if (remembers_ && position_ % markEvery_ == 0)
    keep({position_, entered_, simulation_->snapshot()});
}

void SessionPlayer::keep(Mark mark) {
  const auto at = std::ranges::lower_bound(marks_, mark.frame, {}, &Mark::frame);
  if (at == marks_.end() || at->frame != mark.frame) marks_.insert(at, std::move(mark));
}

Result<Success> SessionPlayer::returnTo(const Mark& mark) {
  // Enter the scene that started the world if it is another one
  if (mark.scene != entered_)
    if (auto entered = enter(startOf(mark.scene)); !entered) return entered;
  if (mark.scene != entered_)
    if (auto entered = enter(mark.scene); !entered) return entered;
  simulation_->restore(mark.past);
  position_ = mark.frame;
  return Success{};
}

Result<const FrameOutput*> SessionPlayer::seek(std::uint64_t frames) {
  collect();
  // Use the latest snapshot that leaves a frame to play, unless the world is closer already
  const auto after = std::ranges::upper_bound(marks_, frames - 1, {}, &Mark::frame);
  if (after != marks_.begin()) {
    const Mark& nearest = *std::prev(after);
    if (position_ > frames - 1 || position_ < nearest.frame)
      if (auto returned = returnTo(nearest); !returned) return returned.error();
  }
  const FrameOutput* output = nullptr;
  while (position_ < frames) {
    auto flown = step();
    if (!flown) return flown.error();
    output = *flown;
  }
  return output;
}

}  // namespace nearmiss::engine
