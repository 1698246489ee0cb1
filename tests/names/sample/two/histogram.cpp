// SPDX-License-Identifier: MIT
#include <vector>

namespace sample {
namespace one {

class Histogram final : public std::vector<int> {
 public:
  explicit Histogram(int most) : most_{most} {}

 private:
  int most_;
};

template <typename U>
U largest(const U& left, const U& right) {
  return left < right ? right : left;
}

double overloaded(double a) { return a; }

static int kept() { return 2; }

struct Commented;

namespace {

struct Private {};

int hidden() { return kept(); }

}  // namespace

struct Commented {};

}  // namespace one

int shown() { return one::hidden(); }

}  // namespace sample
