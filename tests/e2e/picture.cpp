// SPDX-License-Identifier: MIT
/// What a test asks of a screenshot, as numbers on stdout: `picture FILE`, or `picture FILE OTHER`
/// for how much of the left middle, where the planet is, differs.
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include <stb_image.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace {

struct Picture {
  int width = 0, height = 0;
  std::unique_ptr<unsigned char, void (*)(void*)> rgb{nullptr, stbi_image_free};

  [[nodiscard]] const unsigned char* at(int x, int y) const {
    return rgb.get() + 3 * (static_cast<long>(y) * width + x);
  }
};

Picture read(const char* file) {
  Picture picture;
  int channels = 0;
  picture.rgb.reset(stbi_load(file, &picture.width, &picture.height, &channels, 3));
  if (!picture.rgb) {
    std::fprintf(stderr, "%s: %s\n", file, stbi_failure_reason());
    std::exit(1);
  }
  return picture;
}

/// Part of the pixels of a region, in permille, that `test` says yes to.
template <class Test>
int permille(const Picture& p, double left, double top, double right, double bottom, Test test) {
  long yes = 0, all = 0;
  for (int y = static_cast<int>(top * p.height); y < static_cast<int>(bottom * p.height); ++y)
    for (int x = static_cast<int>(left * p.width); x < static_cast<int>(right * p.width); ++x) {
      ++all;
      if (test(x, y)) ++yes;
    }
  return static_cast<int>(1000 * yes / std::max(all, 1L));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 1;
  const Picture p = read(argv[1]);
  const auto lit = [&](int x, int y) {
    const unsigned char* c = p.at(x, y);
    return c[0] + c[1] + c[2] > 90;
  };
  // Orange to yellow in any light: red leads green, green leads blue by far
  const auto orange = [&](int x, int y) {
    const unsigned char* c = p.at(x, y);
    return c[0] > 90 && c[0] > c[1] && c[1] > 2 * c[2];
  };
  // The sky is nearly as dark
  const auto panel = [&](int x, int y) {
    const unsigned char* c = p.at(x, y);
    return std::abs(c[0] - 0x12) < 4 && std::abs(c[1] - 0x15) < 4 && std::abs(c[2] - 0x1a) < 4;
  };
  std::printf("width=%d\nheight=%d\n", p.width, p.height);
  std::printf("lit=%d\n", permille(p, 0, 0, 1, 1, lit));
  std::printf("orange=%d\n", permille(p, 0.27, 0.42, 0.58, 0.75, orange));
  std::printf("bar=%d\n", permille(p, 0, 0, 1, 0.03, panel));
  std::printf("levels=%d\n", permille(p, 0.8, 0.08, 0.97, 0.25, panel));
  if (argc > 2) {
    const Picture q = read(argv[2]);
    if (q.width != p.width || q.height != p.height) return 1;
    const auto changed = [&](int x, int y) {
      const unsigned char *a = p.at(x, y), *b = q.at(x, y);
      return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]) > 40;
    };
    std::printf("changed=%d\n", permille(p, 0.0, 0.35, 0.3, 0.65, changed));
  }
}
