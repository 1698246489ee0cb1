// SPDX-License-Identifier: MIT
/// Data that methods derive from a mesh or a sphere tree, cached where all copies of a shape share
/// it.
#pragma once

#include <nearmiss/detail/bare_machine.h>
#include <nearmiss/shape.h>

#include <atomic>
#include <memory>
#include <utility>

namespace nearmiss {

/// A cache with one value per type. A value is made when a thread first requests it, and lives as
/// long as any copy of the shape.
class KeptWithShape {
 public:
  KeptWithShape() = default;
  KeptWithShape(const KeptWithShape&) = delete;
  KeptWithShape& operator=(const KeptWithShape&) = delete;
  ~KeptWithShape() {
    for (Entry* entry = first_.load(); entry;) delete std::exchange(entry, entry->next);
  }

  /// Returns the cache of the mesh.
  [[nodiscard]] static KeptWithShape& ofMesh(const Shape& shape) noexcept {
    return *shape.keptWithMesh_;
  }
  /// Returns the cache of the sphere tree.
  /// @pre shape.sphereTree() is not null.
  [[nodiscard]] static KeptWithShape& ofTree(const Shape& shape) {
    NEARMISS_DEMAND(shape.keptWithTree_ != nullptr);
    return *shape.keptWithTree_;
  }

  /// Returns the value of make(). The first thread makes it while others wait.
  template <class T>
  [[nodiscard]] const T& get(const auto& make) {
    Entry& entry = entryOf(&keyOf<T>);
    entry.made.call([&] { entry.value = std::make_shared<T>(make()); });
    return *static_cast<const T*>(entry.value.get());
  }

  /// Returns the value for modification, or null if it was never requested.
  /// @pre nobody else uses the shape
  template <class T>
  [[nodiscard]] T* toChange() noexcept {
    const Entry* entry = find(&keyOf<T>);
    return entry ? static_cast<T*>(entry->value.get()) : nullptr;
  }
  /// Discards all values but one, so that the others are made again.
  /// @pre as toChange()
  template <class T>
  void forgetAllBut() noexcept {
    Entry* kept = nullptr;
    for (Entry* entry = first_.exchange(nullptr); entry;) {
      Entry* next = entry->next;
      if (entry->key == &keyOf<T>) {
        kept = entry;
        kept->next = nullptr;
      } else {
        delete entry;
      }
      entry = next;
    }
    first_.store(kept);
  }

 private:
  struct Entry {
    const void* key;  ///< identifies the type
    Entry* next;
    OnceFlag made;
    std::shared_ptr<void> value;
  };
  /// Only its address is used.
  template <class T>
  inline static char keyOf = 0;

  Entry* find(const void* key) const noexcept {
    Entry* entry = first_.load(std::memory_order_acquire);
    while (entry && entry->key != key) entry = entry->next;
    return entry;
  }
  /// Reads without a lock; only a new entry requires one.
  Entry& entryOf(const void* key) {
    if (Entry* entry = find(key)) return *entry;
    const LockGuard lock(growing_);
    if (Entry* entry = find(key)) return *entry;
    auto* entry = new Entry{key, first_.load(std::memory_order_relaxed), {}, {}};
    first_.store(entry, std::memory_order_release);
    return *entry;
  }

  std::atomic<Entry*> first_{nullptr};
  Mutex growing_;
};

}  // namespace nearmiss
