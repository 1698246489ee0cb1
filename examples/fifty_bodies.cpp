// SPDX-License-Identifier: MIT
/// Drops fifty bumpy stones into a room, where they come to rest on each other: uses the contacts
/// of a World and a small impulse solver. `example_fifty_bodies 10000` runs 10,000 frames.
#include <nearmiss/nearmiss.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <unordered_map>
#include <vector>

using namespace nearmiss;

namespace {

constexpr Real step = 1.0 / 120.0, room = 2.0, margin = 0.02, slop = 0.002, friction = 0.4;

struct Body {
  BodyHandle handle;
  Pose pose;
  Real perMass = 0.0, perInertia = 0.0;  ///< 1/kg, 1/(kg m^2); 0: a wall
  Vec3 velocity{0.0}, spin{0.0};
};

/// A ball of rings and slices whose radius goes up and down.
TriangleMesh stone(Real radius, Real bumps) {
  constexpr int rings = 7, slices = 10;
  TriangleMesh mesh;
  mesh.positions = {{0, 0, radius}, {0, 0, -radius}};
  for (int r = 1; r < rings; ++r)
    for (int s = 0; s < slices; ++s) {
      const Real polar = 3.14159265358979 * r / rings, around = 6.28318530717959 * s / slices;
      const Real reach = radius * (1.0 + bumps * std::sin(3.0 * around) * std::sin(4.0 * polar));
      mesh.positions.push_back(reach * Vec3(std::sin(polar) * std::cos(around),
                                            std::sin(polar) * std::sin(around), std::cos(polar)));
    }
  const auto at = [](int r, int s) {
    return static_cast<std::uint32_t>(2 + (r - 1) * slices + s % slices);
  };
  for (int s = 0; s < slices; ++s) {
    mesh.triangles.push_back({0, at(1, s), at(1, s + 1)});
    mesh.triangles.push_back({1, at(rings - 1, s + 1), at(rings - 1, s)});
    for (int r = 1; r + 1 < rings; ++r) {
      mesh.triangles.push_back({at(r, s), at(r + 1, s), at(r + 1, s + 1)});
      mesh.triangles.push_back({at(r, s), at(r + 1, s + 1), at(r, s + 1)});
    }
  }
  return mesh;
}

/// A box of six by six by one metres.
TriangleMesh wall() {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.positions.emplace_back(i & 1 ? 3.0 : -3.0, i & 2 ? 3.0 : -3.0, i & 4 ? 0.5 : -0.5);
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

struct Contact {
  Body *a, *b;
  Vec3 armA, armB, normal;
  Real wanted;         ///< speed of parting
  Real perMass = 0.0;  ///< along the normal
  Real pressed = 0.0;  ///< impulse so far
};

Vec3 velocityAt(const Body& body, const Vec3& arm) {
  return body.velocity + glm::cross(body.spin, arm);
}

/// An impulse on a, and its opposite on b.
void push(const Contact& c, const Vec3& impulse) {
  c.a->velocity += c.a->perMass * impulse;
  c.a->spin += c.a->perInertia * glm::cross(c.armA, impulse);
  c.b->velocity -= c.b->perMass * impulse;
  c.b->spin -= c.b->perInertia * glm::cross(c.armB, impulse);
}

Real perMassAlong(const Contact& c, const Vec3& way) {
  const Vec3 ofA = glm::cross(c.armA, way), ofB = glm::cross(c.armB, way);
  return c.a->perMass + c.b->perMass + c.a->perInertia * glm::dot(ofA, ofA) +
         c.b->perInertia * glm::dot(ofB, ofB);
}

/// Sequential impulses: contacts push, never pull, and rub with what they push.
void solve(std::vector<Contact>& contacts) {
  for (Contact& c : contacts) c.perMass = perMassAlong(c, c.normal);
  for (int round = 0; round < 10; ++round) {
    for (Contact& c : contacts) {
      const auto relative = [&c] { return velocityAt(*c.a, c.armA) - velocityAt(*c.b, c.armB); };
      const Real lacks = c.wanted - glm::dot(relative(), c.normal);
      const Real before = c.pressed;
      c.pressed = std::max(before + lacks / c.perMass, 0.0);
      push(c, (c.pressed - before) * c.normal);
      if (!(c.pressed > before)) continue;
      const Vec3 now = relative(), slip = now - glm::dot(now, c.normal) * c.normal;
      const Real speed = glm::length(slip);
      if (speed < 1e-9) continue;
      const Vec3 way = slip / speed;
      push(c, -std::min(speed / perMassAlong(c, way), friction * (c.pressed - before)) * way);
    }
  }
}

void addContacts(const PairContacts& pair, Body& a, Body& b, std::vector<Contact>& contacts) {
  for (const ManifoldPoint& p : pair.points) {
    // A gap may close within the step; an overlap goes slowly
    const Real wanted = p.depth < 0.0 ? p.depth / step : 0.2 * std::max(p.depth - slop, 0.0) / step;
    contacts.push_back({&a, &b, p.onA - a.pose.position, p.onB - b.pose.position, p.normal,
                        std::min(wanted, 2.0)});
  }
}

void move(Body& body) {
  body.pose.position += step * body.velocity;
  const Quat turn(0.0, 0.5 * step * body.spin);
  body.pose.rotation = glm::normalize(body.pose.rotation + turn * body.pose.rotation);
}

}  // namespace

int main(int argc, char** argv) {
  const int frames = argc > 1 ? std::atoi(argv[1]) : 300;
  ShapeSettings plain;
  plain.quality = TreeQuality::None;
  const auto boulder = makeShape(stone(0.3, 0.15), plain), slab = makeShape(wall(), plain);
  if (!boulder || !slab) return std::puts("no shapes"), 1;

  World world;
  std::vector<Body> bodies;
  std::unordered_map<BodyHandle, std::size_t> indexOf;
  const auto add = [&](const Shape& shape, Body body, const BodyTraits& traits) {
    const auto handle = world.add(shape, body.pose, traits);
    if (!handle) std::puts(handle.error().message.c_str()), std::exit(1);
    body.handle = *handle;
    indexOf[*handle] = bodies.size();
    bodies.push_back(body);
  };
  for (int i = 0; i < 50; ++i) {
    const Vec3 place(0.75 * (i % 5) - 1.5, 0.75 * (i / 5 % 5) - 1.5, 1.5 * (i / 25) - 1.0);
    const Quat turned = glm::angleAxis(0.7 * i, glm::normalize(Vec3(1, i % 3, 2)));
    add(*boulder, {{}, {place, turned}, 1.0, 1.0 / (0.4 * 0.09)}, {});
  }
  const std::size_t stones = bodies.size();
  for (int axis = 0; axis < 3; ++axis)
    for (const Real side : {-1.0, 1.0}) {
      Vec3 place(0.0), flat(0.0);
      place[axis] = side * (room + 0.5);
      flat[axis] = 1.0;
      const Quat upright = glm::angleAxis(1.5707963267948966, Vec3(flat.y, flat.x, 0.0));
      // Walls do not collide with each other
      add(*slab, {{}, {place, axis == 2 ? glm::identity<Quat>() : upright}}, {.assembly = 1});
    }

  std::vector<Contact> contacts;
  std::vector<double> milliseconds;
  for (int frame = 0; frame < frames; ++frame) {
    const auto begun = std::chrono::steady_clock::now();
    contacts.clear();
    for (std::size_t i = 0; i < stones; ++i) bodies[i].velocity.z -= 9.81 * step;
    const auto touching = world.contacts({margin, 4});
    if (!touching) return std::puts(touching.error().message.c_str()), 1;
    for (const PairContacts& pair : **touching)
      addContacts(pair, bodies[indexOf[pair.bodies.a]], bodies[indexOf[pair.bodies.b]], contacts);
    solve(contacts);
    for (std::size_t i = 0; i < stones; ++i) {
      move(bodies[i]);
      if (const auto moved = world.setPose(bodies[i].handle, bodies[i].pose); !moved)
        return std::puts(moved.error().message.c_str()), 1;
    }
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - begun;
    milliseconds.push_back(taken.count());
  }

  std::size_t inside = 0;
  Real fastest = 0.0;
  for (std::size_t i = 0; i < stones; ++i) {
    const Vec3 away = glm::abs(bodies[i].pose.position);
    inside += std::max({away.x, away.y, away.z}) < room;
    fastest = std::max(fastest, glm::length(bodies[i].velocity));
  }
  std::printf("after %d frames %zu of %zu stones are in the room, %zu contacts, at most %.3f m/s\n",
              frames, inside, stones, contacts.size(), fastest);
  std::ranges::sort(milliseconds);
  const auto share = [&](double part) {
    return milliseconds[static_cast<std::size_t>(part * double(frames - 1))];
  };
  if (frames > 0)
    std::printf("%.3f ms a frame in the mean, %.3f in the median, %.3f at the 99th percentile\n",
                std::accumulate(milliseconds.begin(), milliseconds.end(), 0.0) / frames, share(0.5),
                share(0.99));
  return inside == stones ? 0 : 1;
}
