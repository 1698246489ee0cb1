// SPDX-License-Identifier: MIT
#include <engine/resident/resident_shapes.h>
#include <nearmiss/files.h>
#include <nearmiss/narrow_phase.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <limits>

#include "model/guarded.h"

namespace nearmiss::engine {
namespace {

/// Reading takes longer than comparing.
constexpr int readers = 2;
constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

/// With what its queries read, so that it is made here and counted.
Result<Shape> readWhole(const std::filesystem::path& file) {
  return guarded([&]() -> Result<Shape> {
    auto shape = readShape(file);
    if (shape && shape->sphereTree()) prepareSphereTree(*shape);
    return shape;
  });
}

}  // namespace

ResidentShapes::ResidentShapes(std::span<const StoredShape> shapes, std::vector<ShapeVisit> visits,
                               std::uint64_t limit)
    : stored_(shapes),
      visits_(std::move(visits)),
      limit_(limit),
      uses_(shapes.size()),
      shapes_(shapes.size()),
      reserved_(shapes.size(), false) {
  for (std::size_t v = 0; v < visits_.size(); ++v)
    for (const std::uint32_t shape : visits_[v])
      if (uses_[shape].empty() || uses_[shape].back() != v) uses_[shape].push_back(v);
  for (int i = 0; i < readers; ++i)
    readers_.emplace_back([this](const std::stop_token& stop) { read(stop); });
}

ResidentShapes::~ResidentShapes() {
  for (std::jthread& reader : readers_) reader.request_stop();
  changed_.notify_all();
}

std::size_t ResidentShapes::nextUse(std::uint32_t shape) const noexcept {
  const auto& uses = uses_[shape];
  const auto next = std::ranges::lower_bound(uses, current_);
  return next == uses.end() ? never : *next;
}

/// Lets those go that are needed latest, but none that is needed before `visit` is over.
bool ResidentShapes::makeRoom(std::unique_lock<std::mutex>& lock, const std::stop_token& stop,
                              std::size_t visit, std::uint64_t need) {
  while (bytes_ + need > limit_) {
    std::uint32_t latest = 0;
    std::size_t when = 0;
    for (std::uint32_t shape = 0; shape < shapes_.size(); ++shape) {
      if (!shapes_[shape]) continue;
      const std::size_t use = nextUse(shape);
      if (use <= visit || use <= when) continue;
      latest = shape;
      when = use;
    }
    if (when > 0) {
      shapes_[latest].reset();
      reserved_[latest] = false;
      bytes_ -= stored_[latest].bytes;
      continue;
    }
    const std::size_t before = events_;
    if (!changed_.wait(lock, stop, [&] { return events_ != before; })) return false;
  }
  return true;
}

/// Room for the next shape that is not there. Nobody else looks for room meanwhile, so that what is
/// needed earlier has it earlier. Nothing where all is there, or was.
std::optional<std::uint32_t> ResidentShapes::reserve(std::unique_lock<std::mutex>& lock,
                                                     const std::stop_token& stop) {
  if (!changed_.wait(lock, stop, [this] { return !reserving_; })) return std::nullopt;
  for (; cursor_ < 2 * visits_.size(); ++cursor_) {
    const std::size_t visit = cursor_ / 2;
    const std::uint32_t shape = visits_[visit][cursor_ % 2];
    if (reserved_[shape] || visit < current_) continue;
    reserving_ = true;
    const bool room = makeRoom(lock, stop, visit, stored_[shape].bytes);
    reserving_ = false;
    changed_.notify_all();
    if (!room) return std::nullopt;
    reserved_[shape] = true;
    bytes_ += stored_[shape].bytes;
    figures_.mostBytes = std::max(figures_.mostBytes, bytes_);
    ++figures_.reads;
    figures_.bytesRead += stored_[shape].bytes;
    return shape;
  }
  return std::nullopt;
}

void ResidentShapes::read(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!error_) {
    const auto shape = reserve(lock, stop);
    if (!shape) return;
    lock.unlock();
    auto read = readWhole(stored_[*shape].file);
    lock.lock();
    if (read)
      shapes_[*shape] = *std::move(read);
    else
      error_ = read.error();
    ++events_;
    changed_.notify_all();
  }
}

Result<std::pair<Shape, Shape>> ResidentShapes::next() {
  std::unique_lock lock(mutex_);
  current_ = taken_++;
  ++events_;
  changed_.notify_all();
  const auto [a, b] = visits_[current_];
  const auto ready = [&] { return error_ || (shapes_[a] && shapes_[b]); };
  figures_.waits += !ready();
  changed_.wait(lock, ready);
  if (error_) return *error_;
  return std::pair(*shapes_[a], *shapes_[b]);
}

ResidentShapes::Figures ResidentShapes::figures() const {
  const std::lock_guard lock(mutex_);
  return figures_;
}

}  // namespace nearmiss::engine
