// SPDX-License-Identifier: MIT
/// Records a flight so that it can be repeated bit for bit, independent of clocks: its inputs, its
/// scenes, and the work that detection granted to each pair.
#pragma once

#include <engine/base/file_path.h>
#include <engine/flight/simulation.h>
#include <engine/model/shape_set.h>
#include <engine/record/record_writers.h>
#include <engine/scene/scene.h>
#include <nearmiss/result.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::engine {

/// Identifies a shape of the flight: equal hashes mean equal shapes.
struct SessionShape {
  std::string name;
  std::uint64_t mesh = 0;   ///< Polyhedron::hash()
  std::string treeBuilder;  ///< of its sphere tree
  std::uint64_t tree = 0;   ///< LoadedShape::treeHash
  friend bool operator==(const SessionShape&, const SessionShape&) = default;
};

/// The scene and the detector from a frame on.
struct SessionScene {
  bool restart = true;  ///< starts the scene; otherwise its world continues with another detector
  std::string text;     ///< the scene as written by writeScene(), with absolute model paths
  std::string narrow;   ///< name of the driving method, as in `nearmiss list narrow`
  std::vector<SessionShape> shapes;
};
[[nodiscard]] SessionScene sessionSceneOf(const Scene& scene, const std::string& narrow,
                                          const ShapeSet& shapes, bool restart);
/// Returns a recorded scene for replay. Models that do not exist at the recorded paths are searched
/// in the working folder and next to the session. Errors: those of parseScene().
Result<Scene> sceneOf(const SessionScene& recorded, const FilePath& session);

/// The input of a frame, without the granted work.
struct SessionInput {
  ShipControl control;
  bool stopShip = false;
  Real dt = 0.0, detectStep = 0.0;  ///< simulation seconds
  Response response = Response::Bounce;
  Instants instants = Instants::Steps;
  std::vector<HandAct> acts;
};

/// Input plus the work granted to its detections, which makes the frame repeatable.
struct RepeatableInput : SessionInput {
  std::vector<GrantedWork> granted;

  /// Copies a frame, reusing memory. Stores the times that were actually flown.
  void take(const FrameInput& input, const FrameOutput& output);
  /// Returns input that repeats the frame; valid as long as this object.
  [[nodiscard]] FrameInput repeated() const;
};

/// One frame: input and expected results.
struct SessionFrame : RepeatableInput {
  std::uint32_t collisions = 0;              ///< touches that began
  std::vector<std::uint16_t> ships;          ///< digestOf() each ship at the end of the frame
  std::optional<std::uint64_t> stateHash{};  ///< at the end; set only for the last frame of a whole
                                             ///< block

  /// Copies a frame, reusing memory. `flown` are the ships of `output`.
  void take(const FrameInput& input, const FrameOutput& output, const Ships& flown);
  static constexpr std::uint64_t framesPerBlock = 60;
};

/// Sixteen bits of stateHash(): a difference is missed with probability 1/65536 per frame.
[[nodiscard]] std::uint16_t digestOf(const Ships& ships, std::size_t index) noexcept;

/// Limits on session files; neither reader nor writer exceeds them.
struct SessionSizes {
  std::uint64_t file = std::uint64_t{4} << 30;      ///< bytes
  std::size_t block = std::size_t{1} << 28;         ///< unpacked bytes of a block
  std::size_t scene = std::size_t{1} << 20;         ///< unpacked bytes of a scene
  std::size_t scenesInAll = std::size_t{64} << 20;  ///< unpacked bytes of all scenes
  /// Maximum bytes that a writer keeps in memory; longer flights are not kept.
  std::size_t kept = std::size_t{1} << 28;
};

// A recorded session, read from its file.

class RecordedSession {
 public:
  /// A scene and its first frame.
  struct SceneChange {
    std::uint64_t frame = 0;
    SessionScene scene;
  };

  /// Called with the fraction of the file that has been read, from 0 to 1; return false to stop.
  using Reading = std::function<bool(double share)>;

  /// Reads a session and verifies the checksum of every block. A file without an end, because the
  /// writing program was killed, is read up to its last whole block; warning() says so. A small
  /// file may unpack to so many bytes that reading takes minutes, so `goesOn`, if set, is called
  /// after every block of at most SessionSizes::block bytes. Errors: NotFound, Unreadable,
  /// TooLarge, BadFormat (altered bytes, not a session, no whole block, counts beyond the limits of
  /// docs/file-formats.md), WrongVersion, Cancelled, OutOfMemory.
  static Result<RecordedSession> read(const FilePath& file, const Reading& goesOn = {});
  /// As above, from the bytes of a file; `file` is its name in messages and the place to search for
  /// models.
  static Result<RecordedSession> fromBytes(std::string_view bytes, const FilePath& file,
                                           const Reading& goesOn = {});

