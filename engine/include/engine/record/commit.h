// SPDX-License-Identifier: MIT
/// The commit that was built. A library of its own, so that a commit relinks few programs.
#pragma once

#include <string_view>

namespace nearmiss::engine {

/// "898fc6200f40", with "-dirty" where files differ from it; "unknown" outside a repository.
[[nodiscard]] std::string_view commitName() noexcept;

}  // namespace nearmiss::engine
