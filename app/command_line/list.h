// SPDX-License-Identifier: MIT
/// `nearmiss list`: the valid names of options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::app {

/// Such as models, scenes, settings and broad.
[[nodiscard]] std::vector<std::string_view> listedKinds();

/// Prints one name per line with a description. `what`: one of listedKinds(); empty: all with
/// headings.
int list(const std::string& what);

}  // namespace nearmiss::app
