// SPDX-License-Identifier: MIT
/// Records a flight, in memory or in a file, so that it can be flown again.
#pragma once

#include <engine/session/session.h>
#include <nearmiss/result.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nearmiss::engine {

class RecordFile;

/// Keeps what it records in memory, from the start of the scene that flies, and from keepIn() on in
/// a file too. A file is written in blocks of SessionFrame::framesPerBlock frames: of a program
/// that is killed all but the last is kept.
class SessionWriter {
 public:
  /// What memory may hold, bytes. A flight that grows beyond is no longer kept there.
  static constexpr std::size_t mostKept = std::size_t{1} << 28;

  SessionWriter();
  SessionWriter(SessionWriter&&) noexcept;
  SessionWriter& operator=(SessionWriter&&) noexcept;
  ~SessionWriter();

  /// From the next frame on. `head`: see recordHead(). One that restarts is where memory begins.
  void begin(const SessionScene& scene, const RecordHead& head);
  /// A frame of the simulation. @pre A scene has begun.
  void add(const FrameInput& input, const FrameOutput& output, const World& world);
  /// The same as read from a session.
  void add(const SessionFrame& frame);

  /// Whether keepIn() can begin with the start of the scene.
  [[nodiscard]] bool knowsStart() const noexcept { return knowsStart_; }
  /// Writes what memory has and what follows to `file`, and replaces what was there.
  /// @pre knowsStart() and not writing(). Errors: Unreadable.
  Result<Success> keepIn(const std::filesystem::path& file);
  /// Writes what memory has to a file of its own, and goes on as before.
  /// @pre knowsStart(). Errors: Unreadable.
  Result<Success> saveCopy(const std::filesystem::path& file);
  [[nodiscard]] bool writing() const noexcept { return file_ != nullptr; }
  /// Why nothing more is written; the file ends with its last whole block.
  [[nodiscard]] std::optional<Error> error() const;
  /// Writes the end. Errors: Unreadable, if anything could not be written. Does nothing if not
  /// writing().
  Result<Success> close();

  [[nodiscard]] std::uint64_t framesInFile() const noexcept { return framesInFile_; }

 private:
  void endBlock();
  void put(std::string block);

  std::vector<std::string> kept_;  ///< blocks, from the start of the scene
  std::size_t keptBytes_ = 0;
  std::uint64_t keptFrames_ = 0, framesInFile_ = 0;
  bool knowsStart_ = false;
  std::string items_;  ///< of the block under way
  std::uint64_t framesInBlock_ = 0;
  SessionFrame frame_;
  SessionInput before_;  ///< in the block
  std::unique_ptr<RecordFile> file_;
};

}  // namespace nearmiss::engine
