// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/fallbacks.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>

namespace nearmiss {
namespace {

constexpr std::array fallbackKinds{
    FallbackEntry{Fallback::LinCannyFlat, "lin_canny_flat",
                  "distances of flat hulls by GJK instead of Lin-Canny"},
    FallbackEntry{Fallback::LinCannyLost, "lin_canny_lost",
                  "distances by GJK after a walk of Lin-Canny that no planes confirmed"},
    FallbackEntry{Fallback::ScheduleAllPairs, "schedule_all_pairs",
                  "calls of \"schedule\" that tried every pair, having too many bodies for a heap"},
    FallbackEntry{Fallback::AnnealedApart, "annealed_apart",
                  "trees by \"annealed-apart\" instead of \"annealed\", which was no better than "
                  "the octree"},
    FallbackEntry{Fallback::PartitionHalves, "partition_halves",
                  "groups of shapes that were halved in the order given, as METIS did not divide "
                  "them"},
};

std::array<std::atomic<std::uint64_t>, fallbackKinds.size()> fallbacksOfProcess{};
thread_local std::array<std::uint64_t, fallbackKinds.size()> fallbacksOfThread{};

}  // namespace

std::span<const FallbackEntry> fallbackCatalog() noexcept { return fallbackKinds; }

void countFallback(Fallback kind) noexcept {
  const auto at = static_cast<std::size_t>(kind);
  fallbacksOfProcess[at].fetch_add(1, std::memory_order_relaxed);
  ++fallbacksOfThread[at];
}

std::uint64_t fallbacks(Fallback kind) noexcept {
  return fallbacksOfProcess[static_cast<std::size_t>(kind)].load(std::memory_order_relaxed);
}

std::uint64_t fallbacksHere(Fallback kind) noexcept {
  return fallbacksOfThread[static_cast<std::size_t>(kind)];
}

std::string fallbackLines() {
  std::string text;
  for (const FallbackEntry& entry : fallbackKinds)
    if (const std::uint64_t count = fallbacks(entry.kind); count > 0)
      text += "fallback    " + std::to_string(count) + " " + std::string(entry.name) + ": " +
              std::string(entry.meaning) + "\n";
  return text;
}

}  // namespace nearmiss
