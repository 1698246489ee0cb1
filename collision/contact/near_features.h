// SPDX-License-Identifier: MIT
/// Vertices and pairs of edges of two bodies that may touch while these move little: listed once,
/// then only compared.
#pragma once

#include <nearmiss/math.h>

#include <cstddef>
#include <cstdint>
#include <glm/mat3x3.hpp>
#include <memory>
#include <span>
#include <vector>

#include "contact/contact_body.h"
#include "contact/edge_pair_set.h"
#include "contact/near_triangle_pairs.h"
#include "narrow/visited_pairs.h"

namespace nearmiss {

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
