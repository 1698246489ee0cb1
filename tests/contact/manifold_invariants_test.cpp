// SPDX-License-Identifier: MIT
/// Promises of every manifold, over seeded poses in strata: depths that a translation confirms,
/// points that agree with their normals, normals of the features that touch, and the same manifold
/// whether it is kept from step to step or computed anew.
#include <gtest/gtest.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "contact/contact_body.h"
#include "contact/manifold_promises.h"
#include "contact/manifold_strata.h"
#include "support/bounded_penetration.h"
#include "support/campaign.h"

namespace nearmiss {
namespace {

using test::checkKept;
using test::checkNormals;
using test::checkPoints;
using test::Faults;
using test::freshly;
using test::KeptCounts;
using test::ManifoldCase;
using test::settingsOf;
using test::slack;
using test::Stratum;
using test::textOf;

constexpr int usualCases = 120;

class ManifoldInvariants : public testing::TestWithParam<Stratum> {
 protected:
  /// Calls visit(number, case) with every case of the stratum.
  static void forEachCase(const auto& visit) {
    const int count = test::cases(usualCases);
    for (int i = 0; i < count; ++i) visit(i, test::drawCase(GetParam(), i));
  }
  /// True of a share of the cases.
  static void expectShare(int found, double share) {
    EXPECT_GE(found, share * test::cases(usualCases)) << "the stratum is trivial";
  }
};

/// Each point of depth d needs a translation of at least d to leave.
TEST_P(ManifoldInvariants, NoPointIsDeeperThanThePenetration) {
  if (GetParam() == Stratum::SelfCrossing || GetParam() == Stratum::Open) return;
  Faults faults;
  PenetrationQuery query;
  int overlapping = 0;
  forEachCase([&](int number, const ManifoldCase& of) {
    const ContactManifold found = freshly(of, settingsOf(number, 1000));
    if (found.points.empty() || !(found.points.front().depth > 0.0)) return;
    ++overlapping;
    query.begin(of.a->shape, of.poseA, of.b->shape, of.poseB);
    WorkClock clock;
    const PenetrationBounds truth =
        query.refine(TimeBudget(clock, std::chrono::microseconds(1500)));
    Real deepest = 0.0;
    for (const ManifoldPoint& point : found.points) deepest = std::max(deepest, point.depth);
    if (deepest <= truth.upper + slack * of.size()) return;
    std::ostringstream text;
    text << textOf(found.points.front()) << "deepest " << deepest << ", but a translation of "
         << truth.upper << " parts the bodies";
    faults.add(number, of, text.str());
  });
  expectShare(overlapping, 0.2);
}

/// Corners a little beside the rim of a face that the bodies do not quite reach: they count as over
/// the face, and overlap it by less than the bodies are apart.
TEST(ManifoldInvariantsOfPairs, ACornerBesideARimIsNoDeeperThanThePenetration) {
  for (const auto& [stratum, number] :
       {std::pair(Stratum::Convex, 326), std::pair(Stratum::Convex, 1868),
        std::pair(Stratum::ParallelEdges, 994)}) {
    const ManifoldCase of = test::drawCase(stratum, number);
    ManifoldQuery query;
    query.begin(of.a->shape, of.poseA, of.b->shape, of.poseB, {.margin = 0.01, .maxPoints = 1000});
    const ContactManifold& found = query.refine();
    ASSERT_FALSE(found.points.empty()) << of;
    const Real apart = test::boundedPenetration(of.a->shape, of.poseA, of.b->shape, of.poseB).upper;
    for (const ManifoldPoint& point : found.points)
      EXPECT_LE(point.depth, apart + slack * of.size()) << of;
  }
}

TEST_P(ManifoldInvariants, PointsAgreeWithNormalAndDepth) {
  Faults faults;
  int touching = 0, overlaps = 0, gaps = 0;
  forEachCase([&](int number, const ManifoldCase& of) {
    const ContactManifold found = freshly(of, settingsOf(number, number % 2 ? 1000 : 4));
    touching += !found.points.empty();
    overlaps += !found.points.empty() && found.points.front().depth > 0.0;
    gaps += !found.points.empty() && found.points.back().depth < 0.0;
    checkPoints(found, number, of, faults);
  });
  expectShare(touching, 0.3);
  expectShare(overlaps, 0.2);
  const bool apart = GetParam() == Stratum::NearContact || GetParam() == Stratum::Flush ||
                     GetParam() == Stratum::ParallelEdges || GetParam() == Stratum::Open;
  if (apart) expectShare(gaps, 0.1);
}

TEST_P(ManifoldInvariants, NormalsLieInTheConesOfTheirFeatures) {
  Faults faults;
  std::map<ContactKind, int> points;
  int touching = 0, alone = 0;
  forEachCase([&](int number, const ManifoldCase& of) {
    const ContactManifold found = freshly(of, settingsOf(number, 1000));
    touching += !found.points.empty();
    alone += !found.points.empty() && contactKindOf(found.points[0].id) == ContactKind::Depth;
    for (const ManifoldPoint& point : found.points) ++points[contactKindOf(point.id)];
    checkNormals(found, number, of, faults);
  });
  const int vertices = points[ContactKind::VertexOfA] + points[ContactKind::VertexOfB];
  RecordProperty("points_of_vertices", vertices);
  RecordProperty("points_of_edges", points[ContactKind::Edges]);
  RecordProperty("points_of_depth", points[ContactKind::Depth]);
  expectShare(touching, 0.3);
  if (GetParam() != Stratum::ParallelEdges) expectShare(vertices, 0.3);
  // Edges that cross deeper than the finer body is fine are left to the deepest point
  const bool deep = GetParam() == Stratum::Nested || GetParam() == Stratum::Random;
  if (!deep) expectShare(points[ContactKind::Edges], 0.1);
  // A point of a vertex or of edges explains nearly every shallow contact of solids
  const bool shallow = GetParam() == Stratum::NearContact || GetParam() == Stratum::Flush ||
                       GetParam() == Stratum::ParallelEdges;
  EXPECT_LE(alone, shallow ? 0.1 * touching + 1 : touching) << "points of the kind Depth";
}

TEST_P(ManifoldInvariants, AKeptManifoldIsThatOfAFreshSearch) {
  Faults faults;
  KeptCounts counts;
  forEachCase([&](int number, const ManifoldCase& of) { checkKept(number, of, faults, counts); });
  expectShare(counts.compared, 1.5);
  expectShare(counts.still, 0.5);
}

/// Poses that few random ones come near, each of which has broken a promise.
TEST(ManifoldInvariantsOfPairs, HoldBesideRims) {
  const std::map<Stratum, std::vector<int>> known{
      // A face of one body ends beside a corner of the other
      {Stratum::Convex, {1186, 1390, 2369, 2378}},
      // A vertex within rounding of the line straight above a face; it is beside that
      {Stratum::Flush, {1888}},
      // Vertices on a rim: those that stand on it, and those that stand on nothing there
      {Stratum::ParallelEdges,
       {84, 167, 220, 686, 740, 802, 1897, 2462, 3580, 7774, 12158, 14542, 21846,
        // Nearly straight above a face, and farther away than rounding reaches
        29869, 36037, 46176, 46630, 46795}},
      // A triangle that more than a dozen others cross
      {Stratum::SelfCrossing, {2368}},
      // Rims, edges between faces in one plane, and vertices of the surface that came in sideways
      {Stratum::Open,
       {216, 250, 253, 429, 618, 720, 1051, 1087, 1162, 1423, 6925, 7759, 9055, 9393, 12911}}};
  Faults faults;
  KeptCounts counts;
  for (const auto& [stratum, numbers] : known)
    for (const int number : numbers) {
      const ManifoldCase of = test::drawCase(stratum, number);
      const ContactManifold found = freshly(of, settingsOf(number, 1000));
      checkPoints(found, number, of, faults);
      checkNormals(found, number, of, faults);
      checkKept(number, of, faults, counts);
    }
  EXPECT_GT(counts.compared, 100);
}

INSTANTIATE_TEST_SUITE_P(Strata, ManifoldInvariants, testing::ValuesIn(test::allStrata),
                         [](const auto& of) { return test::nameOf(of.param); });

}  // namespace
}  // namespace nearmiss
