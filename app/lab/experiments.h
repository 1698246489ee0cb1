// SPDX-License-Identifier: MIT
/// The experiments of `nearmiss lab`, for help and lists.
#pragma once

#include <functional>
#include <span>
#include <string_view>

namespace nearmiss::app {

struct ExperimentEntry {
  std::string_view name;
  std::string_view summary;
};

/// An experiment with its options.
struct ExperimentCommand {
  std::function<int()> run;  ///< returns an ExitCode
};

[[nodiscard]] std::span<const ExperimentEntry> experimentCatalog() noexcept;

}  // namespace nearmiss::app
