// SPDX-License-Identifier: MIT
#include "builders/solid_volume.h"

#include <nearmiss/detail/cancellation.h>

#include <algorithm>
#include <cmath>

namespace nearmiss {
namespace {

constexpr std::size_t wordBits = 64;

Real spacingFor(const Box& region, std::size_t cells) noexcept {
  const Vec3 extent = region.extent();
  // A flat region has at least one layer
  const Real least = 1e-3 * std::max({extent.x, extent.y, extent.z});
  const Real volume =
      std::max(extent.x, least) * std::max(extent.y, least) * std::max(extent.z, least);
  return std::cbrt(volume / static_cast<Real>(cells));
}

/// Counts the set bits by halves, quarters and so on. On a generic target, the library's function
/// is a call, because not every processor has an instruction for it.
constexpr int bitCount(std::uint64_t word) noexcept {
  word -= word >> 1 & 0x5555555555555555;
  word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return static_cast<int>(word * 0x0101010101010101 >> 56);
}

/// The bits from `first` to `last`, both included, of the word that begins at `begin`.
std::uint64_t bitsOf(int begin, int first, int last) noexcept {
  const int low = std::max(first - begin, 0), high = std::min(last - begin, 63);
  return (~std::uint64_t{0} << low) & (~std::uint64_t{0} >> (63 - high));
}

}  // namespace

VolumeGrid::VolumeGrid(const SolidParts& parts, const Box& region, std::size_t cells,
                       const std::atomic<bool>* cancelled)
    : region_(region), spacing_(spacingFor(region, cells)) {
  for (int axis = 0; axis < 3; ++axis)
    count_[axis] = std::max(1, static_cast<int>(std::ceil(region.extent()[axis] / spacing_)));
  words_ = (static_cast<std::size_t>(count_[0]) + wordBits - 1) / wordBits;
  const std::size_t rows =
      static_cast<std::size_t>(count_[1]) * static_cast<std::size_t>(count_[2]);
  solid_.assign(rows * words_, 0);
  balls_.assign(rows * words_ * wordBits, 0);

  // A cell is inside if its centre is
  SolidRows lines(parts, region, spacing_);
  for (int z = 0; z < count_[2] && !wasCancelled(cancelled); ++z) {
    lines.nextLayer();
    for (int y = 0; y < count_[1]; ++y)
      for (const RowPart& part : lines.inside(y)) {
        const Real from = (part.begin - region.low.x) / spacing_ - 0.5;
        const Real to = (part.end - region.low.x) / spacing_ - 0.5;
        const int first = std::max(0, static_cast<int>(std::ceil(from)));
        const int last = std::min(count_[0] - 1, static_cast<int>(std::floor(to)));
        for (int x = first; x <= last; ++x)
          solid_[rowAt(y, z) * words_ + static_cast<std::size_t>(x) / wordBits] |=
              std::uint64_t{1} << (static_cast<std::size_t>(x) % wordBits);
      }
  }
  free_.resize(solid_.size());
  std::transform(solid_.begin(), solid_.end(), free_.begin(), [](std::uint64_t w) { return ~w; });
}

bool VolumeGrid::holds(const Sphere& ball) const noexcept {
  return region_.contains(ball.centre - ball.radius) && region_.contains(ball.centre + ball.radius);
}

/// Calls visit(row, first, last) for the cells of each row whose centres are in the ball, until
/// visit returns false.
void VolumeGrid::forEachRow(const Sphere& ball, const auto& visit) const noexcept {
  const Vec3 centre = (ball.centre - region_.low) / spacing_ - 0.5;
  const Real radius = ball.radius / spacing_;
  // Round manually: the library's functions are calls, and this is the innermost loop of the search
  const auto first = [](Real at) {
    if (at <= 0.0) return 0;
    const int whole = static_cast<int>(at);
    return whole < at ? whole + 1 : whole;
  };
  const auto last = [](Real at, int count) {
    return at < 0.0 ? -1 : std::min(count - 1, static_cast<int>(at));
  };
  const int endZ = last(centre.z + radius, count_[2]);
  for (int z = first(centre.z - radius); z <= endZ; ++z) {
    const Real flat = radius * radius - (z - centre.z) * (z - centre.z);
    if (flat < 0.0) continue;
    const Real wide = std::sqrt(flat);
    const int endY = last(centre.y + wide, count_[1]);
    for (int y = first(centre.y - wide); y <= endY; ++y) {
      const Real square = flat - (y - centre.y) * (y - centre.y);
      if (square < 0.0) continue;
      const Real half = std::sqrt(square);
      const int begin = first(centre.x - half), end = last(centre.x + half, count_[0]);
      if (begin <= end && !visit(rowAt(y, z), begin, end)) return;
    }
  }
}

std::int64_t VolumeGrid::free(const Sphere& ball, std::int64_t enough) const noexcept {
  std::int64_t cells = 0;
  forEachRow(ball, [&](std::size_t row, int first, int last) {
    const std::uint64_t* words = free_.data() + row * words_;
    for (int begin = first & ~63; begin <= last; begin += 64)
      if (const std::uint64_t bits = words[begin / 64] & bitsOf(begin, first, last); bits != 0)
        cells += bitCount(bits);
    return cells <= enough;
  });
  return cells;
}

std::int64_t VolumeGrid::add(const Sphere& ball) noexcept {
  std::int64_t taken = 0;
  forEachRow(ball, [&](std::size_t row, int first, int last) {
    std::uint16_t* counts = balls_.data() + row * words_ * wordBits;
    for (int x = first; x <= last; ++x) ++counts[x];
    std::uint64_t* words = free_.data() + row * words_;
    for (int begin = first & ~63; begin <= last; begin += 64) {
      const std::uint64_t bits = words[begin / 64] & bitsOf(begin, first, last);
      if (bits == 0) continue;
      taken += bitCount(bits);
      words[begin / 64] &= ~bits;
    }
    return true;
  });
  return taken;
}

std::int64_t VolumeGrid::remove(const Sphere& ball) noexcept {
  std::int64_t freed = 0;
  forEachRow(ball, [&](std::size_t row, int first, int last) {
    std::uint16_t* counts = balls_.data() + row * words_ * wordBits;
    std::uint64_t* words = free_.data() + row * words_;
    const std::uint64_t* solid = solid_.data() + row * words_;
    for (int x = first; x <= last; ++x) {
      if (--counts[x] != 0) continue;
      const std::uint64_t bit = std::uint64_t{1} << (x % 64) & ~solid[x / 64];
      words[x / 64] |= bit;
      freed += bit != 0;
    }
    return true;
  });
  return freed;
}

std::int64_t VolumeGrid::own(const Sphere& ball) const noexcept {
  std::int64_t cells = 0;
  forEachRow(ball, [&](std::size_t row, int first, int last) {
    const std::uint16_t* counts = balls_.data() + row * words_ * wordBits;
    const std::uint64_t* solid = solid_.data() + row * words_;
    for (int x = first; x <= last; ++x)
      cells += counts[x] == 1 && (solid[x / 64] >> (x % 64) & 1) == 0;
    return true;
  });
  return cells;
}

std::vector<Vec3> VolumeGrid::insidePoints(std::size_t count) const {
  std::size_t cells = 0;
  for (const std::uint64_t word : solid_) cells += static_cast<std::size_t>(bitCount(word));
  const Real share = static_cast<Real>(cells) / static_cast<Real>(std::max<std::size_t>(count, 1));
  const int step = std::max(1, static_cast<int>(std::ceil(std::cbrt(share))));
  std::vector<Vec3> points;
  for (int z = step / 2; z < count_[2]; z += step)
    for (int y = step / 2; y < count_[1]; y += step)
      for (int x = step / 2; x < count_[0]; x += step)
        if (solid_[rowAt(y, z) * words_ + static_cast<std::size_t>(x / 64)] >> (x % 64) & 1)
          points.push_back(region_.low + (Vec3(x, y, z) + 0.5) * spacing_);
  return points;
}

}  // namespace nearmiss
