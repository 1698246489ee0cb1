// SPDX-License-Identifier: MIT
#include "resident/shape_store.h"

#include <engine/model/cancellable_loading.h>
#include <engine/record/atomic_file.h>
#include <fmt/format.h>
#include <malloc.h>
#include <nearmiss/detail/fingerprint.h>
#include <nearmiss/files.h>
#include <nearmiss/narrow_phase.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <fstream>
#include <system_error>
#include <utility>

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view listName = "shapes.json";

std::uint64_t memoryInUse() noexcept {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// Size and time of a file, by which a changed one is known.
Result<std::pair<std::uint64_t, std::int64_t>> signOf(const fs::path& file) {
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(file, failed);
  if (failed)
    return Error{ErrorCode::NotFound,
                 fmt::format("cannot open \"{}\" ({}).", file.string(), failed.message())};
  const auto time = fs::last_write_time(file, failed);
  return std::pair<std::uint64_t, std::int64_t>(size, time.time_since_epoch().count());
}

Result<Shape> build(const fs::path& model, const std::string& builder, BuildProgress* progress) {
  BuildProgress own;
  BuildProgress& shown = progress ? *progress : own;
  auto loaded = loadModel(model, {.targetRadius = 0.0}, shown.cancelled);
  if (!loaded) return loaded.error();
  ShapeSettings settings;
  settings.treeBuilder = builder;
  return makeShape(std::move(loaded->mesh), settings, &shown);
}

}  // namespace

Result<ShapeStore> ShapeStore::open(const fs::path& folder, const std::string& builder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    return Error{ErrorCode::Unreadable,
                 fmt::format("cannot make \"{}\" ({}).", folder.string(), failed.message())};
  ShapeStore store;
  store.folder_ = folder;
  store.builder_ = builder;
  std::ifstream stream(folder / listName);
  store.list_ = nlohmann::json::parse(stream, nullptr, false);
  if (!store.list_.is_object()) store.list_ = nlohmann::json::object();
  return store;
}

Result<fs::path> ShapeStore::stored(const fs::path& model, BuildProgress* progress) {
  if (model.extension() == ".shape") return model;
  const auto sign = signOf(model);
  if (!sign) return sign.error();
  Fingerprint print;
  print.add(std::string_view(fs::absolute(model).string()));
  print.add(std::string_view(builder_));
  print.add(sign->first);
  print.add(static_cast<std::uint64_t>(sign->second));
  const fs::path file =
      folder_ / fmt::format("{}-{:016x}.shape", model.stem().string(), print.value());
  std::error_code failed;
  if (fs::exists(file, failed)) return file;
  const auto shape = build(model, builder_, progress);
  if (!shape) return shape.error();
  if (const auto written = writeShape(file, *shape); !written) return written.error();
  return file;
}

Result<StoredShape> ShapeStore::take(const fs::path& model, BuildProgress* progress) {
  const auto file = stored(model, progress);
  if (!file) return file.error();
  const auto sign = signOf(*file);
  if (!sign) return sign.error();
  if (progress && progress->cancelled)
    return Error{ErrorCode::Cancelled, "reading the scene was cancelled"};
  StoredShape known;
  known.file = *file;
  const std::string key = fs::absolute(*file).string();
  const auto entry = list_.find(key);
  // Size, time, low corner, high corner, bytes, whether it is a solid
  const auto numbers = entry != list_.end() && entry->is_array() && entry->size() == 10 &&
                       std::ranges::all_of(*entry, [](const auto& n) { return n.is_number(); });
  if (numbers && entry->at(0) == sign->first && entry->at(1) == sign->second) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      known.box.low[static_cast<int>(axis)] = entry->at(2 + axis);
      known.box.high[static_cast<int>(axis)] = entry->at(5 + axis);
    }
    known.bytes = entry->at(8);
    known.solid = entry->at(9) != 0;
    return known;
  }

  // What it needs in memory is known when it has been there
  const std::uint64_t before = memoryInUse();
  const auto shape = readShape(*file);
  if (!shape) return shape.error();
  if (shape->sphereTree()) prepareSphereTree(*shape);
  const std::uint64_t after = memoryInUse();
  known.bytes = std::max<std::uint64_t>(after > before ? after - before : 0, sign->first);
  known.box = shape->polyhedron().bounds();
  known.solid = shape->solid();
  const Vec3 &low = known.box.low, &high = known.box.high;
  list_[key] = {sign->first, sign->second, low.x,  low.y,       low.z,
                high.x,      high.y,       high.z, known.bytes, known.solid ? 1 : 0};
  changed_ = true;
  return known;
}

std::optional<Error> ShapeStore::close() {
  if (!changed_) return std::nullopt;
  const auto written = writeWhole(folder_ / listName, list_.dump(1));
  return written ? std::nullopt : std::optional(written.error());
}

}  // namespace nearmiss::engine
