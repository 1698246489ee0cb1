// SPDX-License-Identifier: MIT
#include <engine/session/session.h>
#include <nearmiss/detail/assertion.h>
#include <nearmiss/detail/out_of_memory.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "flight/frame_course.h"
#include "session/session_format.h"
#include "session/session_models.h"

namespace nearmiss::engine {

SessionScene sessionSceneOf(const Scene& scene, const std::string& narrow, const ShapeSet& shapes,
                            bool restart) {
  Scene anywhere = scene;
  makePathsAbsolute(anywhere);
  SessionScene recorded{restart, writeScene(anywhere), narrow, {}};
  for (std::uint32_t i = 0; i < shapes.shapes().size(); ++i) {
    const LoadedShape& shape = shapes.shapes()[i];
    recorded.shapes.push_back(
        {shape.name, shapes.polyhedron(i).hash(), shape.treeBuilder, shape.treeHash});
  }
  return recorded;
}

Result<Scene> sceneOf(const SessionScene& recorded, const FilePath& session) {
  auto scene = parseScene(recorded.text, "the scene of the session");
  if (scene) findModels(*scene, session);
  return scene;
}

void RepeatableInput::take(const FrameInput& input, const FrameOutput& output) {
  control = input.control;
  stopShip = input.stopShip;
  dt = frameTimeOf(input.dt);
  detectStep = frameTimeOf(input.detectStep);
  response = input.response;
  instants = input.instants;
  acts.assign(input.acts.begin(), input.acts.end());
  granted.assign(output.granted.begin(), output.granted.end());
}

FrameInput RepeatableInput::repeated() const {
  FrameInput input;
  input.control = control;
  input.stopShip = stopShip;
  input.dt = dt;
  input.detectStep = detectStep;
  input.response = response;
  input.instants = instants;
  input.acts = acts;
  input.repeated = granted;
  return input;
}

void SessionFrame::take(const FrameInput& input, const FrameOutput& output, const Ships& flown) {
  RepeatableInput::take(input, output);
  collisions = static_cast<std::uint32_t>(output.collisions.size());
  ships.resize(flown.states().size());
  for (std::size_t i = 0; i < ships.size(); ++i) ships[i] = digestOf(flown, i);
  stateHash.reset();
}

std::uint16_t digestOf(const Ships& ships, std::size_t index) noexcept {
  return static_cast<std::uint16_t>(stateHash(ships, index) >> 48);
}

namespace {

constexpr SessionSizes readableSizes;

}  // namespace

Result<RecordedSession> RecordedSession::fromBytes(std::string_view bytes, const FilePath& file,
                                                   const Reading& goesOn) {
  const auto work = [&]() -> Result<RecordedSession> {
    RecordedSession session;
    session.file_ = file;
    std::string_view left = bytes;
    const std::uint32_t version = readHeader(left);
    if (version == 0)
      return Error{ErrorCode::BadFormat, session.fault("is not a recorded session")};
    if (version > sessionVersion)
      return Error{ErrorCode::WrongVersion,
                   session.fault(fmt::format("is a session of version {}, and this program reads "
                                             "versions 1 to {}",
                                             version, sessionVersion))};
    if (auto taken = session.takeAll(left, goesOn); !taken) return taken.error();
    return session;
  };
  return orOutOfMemory(fmt::format("cannot read \"{}\"", file.string()), work);
}

std::string RecordedSession::fault(std::string_view what) const {
  return fmt::format("\"{}\" {}", file_.string(), what);
}

Result<Success> RecordedSession::takeAll(std::string_view bytes, const Reading& goesOn) {
  const auto bad = [this](std::string_view what) {
    return Error{ErrorCode::BadFormat, fault(what)};
  };
  const auto all = static_cast<double>(bytes.size());
  for (;;) {
    if (goesOn && !goesOn(all > 0.0 ? 1.0 - static_cast<double>(bytes.size()) / all : 0.0))
      return Error{ErrorCode::Cancelled, "cancelled"};
    const NextBlock next = readBlock(bytes);
    const std::string where = fmt::format("in block {}", blocks_.size() + 1);
    if (next.kind == BlockKind::Damaged) return bad("is damaged: its checksum differs " + where);
    if (next.kind == BlockKind::End) {
      if (next.frames != frames() || !bytes.empty())
        return bad("is damaged: its end does not match its frames");
      break;
    }
    if (next.kind == BlockKind::Cut) {
      warning_ =
          fault(fmt::format("has no end, because its recording was interrupted or the file was "
                            "truncated: {} frames are complete",
                            frames()));
      break;
    }
    blocks_.push_back({frames(), std::string(next.packed)});
    if (!unpack(blocks_.back())) return bad("makes no sense " + where);
    for (const SessionFrame& frame : unpacked_) {
      collisions_.push_back(frame.collisions);
      mostShips_ = std::max(mostShips_, frame.ships.size());
      seconds_ += frame.dt;
    }
  }
  if (scenes_.empty() || frames() == 0)
    return bad("has no complete block, so there is nothing to replay");
  return Success{};
}

/// Collects scenes when a block is unpacked for the first time.
bool RecordedSession::unpack(const Block& block) {
  // Clear first: if memory runs out, frames of another or a partial block must not remain. Also
  // releases memory that a damaged block inflated
  unpacked_.clear();
  if (!unpackBlock(block.packed, items_)) return false;
  PackedReader from(items_);
  std::vector<SessionFrame> frames;
  const bool isNew = block.first == this->frames();
  SessionInput before;
  while (!from.atEnd()) {
    const std::uint8_t kind = from.byte();
    if (kind == static_cast<std::uint8_t>(SessionItem::Scene)) {
      SceneChange change{block.first + frames.size(), {}};
      RecordHead head;
      const std::size_t leftBefore = from.left();
      if (!readScene(from, change.scene, head)) return false;
      if (!isNew) continue;
      sceneBytes_ += leftBefore - from.left();
      if (sceneBytes_ > readableSizes.scenesInAll) return false;
      if (scenes_.empty()) head_ = std::move(head);
      scenes_.push_back(std::move(change));
    } else if (kind == static_cast<std::uint8_t>(SessionItem::Frame)) {
      if (scenes_.empty() || !scenes_.front().scene.restart) return false;
      if (frames.size() == SessionFrame::framesPerBlock) return false;
      if (!readFrame(from, before, frames.emplace_back())) return false;
      before = frames.back();
    } else {
      return false;
    }
  }
  unpacked_ = std::move(frames);
  firstUnpacked_ = block.first;
  return true;
}

const SessionFrame& RecordedSession::frame(std::uint64_t n) {
  if (n < firstUnpacked_ || n >= firstUnpacked_ + unpacked_.size()) {
    const auto after = std::ranges::upper_bound(blocks_, n, {}, &Block::first);
    const bool unpacked = unpack(*std::prev(after));
    NEARMISS_DEMAND(unpacked);
  }
  return unpacked_[static_cast<std::size_t>(n - firstUnpacked_)];
}

std::string RecordedSession::headValue(std::string_view key) const {
  const auto at = std::ranges::find(head_, key, &RecordHead::value_type::first);
  return at == head_.end() ? "unknown" : at->second;
}

}  // namespace nearmiss::engine
