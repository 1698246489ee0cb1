// SPDX-License-Identifier: MIT
#include <engine/record/atomic_file.h>
#include <engine/session/session_writer.h>

#include <limits>
#include <utility>

#include "record/record_file.h"
#include "session/session_block.h"
#include "session/session_items.h"

namespace nearmiss::engine {

SessionWriter::SessionWriter() = default;
SessionWriter::SessionWriter(SessionWriter&&) noexcept = default;
SessionWriter& SessionWriter::operator=(SessionWriter&&) noexcept = default;
SessionWriter::~SessionWriter() { (void)close(); }

void SessionWriter::begin(const SessionScene& scene, const RecordHead& head) {
  endBlock();
  if (scene.restart) {
    kept_.clear();
    keptBytes_ = 0;
    keptFrames_ = 0;
    knowsStart_ = true;
  }
  appendScene(scene, head, items_);
}

void SessionWriter::add(const FrameInput& input, const FrameOutput& output, const World& world) {
  frame_.take(input, output, world);
  if (framesInBlock_ + 1 == SessionFrame::framesPerBlock) frame_.stateHash = stateHash(world);
  add(frame_);
}

void SessionWriter::add(const SessionFrame& frame) {
  appendFrame(frame, before_, items_);
  before_ = frame;
  ++framesInFile_;
  ++keptFrames_;
  if (++framesInBlock_ == SessionFrame::framesPerBlock) endBlock();
}

void SessionWriter::endBlock() {
  if (!items_.empty()) put(packedBlock(items_));
  items_.clear();
  framesInBlock_ = 0;
  // Each block can be read without the one before
  before_ = {};
}

void SessionWriter::put(std::string block) {
  if (file_) {
    file_->lines() += block;
    file_->flushIfDue(std::numeric_limits<double>::infinity());
  }
  if (!knowsStart_) return;
  keptBytes_ += block.size();
  kept_.push_back(std::move(block));
  if (keptBytes_ <= mostKept) return;
  kept_ = {};
  keptBytes_ = 0;
  knowsStart_ = false;
}

Result<Success> SessionWriter::keepIn(const std::filesystem::path& file) {
  endBlock();
  auto opened = RecordFile::open(file, sessionBeginning());
  if (!opened) return opened.error();
  file_ = *std::move(opened);
  framesInFile_ = keptFrames_;
  for (const std::string& block : kept_) {
    file_->lines() += block;
    file_->flushIfDue(std::numeric_limits<double>::infinity());
  }
  if (const auto fault = error()) {
    file_.reset();
    return *fault;
  }
  return Success{};
}

Result<Success> SessionWriter::saveCopy(const std::filesystem::path& file) {
  endBlock();
  std::string bytes = sessionBeginning();
  for (const std::string& block : kept_) bytes += block;
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
