// SPDX-License-Identifier: MIT
/// Shapes that come and go: as many in memory as a limit allows, read ahead by threads.
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

/// The two shapes that are needed at once; the same twice where it is one.
using ShapeVisit = std::array<std::uint32_t, 2>;

/// Knows every visit beforehand: what is needed last of all goes when room is needed, and the next
/// ones are read meanwhile.
class ShapesInMemory {
 public:
  struct Figures {
    std::size_t reads = 0;
    std::uint64_t bytesRead = 0;  ///< in memory, of all reads
    std::uint64_t maxBytes = 0;   ///< at once
    std::size_t waits = 0;        ///< visits whose shapes were not there yet
  };

  /// @pre every visit's shapes fit into `limit` bytes together; `shapes` outlives this.
  ShapesInMemory(std::span<const StoredShape> shapes, std::vector<ShapeVisit> visits,
                 std::uint64_t limit);
  ~ShapesInMemory();
  ShapesInMemory(const ShapesInMemory&) = delete;

  /// The shapes of the next visit, once they are there. The caller has let go of those before.
  /// Errors: those of readShape().
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
  std::vector<std::vector<std::size_t>> uses_;  ///< by shape, the visits that need it
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<std::optional<Shape>> shapes_;  ///< those that are there
  std::vector<bool> reserved_;                ///< those, and those that are being read
  bool reserving_ = false;                    ///< a reader waits for room
  std::size_t cursor_ = 0;                    ///< half visits whose shapes were reserved
  std::size_t events_ = 0;                    ///< reads that ended, visits that began
  std::optional<Error> error_;
  std::size_t current_ = 0;  ///< the visit that is on, or comes next
  std::size_t taken_ = 0;    ///< visits that were handed out
  std::uint64_t bytes_ = 0;
  Figures figures_;
  std::vector<std::jthread> readers_;
};

}  // namespace nearmiss::engine
