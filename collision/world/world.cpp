// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/broad_phase.h>
#include <nearmiss/detail/bare_machine.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/detail/promised_verdict.h>
#include <nearmiss/world.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "spheres/one_sphere_tree.h"
#include "world/world_parts.h"

namespace nearmiss {
namespace {

/// Returns the state of a body that does not move.
BodyState stateOf(std::uint32_t key, const ShapeRef& shape, const Pose& pose) {
  BodyState state;
  state.key = key;
  state.shape = shape;
  state.pose = pose;
  return state;
}

/// Ensures capacity for one more element. Grows geometrically, so that adding many elements does
/// not copy all of them each time.
void reserveOneMore(auto& list) {
  if (list.size() == list.capacity()) list.reserve(2 * list.size() + 1);
}

/// As check(pose), with the name of the argument: "pose: position.x is nan, but must be finite".
Result<Success> checkArgument(const Pose& pose) {
  auto sound = check(pose);
  if (sound || sound.error().code != ErrorCode::Unsupported) return sound;
  return orOutOfMemory("cannot check the pose", [&]() -> Result<Success> {
    return Error{ErrorCode::Unsupported, "pose: " + sound.error().message};
  });
}

void apply(const BodyTraits& traits, BodyState& state) {
  state.assembly = traits.assembly;
  state.importance = traits.importance;
}

}  // namespace

void World::Parts::dropUnusedShapes() {
  // Change nothing until all memory is allocated
  Shapes kept, keptSearched;
  std::vector<std::uint32_t> moved(shapes.size());
  std::vector<std::size_t> keptUses;
  decltype(idOf) keptIds;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (uses[i] == 0) continue;
    const Shape& shape = shapes[i];
    moved[i] = kept.add(shape).index();
    if (i < searched.size()) keptSearched.add(searched[i]);
    keptUses.push_back(uses[i]);
    keptIds[keyOf(shape)] = moved[i];
  }
  for (BodyState& state : states) state.shape = kept.ref(moved[state.shape.index()]);
  shapes = std::move(kept);
  searched = std::move(keptSearched);
  placed = false;
  manifolds.forgetUnless(
      [this](BodyHandle body) { return indexOf.contains(static_cast<std::uint32_t>(body)); });
  uses = std::move(keptUses);
  idOf = std::move(keptIds);
  unused = 0;
}

void World::Parts::sortByHandle() {
  if (byHandle) return;
  // Change nothing until all memory is allocated
  std::vector<std::uint32_t> order(states.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [this](std::uint32_t i, std::uint32_t j) { return states[i].key < states[j].key; });
  std::vector<BodyState> sortedStates;
  std::vector<BodyTraits> sortedTraits;
  sortedStates.reserve(states.capacity());
  sortedTraits.reserve(traits.capacity());
  for (const std::uint32_t i : order) {
    sortedStates.push_back(states[i]);
    sortedTraits.push_back(traits[i]);
  }
  states = std::move(sortedStates);
  traits = std::move(sortedTraits);
  for (std::uint32_t i = 0; i < states.size(); ++i) indexOf[states[i].key] = i;
  byHandle = true;
}

void World::Parts::prepareDetector() {
  sortByHandle();
  if (detector) return;
  if (unused > 0) dropUnusedShapes();
  for (std::size_t i = searched.size(); i < shapes.size(); ++i)
    searched.add(withOneSphere(shapes[i]));
  auto made = std::make_unique<Detector>(makeSpaceTimeGridBroadPhase(),
                                         makeSphereTreeNarrowPhase(searched));
  made->setNamesAllPairs(true);
  made->setPairFilter([this](const BodyPair& pair) { return counts(pair.a, pair.b); });
  detector = std::move(made);
}

/// A detector that ran out of memory is unusable and is replaced.
const Detection& World::Parts::detect(const TimeBudget& budget) {
  NEARMISS_TRY { return detector->detect(states, time, budget); }
  NEARMISS_CATCH(...) {
    detector.reset();
    NEARMISS_RETHROW;
  }
}

Error World::Parts::noSuchBody(BodyHandle body) {
  return {ErrorCode::NotFound, "there is no body " +
                                   std::to_string(static_cast<std::uint32_t>(body)) +
                                   ": it was removed or never added"};
}

World::World() : parts_(std::make_unique<Parts>()) {}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

