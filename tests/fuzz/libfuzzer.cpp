// SPDX-License-Identifier: MIT
/// The targets under libFuzzer: NEARMISS_FUZZ names the one that runs. With
/// NEARMISS_FUZZ_SEEDS=DIR its seeds and its corpus are put there first.
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "fuzz/target.h"

namespace {

nearmiss::fuzz::Target chosen;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* name = std::getenv("NEARMISS_FUZZ");
  for (const auto& target : nearmiss::fuzz::allTargets())
    if (name && target.name == name) chosen = target;
  if (!chosen.run) {
    std::fprintf(stderr, "NEARMISS_FUZZ must name a target:");
    for (const auto& target : nearmiss::fuzz::allTargets())
      std::fprintf(stderr, " %.*s", static_cast<int>(target.name.size()), target.name.data());
    std::fprintf(stderr, "\n");
    std::exit(1);
  }
  if (const char* folder = std::getenv("NEARMISS_FUZZ_SEEDS")) {
    std::filesystem::create_directories(folder);
    int number = 0;
    for (const std::string& seed : chosen.seeds())
      std::ofstream(std::filesystem::path(folder) / ("seed-" + std::to_string(number++)),
                    std::ios::binary)
          << seed;
    std::error_code none;
    std::filesystem::copy(
        std::filesystem::path(NEARMISS_SOURCE_DIR) / "tests/fuzz/corpus" / chosen.name, folder,
        std::filesystem::copy_options::overwrite_existing, none);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen.run({data, size});
  return 0;
}
