// SPDX-License-Identifier: MIT
/// `nearmiss list`: the names that options take.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::app {

/// models, scenes, settings, broad and so on.
[[nodiscard]] std::vector<std::string_view> listedKinds();

/// Prints one name a line, with a word about it. `what`: one of listedKinds(); empty: all of them
/// under headings.
int list(const std::string& what);

}  // namespace nearmiss::app
