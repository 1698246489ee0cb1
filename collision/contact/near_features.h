// SPDX-License-Identifier: MIT
/// Vertices and pairs of edges of two bodies that may touch while these move little: listed once,
/// then only compared.
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <glm/mat3x3.hpp>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/work_meter.h"
#include "contact/contact_body.h"
#include "geometry/leaf_walk.h"
#include "narrow/visited_pairs.h"

namespace nearmiss {

/// Pairs of edges that were visited: one bit each if there are few edges.
class EdgePairSet {
 public:
  void begin(std::size_t edgesOfA, std::size_t edgesOfB) {
    constexpr std::size_t maxBits = std::size_t{1} << 20;
    row_ = edgesOfB != 0 && edgesOfA < maxBits / edgesOfB ? edgesOfB : 0;
    if (row_ == 0) return others_.clear();
    // A previous search was aborted for lack of memory or time
    if (std::exchange(open_, true)) std::ranges::fill(bits_, 0);
    bits_.resize(std::max(bits_.size(), edgesOfA * edgesOfB / 64 + 1), 0);
  }

  /// Adds a pair. Returns true if it is new.
  bool add(std::uint32_t a, std::uint32_t b) {
    if (row_ == 0) return others_.add(a, b);
    const std::size_t at = a * row_ + b;
    const std::uint64_t bit = std::uint64_t{1} << at % 64;
    const bool isNew = (bits_[at / 64] & bit) == 0;
    bits_[at / 64] |= bit;
    return isNew;
  }

  /// Clears all pairs that were added, given with a's edge in the upper half.
  void forget(const std::vector<std::uint64_t>& pairs) noexcept {
    for (std::size_t i = 0; row_ != 0 && i < pairs.size(); ++i)
      bits_[((pairs[i] >> 32) * row_ + static_cast<std::uint32_t>(pairs[i])) / 64] = 0;
    if (row_ != 0) open_ = false;
  }

 private:
  std::size_t row_ = 0;              ///< bits per edge of a; 0: too many
  std::vector<std::uint64_t> bits_;  ///< all 0 between searches
  bool open_ = false;                ///< begun, and not yet cleared
  VisitedPairs others_;
};

class TrianglePairs;

/// Lists pairs a few at a time. Reuses its memory. The trees of both bodies are traversed from a
/// few hundred places, one after the other. The first pairs are thus listed immediately, and a
/// search that was cut short continues near where it stopped.
class NearTrianglePairs {
 public:
  struct Pair {
    std::uint32_t a, b;
    Triangle cornersB;  ///< frame of a
  };
  /// The progress of a search.
  struct Progress {
    std::size_t places = 0;  ///< finished places
    std::size_t leaves = 0;  ///< finished pairs of leaves of the next place
  };

  /// Starts a search. Both bodies must outlive the last step.
  /// @param margin metres between triangles that are listed
  /// @param begin where to begin; earlier places and leaves are listed last. Places are counted
  /// modulo their number.
  void begin(const Polyhedron& a, const Polyhedron& b, const Pose& bToA, Real margin,
             const Progress& begin) noexcept;

  /// Lists a few more pairs in pairs(), possibly none, and adds the work. Returns false if all were
  /// listed.
  bool listSome(WorkCount& work);

  /// Returns the pairs that the last call listed, each once.
  [[nodiscard]] std::span<const Pair> pairs() const noexcept { return pairs_; }
  [[nodiscard]] Progress progress() const noexcept;

 private:
  bool enterPlace(const TrianglePairs& boxes, WorkCount& work);
  void walkOn(const TrianglePairs& boxes, WorkCount& work);
  void listLeaves(const TrianglePairs& boxes, WorkCount& work);

  const Polyhedron* a_ = nullptr;
  const Polyhedron* b_ = nullptr;
  Pose bToA_;
  Real margin_ = 0.0;
  Progress begin_;
  std::vector<LeafPair> places_;  ///< pairs of nodes
  bool split_ = false;            ///< places_ are known
  std::size_t place_ = 0;         ///< places entered so far
  LeafWalk walk_;                 ///< in the last entered place
  std::vector<LeafPair> leaves_;  ///< found in that place, and not listed yet
  std::size_t next_ = 0;          ///< first remaining one
  std::size_t walked_ = 0;        ///< leaves of the place that were listed or skipped
  bool listed_ = false;           ///< some pairs of the place were listed
  std::vector<Pair> pairs_;
};

/// The features of two bodies within limit() of each other, for all poses near a reference pose,
/// that of the search. Features farther apart than limit() plus the allowed motion cannot come
/// within limit() meanwhile, so they need not be searched again until the bodies have moved
/// farther. Reuses its memory.
class NearFeatures {
 public:
  /// Whether a vertex of a solid has passed a surface without an inside.
  enum class Passed : std::uint8_t { Unknown, No, Yes };

