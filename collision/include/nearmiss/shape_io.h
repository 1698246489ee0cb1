// SPDX-License-Identifier: MIT
/// Shapes as files: the mesh and what was built around it, so that nothing is built twice.
#pragma once

#include <nearmiss/result.h>
#include <nearmiss/shape.h>

#include <filesystem>

namespace nearmiss {

/// Reads a shape. Little endian; layout in docs/file-formats.md. Never trusts the file: checksum,
/// counts and indices are checked, and each tree against the mesh. Errors: NotFound, Unreadable,
/// BadFormat, WrongVersion, Mismatch (a tree of another mesh), TooLarge, OutOfMemory.
Result<Shape> readShape(const std::filesystem::path& file);

/// Writes to a neighbouring temporary file, syncs and renames it, so that a reader never sees half
/// a shape and an old file survives every failure. Errors: Unreadable, TooLarge, OutOfMemory.
Result<Success> writeShape(const std::filesystem::path& file, const Shape& shape);

}  // namespace nearmiss
