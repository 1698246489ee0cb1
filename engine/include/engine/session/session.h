// SPDX-License-Identifier: MIT
/// Data for repeating a flight to the last bit, whatever the clocks then say: its inputs, its
/// scenes, and the work that detection granted to each pair.
#pragma once

#include <engine/flight/simulation.h>
#include <engine/model/shape_set.h>
#include <engine/record/record_writers.h>
#include <engine/scene/scene.h>
#include <nearmiss/result.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::engine {

/// A shape that flew: two of equal hashes are equal.
struct SessionShape {
  std::string name;
  std::uint64_t mesh = 0;   ///< Polyhedron::hash()
  std::string treeBuilder;  ///< of its sphere tree
  std::uint64_t tree = 0;   ///< LoadedShape::treeHash
  friend bool operator==(const SessionShape&, const SessionShape&) = default;
};

/// The scene and the detector, from a frame on.
struct SessionScene {
  bool restart = true;  ///< the scene begins; else its world goes on with another detector
  std::string text;     ///< of the scene, as writeScene() has it; models by whole paths
  std::string narrow;   ///< the method that drives, one of `nearmiss list narrow`
  std::vector<SessionShape> shapes;
};
[[nodiscard]] SessionScene sessionSceneOf(const Scene& scene, const std::string& narrow,
                                          const ShapeSet& shapes, bool restart);
/// A recorded scene as it is replayed: models that are not where it names them are looked for in
/// the working folder and beside the session. Errors: those of parseScene().
Result<Scene> sceneOf(const SessionScene& recorded, const std::filesystem::path& session);

/// The input of a frame, except for the work.
struct SessionInput {
  ShipControl control;
  bool stopShip = false;
  Real dt = 0.0, detectStep = 0.0;  ///< simulation seconds
  Response response = Response::Bounce;
  Instants instants = Instants::Steps;
  std::vector<HandAct> acts;
};

/// With the work that its detections were granted, which makes them the same again.
struct RepeatableInput : SessionInput {
  std::vector<GrantedWork> granted;

  /// Keeps its memory. Times become those that were flown.
  void take(const FrameInput& input, const FrameOutput& output);
  /// As input that repeats the frame; valid as long as this.
  [[nodiscard]] FrameInput repeated() const;
};

/// One frame: what went in, and what is to come out.
struct SessionFrame : RepeatableInput {
  std::uint32_t collisions = 0;              ///< touches that began
  std::vector<std::uint16_t> ships;          ///< of each ship at the end: digestOf()
  std::optional<std::uint64_t> stateHash{};  ///< at the end; of the last of a whole block

  /// Keeps its memory. `flown` are those of `output`.
  void take(const FrameInput& input, const FrameOutput& output, const Ships& flown);
  static constexpr std::uint64_t framesPerBlock = 60;
};

/// Sixteen bits of stateHash(): one difference in 65536 goes unseen for a frame.
[[nodiscard]] std::uint16_t digestOf(const Ships& ships, std::size_t index) noexcept;

/// What may be in the file of a session: no more is read, and so no more is written.
struct SessionSizes {
  std::uint64_t file = std::uint64_t{4} << 30;      ///< bytes
  std::size_t block = std::size_t{1} << 28;         ///< bytes of a block, unpacked
  std::size_t scene = std::size_t{1} << 20;         ///< the same of a scene
  std::size_t scenesInAll = std::size_t{64} << 20;  ///< and of all scenes
  /// Bytes that a writer keeps in memory; a longer flight is no longer kept there.
  std::size_t kept = std::size_t{1} << 28;
};

// A recorded session as it is read from its file.

class RecordedSession {
 public:
  /// A scene, and the frame that is the first with it.
  struct SceneChange {
    std::uint64_t frame = 0;
    SessionScene scene;
  };

  /// Called with the share of the file that is read, from 0 to 1; false ends the reading.
  using Reading = std::function<bool(double share)>;

  /// All blocks proven by their checksums. A file whose end is missing, because the program that
  /// wrote it was killed, is read up to its last whole block; warning() tells. A small file may
  /// stand for so many bytes that reading it takes minutes: `goesOn`, if there is one, is asked
  /// after every block, which has SessionSizes::block bytes at most. Errors: NotFound, Unreadable,
  /// TooLarge, BadFormat (altered bytes, no session, nothing whole, counts beyond the limits of
  /// docs/file-formats.md), WrongVersion, Cancelled, OutOfMemory.
  static Result<RecordedSession> read(const std::filesystem::path& file,
                                      const Reading& goesOn = {});

  [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }
  [[nodiscard]] const RecordHead& head() const noexcept { return head_; }
  /// A value of the head, or "unknown".
  [[nodiscard]] std::string headValue(std::string_view key) const;
  [[nodiscard]] std::uint64_t frames() const noexcept { return collisions_.size(); }
  /// By frame; the first is of frame 0 and restarts.
  [[nodiscard]] const std::vector<SceneChange>& scenes() const noexcept { return scenes_; }
  /// Touches that began in each frame.
  [[nodiscard]] const std::vector<std::uint32_t>& collisions() const noexcept {
    return collisions_;
  }
  /// The most ships that fly in any frame.
  [[nodiscard]] std::size_t mostShips() const noexcept { return mostShips_; }
  /// Simulation seconds of all frames.
  [[nodiscard]] Real seconds() const noexcept { return seconds_; }
  /// Valid until the next call. Throws std::bad_alloc; the session is as it was then.
  /// @pre n < frames()
  const SessionFrame& frame(std::uint64_t n);
  /// A sentence; empty if the file is whole.
  [[nodiscard]] const std::string& warning() const noexcept { return warning_; }

