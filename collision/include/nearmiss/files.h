// SPDX-License-Identifier: MIT
/// Shapes and sphere trees as files, so that nothing is built twice.
///
/// Any number of threads may call these at once, for different files.
#pragma once

#include <nearmiss/result.h>
#include <nearmiss/shape.h>
#include <nearmiss/sphere_tree.h>

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace nearmiss {

/// Reads a shape. Little endian; layout in docs/file-formats.md. Never trusts the file: checksum,
/// counts and indices are checked, and each tree against the mesh. Errors: NotFound, Unreadable,
/// BadFormat, WrongVersion, Mismatch (a tree of another mesh), TooLarge, Cancelled, OutOfMemory.
/// `cancelled` is as for makePolyhedron().
Result<Shape> readShape(const std::filesystem::path& file,
                        const std::atomic<bool>* cancelled = nullptr);

/// Writes to a neighbouring temporary file, syncs and renames it, so that a reader never sees half
/// a shape and an old file survives every failure. Errors: Unreadable, TooLarge, OutOfMemory.
Result<Success> writeShape(const std::filesystem::path& file, const Shape& shape);

/// A shape from the bytes of the file that writeShape() writes, wherever they were kept, as
/// distrustful. Errors: BadFormat, WrongVersion, Mismatch, TooLarge, Cancelled, OutOfMemory.
/// `cancelled` is as for makePolyhedron().
Result<Shape> shapeFromBytes(std::span<const std::byte> bytes,
                             const std::atomic<bool>* cancelled = nullptr);

/// Those bytes. Errors: BadFormat (a builder of too long a name), TooLarge, OutOfMemory.
Result<std::vector<std::byte>> bytesOf(const Shape& shape);

/// The model and settings that a file was built from; a reader that expects another key rejects it.
struct TreeKey {
  std::uint64_t meshHash = 0;      ///< of positions and triangles, not of the file's name
  std::uint64_t settingsHash = 0;  ///< of the builder and every field of its settings
  friend bool operator==(const TreeKey&, const TreeKey&) = default;
};

/// The contents of a tree file.
struct SphereTreeFile {
  TreeKey key;
  std::string builder;              ///< name in the catalogue
  std::uint32_t triangleCount = 0;  ///< of the mesh it was built from
  double buildSeconds = 0.0;
  SphereTree tree;
};

/// A tree from the bytes of such a file. Errors: BadFormat, WrongVersion, TooLarge, OutOfMemory.
Result<SphereTreeFile> sphereTreeFromBytes(std::span<const std::byte> bytes);

/// Reads a tree. Little endian; layout in docs/file-formats.md. Never trusts the file: checksum,
/// counts and indices are checked before anything is allocated from them.
/// Errors: NotFound, Unreadable, BadFormat, WrongVersion; out of memory.
Result<SphereTreeFile> readSphereTree(const std::filesystem::path& file);

/// As above, and refuses with Mismatch a file of another mesh or other settings.
Result<SphereTreeFile> readSphereTree(const std::filesystem::path& file, const TreeKey& expected);

/// Writes to a neighbouring temporary file, syncs and renames it, so that a reader never sees half
/// a tree and an old file survives every failure. Errors: Unreadable; out of memory.
Result<Success> writeSphereTree(const std::filesystem::path& file, const SphereTreeFile& contents);

}  // namespace nearmiss
