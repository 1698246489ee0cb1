/* SPDX-License-Identifier: MIT */
/* The C functions: one shape, a pair, and a few bodies that move. */
#include <nearmiss/nearmiss_c.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program where a call failed. */
static void need(nearmiss_status status) {
  if (status == NEARMISS_OK) return;
  fprintf(stderr, "%s\n", nearmiss_error());
  exit(1);
}

static nearmiss_pose at(double x, double y, double z) {
  nearmiss_pose pose = nearmiss_unit_pose();
  pose.position[0] = x;
  pose.position[1] = y;
  pose.position[2] = z;
  return pose;
}

int main(void) {
  /* A closed box of twelve triangles */
  static const double corners[] = {-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1,
                                   -1, -1, 1,  1, -1, 1,  -1, 1, 1,  1, 1, 1};
  static const uint32_t faces[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                   2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  nearmiss_shape* box;
  need(nearmiss_shape_make(corners, 8, faces, 12, NULL, &box));

  /* How far apart; a number of seconds in place of NEARMISS_UNLIMITED ends it sooner */
  const nearmiss_pose here = at(0, 0, 0), there = at(2.5, 0, 0);
  nearmiss_distance_bounds gap;
  need(nearmiss_distance(box, &here, box, &there, NEARMISS_UNLIMITED, &gap));
  printf("between %.3f and %.3f m apart\n", gap.lower, gap.upper);

  /* Three bodies, one of which moves into the next */
  nearmiss_world* world;
  nearmiss_body bodies[3];
  int i;
  need(nearmiss_world_make(&world));
  for (i = 0; i < 3; ++i) {
    const nearmiss_pose pose = at(3.0 * i, 0, 0);
    need(nearmiss_world_add(world, box, &pose, NULL, &bodies[i]));
  }
  for (i = 0; i < 4; ++i) {
    const nearmiss_pose pose = at(0.5 * i, 0.25, 0);
    nearmiss_collisions found;
    nearmiss_touching_pair pair;
    nearmiss_contacts contacts;
    need(nearmiss_world_set_pose(world, bodies[0], &pose));
    need(nearmiss_world_collisions(world, NEARMISS_UNLIMITED, &found));
    /* Where they touch, for a solver: at most 4 points for each pair */
    need(nearmiss_world_contacts(world, 0.0, 4, NEARMISS_UNLIMITED, &contacts));
    if (nearmiss_world_pairs(world, &pair, 1) > 0)
      printf("at %.1f m body %u touches body %u in %lu points\n", pose.position[0], pair.a, pair.b,
             (unsigned long)contacts.point_count);
  }
  nearmiss_world_free(world);
  nearmiss_shape_free(box);
  return 0;
}
