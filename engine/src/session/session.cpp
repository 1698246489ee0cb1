// SPDX-License-Identifier: MIT
#include <engine/record/atomic_file.h>
#include <engine/session/session.h>
#include <nearmiss/detail/file_bytes.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <iterator>
#include <limits>
#include <system_error>
#include <utility>

#include "record/record_file.h"
#include "session/session_format.h"

namespace nearmiss::engine {

SessionScene sessionSceneOf(const Scene& scene, const std::string& narrow, const ShapeSet& shapes,
                            bool restart) {
  SessionScene recorded{restart, writeScene(scene), narrow, {}};
  for (std::uint32_t i = 0; i < shapes.shapes().size(); ++i) {
    const LoadedShape& shape = shapes.shapes()[i];
    recorded.shapes.push_back(
        {shape.name, shapes.polyhedron(ShapeId{i}).hash(), shape.treeBuilder, shape.treeHash});
  }
  return recorded;
}

void RepeatableInput::take(const FrameInput& input, const FrameOutput& output) {
  control = input.control;
  stopShip = input.stopShip;
  dt = input.dt;
  detectStep = input.detectStep;
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

/// Maximum bytes of a file, and of all its scenes.
constexpr std::uintmax_t maxSessionBytes = std::uintmax_t{4} << 30;
constexpr std::size_t maxSceneBytesInAll = std::size_t{64} << 20;

Result<std::string> bytesOf(const std::filesystem::path& file) {
  std::error_code failed;
  // A device or a pipe could be endless
  if (std::filesystem::exists(file, failed) && !std::filesystem::is_regular_file(file, failed))
    return Error{ErrorCode::Unreadable,
                 fmt::format("cannot read \"{}\": it is no file", file.string())};
  if (const std::uintmax_t size = std::filesystem::file_size(file, failed);
      !failed && size > maxSessionBytes)
    return Error{ErrorCode::TooLarge,
                 fmt::format("\"{}\" is larger than {} GiB", file.string(), maxSessionBytes >> 30)};
  std::string bytes;
  if (const int error = readFile(file, maxSessionBytes, bytes))
    return Error{error == ENOENT ? ErrorCode::NotFound : ErrorCode::Unreadable,
                 fmt::format("cannot read \"{}\": {}", file.string(), std::strerror(error))};
  return bytes;
}

}  // namespace

Result<RecordedSession> RecordedSession::read(const std::filesystem::path& file) {
  const auto bytes = bytesOf(file);
  if (!bytes) return bytes.error();
  std::string_view left = *bytes;
  const std::uint32_t version = takeBeginning(left);
  if (version == 0)
    return Error{ErrorCode::BadFormat,
                 fmt::format("\"{}\" is not a recorded session", file.string())};
  if (version > sessionVersion)
    return Error{ErrorCode::WrongVersion,
                 fmt::format("\"{}\" is a session of version {}, and this program reads versions 1 "
                             "to {}",
                             file.string(), version, sessionVersion)};
  RecordedSession session;
  session.file_ = file;
  if (const std::string fault = session.takeAll(left); !fault.empty())
    return Error{ErrorCode::BadFormat, fmt::format("\"{}\" {}", file.string(), fault)};
  return session;
}

/// Returns what is wrong, or nothing.
std::string RecordedSession::takeAll(std::string_view bytes) {
  for (;;) {
    const NextBlock next = takeBlock(bytes);
    const std::string where = fmt::format("in block {}", blocks_.size() + 1);
    if (next.kind == BlockKind::Damaged)
      return fmt::format("is damaged or was altered: its checksum differs {}", where);
    if (next.kind == BlockKind::End) {
      if (next.frames != frames() || !bytes.empty())
        return "is damaged or was altered: its end does not fit its frames";
      break;
    }
    if (next.kind == BlockKind::Cut) {
      warning_ = fmt::format(
          "\"{}\" has no end, since the program that recorded it was ended or the file was cut: {} "
          "frames are whole",
          file_.string(), frames());
      break;
    }
    blocks_.push_back({frames(), std::string(next.packed)});
    if (!unpack(blocks_.back())) return "makes no sense " + where;
    for (const SessionFrame& frame : unpacked_) collisions_.push_back(frame.collisions);
  }
  if (scenes_.empty() || frames() == 0) return "has no whole block: there is nothing to replay";
  return {};
}

/// Scenes are taken up when a block is unpacked for the first time.
bool RecordedSession::unpack(const Block& block) {
  if (!unpackBlock(block.packed, items_)) return false;
  PackedReader from(items_);
  // A damaged block may have made its frames large: none of their memory is kept
  unpacked_.clear();
  const bool isNew = block.first == frames();
  SessionInput before;
  std::size_t count = 0;
  while (!from.atEnd()) {
    const std::uint8_t kind = from.byte();
    if (kind == static_cast<std::uint8_t>(SessionItem::Scene)) {
      SceneChange change{block.first + count, {}};
      RecordHead head;
      const std::size_t leftBefore = from.left();
      if (!readScene(from, change.scene, head)) return false;
      if (!isNew) continue;
      sceneBytes_ += leftBefore - from.left();
      if (sceneBytes_ > maxSceneBytesInAll) return false;
      if (scenes_.empty()) head_ = std::move(head);
      scenes_.push_back(std::move(change));
    } else if (kind == static_cast<std::uint8_t>(SessionItem::Frame)) {
      if (scenes_.empty() || !scenes_.front().scene.restart) return false;
      if (count == SessionFrame::framesPerBlock) return false;
      unpacked_.emplace_back();
      if (!readFrame(from, before, unpacked_[count])) return false;
      before = unpacked_[count];
      ++count;
    } else {
      return false;
    }
  }
  firstUnpacked_ = block.first;
  return true;
}

const SessionFrame& RecordedSession::frame(std::uint64_t n) {
  if (n < firstUnpacked_ || n >= firstUnpacked_ + unpacked_.size()) {
    const auto after = std::ranges::upper_bound(blocks_, n, {}, &Block::first);
    unpack(*std::prev(after));
  }
  return unpacked_[static_cast<std::size_t>(n - firstUnpacked_)];
}

std::string RecordedSession::headValue(std::string_view key) const {
  const auto at = std::ranges::find(head_, key, &RecordHead::value_type::first);
  return at == head_.end() ? "unknown" : at->second;
}

SessionWriter::SessionWriter() = default;
SessionWriter::SessionWriter(SessionWriter&&) noexcept = default;
SessionWriter& SessionWriter::operator=(SessionWriter&&) noexcept = default;
SessionWriter::~SessionWriter() {
  try {
    (void)close();
  } catch (const std::exception&) {
    // Without memory the file ends with its last whole block
  }
}

void SessionWriter::begin(const SessionScene& scene, const RecordHead& head) {
  endBlock();
  if (scene.restart) {
    kept_.clear();
    keptBytes_ = 0;
    keptFrames_ = 0;
    knowsStart_ = true;
  }
  appendWhole([&] { appendScene(scene, head, items_); });
}

/// Where memory runs out while an item is appended, nothing of it may be left: the file would make
/// no sense.
void SessionWriter::appendWhole(const auto& append) {
  const std::size_t before = items_.size();
  try {
    append();
  } catch (...) {
    items_.resize(before);
    throw;
  }
}

void SessionWriter::add(const FrameInput& input, const FrameOutput& output, const Ships& ships) {
  frame_.take(input, output, ships);
  if (framesInBlock_ + 1 == SessionFrame::framesPerBlock) frame_.stateHash = stateHash(ships);
  add(frame_);
}

void SessionWriter::add(const SessionFrame& frame) {
  // One that memory did not suffice to end
  if (blockIsFull()) endBlock();
  SessionInput next = frame;
  appendWhole([&] { appendFrame(frame, before_, items_); });
  before_ = std::move(next);
  ++framesInFile_;
  ++keptFrames_;
  ++framesInBlock_;
  if (blockIsFull()) endBlock();
}

/// Where frames are large fewer make a block: no reader takes any number of bytes.
bool SessionWriter::blockIsFull() const noexcept {
  return framesInBlock_ == SessionFrame::framesPerBlock ||
         (framesInBlock_ > 0 && items_.size() >= maxItemsOfSmallBlock);
}

void SessionWriter::endBlock() {
  if (!items_.empty()) put(readableBlock(items_));
  items_.clear();
  framesInBlock_ = 0;
  // Each block can be read without the one before
  before_ = {};
}

/// All or nothing, where memory runs out: a block that is put again must not be in the file twice.
void SessionWriter::put(std::string block) {
  if (knowsStart_ && kept_.size() == kept_.capacity()) kept_.reserve(2 * kept_.size() + 1);
  if (file_) {
    file_->lines() += block;
    file_->flushIfDue(std::numeric_limits<double>::infinity());
  }
  if (!knowsStart_) return;
  keptBytes_ += block.size();
  kept_.push_back({std::move(block), framesInBlock_});
  if (keptBytes_ <= maxKept) return;
  kept_ = {};
  keptBytes_ = 0;
  knowsStart_ = false;
}

void SessionWriter::cutLast(std::uint64_t frames) {
  if (!knowsStart_) {
    items_.clear();
    framesInBlock_ = 0;
    before_ = {};
    keptFrames_ -= frames;
    return;
  }
  endBlock();
  const std::uint64_t wanted = keptFrames_ - frames;
  while (!kept_.empty() && keptFrames_ > wanted) {
    const Kept last = std::move(kept_.back());
    kept_.pop_back();
    keptBytes_ -= last.packed.size();
    keptFrames_ -= last.frames;
    if (keptFrames_ < wanted) reopen(last, wanted - keptFrames_);
  }
}

/// Goes on with a block that is packed, after its first `frames`.
void SessionWriter::reopen(const Kept& block, std::uint64_t frames) {
  std::string items;
  // It was packed here, and is as it was
  if (!unpackBlock(block.packed, items)) return;
  PackedReader from(items);
  SessionFrame frame;
  before_ = {};
  for (framesInBlock_ = 0; framesInBlock_ < frames;) {
    if (from.byte() == static_cast<std::uint8_t>(SessionItem::Scene)) {
      SessionScene scene;
      RecordHead head;
      (void)readScene(from, scene, head);
      continue;
    }
    (void)readFrame(from, before_, frame);
    before_ = frame;
    ++framesInBlock_;
  }
  items.resize(items.size() - from.left());
  items_ = std::move(items);
  keptFrames_ += frames;
}

Result<Success> SessionWriter::keepIn(const std::filesystem::path& file) {
  endBlock();
  auto opened = RecordFile::open(file, sessionBeginning());
  if (!opened) return opened.error();
  const std::unique_ptr<RecordFile>& begun = *opened;
  for (const Kept& block : kept_) {
    begun->lines() += block.packed;
    begun->flushIfDue(std::numeric_limits<double>::infinity());
  }
  if (const auto fault = begun->error()) return *fault;
  file_ = *std::move(opened);
  framesInFile_ = keptFrames_;
  return Success{};
}

Result<Success> SessionWriter::saveCopy(const std::filesystem::path& file) {
  endBlock();
  std::string bytes = sessionBeginning();
  for (const Kept& block : kept_) bytes += block.packed;
  return writeWhole(file, bytes + sessionEnd(keptFrames_));
}

std::optional<Error> SessionWriter::error() const { return file_ ? file_->error() : std::nullopt; }

Result<Success> SessionWriter::close() {
  if (!file_) return Success{};
  endBlock();
  file_->lines() += sessionEnd(framesInFile_);
  auto closed = file_->close();
  file_.reset();
  return closed;
}

}  // namespace nearmiss::engine
