// SPDX-License-Identifier: MIT
/// Targets of fuzzing: functions that take any bytes and end the program where a promise is broken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/files.h"

namespace nearmiss::fuzz {

using Bytes = std::span<const std::uint8_t>;

struct Target {
  std::string_view name;  ///< of its folder in corpus/ too
  void (*run)(Bytes bytes);
  /// Whole inputs to begin with, beside those of the folder.
  std::vector<std::string> (*seeds)();
};

/// Those of each source. Together: allTargets().
[[nodiscard]] std::vector<Target> meshTargets();
[[nodiscard]] std::vector<Target> keptFileTargets();
[[nodiscard]] std::vector<Target> textTargets();
[[nodiscard]] std::vector<Target> robotTargets();
[[nodiscard]] std::vector<Target> windowTargets();
[[nodiscard]] std::vector<Target> pairTargets();

[[nodiscard]] std::vector<Target> allTargets();

/// Ends the program, with the sentence, where a promise is broken.
inline void demand(bool kept, std::string_view promise) {
  if (kept) return;
  std::fprintf(stderr, "broken: %.*s\n", static_cast<int>(promise.size()), promise.data());
  std::abort();
}

/// An error says something. What it quotes of a file is for the program to make printable.
inline void demandSentence(std::string_view message) {
  demand(!message.empty(), "an error has a sentence");
}

[[nodiscard]] inline std::string_view textOf(Bytes bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A folder of this process, in memory where there is such a place.
[[nodiscard]] inline const std::filesystem::path& scratch() {
  static const test::TemporaryFolder folder;
  return folder.path();
}

/// The bytes as a file of this name.
inline std::filesystem::path asFile(std::string_view name, Bytes bytes) {
  return test::writeText(scratch() / name, textOf(bytes));
}

/// Takes numbers off the front of the bytes; 0 once they are used up.
class Draw {
 public:
  explicit Draw(Bytes bytes) noexcept : left_(bytes) {}
  std::uint8_t byte() noexcept {
    if (left_.empty()) return 0;
    const std::uint8_t value = left_.front();
    left_ = left_.subspan(1);
    return value;
  }
  /// From 0 to below `end`.
  int below(int end) noexcept { return byte() % end; }
  /// A multiple of `step` from -128 to 127 of them.
  double lattice(double step) noexcept { return static_cast<std::int8_t>(byte()) * step; }
  [[nodiscard]] bool empty() const noexcept { return left_.empty(); }

 private:
  Bytes left_;
};

}  // namespace nearmiss::fuzz
