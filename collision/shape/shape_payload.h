// SPDX-License-Identifier: MIT
/// The payload of a shape file. The layout is in docs/file-formats.md.
#pragma once

#include <nearmiss/shape.h>

#include <atomic>
#include <cstddef>
#include <span>
#include <string_view>

#include "spheres/tree_file.h"

namespace nearmiss {

inline constexpr TreeFileKind shapeFile{{'S', 'H', 'P', 'E'}, 2, "shape"};

/// Reads a shape; `file` is used in messages. Errors: those of shapeFromBytes().
[[nodiscard]] Result<Shape> shapeIn(std::span<const std::byte> payload, std::string_view file,
                                    const std::atomic<bool>* cancelled);
/// Returns the payload of a shape. Errors: BadFormat (the name of the builder is too long).
[[nodiscard]] Result<PayloadWriter> payloadOf(const Shape& shape, std::string_view file);

}  // namespace nearmiss
