/* SPDX-License-Identifier: MIT */
#include "concave_contacts.h"

#include <nearmiss/nearmiss_c.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* More than MuJoCo's own functions give for a pair of meshes, because concave bodies touch in
   several places. At most mjMAXCONPAIR. */
enum { MAX_POINTS = 8 };

static struct {
  const mjModel* model;
  nearmiss_shape** shapes;          /* one per geom; NULL: neither mesh nor box */
  nearmiss_pair** pairs;            /* [a * ngeom + b]; made when the pair first meets */
  mjfCollision mesh_mesh, box_mesh; /* MuJoCo's own */
} installed;

static char problem[200];

static const char* explain(const char* geom, const char* reason) {
  snprintf(problem, sizeof problem, "geom %s: %s", geom ? geom : "without a name", reason);
  return problem;
}

static nearmiss_status make_mesh(const mjModel* m, int mesh, nearmiss_shape** shape) {
  /* Contacts need no sphere tree, which takes seconds to build */
  const nearmiss_shape_settings settings = {.size = sizeof settings, .builder = ""};
  const size_t vertex_count = (size_t)m->mesh_vertnum[mesh];
  const size_t triangle_count = (size_t)m->mesh_facenum[mesh];
  const float* from = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh];
  const int* corners = m->mesh_face + 3 * (size_t)m->mesh_faceadr[mesh];
  double* vertices = malloc(3 * vertex_count * sizeof *vertices);
  uint32_t* triangles = malloc(3 * triangle_count * sizeof *triangles);
  nearmiss_status status = NEARMISS_OUT_OF_MEMORY;
  if (vertices && triangles) {
    for (size_t i = 0; i < 3 * vertex_count; ++i) vertices[i] = (double)from[i];
    for (size_t i = 0; i < 3 * triangle_count; ++i) triangles[i] = (uint32_t)corners[i];
    status =
        nearmiss_shape_make(vertices, vertex_count, triangles, triangle_count, &settings, shape);
  }
  free(vertices);
  free(triangles);
  return status;
}

static nearmiss_status make_box(const mjtNum half[3], nearmiss_shape** shape) {
  static const uint32_t triangles[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  const nearmiss_shape_settings settings = {.size = sizeof settings, .builder = ""};
  double vertices[24];
  for (int i = 0; i < 8; ++i)
    for (int axis = 0; axis < 3; ++axis)
      vertices[3 * i + axis] = i >> axis & 1 ? (double)half[axis] : -(double)half[axis];
  return nearmiss_shape_make(vertices, 8, triangles, 12, &settings, shape);
}

static nearmiss_pose pose_of(const mjData* d, int geom) {
  nearmiss_pose pose;
  mjtNum rotation[4];
  mju_mat2Quat(rotation, d->geom_xmat + 9 * geom);
  mju_normalize4(rotation);
  for (int i = 0; i < 3; ++i) pose.position[i] = (double)d->geom_xpos[3 * geom + i];
  for (int i = 0; i < 4; ++i) pose.rotation[i] = (double)rotation[i];
  return pose;
}

/* The query of a pair, which remembers its points from step to step. NULL: out of memory. */
static nearmiss_pair* query_of(int a, int b) {
  nearmiss_pair** pair = &installed.pairs[(size_t)a * (size_t)installed.model->ngeom + (size_t)b];
  if (!*pair && nearmiss_pair_make(pair) != NEARMISS_OK) return NULL;
  return *pair;
}

/* An mjfCollision: writes the contacts of two geoms and returns how many there are. */
static int collide(const mjModel* m, const mjData* d, mjContact* contacts, int a, int b,
                   mjtNum margin) {
  nearmiss_manifold_point points[MAX_POINTS];
  nearmiss_manifold manifold;
  const int is_box = m->geom_type[a] == mjGEOM_BOX;
  if (m != installed.model) /* another model: its meshes were not built */
    return (is_box ? installed.box_mesh : installed.mesh_mesh)(m, d, contacts, a, b, margin);

  const nearmiss_pose pose_a = pose_of(d, a), pose_b = pose_of(d, b);
  nearmiss_pair* query = query_of(a, b);
  if (!query ||
      nearmiss_pair_begin(query, installed.shapes[a], &pose_a, installed.shapes[b], &pose_b) !=
          NEARMISS_OK ||
      nearmiss_pair_manifold(query, margin > 0 ? (double)margin : 0.0, NEARMISS_UNLIMITED, points,
                             MAX_POINTS, &manifold) != NEARMISS_OK) {
    mju_warning(nearmiss_error());
    return 0;
  }
  for (size_t i = 0; i < manifold.point_count; ++i) {
    mjContact* contact = contacts + i;
    contact->dist = (mjtNum)-points[i].depth;
    for (int axis = 0; axis < 3; ++axis) {
      contact->pos[axis] = (mjtNum)(0.5 * (points[i].on_a[axis] + points[i].on_b[axis]));
      contact->frame[axis] = (mjtNum)-points[i].normal[axis]; /* MuJoCo's points from a to b */
      contact->frame[3 + axis] = 0;                           /* MuJoCo chooses the tangents */
    }
  }
  return (int)manifold.point_count;
}

const char* nearmiss_mujoco_install(const mjModel* model) {
  nearmiss_mujoco_remove();
  const size_t count = (size_t)model->ngeom;
  installed.model = model;
  installed.mesh_mesh = mjCOLLISIONFUNC[mjGEOM_MESH][mjGEOM_MESH];
  installed.box_mesh = mjCOLLISIONFUNC[mjGEOM_BOX][mjGEOM_MESH];
  installed.shapes = calloc(count, sizeof *installed.shapes);
  installed.pairs = calloc(count * count, sizeof *installed.pairs);
  const char* error = installed.shapes && installed.pairs ? NULL : "out of memory";
  for (int geom = 0; !error && geom < model->ngeom; ++geom) {
    nearmiss_status status = NEARMISS_OK;
    if (model->geom_contype[geom] == 0 && model->geom_conaffinity[geom] == 0) continue;
    if (model->geom_type[geom] == mjGEOM_MESH)
      status = make_mesh(model, model->geom_dataid[geom], &installed.shapes[geom]);
    else if (model->geom_type[geom] == mjGEOM_BOX)
      status = make_box(model->geom_size + 3 * geom, &installed.shapes[geom]);
    if (status != NEARMISS_OK)
      error = explain(mj_id2name(model, mjOBJ_GEOM, geom), nearmiss_error());
  }
  if (error) {
    nearmiss_mujoco_remove();
    return error;
  }
  mjCOLLISIONFUNC[mjGEOM_MESH][mjGEOM_MESH] = collide;
  mjCOLLISIONFUNC[mjGEOM_BOX][mjGEOM_MESH] = collide;
  return NULL;
}

void nearmiss_mujoco_remove(void) {
  if (!installed.model) return;
  mjCOLLISIONFUNC[mjGEOM_MESH][mjGEOM_MESH] = installed.mesh_mesh;
  mjCOLLISIONFUNC[mjGEOM_BOX][mjGEOM_MESH] = installed.box_mesh;
  const size_t count = (size_t)installed.model->ngeom;
  for (size_t i = 0; installed.shapes && i < count; ++i) nearmiss_shape_free(installed.shapes[i]);
  for (size_t i = 0; installed.pairs && i < count * count; ++i)
    nearmiss_pair_free(installed.pairs[i]);
  free(installed.shapes);
  free(installed.pairs);
  installed.model = NULL;
  installed.shapes = NULL;
  installed.pairs = NULL;
}
