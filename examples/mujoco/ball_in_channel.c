/* SPDX-License-Identifier: MIT */
/* A ball and a crate fall into a U-channel. With MuJoCo alone they stop on the convex hull of the
   channel, in the air. With nearmiss contacts they rest on the channel's floor.

   The ball is a mesh, because a sphere geom would still meet the hull; the crate is a box geom.
   Exits with 0 if both rest in the channel with nearmiss, and on top of it without. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "concave_contacts.h"

/* Metres */
static const double ball_radius = 0.1, crate_half_height = 0.06;
static const double floor_height = 0.05, channel_height = 0.4;
enum { DIVISIONS = 8, SECONDS = 4 };

/* The channel lies along x: eight corners of its outline at either end, floor 0.05 thick. */
static const char model_text[] =
    "<mujoco>"
    "  <option timestep='0.002'/>"
    "  <size njmax='500' nconmax='100'/>"
    "  <asset>"
    "    <mesh name='channel' vertex='"
    "      -0.5 -0.2 0    -0.5 0.2 0     -0.5 0.2 0.4   -0.5 0.15 0.4"
    "      -0.5 0.15 0.05 -0.5 -0.15 0.05 -0.5 -0.15 0.4 -0.5 -0.2 0.4"
    "       0.5 -0.2 0     0.5 0.2 0      0.5 0.2 0.4    0.5 0.15 0.4"
    "       0.5 0.15 0.05  0.5 -0.15 0.05  0.5 -0.15 0.4  0.5 -0.2 0.4'"
    "     face='0 5 4  0 4 1  1 4 3  1 3 2  0 7 6  0 6 5"
    "       8 12 13  8 9 12  9 11 12  9 10 11  8 14 15  8 13 14"
    "       0 1 9  0 9 8  1 2 10  1 10 9  2 3 11  2 11 10  3 4 12  3 12 11"
    "       4 5 13  4 13 12  5 6 14  5 14 13  6 7 15  6 15 14  7 0 8  7 8 15'/>"
    "    <mesh name='ball' file='ball.obj'/>"
    "  </asset>"
    "  <worldbody>"
    "    <geom name='channel' type='mesh' mesh='channel'/>"
    "    <body name='ball' pos='0.1 0.02 0.7'>"
    "      <freejoint/>"
    "      <geom name='ball' type='mesh' mesh='ball' mass='1' condim='6' friction='0.8 0.01 0.01'/>"
    "    </body>"
    "    <body name='crate' pos='-0.2 -0.02 0.7'>"
    "      <freejoint/>"
    "      <geom name='crate' type='box' size='0.08 0.1 0.06' mass='1'/>"
    "    </body>"
    "  </worldbody>"
    "</mujoco>";

/* The vertices of an octahedron whose faces were divided, pushed out to the sphere. The ball rests
   on a small face of it. */
