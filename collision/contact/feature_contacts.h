// SPDX-License-Identifier: MIT
/// Contacts of all nearby features of two bodies: vertices with faces, edges with edges, and
/// vertices of a solid that have passed a surface without an inside.
#pragma once

#include <nearmiss/pair.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/work_meter.h"
#include "contact/contact_body.h"
#include "contact/edge_crossings.h"
#include "contact/near_features.h"
#include "contact/surface_sides.h"
#include "contact/vertex_contacts.h"

namespace nearmiss {

/// A resumable search. Lists the features once for all similar poses, and compares those that can
/// touch. Reuses its memory.
class FeatureContacts {
 public:
  /// Sets the two bodies, which must outlive the last step. Discards the previous ones.
  /// @param once the first search lists nothing for later poses: see NearFeatures::begin()
  void take(const ContactBody& a, const ContactBody& b, bool once) noexcept;

  /// Starts a search in a pose. Compares known features first. If the previous search of the same
  /// bodies ran out of time, continues where it stopped.
  /// @param known sorted point ids; must outlive the last step
  void begin(const Pose& bToA, Real margin, Real slack, std::span<const std::uint64_t> known);

  /// Compares the next feature and adds its contacts. Returns false if all were compared.
  bool step(ContactFindings& found, WorkCount& work);

  /// Compares the next vertex of a solid with the surface that it may have passed. Returns false if
  /// all were compared.
  /// @pre step() has returned false, and the surfaces intersect.
  bool stepPassed(WorkCount& work);

  /// Appends the vertices and edges of the solid that have passed the surface.
  void addPassed(std::vector<ManifoldPoint>& points) const;
  /// Remembers which vertices of the solid have passed the surface.
  void rememberPassed(bool cross) noexcept { passed_.remember(cross); }
  /// Appends points that require others next to them, if the previous manifold had them.
  void addKnown(const ContactFindings& found, std::vector<ManifoldPoint>& points) const;

  /// Returns true if the vertex or the edges of a point have been compared in this pose.
  [[nodiscard]] bool hasCompared(std::uint64_t id) const noexcept;

  [[nodiscard]] const NearFeatures& features() const noexcept { return features_; }
  /// Records that the bodies are too far apart for a search.
  void setFarApart(const Pose& bToA, Real slack) noexcept;
  /// Records that the bodies are at least `gap` metres apart.
  void setApart(Real gap) noexcept { features_.setApart(gap); }
  [[nodiscard]] const SurfaceSides& passed() const noexcept { return passed_; }

 private:
  enum class Stage : std::uint8_t {
    Known,  ///< features of the previous manifold
    Kept,   ///< features listed by earlier searches
    List,   ///< features listed now
    Done
  };
  /// Where to start, so that every feature gets its turn after searches that ran out of time.
  struct Turns {
    std::size_t kept = 0;  ///< index among the kept features; may be past the end
    NearTrianglePairs::Progress list;
    bool listFirst = false;
  };

  void enter(Stage stage) noexcept {
    stage_ = stage;
    next_ = 0;
  }
  [[nodiscard]] bool isKnown(std::uint64_t id) const noexcept {
    return std::binary_search(known_.begin(), known_.end(), id);
  }
  void compareKnown(ContactFindings& found, WorkCount& work);
  void compareKept(ContactFindings& found, WorkCount& work);
  void compareListed(ContactFindings& found, WorkCount& work);
  void compareVertex(std::size_t at, ContactFindings& found, WorkCount& work);
  VertexContacts::Place compareVertex(bool ofB, std::uint32_t vertex, std::uint32_t guess,
                                      ContactFindings& found, WorkCount& work);
  void compareEdges(std::uint64_t pair, ContactFindings& found, WorkCount& work);
  [[nodiscard]] bool comparesPassed(bool ofB) const noexcept;
  void comparePassed(std::size_t at, Real gap, WorkCount& work);
  void addAround(std::uint32_t vertex, bool ofB, std::uint32_t guess);
  [[nodiscard]] bool awake(const NearFeatures::Vertex& vertex) const noexcept;

  const ContactBody* a_ = nullptr;
  const ContactBody* b_ = nullptr;
  /// Metres; reach_: distance within which a vertex can be a contact.
  Real reach_ = 0.0, slack_ = 0.0;
  Stage stage_ = Stage::Done;
  std::size_t next_ = 0;  ///< first remaining item of the stage
  std::span<const std::uint64_t> known_;
  Turns turns_;
  bool once_ = false;
  bool first_ = true;                             ///< no search of these bodies has started
  bool keptDone_ = false, listedSome_ = false;    ///< in this search
  std::size_t keptVertices_ = 0, keptEdges_ = 0;  ///< listed by earlier searches
  /// First listed features that are not compared yet.
  std::size_t nextVertex_ = 0, nextEdges_ = 0;
  std::optional<ManifoldPoint> doubtful_;  ///< of known edges
  NearFeatures features_;
  VertexContacts vertexContacts_;
  EdgeCrossings edgeCrossings_;
  SurfaceSides passed_;
};

}  // namespace nearmiss
