// SPDX-License-Identifier: MIT
/// Pairs of articulated bodies, refined as pairs of their links.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/shapes.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace nearmiss {

/// Two links, one of each body.
struct LinkPair {
  std::uint32_t a = 0, b = 0;  ///< indices in the links of their bodies
};

/// The links of all bodies of some pairs, treated as separate bodies, and the pairs of links that
/// may touch. Reuses its memory.
class LinkPairs {
 public:
  /// Returns true if any pair contains a body with links.
  [[nodiscard]] static bool among(std::span<const BodyState> bodies,
                                  std::span<const BodyPair> pairs) noexcept;

  void assign(std::span<const BodyState> bodies, std::span<const BodyPair> pairs);

  /// Returns all links. A body without links is its own only link.
  [[nodiscard]] std::span<const BodyState> links() const noexcept { return links_; }
  /// Returns the pairs of links whose bounding spheres overlap, as indices in links(), for all
  /// pairs of bodies in sequence.
  [[nodiscard]] std::span<const BodyPair> pairs() const noexcept { return pairs_; }
  /// Returns, for the same index, which link of each body it is.
  [[nodiscard]] const LinkPair& operator[](std::size_t i) const noexcept { return names_[i]; }
  /// Returns the first index in pairs() that belongs to pair `i` of the bodies; the end is first(i
  /// + 1).
  [[nodiscard]] std::size_t first(std::size_t i) const noexcept { return first_[i]; }
  /// Returns the number of pairs of links whose bounding spheres were compared.
  [[nodiscard]] std::size_t compared() const noexcept { return compared_; }

 private:
  /// The range of a body's links in links().
  struct Range {
    std::uint32_t first = 0, count = 0;  ///< count 0: not added yet
  };
  Range addLinksOf(std::span<const BodyState> bodies, std::uint32_t body);

  std::vector<BodyState> links_;
  std::vector<BodyPair> pairs_;
  std::vector<LinkPair> names_;
  std::vector<std::size_t> first_;
  std::vector<Range> ranges_;  ///< per body
  std::size_t compared_ = 0;
};

/// See makeArticulatedNarrowPhase().
class ArticulatedNarrowPhase final : public NarrowPhase {
 public:
  /// @param countsLinks whether work() includes the comparisons of links; of several instances that
  /// begin the same pairs, only one should
  explicit ArticulatedNarrowPhase(std::unique_ptr<NarrowPhase> links, bool countsLinks = true)
      : inner_(std::move(links)), countsLinks_(countsLinks) {}

  [[nodiscard]] const NarrowPhase& inner() const noexcept { return *inner_; }

  [[nodiscard]] std::string_view name() const noexcept override { return inner_->name(); }
  void begin(std::span<const BodyState> bodies, std::span<const BodyPair> pairs) override;
  bool refine(std::size_t i, const TimeBudget& budget) override;
  [[nodiscard]] Refinement result(std::size_t i) const noexcept override {
    return rigid_ ? inner_->result(i) : known_[i];
  }
  [[nodiscard]] Verdict verdict(std::size_t i) const noexcept override {
    return rigid_ ? inner_->verdict(i) : known_[i].verdict;
  }
  bool tighten(std::size_t i, const TimeBudget& budget) override;
  void setCoherence(bool on) override { inner_->setCoherence(on); }
  [[nodiscard]] bool mayRefine(std::size_t i, int level) const noexcept override {
    return rigid_ ? inner_->mayRefine(i, level) : known_[i].canRefine && known_[i].level < level;
  }
  void contacts(std::size_t i, std::size_t most, std::vector<ContactSpheres>& out) const override;
  [[nodiscard]] const Shapes* shapes() const noexcept override { return inner_->shapes(); }
  [[nodiscard]] std::unique_ptr<NarrowPhase> another() const override;
  [[nodiscard]] WorkCount work() const noexcept override;

 private:
  /// The progress of one level of a pair of bodies.
  struct Round {
    std::size_t open = 0;  ///< pairs of links that can be refined
    std::size_t next = 0;  ///< index of the next one among these
  };
  [[nodiscard]] Refinement combined(std::size_t i) const;
  void beginRound(std::size_t i);

  std::unique_ptr<NarrowPhase> inner_;
  bool countsLinks_;
  bool rigid_ = true;  ///< no body has links: all is delegated to the inner phase
  LinkPairs pairs_;
  std::vector<Refinement> known_;  ///< per pair of bodies, after its last complete level
  std::vector<Round> rounds_;      ///< per pair of bodies
  /// Pairs of links: for each pair of bodies, first those whose next level is due.
  std::vector<std::size_t> order_;
  std::vector<std::size_t> rest_;             ///< the others, during partitioning
  mutable std::vector<ContactSpheres> some_;  ///< of one pair of links
};

}  // namespace nearmiss
