// SPDX-License-Identifier: MIT
/// Trees as parts of a payload. Layout in docs/file-formats.md.
#pragma once

#include <nearmiss/bsp_tree.h>
#include <nearmiss/sphere_tree.h>

#include <cstddef>
#include <optional>

#include "tree/tree_container.h"

namespace nearmiss {

/// The most bytes of the name of a builder.
inline constexpr std::size_t longestBuilderName = 64;

void putSphereTree(PayloadWriter& out, const SphereTree::Data& data);
/// Nothing where the coverage has no valid value. The rest is to be validated once the reader has
/// finished.
[[nodiscard]] std::optional<SphereTree::Data> takeSphereTree(PayloadReader& in);

void putBspTree(PayloadWriter& out, const BspTree::Data& data);
/// Nothing where there are more nodes than bytes. The rest as above.
[[nodiscard]] std::optional<BspTree::Data> takeBspTree(PayloadReader& in);

}  // namespace nearmiss
