// SPDX-License-Identifier: MIT
#include <engine/base/atomic_file.h>
#include <engine/scene/utf8.h>
#include <engine/session/session.h>
#include <fmt/format.h>

#include <exception>
#include <limits>
#include <new>
#include <utility>

#include "record/record_file.h"
#include "session/session_format.h"

namespace nearmiss::engine {

SessionWriter::SessionWriter(const SessionSizes& most) : most_(most) {}
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
    keptBytes_ = keptSceneBytes_ = 0;
    keptFrames_ = 0;
    includesStart_ = true;
  }
  appendWhole([&] { appendScene(scene, head, items_); });
  sceneInBlock_ = items_.size();
  keptSceneBytes_ += items_.size();
  fileSceneBytes_ += items_.size();
  refusal_ = {};
  if (items_.size() > most_.scene)
    refusal_ = "the scene is larger than one of a session can be";
  else if (!isUtf8(scene.text))
    refusal_ = "a model of the scene has a name that is not UTF-8: no session can name it";
  if (!refusal_.empty() || keptSceneBytes_ > most_.scenesInAll) forgetStart();
  if (!refusal_.empty()) return endFile(refusal_);
  if (fileSceneBytes_ > most_.scenesInAll)
    endFile("its scenes are larger than those of a session can be");
}

/// Appends an item. If memory runs out, removes its partial data, which would corrupt the file.
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
  // A block that could not be ended before, for lack of memory
  if (blockIsFull()) endBlock();
  SessionInput next = frame;
  if (!append(frame)) {
    // The item may fit in a block of its own
    endBlock();
    if (!append(frame)) {
      ++keptFrames_;
      forgetStart();
      return endFile("the next is larger than one of a session can be");
    }
  }
  before_ = std::move(next);
  ++keptFrames_;
  ++framesInBlock_;
  if (blockIsFull()) endBlock();
}

/// Returns false, and appends nothing, if the block would exceed the readers' limit.
bool SessionWriter::append(const SessionFrame& frame) {
  const std::size_t before = items_.size();
  appendWhole([&] { appendFrame(frame, before_, items_); });
  if (items_.size() <= most_.block) return true;
  items_.resize(before);
  return false;
}

/// Large frames make shorter blocks, because readers limit the bytes of a block.
bool SessionWriter::blockIsFull() const noexcept {
  return framesInBlock_ == SessionFrame::framesPerBlock ||
         (framesInBlock_ > 0 && items_.size() >= maxItemsOfSmallBlock);
}

void SessionWriter::endBlock() {
  if (!items_.empty()) put(readableBlock(items_));
  dropBlock();
}

void SessionWriter::dropBlock() noexcept {
  items_.clear();
  framesInBlock_ = 0;
  sceneInBlock_ = 0;
  // Each block is readable without the previous one
  before_ = {};
}

/// Strong guarantee if memory runs out: a repeated block must not be in the file twice.
void SessionWriter::put(std::string block) {
  if (includesStart_ && kept_.size() == kept_.capacity()) kept_.reserve(2 * kept_.size() + 1);
  write(block, framesInBlock_);
  if (!includesStart_) return;
  keptBytes_ += block.size();
  kept_.push_back({std::move(block), framesInBlock_, sceneInBlock_});
  if (keptBytes_ > most_.kept) forgetStart();
}

/// Writes to the file if it is open.
void SessionWriter::write(const std::string& block, std::uint64_t frames) {
  if (!file_ || full_) return;
  if (fileBytes_ + block.size() + sessionEnd(0).size() > most_.file)
    return endFile(fmt::format("a session has at most {} MiB", most_.file >> 20));
  file_->lines() += block;
  file_->flushIfDue(std::numeric_limits<double>::infinity());
  fileBytes_ += block.size();
  framesWritten_ += frames;
}

/// Ends the file after its blocks: a longer file could not be read.
void SessionWriter::endFile(std::string_view why) {
  if (!file_ || full_) return;
  full_ = Error{ErrorCode::TooLarge,
                fmt::format("recording stopped after {} frames: {}", framesWritten_, why)};
  file_->lines() += sessionEnd(framesWritten_);
  file_->flushIfDue(std::numeric_limits<double>::infinity());
}

void SessionWriter::forgetStart() noexcept {
  kept_ = {};
  keptBytes_ = 0;
  includesStart_ = false;
}

void SessionWriter::dropLast(std::uint64_t frames) {
  const std::uint64_t wanted = keptFrames_ - frames;
  try {
    if (includesStart_) endBlock();
    while (!kept_.empty() && keptFrames_ > wanted) {
      const Kept last = std::move(kept_.back());
      kept_.pop_back();
      keptBytes_ -= last.packed.size();
      keptSceneBytes_ -= last.sceneBytes;
      keptFrames_ -= last.frames;
      if (keptFrames_ < wanted) reopen(last, wanted - keptFrames_);
    }
  } catch (const std::bad_alloc&) {
    // The lost block may contain frames to keep
    forgetStart();
  }
  if (includesStart_) return;
  dropBlock();
  keptFrames_ = wanted;
}

/// Continues a packed block after its first `frames` frames.
void SessionWriter::reopen(const Kept& block, std::uint64_t frames) {
  std::string items;
  // Unmodified since it was packed here
  (void)unpackBlock(block.packed, items);
  PackedReader from(items);
  SessionFrame frame;
  before_ = {};
  for (framesInBlock_ = 0; framesInBlock_ < frames;) {
    if (from.byte() == static_cast<std::uint8_t>(SessionItem::Scene)) {
      (void)from.text();  // same as in `items`
      continue;
    }
    (void)readFrame(from, before_, frame);
    before_ = frame;
    ++framesInBlock_;
  }
  items.resize(items.size() - from.left());
  items_ = std::move(items);
  keptFrames_ += frames;
  sceneInBlock_ = block.sceneBytes;
  keptSceneBytes_ += block.sceneBytes;
}

Error SessionWriter::startUnknown() const {
  return {ErrorCode::Unsupported,
          std::string(refusal_.empty() ? "the flight is too long to be recorded from its start"
                                       : refusal_)};
}

Result<Success> SessionWriter::startFile(const std::filesystem::path& file) {
  // This block may exceed the limits of a session
  endBlock();
  if (!includesStart_) return startUnknown();
  auto opened = RecordFile::open(file, sessionBeginning());
  if (!opened) return opened.error();
  file_ = *std::move(opened);
  full_.reset();
  fileBytes_ = sessionBeginning().size();
  fileSceneBytes_ = keptSceneBytes_;
  framesWritten_ = 0;
  for (const Kept& block : kept_) write(block.packed, block.frames);
  if (const auto fault = error()) {
    file_.reset();
    return *fault;
  }
  return Success{};
}

Result<Success> SessionWriter::saveCopy(const std::filesystem::path& file) {
  endBlock();
  if (!includesStart_) return startUnknown();
  std::string bytes = sessionBeginning();
  for (const Kept& block : kept_) bytes += block.packed;
  return writeWhole(file, bytes + sessionEnd(keptFrames_));
}

std::optional<Error> SessionWriter::error() const {
  if (!file_) return std::nullopt;
  const auto fault = file_->error();
  return fault ? fault : full_;
}

Result<Success> SessionWriter::close() {
  if (!file_) return Success{};
  endBlock();
  if (!full_) file_->lines() += sessionEnd(framesWritten_);
  auto closed = file_->close();
  file_.reset();
  if (closed && full_) return *std::exchange(full_, std::nullopt);
  return closed;
}

}  // namespace nearmiss::engine
