// SPDX-License-Identifier: MIT
/// Loads and evicts shapes within a memory limit; threads read ahead.
#pragma once

#include <engine/interference/still_scene.h>
#include <nearmiss/result.h>
#include <nearmiss/shape.h>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace nearmiss::engine {

/// The two shapes of a visit; twice the same if only one is needed.
using ShapeVisit = std::array<std::uint32_t, 2>;

/// Knows all visits in advance. Evicts the shape whose next use is latest, and reads the shapes of
/// the next visits in the background.
class ShapesInMemory {
 public:
  struct Figures {
    std::size_t reads = 0;
    std::uint64_t bytesRead = 0;  ///< size in memory, over all reads
    std::uint64_t maxBytes = 0;   ///< maximum memory in use
    std::size_t waits = 0;        ///< visits that had to wait for their shapes
  };

  /// @pre the shapes of each visit fit in `limit` bytes together; `shapes` outlives this object
  ShapesInMemory(std::span<const StoredShape> shapes, std::vector<ShapeVisit> visits,
                 std::uint64_t limit);
  ~ShapesInMemory();
  ShapesInMemory(const ShapesInMemory&) = delete;

  /// Waits for the shapes of the next visit and returns them. The caller must have released those
  /// of the previous visit. Errors: those of readShape().
  Result<std::pair<Shape, Shape>> next();
  [[nodiscard]] Figures figures() const;

 private:
  void read(const std::stop_token& stop);
  std::optional<std::uint32_t> reserve(std::unique_lock<std::mutex>& lock,
                                       const std::stop_token& stop);
  bool makeRoom(std::unique_lock<std::mutex>& lock, const std::stop_token& stop, std::size_t visit,
                std::uint64_t need);
  [[nodiscard]] std::size_t nextUse(std::uint32_t shape) const noexcept;

  std::span<const StoredShape> stored_;
  std::vector<ShapeVisit> visits_;
  std::uint64_t limit_;
  std::vector<std::vector<std::size_t>> uses_;  ///< by shape: the visits that need it
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<std::optional<Shape>> shapes_;  ///< the loaded ones
  std::vector<bool> reserved_;                ///< loaded or being read
  bool reserving_ = false;                    ///< a reader is waiting for memory
  std::size_t cursor_ = 0;                    ///< position in the sequence of shapes to reserve,
                                              ///< two per visit
  std::size_t events_ = 0;                    ///< completed reads and started visits
  std::optional<Error> error_;
  std::size_t current_ = 0;  ///< the current or next visit
  std::size_t taken_ = 0;    ///< visits handed out
  std::uint64_t bytes_ = 0;
  Figures figures_;
  std::vector<std::jthread> readers_;
};

}  // namespace nearmiss::engine