  struct Vertex {
    std::uint32_t index;
    bool ofB;
    Passed passed = Passed::Unknown;
    std::uint32_t guess = 0;  ///< a triangle of the other body that may be near
    /// Metres: minimum distance of the vertex outside the other body at the reference pose.
    Real gap = 0.0;
  };
  struct EdgePair {
    std::uint64_t pair;  ///< a's edge in the upper half
    Real gap;            ///< metres between both edges at the reference pose
  };

  /// Searches two bodies, which must outlive the last use, in a pose that becomes the reference
  /// pose.
  /// @param begin where in the list of near triangles to begin
  /// @param once for solids: lists only what touches in this pose. Surfaces of features that
  /// overlap intersect, so triangles that are apart are not searched.
  void begin(const ContactBody& a, const ContactBody& b, const Pose& bToA, Real margin, Real slack,
             const NearTrianglePairs::Progress& begin, bool once);

  /// Discards the previous bodies and their motion.
  void forget() noexcept {
    a_ = nullptr;
    moved_ = 0.0;
  }

  /// Follows to a later pose of the same two bodies. Returns false if they have moved too far since
  /// the search, or if the margin has changed: then call begin().
  [[nodiscard]] bool follow(const Pose& bToA, Real margin) noexcept;

  /// Lists a few more features. Returns false if all were listed.
  bool listSome(WorkCount& work);
  [[nodiscard]] bool complete() const noexcept { return complete_; }
  [[nodiscard]] NearTrianglePairs::Progress progress() const noexcept {
    return triangles_.progress();
  }

  /// Adds a vertex unless it is known.
  /// @param guess a triangle of the other body that may be near
  void add(std::uint32_t vertex, bool ofB, std::uint32_t guess);

  [[nodiscard]] std::span<Vertex> vertices() noexcept { return vertices_; }
  [[nodiscard]] std::span<const EdgePair> edges() const noexcept { return edges_; }

  /// Contacts of edges with an overlap or gap of up to this many metres have all their features in
  /// the list; at least the margin.
  [[nodiscard]] Real limit() const noexcept { return limit_; }
  /// Records that the surfaces are at least `gap` metres apart in the latest pose.
  void setApart(Real gap) noexcept { apart_ = gap - moved_; }
  /// Returns false if the surfaces cannot intersect, because they have moved by less than their
  /// gap.
  [[nodiscard]] bool mayCross() const noexcept { return moved_ >= apart_; }
  /// Maximum motion of any point from the reference pose, metres.
  [[nodiscard]] Real moved() const noexcept { return moved_; }
  /// Motion that is allowed before a new search, metres.
  [[nodiscard]] Real allowed() const noexcept { return allowed_; }

 private:
  [[nodiscard]] bool areApart(const NearTrianglePairs::Pair& pair, const Triangle& cornersA,
                              Real reach) const noexcept;
  void addNear(const NearTrianglePairs::Pair& pair);
  void addEdges(std::uint32_t ea, std::uint32_t eb);
  void keepEdges(std::uint32_t ea, std::uint32_t eb);
  void endList();

  const ContactBody* a_ = nullptr;
  const ContactBody* b_ = nullptr;
  Pose reference_;        ///< pose of b in the frame of a
  glm::dmat3 axes_{1.0};  ///< rotation of the reference pose
  Real margin_ = -1.0, limit_ = 0.0, allowed_ = 0.0, moved_ = 0.0;
  Real reach_ = 0.0;   ///< metres between triangles whose features are listed
  bool once_ = false;  ///< the list is for the reference pose only
  Real apart_ = -1.0;  ///< metres of motion in which the surfaces cannot intersect
  bool complete_ = false;
  NearTrianglePairs triangles_;
  std::vector<Vertex> vertices_;
  std::vector<EdgePair> edges_;
  VisitedPairs known_;                    ///< vertices
  std::unique_ptr<EdgePairSet> visited_;  ///< borrowed from the thread while edges are listed
  std::vector<std::uint64_t> met_;        ///< in `visited_`
};

}  // namespace nearmiss
