// SPDX-License-Identifier: MIT
/// A broad phase of one's own instead of the library's: sweep along one axis.
#include <nearmiss/advanced/detector.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/nearmiss.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

using namespace nearmiss;

class SweepAlongX final : public BroadPhase {
 public:
  std::string_view name() const noexcept override { return "sweep-along-x"; }

  Real findPairs(std::span<const BodyState> bodies, Real time,
                 std::vector<BodyPair>& pairs) override {
    pairs.clear();
    order_.resize(bodies.size());
    std::iota(order_.begin(), order_.end(), 0u);
    const auto low = [&](std::uint32_t i) {
      return bodies[i].pose.position.x - bodies[i].shape.radius();
    };
    std::ranges::sort(order_, {}, low);
    for (std::size_t i = 0; i < order_.size(); ++i)
      for (std::size_t j = i + 1; j < order_.size(); ++j) {
        const BodyState &a = bodies[order_[i]], &b = bodies[order_[j]];
        if (low(order_[j]) > a.pose.position.x + a.shape.radius()) break;
        const Real reach = a.shape.radius() + b.shape.radius();
        if (glm::distance(a.pose.position, b.pose.position) <= reach)
          pairs.push_back(pairOf(order_[i], order_[j]));
      }
    std::ranges::sort(pairs);
    return time;  // no look-ahead: promises nothing
  }

  WorkCount work() const noexcept override { return {}; }  // uncounted

 private:
  std::vector<std::uint32_t> order_;
};

int main() {
  const auto tetrahedron = makeShape({{{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}},
                                      {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}});
  if (!tetrahedron) return std::puts(tetrahedron.error().message.c_str()), 1;
  Shapes shapes;
  const ShapeRef shape = shapes.add(*tetrahedron);
  std::vector<BodyState> bodies(50);
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    bodies[i].key = i;
    bodies[i].shape = shape;
    bodies[i].pose.position = {0.9 * i, 0.0, i % 7 * 0.5};
  }
  Detector detector(std::make_unique<SweepAlongX>(), makeSphereTreeNarrowPhase(shapes));
  const auto& pairs = detector.detect(bodies, 0.0, TimeBudget::unlimited()).pairs;
  std::printf("%td contacts\n", std::ranges::count_if(pairs, [](const DetectedPair& pair) {
                return pair.refinement.verdict == Verdict::Contact;
              }));
}
