// SPDX-License-Identifier: MIT
#include <engine/base/atomic_file.h>
#include <engine/interference/shapes_in_memory.h>
#include <engine/model/model_loader.h>
#include <engine/scene/json_limits.h>
#include <engine/scene/utf8.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/detail/file_bytes.h>
#include <nearmiss/detail/fingerprint.h>
#include <nearmiss/pair.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <system_error>
#include <utility>

#include "interference/shape_store.h"
#include "model/guarded.h"
#include "record/free_name.h"

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view listName = "shapes.json";

std::uint64_t memoryInUse() noexcept {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// Size and time of a file, to detect changes.
Result<std::pair<std::uint64_t, std::int64_t>> signOf(const fs::path& file) {
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(file, failed);
  if (failed)
    return Error{ErrorCode::NotFound,
                 fmt::format("cannot open \"{}\" ({}).", file.string(), failed.message())};
  const auto time = fs::last_write_time(file, failed);
  return std::pair<std::uint64_t, std::int64_t>(size, time.time_since_epoch().count());
}

/// Increase when shapes cache more for queries, to invalidate listed sizes.
constexpr int countedMemory = 2;
/// Increase when the same mesh and builder give a different shape.
constexpr std::uint64_t madeAs = 1;
/// Larger listed sizes are rejected.
constexpr std::uint64_t maxListed = std::uint64_t{1} << 38;

/// Maximum bytes of the model's name in a file name.
constexpr std::size_t maxName = 128;

/// Builds all data that queries cache with a shape.
void prepareQueries(const Shape& shape) {
  if (shape.sphereTree()) prepareSphereTree(shape);
  DistanceQuery distance;
  distance.begin(shape, {}, shape, {});
}

ShapeSettings settingsFor(const std::string& builder, const LoadedModel& model) {
  ShapeSettings settings;
  settings.treeBuilder = builder;
  settings.otherBuilder = findSphereTreeBuilder(builder);
  settings.cleaned = model.cleaning;
  settings.usualAdditions = false;
  return settings;
}

/// Hashes everything that the shape depends on. File size and time are not enough: a model may
/// change although its file does not.
std::uint64_t keyOf(const LoadedModel& model, const ShapeSettings& settings) {
  Fingerprint print;
  print.add(madeAs);
  print.add(hashOf(model.mesh));
  print.add(std::uint64_t{model.cleaning.facedInwards});
  print.add(hashOf(settings.treeBuilder, settings.tree));
  return print.value();
}

/// Returns true if the shape's mesh is the one that makeShape() makes of the model.
bool hasMeshOf(const Shape& shape, const LoadedModel& model) {
  if (shape.polyhedron().hash() == hashOf(model.mesh)) return true;
  // makeShape() cleans the mesh again, which changes few meshes
  TriangleMesh mesh = model.mesh;
  return cleanMesh(mesh, 0.0) && shape.polyhedron().hash() == hashOf(mesh);
}

/// Returns true if makeShape() makes this shape of a model. File names alone prove nothing.
bool isShapeOf(const Shape& shape, const LoadedModel& model, const ShapeSettings& settings) {
  const TreeOrigin& origin = shape.treeOrigin();
  return origin.builder == settings.treeBuilder &&
         origin.settingsHash == hashOf(settings.treeBuilder, settings.tree) &&
         shape.cleaning().facedInwards == model.cleaning.facedInwards && hasMeshOf(shape, model);
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
  const fs::path list = folder / listName;
  std::string text;
  // Without a valid index, shapes are measured again
  const bool there = fs::is_regular_file(list, failed) && fs::file_size(list, failed) > 0;
  if (!there || readFile(list, maxLayout, text) != 0 || !jsonExcess(text, maxLayout).empty())
    text.clear();
  store.list_ = nlohmann::json::parse(text, nullptr, false);
  if (store.list_.is_object()) return store;
  store.list_ = nlohmann::json::object();
  store.strange_ = there;
  return store;
}

/// Fills in the properties of the shape in `known.file`. Reads the file even if it is in the index,
/// because the index does not prove that it is readable, and its box is needed.
Result<Success> ShapeStore::measure(StoredShape& known, const ShapeCheck& check) {
  const std::uint64_t before = memoryInUse();
  const auto shape = readShape(known.file);
  if (!shape) return shape.error();
  if (const std::string fault = check ? check(*shape) : ""; !fault.empty())
    return Error{ErrorCode::Mismatch, fmt::format("\"{}\" {}", known.file.string(), fault)};
  known.box = shape->polyhedron().bounds();
  known.side = shape->solidSide();

  // Index entry: size, time, bytes, version of the count
  const auto sign = signOf(known.file);
  if (!sign) return sign.error();
  const std::string key = fs::absolute(known.file).string();
  const auto entry = list_.find(key);
  const bool numbers = entry != list_.end() && entry->is_array() && entry->size() == 4 &&
                       std::ranges::all_of(*entry, [](const auto& n) { return n.is_number(); }) &&
                       entry->at(2).is_number_unsigned() && entry->at(3) == countedMemory;
  if (numbers && entry->at(0) == sign->first && entry->at(1) == sign->second) {
    known.bytes = entry->at(2);
    // A shape needs at least the size of its file, and no more than a machine has
    if (known.bytes >= sign->first && known.bytes <= maxListed) return Success{};
  }
  prepareQueries(*shape);
  const std::uint64_t after = memoryInUse();
  known.bytes = std::max<std::uint64_t>(after > before ? after - before : 0, sign->first);
  list_[key] = {sign->first, sign->second, known.bytes, countedMemory};
  changed_ = true;
  return Success{};
}

/// Provides the shape of a model; builds and stores it if there is no readable one.
Result<Success> ShapeStore::addModel(const fs::path& model, BuildProgress& progress,
                                     StoredShape& known) {
  auto loaded = loadModel(model, {.targetRadius = 0.0}, progress.cancelled);
  if (!loaded) return loaded.error();
  loaded->draw = {};
  known.notes = std::move(loaded->warnings);
  const ShapeSettings settings = settingsFor(builder_, *loaded);
  const std::string name = model.stem().string();
  known.file = folder_ / fmt::format("{}-{:016x}.shape", startOfUtf8(name, maxName),
                                     keyOf(*loaded, settings));
  const auto measured = measure(known, [&](const Shape& shape) -> std::string {
    return isShapeOf(shape, *loaded, settings) ? "" : "holds the shape of another model";
  });
  if (measured || measured.error().code == ErrorCode::OutOfMemory) return measured;
  if (measured.error().code != ErrorCode::NotFound)
    known.notes.push_back(fmt::format("{}; the shape was built again", measured.error().message));
  {
    const auto shape = makeShape(std::move(loaded->mesh), settings, &progress);
    if (!shape) return shape.error();
    if (const auto written = writeShape(known.file, *shape); !written) return written.error();
  }
  return measure(known);
}

Result<StoredShape> ShapeStore::take(const fs::path& model, BuildProgress* progress) {
  BuildProgress own;
  BuildProgress& shown = progress ? *progress : own;
  StoredShape known;
  known.file = model;
  const auto taken = model.extension() == ".shape" ? measure(known) : addModel(model, shown, known);
  if (!taken) return taken.error();
  if (shown.cancelled) return Error{ErrorCode::Cancelled, "reading the scene was cancelled"};
  return known;
}

std::optional<Error> ShapeStore::close() {
  if (!changed_) return std::nullopt;
  if (strange_) {
    // Never overwrite an unknown file
    const fs::path list = folder_ / listName, aside = freeName(folder_ / "shapes-damaged.json");
    std::error_code failed;
    fs::rename(list, aside, failed);
    if (failed) return cannotWrite(aside, failed.value());
  }
  // Drop entries of deleted shapes
  for (auto entry = list_.begin(); entry != list_.end();) {
    std::error_code failed;
    const bool gone = fs::status(entry.key(), failed).type() == fs::file_type::not_found;
    entry = gone ? list_.erase(entry) : std::next(entry);
  }
  // A file name may have no valid encoding; such shapes are measured each time
  const auto written = writeWhole(
      folder_ / listName, list_.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
  return written ? std::nullopt : std::optional(written.error());
}

namespace {

/// Reading takes longer than comparing.
constexpr int readers = 2;
constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

/// Also builds the data of queries, so that it is counted.
Result<Shape> readWhole(const std::filesystem::path& file) {
  return guarded([&]() -> Result<Shape> {
    auto shape = readShape(file);
    if (shape) prepareQueries(*shape);
    return shape;
  });
}

}  // namespace

ShapesInMemory::ShapesInMemory(std::span<const StoredShape> shapes, std::vector<ShapeVisit> visits,
                               std::uint64_t limit)
    : stored_(shapes),
      visits_(std::move(visits)),
      limit_(limit),
      uses_(shapes.size()),
      shapes_(shapes.size()),
      reserved_(shapes.size(), false) {
  for (std::size_t v = 0; v < visits_.size(); ++v)
    for (const std::uint32_t shape : visits_[v])
      if (uses_[shape].empty() || uses_[shape].back() != v) uses_[shape].push_back(v);
  for (int i = 0; i < readers; ++i)
    readers_.emplace_back([this](const std::stop_token& stop) { read(stop); });
}

ShapesInMemory::~ShapesInMemory() {
  for (std::jthread& reader : readers_) reader.request_stop();
  changed_.notify_all();
}

std::size_t ShapesInMemory::nextUse(std::uint32_t shape) const noexcept {
  const auto& uses = uses_[shape];
  const auto next = std::ranges::lower_bound(uses, current_);
  return next == uses.end() ? never : *next;
}

/// Evicts the shapes with the latest next use, but none that is needed before `visit` is over.
bool ShapesInMemory::makeRoom(std::unique_lock<std::mutex>& lock, const std::stop_token& stop,
                              std::size_t visit, std::uint64_t need) {
  while (bytes_ + need > limit_) {
    std::uint32_t latest = 0;
    std::size_t when = 0;
    for (std::uint32_t shape = 0; shape < shapes_.size(); ++shape) {
      if (!shapes_[shape]) continue;
      const std::size_t use = nextUse(shape);
      if (use <= visit || use <= when) continue;
      latest = shape;
      when = use;
    }
    if (when > 0) {
      shapes_[latest].reset();
      reserved_[latest] = false;
      bytes_ -= stored_[latest].bytes;
      continue;
    }
    const std::size_t before = events_;
    if (!changed_.wait(lock, stop, [&] { return events_ != before; })) return false;
  }
  return true;
}

/// Reserves room for the next missing shape. Only one thread reserves at a time, so that shapes get
/// room in order of use. Returns `nullopt` if all are loaded, or on a stop request.
std::optional<std::uint32_t> ShapesInMemory::reserve(std::unique_lock<std::mutex>& lock,
                                                     const std::stop_token& stop) {
  if (!changed_.wait(lock, stop, [this] { return !reserving_; })) return std::nullopt;
  for (; cursor_ < 2 * visits_.size(); ++cursor_) {
    const std::size_t visit = cursor_ / 2;
    const std::uint32_t shape = visits_[visit][cursor_ % 2];
    if (reserved_[shape] || visit < current_) continue;
    reserving_ = true;
    const bool room = makeRoom(lock, stop, visit, stored_[shape].bytes);
    reserving_ = false;
    changed_.notify_all();
    if (!room) return std::nullopt;
    reserved_[shape] = true;
    bytes_ += stored_[shape].bytes;
    figures_.maxBytes = std::max(figures_.maxBytes, bytes_);
    ++figures_.reads;
    figures_.bytesRead += stored_[shape].bytes;
    return shape;
  }
  return std::nullopt;
}

void ShapesInMemory::read(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!error_) {
    const auto shape = reserve(lock, stop);
    if (!shape) return;
    lock.unlock();
    auto read = readWhole(stored_[*shape].file);
    lock.lock();
    if (read)
      shapes_[*shape] = *std::move(read);
    else
      error_ = guarded([&] { return std::optional(read.error()); });
    ++events_;
    changed_.notify_all();
  }
}

Result<std::pair<Shape, Shape>> ShapesInMemory::next() {
  std::unique_lock lock(mutex_);
  current_ = taken_++;
  ++events_;
  changed_.notify_all();
  const ShapeVisit& visit = visits_[current_];
  const auto ready = [&] { return error_ || (shapes_[visit[0]] && shapes_[visit[1]]); };
  figures_.waits += !ready();
  changed_.wait(lock, ready);
  if (error_) return *error_;
  return std::pair(*shapes_[visit[0]], *shapes_[visit[1]]);
}

ShapesInMemory::Figures ShapesInMemory::figures() const {
  const std::lock_guard lock(mutex_);
  return figures_;
}

}  // namespace nearmiss::engine
