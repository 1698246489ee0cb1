// SPDX-License-Identifier: MIT
/// What a test of two turned boxes costs: operations, by a plain test of 15 axes, and times beside
/// ours, which tests several axes at once [S4].
#include <engine/record/commit.h>
#include <engine/record/record_head.h>
#include <fmt/format.h>
#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fstream>
#include <glm/gtc/quaternion.hpp>
#include <limits>
#include <vector>

#include "bench.h"
#include "percentile.h"
#include "spheres/box_overlap.h"

namespace nearmiss::bench {
namespace {

/// A float that counts what is done with it; signs are not counted.
struct CountedFloat {
  float value = 0.0f;
  static inline std::uint64_t operations = 0;

  CountedFloat() = default;
  CountedFloat(float v) : value(v) {}  // as a float is made of a constant
  friend CountedFloat operator+(CountedFloat a, CountedFloat b) { return done(a.value + b.value); }
  friend CountedFloat operator-(CountedFloat a, CountedFloat b) { return done(a.value - b.value); }
  friend CountedFloat operator*(CountedFloat a, CountedFloat b) { return done(a.value * b.value); }
  friend bool operator>(CountedFloat a, CountedFloat b) { return ++operations, a.value > b.value; }

 private:
  static CountedFloat done(float result) { return ++operations, CountedFloat(result); }
};
float size(float x) { return std::abs(x); }
CountedFloat size(CountedFloat x) { return {std::abs(x.value)}; }

template <class Number>
using Triple = std::array<Number, 3>;

template <class Number>
Number dot(const Triple<Number>& a, const Triple<Number>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// A box in the frame of both.
template <class Number>
struct PlainBox {
  Triple<Number> axis[3], centre, half;

  explicit PlainBox(const NodeBox& box) {
    for (int i = 0; i < 3; ++i) {
      centre[i] = box.centre[i];
      half[i] = box.half[i];
      for (int j = 0; j < 3; ++j) axis[i][j] = box.axis[i][j];
    }
  }
};

/// Axis after axis, until one separates.
template <class Number>
bool apartAxisByAxis(const PlainBox<Number>& a, const PlainBox<Number>& b, Number slack) {
  Triple<Number> cosine[3], absolute[3], between;
  const Triple<Number> way{b.centre[0] - a.centre[0], b.centre[1] - a.centre[1],
                           b.centre[2] - a.centre[2]};
  for (int i = 0; i < 3; ++i) {
    between[i] = dot(way, a.axis[i]);
    for (int j = 0; j < 3; ++j) {
      cosine[i][j] = dot(a.axis[i], b.axis[j]);
      absolute[i][j] = size(cosine[i][j]);
    }
  }
  // Faces of a, faces of b, and an edge of each
  for (int i = 0; i < 3; ++i)
    if (size(between[i]) > a.half[i] + slack + dot(b.half, absolute[i])) return true;
  for (int j = 0; j < 3; ++j) {
    const Triple<Number> column{absolute[0][j], absolute[1][j], absolute[2][j]};
    const Triple<Number> signedColumn{cosine[0][j], cosine[1][j], cosine[2][j]};
    if (size(dot(between, signedColumn)) > b.half[j] + slack + dot(a.half, column)) return true;
  }
  for (int i = 0; i < 3; ++i) {
    const int n = (i + 1) % 3, l = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int m = (j + 1) % 3, k = (j + 2) % 3;
      const Number distance = between[l] * cosine[n][j] - between[n] * cosine[l][j];
      const Number reach = a.half[n] * absolute[l][j] + a.half[l] * absolute[n][j] +
                           b.half[m] * absolute[i][k] + b.half[k] * absolute[i][m];
      if (size(distance) > reach + slack) return true;
    }
  }
  return false;
}

NodeBox drawBox(SplitMix& random, float away) {
  NodeBox box{};
  Quat q(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1), 1.5);
  const auto turned = glm::mat3_cast(glm::normalize(q));
  for (int i = 0; i < 3; ++i) {
    box.centre[i] = away * static_cast<float>(random.between(-1.0, 1.0));
    box.half[i] = static_cast<float>(random.between(0.2, 1.0));
    for (int j = 0; j < 3; ++j) box.axis[i][j] = static_cast<float>(turned[i][j]);
  }
  return box;
}

constexpr float slackOfAll = 1e-5f;

struct Pairs {
  std::vector<PlainBox<float>> plainA, plainB;
  std::vector<BoxLanes> lanesA, lanesB;
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max(), most = 0;
  std::size_t apart = 0;
  std::size_t differences = 0;  ///< between the two tests, where rounding decides
};

Pairs drawPairs(std::size_t count) {
  SplitMix random(1);
  Pairs pairs;
  for (std::size_t n = 0; n < count; ++n) {
    const NodeBox a = drawBox(random, 0.0f), b = drawBox(random, 2.0f);
    CountedFloat::operations = 0;
    const bool apart = apartAxisByAxis(PlainBox<CountedFloat>(a), PlainBox<CountedFloat>(b),
                                       CountedFloat(slackOfAll));
    pairs.fewest = std::min(pairs.fewest, CountedFloat::operations);
    pairs.most = std::max(pairs.most, CountedFloat::operations);
    pairs.plainA.emplace_back(a), pairs.plainB.emplace_back(b);
    pairs.lanesA.emplace_back(a), pairs.lanesB.emplace_back(b);
    pairs.apart += apart;
    pairs.differences += apart != boxesApart(pairs.lanesA.back(), pairs.lanesB.back(), slackOfAll);
  }
  return pairs;
}

/// Nanoseconds per pair; `found` is counted so that no test is left out.
template <class Box, class Test>
double timeOf(const std::vector<Box>& a, const std::vector<Box>& b, std::size_t& found, Test test) {
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t n = 0; n < a.size(); ++n) found += test(a[n], b[n]);
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  return took.count() / static_cast<double>(a.size());
}

}  // namespace