 private:
  struct Block {
    std::uint64_t first = 0;  ///< frame
    std::string packed;
  };
  bool unpack(const Block& block);
  [[nodiscard]] std::string fault(std::string_view what) const;
  [[nodiscard]] Result<Success> takeAll(std::string_view bytes, const Reading& goesOn);

  std::filesystem::path file_;
  RecordHead head_;
  std::vector<SceneChange> scenes_;
  std::vector<std::uint32_t> collisions_;
  std::vector<Block> blocks_;
  std::string warning_;
  std::size_t sceneBytes_ = 0;  ///< of all scenes, packed
  std::size_t mostShips_ = 0;
  Real seconds_ = 0.0;
  std::string items_;                   ///< of the block unpacked last
  std::vector<SessionFrame> unpacked_;  ///< its frames
  std::uint64_t firstUnpacked_ = 0;
};

// Records a flight, in memory or in a file, so that it can be flown again.

class RecordFile;

/// Keeps what it records in memory, from the start of the scene that flies, and from keepIn() on in
/// a file too. A file is written in blocks of SessionFrame::framesPerBlock frames, or fewer where
/// they are large: of a program that is killed, or lacks memory, all but the last is kept. At a
/// limit of SessionSizes the file is closed so that it can be read, and error() says why; a flight
/// that no file could hold is not kept in memory either.
class SessionWriter {
 public:
  explicit SessionWriter(const SessionSizes& most = {});
  SessionWriter(SessionWriter&&) noexcept;
  SessionWriter& operator=(SessionWriter&&) noexcept;
  ~SessionWriter();

  /// From the next frame on. `head`: see recordHead(). One that restarts is where memory begins;
  /// one that no session can hold ends the file: see refusal().
  void begin(const SessionScene& scene, const RecordHead& head);
  /// A frame of the simulation. @pre A scene has begun.
  void add(const FrameInput& input, const FrameOutput& output, const Ships& ships);
  /// The same as read from a session.
  void add(const SessionFrame& frame);

  /// True if keepIn() can begin with the start of the scene.
  [[nodiscard]] bool knowsStart() const noexcept { return knowsStart_; }
  /// Why no frame with the scene that flies can be recorded, as a sentence; empty where it can.
  [[nodiscard]] std::string_view refusal() const noexcept { return refusal_; }
  /// Writes what memory has and what follows to `file`, and replaces what was there.
  /// @pre not writing(). Errors: Unreadable; Unsupported, unless knowsStart(): no file is touched.
  Result<Success> keepIn(const std::filesystem::path& file);
  /// Takes back the last `frames` frames, which the flight has been flown back over: what is added
  /// next follows the frame before them. Where memory does not know the start, all that is not in a
  /// whole block yet is dropped; where memory runs out, it no longer knows the start. @pre not
  /// writing(); `frames` were added since the scene's start
  void cutLast(std::uint64_t frames);
  /// Writes what memory has to a file of its own, and goes on as before. Errors: as keepIn().
  Result<Success> saveCopy(const std::filesystem::path& file);
  [[nodiscard]] bool writing() const noexcept { return file_ != nullptr; }
  /// Why nothing more is written; the file ends with its last whole block.
  [[nodiscard]] std::optional<Error> error() const;
  /// Writes the end. Errors: Unreadable, if anything could not be written; TooLarge, if the flight
  /// was longer than a file can be. Does nothing if not writing().
  Result<Success> close();

  /// Those that the file has, and those that wait to be written.
  [[nodiscard]] std::uint64_t framesInFile() const noexcept {
    return framesWritten_ + (file_ && !full_ ? framesInBlock_ : 0);
  }
  /// Since the start of the scene that flies, in memory or not.
  [[nodiscard]] std::uint64_t framesKept() const noexcept { return keptFrames_; }

 private:
  /// A block, packed, how many frames it has, and the bytes of its scene before it was packed.
  struct Kept {
    std::string packed;
    std::uint64_t frames = 0;
    std::size_t sceneBytes = 0;
  };
  void appendWhole(const auto& append);
  [[nodiscard]] bool append(const SessionFrame& frame);
  [[nodiscard]] bool blockIsFull() const noexcept;
  void endBlock();
  void put(std::string block);
  void write(const std::string& block, std::uint64_t frames);
  void endFile(std::string_view why);
  [[nodiscard]] Error startUnknown() const;
  void forgetStart() noexcept;
  void dropBlock() noexcept;
  void reopen(const Kept& block, std::uint64_t frames);

  SessionSizes most_;
  std::vector<Kept> kept_;  ///< from the start of the scene
  std::size_t keptBytes_ = 0, keptSceneBytes_ = 0;
  std::uint64_t keptFrames_ = 0;
  bool knowsStart_ = false;
  std::string_view refusal_;
  std::string items_;  ///< of the block under way
  std::uint64_t framesInBlock_ = 0;
  std::size_t sceneInBlock_ = 0;  ///< bytes
  SessionFrame frame_;
  SessionInput before_;  ///< in the block
  std::unique_ptr<RecordFile> file_;
  std::uint64_t fileBytes_ = 0, framesWritten_ = 0;
  std::size_t fileSceneBytes_ = 0;
  std::optional<Error> full_;  ///< why the file has its end already
};

}  // namespace nearmiss::engine
