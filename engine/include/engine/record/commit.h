// SPDX-License-Identifier: MIT
/// The commit of this build. A separate library, so that a new commit relinks few programs.
#pragma once

#include <string_view>

namespace nearmiss::engine {

/// "898fc6200f40"; with "-dirty" if files were modified; "unknown" outside a repository.
[[nodiscard]] std::string_view commitName() noexcept;

}  // namespace nearmiss::engine
