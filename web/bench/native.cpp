// SPDX-License-Identifier: MIT
/// native FOLDER: measures what bench.mjs measures, with the shapes and poses that scenes.mjs
/// wrote. Microseconds.
#include <nearmiss/nearmiss.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace nearmiss;

namespace {

std::vector<double> numbersIn(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::vector<double> numbers(bytes.size() / sizeof(double));
  std::copy_n(bytes.data(), numbers.size() * sizeof(double),
              reinterpret_cast<char*>(numbers.data()));
  return numbers;
}

Pose poseAt(const std::vector<double>& numbers, std::size_t index) {
  const double* p = numbers.data() + 7 * index;
  return {Vec3(p[0], p[1], p[2]), Quat(p[6], p[3], p[4], p[5])};
}

void measure(const char* name, std::size_t count, int rounds, int repeats, const auto& work) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times(count, 1e300);
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < count; ++i) {
      const auto begin = Clock::now();
      for (int k = 0; k < repeats; ++k) work(i);
      times[i] = std::min(
          times[i],
          std::chrono::duration<double, std::micro>(Clock::now() - begin).count() / repeats);
    }
  double sum = 0.0;
  for (const double each : times) sum += each;
  std::sort(times.begin(), times.end());
  std::printf("%-12s mean %9.1f  p99 %9.1f\n", name, sum / static_cast<double>(count),
              times[(count - 1) * 99 / 100]);
}

}  // namespace

int main(int, char** argv) {
  const std::string folder = argv[1];
  const Shape truck = *readShape(folder + "/truck.shape"),
              lamp = *readShape(folder + "/lamp.shape");
  const std::vector<double> poses = numbersIn(folder + "/pair.poses");
  CollisionQuery query;
  int touching = 0;
  measure("truck pair", poses.size() / 7, 5, 10, [&](std::size_t i) {
    query.begin(truck, Pose{}, truck, poseAt(poses, i));
    touching += query.refine(TimeBudget::unlimited()).verdict == Verdict::Contact;
  });
  std::printf("             %d contacts\n", touching / 50);
  for (const auto& [name, shape, bodies] : {std::tuple{"100 trucks", truck, std::size_t{100}},
                                            std::tuple{"1000 lamps", lamp, std::size_t{1000}}}) {
    const std::vector<double> frames = numbersIn(folder + "/" + name + ".poses");
    World world;
    std::vector<BodyHandle> handles;
    for (std::size_t i = 0; i < bodies; ++i) handles.push_back(*world.add(shape, Pose{}));
    std::size_t pairs = 0;
    measure(name, frames.size() / 7 / bodies, 3, 1, [&](std::size_t frame) {
      for (std::size_t i = 0; i < bodies; ++i)
        static_cast<void>(world.setPose(handles[i], poseAt(frames, frame * bodies + i)));
      pairs = (*world.collisions(TimeBudget::unlimited()))->pairs.size();
    });
    std::printf("             %zu pairs\n", pairs);
  }
}
