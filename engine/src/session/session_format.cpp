// SPDX-License-Identifier: MIT
#include <xxhash.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

#include "session/block_packing.h"
#include "session/session_format.h"

namespace nearmiss::engine {
namespace {

constexpr std::string_view magic = "nearmiss session";
constexpr std::size_t headSize = 16;  // sizes of packed bytes and of items, checksum

}  // namespace

std::string sessionBeginning() {
  std::string out(magic);
  PackedWriter(out).word(sessionVersion);
  return out;
}

std::uint32_t readHeader(std::string_view& bytes) {
  if (!bytes.starts_with(magic)) return 0;
  PackedReader from(bytes.substr(magic.size()));
  const auto version = from.word<std::uint32_t>();
  if (from.failed()) return 0;
  bytes.remove_prefix(magic.size() + sizeof version);
  return version;
}

std::string packedBlock(std::string_view items, std::size_t leastBytes) {
  std::string packed = compressed(items);
  if (const std::size_t own = headSize + packed.size(); own < leastBytes) {
    PackedWriter to(packed);
    to.word(skippableFrame);
    to.word(static_cast<std::uint32_t>(leastBytes - own));
    packed.append(leastBytes - own, '\0');
  }
  std::string out;
  PackedWriter to(out);
  to.word(static_cast<std::uint32_t>(packed.size()));
  to.word(static_cast<std::uint32_t>(items.size()));
  to.word(static_cast<std::uint64_t>(XXH3_64bits(packed.data(), packed.size())));
  return out + packed;
}

std::string readableBlock(std::string_view items) {
  return packedBlock(items,
                     items.size() > maxItemsOfSmallBlock ? items.size() / maxUnpacking + 1 : 0);
}

std::string sessionEnd(std::uint64_t frames) {
  std::string out;
  PackedWriter to(out);
  to.word(std::uint64_t{0});
  to.word(frames);
  return out;
}

NextBlock readBlock(std::string_view& bytes) {
  PackedReader from(bytes);
  const auto packed = from.word<std::uint32_t>();
  const auto items = from.word<std::uint32_t>();
  const auto checksum = from.word<std::uint64_t>();
  if (from.failed()) return {};
  if (packed == 0 && items == 0) {
    bytes.remove_prefix(headSize);
    return {BlockKind::End, {}, checksum};
  }
  if (bytes.size() - headSize < packed) return {};
  const std::string_view content = bytes.substr(headSize, packed);
  if (XXH3_64bits(content.data(), content.size()) != checksum) return {BlockKind::Damaged, {}, 0};
  const NextBlock whole{BlockKind::Whole, bytes.substr(0, headSize + packed), 0};
  bytes.remove_prefix(whole.packed.size());
  return whole;
}

bool unpackBlock(std::string_view packed, std::string& items) {
  PackedReader from(packed.substr(sizeof(std::uint32_t)));
  const auto size = from.word<std::uint32_t>();
  if (from.failed() || size > SessionSizes{}.block || packed.size() < headSize) return false;
  if (size > std::max(maxItemsOfSmallBlock, maxUnpacking * packed.size())) return false;
  items.resize(size);
  return decompress(packed.substr(headSize), items) == size;
}

namespace {

/// Flags of the differences between consecutive frames.
enum Difference : std::uint8_t {
  ControlChanged = 1,
  Stops = 2,
  StepChanged = 4,
  RulesChanged = 8,
  HasHash = 16,
  HasActs = 32,
};

bool sameControl(const ShipControl& a, const ShipControl& b) noexcept {
  return a.thrust == b.thrust && a.pitch == b.pitch && a.yaw == b.yaw && a.roll == b.roll;
}

/// Minimum encoded size of a list element.
constexpr std::size_t bytesOfPair = 3, bytesOfPostponedPair = 11, bytesOfPostponedBody = 10;

/// Appends the differences of the indices from the previous pair; pairs are sorted.
void appendPair(const BodyPair& pair, std::uint32_t& lastA, PackedWriter& to) {
  to.number(pair.a - lastA);
  to.number(pair.b);
  lastA = pair.a;
}

BodyPair readPair(PackedReader& from, std::uint32_t& lastA) {
  lastA += from.index();
  return {lastA, from.index()};
}

void appendWait(const Wait& wait, PackedWriter& to) {
  to.real(wait.since);
  to.number(wait.detections);
}

Wait readWait(PackedReader& from) {
  const Real since = from.real();
  return {since, from.index()};
}

void appendWork(const GrantedWork& work, PackedWriter& to) {
  to.real(work.noContactBefore);
  to.byte(work.complete);
  to.number(work.pairs.size());
  std::uint32_t last = 0;
  for (const GrantedPair& pair : work.pairs) {
    appendPair(pair.bodies, last, to);
    to.number(pair.steps);
  }
  to.number(work.postponed.size());
  last = 0;
  for (const PostponedPair& pair : work.postponed) {
    appendPair(pair.pair, last, to);
    appendWait(pair.wait, to);
  }
  to.number(work.postponedBodies.size());
  for (const PostponedBody& body : work.postponedBodies) {
    to.number(body.body);
    appendWait(body.wait, to);
  }
}

void readWork(PackedReader& from, GrantedWork& work) {
  work.noContactBefore = from.real();
  work.complete = from.byte() != 0;
  work.pairs.resize(from.count(bytesOfPair));
  std::uint32_t last = 0;
  for (GrantedPair& pair : work.pairs) {
    pair.bodies = readPair(from, last);
    pair.steps = from.index();
  }
  work.postponed.resize(from.count(bytesOfPostponedPair));
  last = 0;
  for (PostponedPair& pair : work.postponed) {
    pair.pair = readPair(from, last);
    pair.wait = readWait(from);
  }
  work.postponedBodies.resize(from.count(bytesOfPostponedBody));
  for (PostponedBody& body : work.postponedBodies) {
    body.body = from.index();
    body.wait = readWait(from);
  }
}

void appendVector(const Vec3& v, PackedWriter& to) {
  for (int axis = 0; axis < 3; ++axis) to.real(v[axis]);
}

Vec3 readVector(PackedReader& from) {
  Vec3 v;
  for (int axis = 0; axis < 3; ++axis) v[axis] = from.real();
  return v;
}

void appendControl(const ShipControl& control, PackedWriter& to) {
  for (const Real stick : {control.thrust, control.pitch, control.yaw, control.roll})
    to.real(stick);
}

ShipControl readControl(PackedReader& from) {
  ShipControl control;
  for (Real* stick : {&control.thrust, &control.pitch, &control.yaw, &control.roll})
    *stick = from.real();
  return control;
}

/// The kinds of acts in a file. Version 2 has the first two only.
enum class ActItem : std::uint8_t { Put, ShootByUser, Shoot, Push, Steer };

ActItem itemOf(const HandAct& act) noexcept {
  using enum HandAct::Kind;
  switch (act.kind) {
    case Put:
      return ActItem::Put;
    case Shoot:
      return act.ship == 0 ? ActItem::ShootByUser : ActItem::Shoot;
    case Push:
      return ActItem::Push;
    case Steer:
      break;
  }
  return ActItem::Steer;
}

void appendAct(const HandAct& act, PackedWriter& to) {
  const ActItem item = itemOf(act);
  to.number(static_cast<std::uint64_t>(item));
  if (item == ActItem::ShootByUser) return;
  to.number(act.ship);
  if (item == ActItem::Put) appendVector(act.position, to);
  if (item == ActItem::Put || item == ActItem::Push) appendVector(act.velocity, to);
  if (item == ActItem::Steer) appendControl(act.control, to);
}

bool isFrameTime(Real seconds) noexcept { return seconds >= 0.0 && seconds <= maxFrameSeconds; }

bool isPossible(const HandAct& act) noexcept {
  return isWithin(act.position, maxActSize) && isWithin(act.velocity, maxActSize);
}

template <class Enum>
Enum enumOf(PackedReader& from, Enum last) {
  return static_cast<Enum>(from.numberUpTo(static_cast<std::uint32_t>(last)));
}

void readAct(PackedReader& from, HandAct& act) {
  using enum HandAct::Kind;
  act = {};
  const ActItem item = enumOf(from, ActItem::Steer);
  act.kind = item == ActItem::Put     ? Put
             : item == ActItem::Push  ? Push
             : item == ActItem::Steer ? Steer
                                      : Shoot;
  if (item == ActItem::ShootByUser) return;
  act.ship = from.index();
  if (item == ActItem::Put) act.position = readVector(from);
  if (item == ActItem::Put || item == ActItem::Push) act.velocity = readVector(from);
  if (item == ActItem::Steer) act.control = readControl(from);
}

}  // namespace

void appendScene(const SessionScene& scene, const RecordHead& head, std::string& out) {
  nlohmann::json shapes = nlohmann::json::array();
  for (const SessionShape& shape : scene.shapes)
    shapes.push_back({shape.name, shape.mesh, shape.treeBuilder, shape.tree});
  const nlohmann::json about{{"restart", scene.restart},
                             {"scene", scene.text},
                             {"narrow", scene.narrow},
                             {"shapes", std::move(shapes)},
                             {"head", head}};
  PackedWriter to(out);
  to.byte(static_cast<std::uint8_t>(SessionItem::Scene));
  // Only names of shapes and values of the head may have an invalid encoding
  to.text(about.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

namespace {

using SceneJson = nlohmann::json;

/// Values are checked before they are read, so that the library throws nothing.
bool take(const SceneJson& about, const char* key, bool& value) {
  const auto found = about.find(key);
  if (found == about.end() || !found->is_boolean()) return false;
  value = found->get<bool>();
  return true;
}

bool take(const SceneJson& about, const char* key, std::string& value) {
  const auto found = about.find(key);
  if (found == about.end() || !found->is_string()) return false;
  value = found->get<std::string>();
  return true;
}

bool takeShapes(const SceneJson& about, std::vector<SessionShape>& shapes) {
  const auto list = about.find("shapes");
  if (list == about.end() || !list->is_array()) return false;
  shapes.clear();
  for (const SceneJson& shape : *list) {
    if (!shape.is_array() || shape.size() < 4 || !shape[0].is_string() || !shape[2].is_string() ||
        !shape[1].is_number_unsigned() || !shape[3].is_number_unsigned())
      return false;
    shapes.push_back({shape[0].get<std::string>(), shape[1].get<std::uint64_t>(),
                      shape[2].get<std::string>(), shape[3].get<std::uint64_t>()});
  }
  return true;
}

bool takeHead(const SceneJson& about, RecordHead& head) {
  const auto list = about.find("head");
  if (list == about.end() || !list->is_array()) return false;
  head.clear();
  for (const SceneJson& entry : *list) {
    if (!entry.is_array() || entry.size() < 2 || !entry[0].is_string() || !entry[1].is_string())
      return false;
    head.emplace_back(entry[0].get<std::string>(), entry[1].get<std::string>());
  }
  return true;
}

}  // namespace

bool readScene(PackedReader& from, SessionScene& scene, RecordHead& head) {
  const std::string_view text = from.text();
  if (from.failed() || text.size() > SessionSizes{}.scene) return false;
  const auto about = nlohmann::json::parse(text, nullptr, false);
  if (!about.is_object()) return false;
  return take(about, "restart", scene.restart) && take(about, "scene", scene.text) &&
         take(about, "narrow", scene.narrow) && takeShapes(about, scene.shapes) &&
         takeHead(about, head);
}

void appendFrame(const SessionFrame& frame, const SessionInput& before, std::string& out) {
  PackedWriter to(out);
  to.byte(static_cast<std::uint8_t>(SessionItem::Frame));
  const bool controlChanged = !sameControl(frame.control, before.control);
  const bool stepChanged = frame.dt != before.dt || frame.detectStep != before.detectStep;
  const bool rulesChanged = frame.response != before.response || frame.instants != before.instants;
  to.byte(static_cast<std::uint8_t>(
      (controlChanged ? ControlChanged : 0) | (frame.stopShip ? Stops : 0) |
      (stepChanged ? StepChanged : 0) | (rulesChanged ? RulesChanged : 0) |
      (frame.stateHash ? HasHash : 0) | (frame.acts.empty() ? 0 : HasActs)));
  if (controlChanged) appendControl(frame.control, to);
  if (stepChanged) {
    to.real(frame.dt);
    to.real(frame.detectStep);
  }
  if (rulesChanged) {
    to.number(static_cast<std::uint64_t>(frame.response));
    to.number(static_cast<std::uint64_t>(frame.instants));
  }
  if (!frame.acts.empty()) {
    to.number(frame.acts.size());
    for (const HandAct& act : frame.acts) appendAct(act, to);
  }
  to.number(frame.collisions);
  to.number(frame.granted.size());
  for (const GrantedWork& work : frame.granted) appendWork(work, to);
  to.number(frame.ships.size());
  for (const std::uint16_t digest : frame.ships) to.word(digest);
  if (frame.stateHash) to.word(*frame.stateHash);
}

bool readFrame(PackedReader& from, const SessionInput& before, SessionFrame& frame) {
  const std::uint8_t differs = from.byte();
  frame.control = differs & ControlChanged ? readControl(from) : before.control;
  frame.stopShip = differs & Stops;
  frame.dt = before.dt;
  frame.detectStep = before.detectStep;
  if (differs & StepChanged) {
    frame.dt = from.real();
    frame.detectStep = from.real();
  }
  frame.response = before.response;
  frame.instants = before.instants;
  if (differs & RulesChanged) {
    frame.response = enumOf(from, Response::Teleport);
    frame.instants = enumOf(from, Instants::Earliest);
  }
  frame.acts.resize(differs & HasActs ? from.numberUpTo(maxHandActs) : 0);
  for (HandAct& act : frame.acts) readAct(from, act);
  frame.collisions = from.index();
  frame.granted.resize(from.numberUpTo(maxDetections));
  for (GrantedWork& work : frame.granted) readWork(from, work);
  frame.ships.resize(from.count(sizeof(std::uint16_t)));
  for (std::uint16_t& digest : frame.ships) digest = from.word<std::uint16_t>();
  frame.stateHash.reset();
  if (differs & HasHash) frame.stateHash = from.word<std::uint64_t>();
  return !from.failed() && isFrameTime(frame.dt) && isFrameTime(frame.detectStep) &&
         std::ranges::all_of(frame.acts, isPossible) &&
         std::ranges::all_of(frame.granted, [&](const GrantedWork& work) {
           return check(work, frame.ships.size()).has_value();
         });
}

}  // namespace nearmiss::engine
