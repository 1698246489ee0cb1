// SPDX-License-Identifier: MIT
/// Reads and writes sphere trees, so that they are built once. For whole shapes see shape.h.
///
/// Thread-safe for different files.
#pragma once

#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace nearmiss {

/// The model and settings from which a tree file was built. A reader that expects another key
/// rejects the file.
struct TreeKey {
  std::uint64_t meshHash = 0;      ///< of positions and triangles, not of the file name
  std::uint64_t settingsHash = 0;  ///< of the builder and every field of its settings
  friend bool operator==(const TreeKey&, const TreeKey&) = default;
};

/// The contents of a tree file.
struct SphereTreeFile {
  TreeKey key;
  std::string builder;              ///< name in the catalogue
  std::uint32_t triangleCount = 0;  ///< of the mesh from which it was built
  double buildSeconds = 0.0;
  SphereTree tree;
};

/// Reads a tree from the bytes of a tree file. Errors: BadFormat, WrongVersion, TooLarge,
/// OutOfMemory.
Result<SphereTreeFile> sphereTreeFromBytes(std::span<const std::byte> bytes);

/// Reads a tree. Little endian; layout in docs/file-formats.md. Accepts arbitrary input: checksum,
/// counts and indices are verified before they determine any allocation. Errors: NotFound,
/// Unreadable, BadFormat, WrongVersion, OutOfMemory.
Result<SphereTreeFile> readSphereTree(const std::string& file);

/// As above, and rejects a file of another mesh or other settings with Mismatch.
Result<SphereTreeFile> readSphereTree(const std::string& file, const TreeKey& expected);

/// Writes to a temporary file in the same folder, syncs it and renames it. A reader never sees a
/// partial tree, and an old file survives every failure. Errors: Unreadable, OutOfMemory.
Result<Success> writeSphereTree(const std::string& file, const SphereTreeFile& contents);

}  // namespace nearmiss
