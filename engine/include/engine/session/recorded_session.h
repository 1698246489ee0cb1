// SPDX-License-Identifier: MIT
/// A recorded session as it is read from its file.
#pragma once

#include <engine/session/session.h>
#include <nearmiss/result.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace nearmiss::engine {

class RecordedSession {
 public:
  /// A scene, and the frame that is the first with it.
  struct SceneChange {
    std::uint64_t frame = 0;
    SessionScene scene;
  };

  /// All blocks proven by their checksums. A file whose end is missing, because the program that
  /// wrote it was killed, is read up to its last whole block; warning() tells. Errors: NotFound,
  /// Unreadable, BadFormat (altered bytes, no session, nothing whole), WrongVersion.
  static Result<RecordedSession> read(const std::filesystem::path& file);

  [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }
  [[nodiscard]] const RecordHead& head() const noexcept { return head_; }
  /// Of the head, "unknown" without.
  [[nodiscard]] std::string headValue(std::string_view key) const;
  [[nodiscard]] std::uint64_t frames() const noexcept { return collisions_.size(); }
  /// By frame; the first is of frame 0 and restarts.
  [[nodiscard]] const std::vector<SceneChange>& scenes() const noexcept { return scenes_; }
  /// Touches that began in each frame.
  [[nodiscard]] const std::vector<std::uint32_t>& collisions() const noexcept {
    return collisions_;
  }
  /// Valid until the next call. @pre n < frames()
  const SessionFrame& frame(std::uint64_t n);
  /// A sentence; empty if the file is whole.
  [[nodiscard]] const std::string& warning() const noexcept { return warning_; }

 private:
  struct Block {
    std::uint64_t first = 0;  ///< frame
    std::string packed;
  };
  bool unpack(const Block& block);
  [[nodiscard]] std::string takeAll(std::string_view bytes);

  std::filesystem::path file_;
  RecordHead head_;
  std::vector<SceneChange> scenes_;
  std::vector<std::uint32_t> collisions_;
  std::vector<Block> blocks_;
  std::string warning_;
  std::string items_;                   ///< of the block unpacked last
  std::vector<SessionFrame> unpacked_;  ///< its frames
  std::uint64_t firstUnpacked_ = 0;
};

}  // namespace nearmiss::engine