int boxes(const BoxesCommand& command) {
  const Pairs pairs = drawPairs(static_cast<std::size_t>(command.pairs));
  std::vector<double> plain, lanes;
  std::size_t found = 0;
  for (int round = 0; round < command.rounds; ++round) {
    plain.push_back(timeOf(pairs.plainA, pairs.plainB, found, [](const auto& a, const auto& b) {
      return apartAxisByAxis(a, b, slackOfAll);
    }));
    lanes.push_back(timeOf(pairs.lanesA, pairs.lanesB, found, [](const auto& a, const auto& b) {
      return boxesApart(a, b, slackOfAll);
    }));
  }
  std::ranges::sort(plain);
  std::ranges::sort(lanes);
  const double axisByAxis = percentile(plain, 0.5), sideBySide = percentile(lanes, 0.5);

  std::error_code failed;
  std::filesystem::create_directories(command.folder, failed);
  const auto table = command.folder / "boxes.csv";
  std::ofstream csv(table);
  csv << engine::headText(engine::machineHead(engine::commitName()))
      << "# title: a test of two turned boxes, axis by axis and several axes at once\n"
         "# columns: operations: additions, products and comparisons; ns: median of the rounds\n"
         "pairs,apart,differences,fewest_operations,most_operations,paper_operations,"
         "axis_by_axis_ns,side_by_side_ns,ratio,paper_ratio\n"
      << fmt::format("{},{},{},{},{},80-234,{:.2f},{:.2f},{:.3f},2.5\n", command.pairs, pairs.apart,
                     pairs.differences, pairs.fewest, pairs.most, axisByAxis, sideBySide,
                     axisByAxis / sideBySide);
  csv.close();
  fmt::print("{} to {} operations; {:.1f} ns axis by axis, {:.1f} ns side by side ({} found)\n",
             pairs.fewest, pairs.most, axisByAxis, sideBySide, found);
  if (!csv) fmt::print(stderr, "nearmiss-lab: cannot write {}\n", table.string());
  return csv ? 0 : 2;
}

}  // namespace nearmiss::bench