static void append_ball(FILE* out) {
  static const double ends[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                    {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
  static const int faces[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                  {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  int vertex = 0;
  for (int face = 0; face < 8; ++face) {
    const double *a = ends[faces[face][0]], *b = ends[faces[face][1]], *c = ends[faces[face][2]];
    /* Row i has i + 1 points between the edges a-b and a-c */
    for (int i = 0; i <= DIVISIONS; ++i)
      for (int j = 0; j <= i; ++j) {
        double p[3], length = 0;
        for (int axis = 0; axis < 3; ++axis) {
          p[axis] = (DIVISIONS - i) * a[axis] + (i - j) * b[axis] + j * c[axis];
          length += p[axis] * p[axis];
        }
        length = sqrt(length) / ball_radius;
        fprintf(out, "v %.9g %.9g %.9g\n", p[0] / length, p[1] / length, p[2] / length);
      }
    for (int i = 0; i < DIVISIONS; ++i)
      for (int j = 0; j <= i; ++j) {
        const int top = vertex + i * (i + 1) / 2 + j + 1, below = top + i + 1; /* counted from 1 */
        fprintf(out, "f %d %d %d\n", top, below, below + 1);
        if (j < i) fprintf(out, "f %d %d %d\n", top, below + 1, top + 1);
      }
    vertex += (DIVISIONS + 1) * (DIVISIONS + 2) / 2;
  }
}

/* Adds a file to MuJoCo's virtual file system. Returns 0 if there is no room. */
static int add_file(mjVFS* files, const char* name, const char* text, size_t size) {
  if (mj_makeEmptyFileVFS(files, name, (int)size) != 0) return 0;
  memcpy(files->filedata[mj_findFileVFS(files, name)], text, size);
  return 1;
}

/* Compiles the model. NULL after an error, which was printed. */
static mjModel* load_model(void) {
  char error[500] = "no room for its files";
  char* ball = NULL;
  size_t ball_size = 0;
  mjModel* model = NULL;
  mjVFS* files = malloc(sizeof *files); /* some 200 kB */
  FILE* out = open_memstream(&ball, &ball_size);
  if (files && out) {
    append_ball(out);
    fclose(out);
    mj_defaultVFS(files);
    if (add_file(files, "ball.obj", ball, ball_size) &&
        add_file(files, "channel.xml", model_text, sizeof model_text - 1))
      model = mj_loadXML("channel.xml", files, error, sizeof error);
    mj_deleteVFS(files);
  }
  if (!model) fprintf(stderr, "the model does not load: %s\n", error);
  free(ball);
  free(files);
  return model;
}

/* Where a body ended. */
typedef struct Rest {
  double height; /* of its centre */
  double speed;  /* the highest in the last second */
} Rest;

typedef struct Drop {
  Rest ball, crate;
  int contacts; /* at the end */
} Drop;

static void observe(const mjModel* model, const mjData* data, const char* body, Rest* rest) {
  const int id = mj_name2id(model, mjOBJ_BODY, body);
  const mjtNum* velocity = data->qvel + model->body_dofadr[id];
  rest->height = (double)data->xipos[3 * id + 2];
  if (data->time > SECONDS - 1) rest->speed = fmax(rest->speed, (double)mju_norm3(velocity));
}

static Drop drop_bodies(const mjModel* model) {
  Drop drop = {{0, 0}, {0, 0}, 0};
  mjData* data = mj_makeData(model);
  while (data->time < SECONDS) {
    mj_step(model, data);
    observe(model, data, "ball", &drop.ball);
    observe(model, data, "crate", &drop.crate);
  }
  drop.contacts = data->ncon;
  mj_deleteData(data);
  return drop;
}

/* Contacts of MuJoCo are soft: bodies sink in a little. Alone it rocks the crate on one contact. */
static int lies_on(double surface, const Rest* rest, double half_height) {
  return fabs(rest->height - surface - half_height) < 0.01;
}

/* Prints where the bodies ended. Returns 1 if both lie on that surface. */
static int both_lie_on(double surface, const Drop* drop, const char* with) {
  printf("%-14s ball %.4f m, %.0e m/s; crate %.4f m, %.0e m/s; %d contacts\n", with,
         drop->ball.height, drop->ball.speed, drop->crate.height, drop->crate.speed,
         drop->contacts);
  return lies_on(surface, &drop->ball, ball_radius) &&
         lies_on(surface, &drop->crate, crate_half_height);
}

int main(void) {
  mjModel* model = load_model();
  if (!model) return 1;

  const Drop alone = drop_bodies(model);
  const char* error = nearmiss_mujoco_install(model);
  if (error) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  const Drop with_nearmiss = drop_bodies(model);
  nearmiss_mujoco_remove();
  mj_deleteModel(model);

  printf("The channel's floor is at %.2f m, its top at %.2f m. Heights of centres:\n", floor_height,
         channel_height);
  const int on_hull = both_lie_on(channel_height, &alone, "MuJoCo alone:");
  const int in_channel = both_lie_on(floor_height, &with_nearmiss, "with nearmiss:") &&
                         with_nearmiss.ball.speed < 0.01 && with_nearmiss.crate.speed < 0.01;
  puts(on_hull && in_channel ? "With nearmiss they rest in the channel, without on its hull."
                             : "They do not rest where they should.");
  return on_hull && in_channel ? 0 : 1;
}