Result<BodyHandle> World::add(const Shape& shape, const Pose& pose, const BodyTraits& traits) {
  return orOutOfMemory("cannot add a body", [&]() -> Result<BodyHandle> {
    Parts& p = *parts_;
    if (!shape.sphereTree() && shape.radius() > maxOneSphereReach)
      return Error{ErrorCode::Unsupported,
                   "cannot add a body: a shape without sphere tree must reach no farther than 4e17 "
                   "metres"};
    if (p.states.size() + 1 >= bodyCountLimit ||
        p.nextKey == std::numeric_limits<std::uint32_t>::max())
      return Error{ErrorCode::TooLarge, "cannot add a body: there were too many before"};
    if (auto sound = checkArgument(pose); !sound) return sound.error();
    BodyState state = stateOf(p.nextKey, ShapeRef::ofRadius(shape.radius()), pose);
    apply(traits, state);

    // Reserve memory first, because the following must not fail halfway
    reserveOneMore(p.states);
    reserveOneMore(p.traits);
    const Parts::ShapeKey key = Parts::keyOf(shape);
    auto known = p.idOf.find(key);
    if (known == p.idOf.end()) {
      // Drop unused shapes here, because a detector that does it may never be made
      if (!p.detector && p.collectsShapes()) p.dropUnusedShapes();
      reserveOneMore(p.uses);
      const std::uint32_t id = p.shapes.add(shape).index();
      p.uses.push_back(0);
      ++p.unused;
      p.detector.reset();
      known = p.idOf.emplace(key, id).first;
    }
    p.indexOf.emplace(p.nextKey, static_cast<std::uint32_t>(p.states.size()));
    if (p.uses[static_cast<std::size_t>(known->second)]++ == 0) --p.unused;
    state.shape = p.shapes.ref(known->second);
    p.states.push_back(state);
    p.traits.push_back(traits);
    p.placed = false;
    p.neighbours.forget();
    return BodyHandle{p.nextKey++};
  });
}

Result<Success> World::setPose(BodyHandle body, const Pose& pose) {
  const auto at = parts_->indexOf.find(static_cast<std::uint32_t>(body));
  if (at == parts_->indexOf.end()) return Parts::noSuchBody(body);
  if (auto sound = checkArgument(pose); !sound) return sound;
  BodyState& state = parts_->states[at->second];
  state.pose = pose;
  // The body had promised not to move
  ++state.motionEpoch;
  parts_->placed = false;
  return Success{};
}

Result<Success> World::setTraits(BodyHandle body, const BodyTraits& traits) {
  const auto at = parts_->indexOf.find(static_cast<std::uint32_t>(body));
  if (at == parts_->indexOf.end()) return Parts::noSuchBody(body);
  parts_->traits[at->second] = traits;
  apply(traits, parts_->states[at->second]);
  return Success{};
}

Result<Success> World::remove(BodyHandle body) {
  Parts& p = *parts_;
  const auto at = p.indexOf.find(static_cast<std::uint32_t>(body));
  if (at == p.indexOf.end()) return Parts::noSuchBody(body);
  const std::uint32_t index = at->second;
  p.indexOf.erase(at);
  const auto shape = p.states[index].shape.index();
  if (--p.uses[shape] == 0) ++p.unused;
  if (index + 1 < p.states.size()) {
    p.states[index] = p.states.back();
    p.traits[index] = p.traits.back();
    p.indexOf[p.states[index].key] = index;
    p.byHandle = false;
  }
  p.states.pop_back();
  p.traits.pop_back();
  p.placed = false;
  p.neighbours.forget();
  if (p.collectsShapes()) p.detector.reset();
  return Success{};
}

std::size_t World::size() const noexcept { return parts_->states.size(); }

std::vector<BodyHandle> World::handles() const {
  std::vector<BodyHandle> all;
  all.reserve(parts_->states.size());
  for (const BodyState& state : parts_->states) all.push_back(BodyHandle{state.key});
  std::sort(all.begin(), all.end());
  return all;
}

const Shape* World::shapeOf(BodyHandle body) const noexcept {
  const auto at = parts_->indexOf.find(static_cast<std::uint32_t>(body));
  return at == parts_->indexOf.end() ? nullptr
                                     : &parts_->shapes[parts_->states[at->second].shape.index()];
}

const BodyTraits* World::traitsOf(BodyHandle body) const noexcept {
  const auto at = parts_->indexOf.find(static_cast<std::uint32_t>(body));
  return at == parts_->indexOf.end() ? nullptr : &parts_->traits[at->second];
}

const Pose* World::poseOf(BodyHandle body) const noexcept {
  const auto at = parts_->indexOf.find(static_cast<std::uint32_t>(body));
  return at == parts_->indexOf.end() ? nullptr : &parts_->states[at->second].pose;
}

Result<const WorldCollisions*> World::collisions(const TimeBudget& budget) {
  return orOutOfMemory("cannot detect", [&]() -> Result<const WorldCollisions*> {
    Parts& p = *parts_;
    p.prepareDetector();
    p.time += 1.0;
    const Detection& detection = p.detect(budget);
    // On an error the previous result stays
    WorldCollisions& found = p.pending;
    found.complete = detection.complete;
    found.pairs.clear();
    found.waiting.clear();
    for (const DetectedPair& pair : detection.pairs) {
      const Verdict verdict = promisedVerdict(pair.refinement);
      if (verdict == Verdict::Separate) continue;
      TouchingPair touching{p.handlesOf(pair.bodies.a, pair.bodies.b), pair.refinement,
                            p.sensed(pair.bodies.a, pair.bodies.b)};
      touching.known.verdict = verdict;
      found.pairs.push_back(touching);
    }
    for (const PostponedPair& pair : detection.postponed)
      found.waiting.push_back(p.handlesOf(pair.pair.a, pair.pair.b));
    std::sort(found.pairs.begin(), found.pairs.end(),
              [](const auto& a, const auto& b) { return a.bodies < b.bodies; });
    std::sort(found.waiting.begin(), found.waiting.end());
    std::swap(p.found, p.pending);
    return &p.found;
  });
}

}  // namespace nearmiss