  [[nodiscard]] const FilePath& file() const noexcept { return file_; }
  [[nodiscard]] const RecordHead& head() const noexcept { return head_; }
  /// Returns a value of the head, or "unknown".
  [[nodiscard]] std::string headValue(std::string_view key) const;
  [[nodiscard]] std::uint64_t frames() const noexcept { return collisions_.size(); }
  /// Ordered by frame; the first one has frame 0 and restarts.
  [[nodiscard]] const std::vector<SceneChange>& scenes() const noexcept { return scenes_; }
  /// By frame: the number of touches that began.
  [[nodiscard]] const std::vector<std::uint32_t>& collisions() const noexcept {
    return collisions_;
  }
  /// Maximum number of ships in any frame.
  [[nodiscard]] std::size_t mostShips() const noexcept { return mostShips_; }
  /// Simulation seconds of all frames.
  [[nodiscard]] Real seconds() const noexcept { return seconds_; }
  /// Unpacks a frame; valid until the next call. Throws std::bad_alloc and then does not change.
  /// @pre n < frames()
  const SessionFrame& frame(std::uint64_t n);
  /// A sentence about missing data; empty if the file is complete.
  [[nodiscard]] const std::string& warning() const noexcept { return warning_; }

 private:
  struct Block {
    std::uint64_t first = 0;  ///< frame
    std::string packed;
  };
  bool unpack(const Block& block);
  [[nodiscard]] std::string fault(std::string_view what) const;
  [[nodiscard]] Result<Success> takeAll(std::string_view bytes, const Reading& goesOn);

  FilePath file_;
  RecordHead head_;
  std::vector<SceneChange> scenes_;
  std::vector<std::uint32_t> collisions_;
  std::vector<Block> blocks_;
  std::string warning_;
  std::size_t sceneBytes_ = 0;  ///< of all scenes, unpacked
  std::size_t mostShips_ = 0;
  Real seconds_ = 0.0;
  std::string items_;                   ///< items of the block unpacked last
  std::vector<SessionFrame> unpacked_;  ///< frames of that block
  std::uint64_t firstUnpacked_ = 0;
};

// Records a flight in memory or in a file, so that it can be repeated.

class RecordFile;

/// Keeps the flight in memory from the start of the current scene; after startFile() also in a
/// file. A file is written in blocks of SessionFrame::framesPerBlock frames, fewer if they are
/// large. If the program is killed or runs out of memory, all but the last block survives. At a
/// limit of SessionSizes the file is closed properly and error() says why; memory never holds a
/// flight that no file could.
class SessionWriter {
 public:
  explicit SessionWriter(const SessionSizes& most = {});
  SessionWriter(SessionWriter&&) noexcept;
  SessionWriter& operator=(SessionWriter&&) noexcept;
  ~SessionWriter();

  /// Starts a scene at the next frame. `head`: see recordHead(). A scene that restarts also
  /// restarts the record in memory. A scene that exceeds the limits of a session ends the file; see
  /// refusal().
  void begin(const SessionScene& scene, const RecordHead& head);
  /// Adds a frame of the simulation.
  /// @pre a scene has begun
  void add(const FrameInput& input, const FrameOutput& output, const Ships& ships);
  /// Adds a frame that was read from a session.
  void add(const SessionFrame& frame);

  /// Returns true if startFile() can start at the beginning of the scene.
  [[nodiscard]] bool includesStart() const noexcept { return includesStart_; }
  /// Why the current scene cannot be recorded, as a sentence; empty if it can.
  [[nodiscard]] std::string_view refusal() const noexcept { return refusal_; }
  /// Writes the flight in memory and all further frames to `file`, replacing it. Errors:
  /// Unreadable; Unsupported unless includesStart(), and then the file is not touched.
  /// @pre not writing()
  Result<Success> startFile(const FilePath& file);
  /// Removes the last `frames` frames after the flight was rewound, so that the next frame follows
  /// the one before them. If the start is not in memory, removes the whole unfinished block. If
  /// memory runs out, the start is lost (see includesStart()).
  /// @pre not writing(); at least `frames` frames were added since the scene's start
  void dropLast(std::uint64_t frames);
  /// Writes the flight in memory to a separate file, and continues. Errors: as startFile().
  Result<Success> saveCopy(const FilePath& file);
  [[nodiscard]] bool writing() const noexcept { return file_ != nullptr; }
  /// Why writing stopped; the file then ends with its last whole block.
  [[nodiscard]] std::optional<Error> error() const;
  /// Writes the end of the file. Errors: Unreadable if anything could not be written; TooLarge if
  /// the flight exceeded the limit of a file. Does nothing if not writing().
  Result<Success> close();

  /// Frames in the file, including those not yet written.
  [[nodiscard]] std::uint64_t framesInFile() const noexcept {
    return framesWritten_ + (file_ && !full_ ? framesInBlock_ : 0);
  }
  /// Frames since the start of the current scene, in memory or not.
  [[nodiscard]] std::uint64_t framesKept() const noexcept { return keptFrames_; }

 private:
  /// A packed block, its number of frames, and the unpacked bytes of its scenes.
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
  bool includesStart_ = false;
  std::string_view refusal_;
  std::string items_;  ///< of the current block
  std::uint64_t framesInBlock_ = 0;
  std::size_t sceneInBlock_ = 0;  ///< bytes
  SessionFrame frame_;
  SessionInput before_;  ///< previous input in the block
  std::unique_ptr<RecordFile> file_;
  std::uint64_t fileBytes_ = 0, framesWritten_ = 0;
  std::size_t fileSceneBytes_ = 0;
  std::optional<Error> full_;  ///< why the file was ended early
};

}  // namespace nearmiss::engine
