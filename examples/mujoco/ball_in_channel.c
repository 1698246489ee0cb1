/* SPDX-License-Identifier: MIT */
/* A ball falls into a U-channel. With MuJoCo alone it stops on the convex hull of the channel, in
   the air. With nearmiss contacts it rests on the channel's floor.

   Both are meshes: a ball that is a sphere geom is compared with the hull of the channel too. Exits
   with 0 if the ball rests in the channel with nearmiss, and on top of it without. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "concave_contacts.h"

/* Metres */
static const double ball_radius = 0.1, floor_height = 0.05, channel_height = 0.4;
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

typedef struct Rest {
  double height; /* of the ball's centre */
  double speed;  /* greatest of the last second */
  int contacts;  /* at the end */
} Rest;

static Rest drop_ball(const mjModel* model) {
  Rest rest = {0, 0, 0};
  mjData* data = mj_makeData(model);
  while (data->time < SECONDS) {
    mj_step(model, data);
    if (data->time > SECONDS - 1) rest.speed = fmax(rest.speed, (double)mju_norm3(data->qvel));
  }
  rest.height = (double)data->geom_xpos[3 * mj_name2id(model, mjOBJ_GEOM, "ball") + 2];
  rest.contacts = data->ncon;
  mj_deleteData(data);
  return rest;
}

static int rests_on(const Rest* rest, double surface, const char* with) {
  printf("%-14s the ball's centre is at %.4f m, %.4f m above %s; %d contacts, %.1e m/s\n", with,
         rest->height, rest->height - surface,
         surface == floor_height ? "the channel's floor" : "its top", rest->contacts, rest->speed);
  /* Contacts of MuJoCo are soft: the ball sinks in a little, and its faces lie within the sphere */
  return fabs(rest->height - surface - ball_radius) < 0.005 && rest->contacts > 0 &&
         rest->speed < 0.01;
}

int main(void) {
  mjModel* model = load_model();
  if (!model) return 1;

  const Rest alone = drop_ball(model);
  const char* error = nearmiss_mujoco_install(model);
  if (error) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  const Rest with_nearmiss = drop_ball(model);
  nearmiss_mujoco_remove();
  mj_deleteModel(model);

  const int on_hull = rests_on(&alone, channel_height, "MuJoCo alone:");
  const int in_channel = rests_on(&with_nearmiss, floor_height, "with nearmiss:");
  puts(on_hull && in_channel ? "The ball rests in the channel only with nearmiss."
                             : "The ball does not rest where it should.");
  return on_hull && in_channel ? 0 : 1;
}
