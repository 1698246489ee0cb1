/* SPDX-License-Identifier: MIT */
/* The library as C functions, for programs and languages that know no C++: shapes, pairs, bodies by
   handle, distance, penetration, contacts, time to contact, rays and points. Link with nearmiss::c,
   or -lnearmiss_c.

   Metres and seconds; world frame. Nothing is thrown, no argument ends the program, null included.
   Functions that can fail return a status, and nearmiss_error() has the sentence; what they would
   have written is then untouched unless said otherwise. An object is for one thread at a time, but
   for shapes: they never change, any may use them. Objects that were made are freed by their own
   free function, which takes null too. Files stay with the caller: shapes are read from bytes. */
#ifndef NEARMISS_C_H
#define NEARMISS_C_H

#include <stddef.h>
#include <stdint.h>

/* Grows when a function or a field is added, its hundreds when one is changed or removed. Fields
   are added to structures with a `size` alone, at their end: those of other structures lie in
   memory of the program. */
#define NEARMISS_C_VERSION 200

#if defined(_WIN32)
#define NEARMISS_C_API
#else
#define NEARMISS_C_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* NEARMISS_C_VERSION of the library that runs: works with a program if the hundreds are the same
   and it is no less than the program's. */
NEARMISS_C_API uint32_t nearmiss_c_version(void);
/* "0.1.0" */
NEARMISS_C_API const char* nearmiss_version(void);

typedef enum nearmiss_status {
  NEARMISS_OK = 0,
  NEARMISS_NOT_FOUND = 1,
  NEARMISS_BAD_FORMAT = 2,
  NEARMISS_WRONG_VERSION = 3,
  NEARMISS_MISMATCH = 4,
  NEARMISS_UNSUPPORTED = 5, /* an argument that no function can work with, null included */
  NEARMISS_EMPTY_MESH = 6,
  NEARMISS_TOO_LARGE = 7,
  NEARMISS_OUT_OF_MEMORY = 8
} nearmiss_status;

/* Of the last call of this thread that failed; "" before any. Valid until the next failure. */
NEARMISS_C_API const char* nearmiss_error(void);

/* Seconds of wall time that a call may take; what it has found by then is its answer. */
#define NEARMISS_UNLIMITED (-1.0)

/* Index of no triangle. */
#define NEARMISS_NO_TRIANGLE 0xffffffffu

/* From a body's own frame to the world. */
typedef struct nearmiss_pose {
  double position[3];
  double rotation[4]; /* quaternion of unit length: w, x, y, z */
} nearmiss_pose;

typedef struct nearmiss_shape nearmiss_shape;

/* Zero in any field is the usual value. */
typedef struct nearmiss_shape_settings {
  uint32_t size;        /* sizeof(nearmiss_shape_settings) */
  int32_t levels;       /* of the sphere tree, below its root */
  int32_t branching;    /* children of a sphere on average, at most; of "variational" */
  uint32_t max_spheres; /* of the deepest level; of "variational" */
  uint32_t bsp_tree;    /* not 0: with a BSP tree */
  double weld;          /* vertices nearer than this become one */
  /* "fast": at once, the usual one; "tight": spheres half as far from the surface, in seconds;
     "variational", "octree" ...: by that builder; "": no sphere tree */
  const char* builder;
} nearmiss_shape_settings;

/* A shape of any triangles: `vertices` has three numbers a vertex, `triangles` three indices a
   triangle. `settings` may be null. Takes some microseconds for each triangle, and less without
   a sphere tree, which no function needs: comparisons have no levels then. */
NEARMISS_C_API nearmiss_status nearmiss_shape_make(const double* vertices, size_t vertex_count,
                                                   const uint32_t* triangles, size_t triangle_count,
                                                   const nearmiss_shape_settings* settings,
                                                   nearmiss_shape** shape);
/* Shapes of primitive meshes about the origin: solids, the round ones inscribed, their axes along
   z. Sizes are in metres, from 1e-15 to 1e15. `settings` may be null. */
NEARMISS_C_API nearmiss_status nearmiss_shape_box(const double half_extents[3],
                                                  const nearmiss_shape_settings* settings,
                                                  nearmiss_shape** shape);
/* An icosahedron that is subdivided 0 to 8 times; 3 is usual. */
NEARMISS_C_API nearmiss_status nearmiss_shape_sphere(double radius, int subdivisions,
                                                     const nearmiss_shape_settings* settings,
                                                     nearmiss_shape** shape);
/* `half_height` is half of the length between the half spheres, or 0; segments around the axis are
   from 3 to 1024; 32 is usual. */
NEARMISS_C_API nearmiss_status nearmiss_shape_capsule(double radius, double half_height,
                                                      int segments,
                                                      const nearmiss_shape_settings* settings,
                                                      nearmiss_shape** shape);
NEARMISS_C_API nearmiss_status nearmiss_shape_cylinder(double radius, double half_height,
                                                       int segments,
                                                       const nearmiss_shape_settings* settings,
                                                       nearmiss_shape** shape);
/* The convex hull of points, three numbers each, that do not all lie in one plane. */
NEARMISS_C_API nearmiss_status nearmiss_shape_convex_hull(const double* points, size_t point_count,
                                                          const nearmiss_shape_settings* settings,
                                                          nearmiss_shape** shape);
/* The same shape with the sphere tree in the bytes of a tree file, as `nearmiss tree build`
   makes. */
NEARMISS_C_API nearmiss_status nearmiss_shape_with_tree(const nearmiss_shape* shape,
                                                        const void* bytes, size_t size,
                                                        nearmiss_shape** with_tree);
/* From the bytes of a shape file, trees and all. Damaged bytes are refused. */
NEARMISS_C_API nearmiss_status nearmiss_shape_read(const void* bytes, size_t size,
                                                   nearmiss_shape** shape);
/* Those bytes: `size` becomes their number; they are written if `capacity` is enough, else the
   status is NEARMISS_TOO_LARGE. With a capacity of 0 it is NEARMISS_OK, to ask for the size. */
NEARMISS_C_API nearmiss_status nearmiss_shape_write(const nearmiss_shape* shape, void* bytes,
                                                    size_t capacity, size_t* size);
/* The shape `factor` times as large about the origin of its frame, trees and all: one build serves
   instances of all sizes. */
NEARMISS_C_API nearmiss_status nearmiss_shape_scaled(const nearmiss_shape* shape, double factor,
                                                     nearmiss_shape** scaled);

typedef struct nearmiss_refit {
  double growth;        /* how much larger the spheres are for their surface than those built */
  int32_t rebuild_pays; /* 1: making the shape again would pay */
} nearmiss_refit;

/* The shape with its vertices moved, as many as it has and in their order; see
   nearmiss_shape_vertices(). Keeps the sphere tree, which then covers the new surface; leaves out a
   BSP tree. Refit what was made, not what was refitted. `refit` may be null. */
NEARMISS_C_API nearmiss_status nearmiss_shape_refit(const nearmiss_shape* shape,
                                                    const double* vertices, size_t vertex_count,
                                                    nearmiss_shape** refitted,
                                                    nearmiss_refit* refit);
/* The shape's own vertices, those that were welded once: `count` becomes their number, at most
   `capacity` are written, three numbers each. */
NEARMISS_C_API nearmiss_status nearmiss_shape_vertices(const nearmiss_shape* shape,
                                                       double* vertices, size_t capacity,
                                                       size_t* count);
/* Builds what contact functions otherwise build at their first use of a shape, which takes
   milliseconds for a large mesh. Later calls return at once. */
NEARMISS_C_API nearmiss_status nearmiss_shape_prepare(const nearmiss_shape* shape);
NEARMISS_C_API void nearmiss_shape_free(nearmiss_shape* shape);

/* About the origin of its frame; 0 for null. */
NEARMISS_C_API double nearmiss_shape_radius(const nearmiss_shape* shape);
/* 1 if it has an inside, so that a body within it touches it; 0: only its surface collides. */
NEARMISS_C_API int nearmiss_shape_is_solid(const nearmiss_shape* shape);

/* Of a body with a density of 1; for another density multiply volume and inertia by it. */
typedef struct nearmiss_mass_properties {
  double volume;     /* the mass */
  double centre[3];  /* of mass, in the frame of the body */
  double inertia[9]; /* about the centre, along the axes of that frame; a symmetric 3x3 matrix */
} nearmiss_mass_properties;

/* Where the surface intersects itself, parts that overlap count twice. NEARMISS_UNSUPPORTED if it
   is not closed. */
NEARMISS_C_API nearmiss_status nearmiss_shape_mass_properties(const nearmiss_shape* shape,
                                                              nearmiss_mass_properties* mass);
/* Levels of its sphere tree, the root's among them; 0 without one. */
NEARMISS_C_API int nearmiss_shape_level_count(const nearmiss_shape* shape);
/* The spheres of a level as x, y, z, radius; `count` becomes their number, at most `capacity` are
   written. */
NEARMISS_C_API nearmiss_status nearmiss_shape_spheres(const nearmiss_shape* shape, int level,
                                                      double* spheres, size_t capacity,
                                                      size_t* count);

/* With a sphere tree whose coverage is not guaranteed, which only files have, shapes that seem
   apart are NEARMISS_POSSIBLE, and the answer is final. */
typedef enum nearmiss_verdict {
  NEARMISS_SEPARATE = 0, /* they certainly do not touch */
  NEARMISS_POSSIBLE = 1, /* their spheres meet, they may not */
  NEARMISS_CONTACT = 2   /* they certainly touch */
} nearmiss_verdict;

typedef enum nearmiss_stage {
  NEARMISS_BOUNDS = 0,  /* bounding spheres alone */
  NEARMISS_SPHERES = 1, /* levels of spheres */
  NEARMISS_EXACT = 2    /* triangles */
} nearmiss_stage;

typedef struct nearmiss_answer {
  int32_t verdict;         /* nearmiss_verdict */
  int32_t stage;           /* nearmiss_stage */
  int32_t level;           /* deepest level of spheres that was completed */
  int32_t can_refine;      /* 0: the answer is final */
  double separation_bound; /* they are at most this far apart */
  double sphere_a[4];      /* the pair of spheres that overlaps the most: x, y, z, radius */
  double sphere_b[4];
  uint32_t triangle_a; /* with NEARMISS_CONTACT: two that meet, or NEARMISS_NO_TRIANGLE */
  uint32_t triangle_b;
} nearmiss_answer;

/* Whether two shapes touch, from scratch. */
NEARMISS_C_API nearmiss_status nearmiss_collide(const nearmiss_shape* a,
                                                const nearmiss_pose* pose_a,
                                                const nearmiss_shape* b,
                                                const nearmiss_pose* pose_b, double budget,
                                                nearmiss_answer* answer);

typedef struct nearmiss_distance_bounds {
  double lower;      /* they are at least this far apart */
  double upper;      /* and at most this; both 0 if they touch */
  double point_a[3]; /* one on each surface, `upper` apart; of no use without triangles */
  double point_b[3];
  uint32_t triangle_a; /* those that hold the points; NEARMISS_NO_TRIANGLE within each other */
  uint32_t triangle_b;
  int32_t can_refine; /* 0: as tight as rounding allows, and points were sought */
} nearmiss_distance_bounds;

NEARMISS_C_API nearmiss_status nearmiss_distance(const nearmiss_shape* a,
                                                 const nearmiss_pose* pose_a,
                                                 const nearmiss_shape* b,
                                                 const nearmiss_pose* pose_b, double budget,
                                                 nearmiss_distance_bounds* bounds);

typedef struct nearmiss_penetration_bounds {
  double lower;        /* no shorter move of b separates them */
  double upper;        /* this one along `direction` does */
  double direction[3]; /* of unit length; zero: already apart */
  int32_t can_refine;
} nearmiss_penetration_bounds;

/* Without a limit the worst pairs of concave shapes take some ten seconds. */
NEARMISS_C_API nearmiss_status nearmiss_penetration(const nearmiss_shape* a,
                                                    const nearmiss_pose* pose_a,
                                                    const nearmiss_shape* b,
                                                    const nearmiss_pose* pose_b, double budget,
                                                    nearmiss_penetration_bounds* bounds);

typedef struct nearmiss_protruding {
  double depth;   /* from the deepest vertex of one shape inside the other to the nearest face */
  double from[3]; /* that vertex, and the point of the face; of no use at depth 0 */
  double to[3];
  int32_t of_b;       /* 1: it is a vertex of b */
  uint32_t vertex;    /* its index in the shape's own vertices */
  int32_t can_refine; /* 1: the budget ended the search, and the depth may grow */
} nearmiss_protruding;

NEARMISS_C_API nearmiss_status nearmiss_protrusion(const nearmiss_shape* a,
                                                   const nearmiss_pose* pose_a,
                                                   const nearmiss_shape* b,
                                                   const nearmiss_pose* pose_b, double budget,
                                                   nearmiss_protruding* protrusion);

/* A point of contact, as solvers want it. */
typedef struct nearmiss_manifold_point {
  double on_a[3]; /* points of both surfaces */
  double on_b[3];
  double normal[3]; /* of unit length, from b to a */
  double depth;     /* that the two points overlap; below 0: the gap between them */
  uint64_t id;      /* names what touches: the same from frame to frame; once in a manifold */
} nearmiss_manifold_point;

typedef struct nearmiss_manifold {
  size_t point_count;
  int32_t depth_known; /* 0: they touch, but how deep is unknown, as neither has an inside */
  int32_t can_refine;  /* 1: the budget ended the search, and more may touch */
} nearmiss_manifold;

/* Points of contact and those with a gap of at most `margin`, of edges also within 1e-9 of the
   sizes; the deepest first. `points` has room for `max_points`, above 0: of more, those that keep
   the patch as wide as it is. */
NEARMISS_C_API nearmiss_status nearmiss_contact_manifold(
    const nearmiss_shape* a, const nearmiss_pose* pose_a, const nearmiss_shape* b,
    const nearmiss_pose* pose_b, double margin, double budget, nearmiss_manifold_point* points,
    size_t max_points, nearmiss_manifold* manifold);

/* Velocities are constant; the body turns about the origin of its frame. */
typedef struct nearmiss_motion {
  nearmiss_pose pose; /* at time 0 */
  double velocity[3];
  double angular_velocity[3];
} nearmiss_motion;

typedef struct nearmiss_contact_time {
  double no_contact_before; /* seconds: until then they certainly do not touch */
  int32_t reached;          /* 1: at that time they are at most the tolerance apart */
  int32_t can_refine; /* 1: the budget, or a million steps without one, ended the search; 0 and
                         not reached: a body leaves the range, or rounding hides the gap */
} nearmiss_contact_time;

/* Looks ahead until the shapes are at most `tolerance` apart, above 0, or for `horizon` seconds.
   INFINITY needs a budget, and so do seconds in which they turn by some 1e9 times their radii. */
NEARMISS_C_API nearmiss_status nearmiss_time_to_contact(const nearmiss_shape* a,
                                                        const nearmiss_motion* motion_a,
                                                        const nearmiss_shape* b,
                                                        const nearmiss_motion* motion_b,
                                                        double horizon, double tolerance,
                                                        double budget, nearmiss_contact_time* time);

/* A comparison that goes on where its last budget ended, and keeps its memory from pair to pair. */
typedef struct nearmiss_pair nearmiss_pair;
NEARMISS_C_API nearmiss_status nearmiss_pair_make(nearmiss_pair** pair);
NEARMISS_C_API void nearmiss_pair_free(nearmiss_pair* pair);
/* Takes up two shapes in their poses; what it had before is forgotten. */
NEARMISS_C_API nearmiss_status nearmiss_pair_begin(nearmiss_pair* pair, const nearmiss_shape* a,
                                                   const nearmiss_pose* pose_a,
                                                   const nearmiss_shape* b,
                                                   const nearmiss_pose* pose_b);
/* These refine what was begun, each on its own. */
NEARMISS_C_API nearmiss_status nearmiss_pair_collide(nearmiss_pair* pair, double budget,
                                                     nearmiss_answer* answer);
NEARMISS_C_API nearmiss_status nearmiss_pair_distance(nearmiss_pair* pair, double budget,
                                                      nearmiss_distance_bounds* bounds);
NEARMISS_C_API nearmiss_status nearmiss_pair_penetration(nearmiss_pair* pair, double budget,
                                                         nearmiss_penetration_bounds* bounds);
NEARMISS_C_API nearmiss_status nearmiss_pair_protrusion(nearmiss_pair* pair, double budget,
                                                        nearmiss_protruding* protrusion);
/* Prefers points that the pair's manifold before had, poses apart. Another margin or room starts
   over. */
NEARMISS_C_API nearmiss_status nearmiss_pair_manifold(nearmiss_pair* pair, double margin,
                                                      double budget,
                                                      nearmiss_manifold_point* points,
                                                      size_t max_points,
                                                      nearmiss_manifold* manifold);

/* All points origin + t direction with 0 <= t <= end. A segment from p to q has direction q - p and
   end 1; with a radius above 0 a ball moves along it. */
typedef struct nearmiss_ray {
  double origin[3];
  double direction[3]; /* the largest coordinate from 1e-200 to 1e200 in size */
  double end;          /* 0 or more; INFINITY for no end */
  double radius;       /* 0: a ray */
} nearmiss_ray;

typedef struct nearmiss_ray_hit {
  double lower;       /* nothing is met before this t */
  double t;           /* of the first point found; infinite: none */
  double point[3];    /* of the surface */
  double normal[3];   /* of the triangle, unit length; of a ball: from the point to its centre */
  uint32_t triangle;  /* that holds it, or NEARMISS_NO_TRIANGLE */
  int32_t can_refine; /* 1: the budget ended the search, and more may be met between lower and t */
} nearmiss_ray_hit;

NEARMISS_C_API nearmiss_status nearmiss_raycast(const nearmiss_shape* shape,
                                                const nearmiss_pose* pose, const nearmiss_ray* ray,
                                                double budget, nearmiss_ray_hit* hit);

typedef struct nearmiss_point_bounds {
  double lower;      /* the surface is at least this far from the point */
  double upper;      /* and at most this; infinite: none was found */
  double point[3];   /* of the surface, `upper` away */
  uint32_t triangle; /* that holds it, or NEARMISS_NO_TRIANGLE */
  int32_t can_refine;
} nearmiss_point_bounds;

/* The nearest point of a surface, inside of a solid too. Farther than `reach`, INFINITY for all,
   nothing is looked for. */
NEARMISS_C_API nearmiss_status nearmiss_point_nearest(const nearmiss_shape* shape,
                                                      const nearmiss_pose* pose,
                                                      const double point[3], double reach,
                                                      double budget, nearmiss_point_bounds* bounds);

typedef enum nearmiss_side {
  NEARMISS_OUTSIDE = 0,
  NEARMISS_INSIDE = 1,
  NEARMISS_ON_SURFACE = 2,
  NEARMISS_SIDE_UNKNOWN = 3 /* the shape is no solid, or time ran out */
} nearmiss_side;            /* what nearmiss_point_side() writes */

NEARMISS_C_API nearmiss_status nearmiss_point_side(const nearmiss_shape* shape,
                                                   const nearmiss_pose* pose, const double point[3],
                                                   double budget, int32_t* side);

typedef struct nearmiss_world nearmiss_world;

/* Never 0, and never given to another body of the same world. Later bodies have greater ones. */
typedef uint32_t nearmiss_body;

#define NEARMISS_FULL_IMPORTANCE 0xffffffffu

typedef struct nearmiss_traits {
  uint32_t group; /* a pair counts if the group of each has a bit of the other's mask */
  uint32_t mask;
  uint32_t assembly;   /* above 0: bodies that share it never count as a pair */
  uint32_t importance; /* below NEARMISS_FULL_IMPORTANCE: pairs may wait when time runs out */
} nearmiss_traits;

NEARMISS_C_API nearmiss_status nearmiss_world_make(nearmiss_world** world);
NEARMISS_C_API void nearmiss_world_free(nearmiss_world* world);
/* `traits` may be null: group 1, all groups, no assembly, full importance. */
NEARMISS_C_API nearmiss_status nearmiss_world_add(nearmiss_world* world,
                                                  const nearmiss_shape* shape,
                                                  const nearmiss_pose* pose,
                                                  const nearmiss_traits* traits,
                                                  nearmiss_body* body);
NEARMISS_C_API nearmiss_status nearmiss_world_set_pose(nearmiss_world* world, nearmiss_body body,
                                                       const nearmiss_pose* pose);
NEARMISS_C_API nearmiss_status nearmiss_world_set_traits(nearmiss_world* world, nearmiss_body body,
                                                         const nearmiss_traits* traits);
/* 1: the body only notices who touches it. Its pairs are reported, two sensors are no pair, and
   nearmiss_world_nearest() passes it over. Traits leave this as it is. */
NEARMISS_C_API nearmiss_status nearmiss_world_set_sensor(nearmiss_world* world, nearmiss_body body,
                                                         int is_sensor);
/* 1 if it is one, so that its pairs need no response; 0 for no body. */
NEARMISS_C_API int nearmiss_world_is_sensor(const nearmiss_world* world, nearmiss_body body);
NEARMISS_C_API nearmiss_status nearmiss_world_remove(nearmiss_world* world, nearmiss_body body);
NEARMISS_C_API size_t nearmiss_world_size(const nearmiss_world* world);

typedef struct nearmiss_found {
  nearmiss_body a, b;     /* a < b */
  nearmiss_answer answer; /* NEARMISS_CONTACT or NEARMISS_POSSIBLE */
} nearmiss_found;

typedef struct nearmiss_detection {
  size_t pair_count;    /* see nearmiss_world_pairs() */
  size_t waiting_count; /* see nearmiss_world_waiting() */
  int32_t complete;     /* 1: nothing waits, and no answer could be better */
} nearmiss_detection;

/* Looks which bodies touch. */
NEARMISS_C_API nearmiss_status nearmiss_world_detect(nearmiss_world* world, double budget,
                                                     nearmiss_detection* detection);
/* Of the last detection, by handle; at most `capacity` are written. Returns how many there are. */
NEARMISS_C_API size_t nearmiss_world_pairs(const nearmiss_world* world, nearmiss_found* pairs,
                                           size_t capacity);
/* Pairs whose bounding spheres meet and that there was no time to look at, as two handles each. */
NEARMISS_C_API size_t nearmiss_world_waiting(const nearmiss_world* world, nearmiss_body* pairs,
                                             size_t capacity);

typedef struct nearmiss_nearest {
  nearmiss_body a, b; /* those that are bounds.upper apart; 0: none */
  nearmiss_distance_bounds bounds;
} nearmiss_nearest;

/* The least distance of all pairs that count. Pairs farther apart than `within`, INFINITY for all,
   need not be found: without a nearer one upper is infinite and lower `within` or more. */
NEARMISS_C_API nearmiss_status nearmiss_world_nearest(nearmiss_world* world, double within,
                                                      double budget, nearmiss_nearest* nearest);

typedef struct nearmiss_contacts {
  size_t pair_count;  /* see nearmiss_world_contact_pairs() */
  size_t point_count; /* of all pairs: see nearmiss_world_contact_points() */
  int32_t complete;   /* 1: no pair can be refined further */
} nearmiss_contacts;

/* Where two bodies touch. */
typedef struct nearmiss_pair_contacts {
  nearmiss_body a, b;  /* a < b; normals point from b to a */
  size_t first_point;  /* its points are point_count in a row among those of all pairs */
  size_t point_count;  /* 0 with can_refine 1: they may touch */
  int32_t depth_known; /* as of nearmiss_manifold */
  int32_t can_refine;  /* 1: the search was cut short, other points may touch too */
  int32_t sensed;      /* 1: one of the two is a sensor, nothing to respond to */
} nearmiss_pair_contacts;

/* Finds where bodies touch: a manifold of at most `max_points` for each pair that counts and whose
   gap is at most `margin`. Needs no nearmiss_world_detect(). Ids last from call to call. Pairs
   whose bodies kept their poses cost next to nothing. All pairs share the time; those that it did
   not suffice for keep their last points, moved along with the bodies, and come first in the next
   call. */
NEARMISS_C_API nearmiss_status nearmiss_world_contacts(nearmiss_world* world, double margin,
                                                       size_t max_points, double budget,
                                                       nearmiss_contacts* contacts);
/* Of the last nearmiss_world_contacts() that succeeded, by handle; at most `capacity` are written.
   Returns how many there are. */
NEARMISS_C_API size_t nearmiss_world_contact_pairs(const nearmiss_world* world,
                                                   nearmiss_pair_contacts* pairs, size_t capacity);
/* Their points, pair by pair. */
NEARMISS_C_API size_t nearmiss_world_contact_points(const nearmiss_world* world,
                                                    nearmiss_manifold_point* points,
                                                    size_t capacity);

/* The first body that a ray meets, sensors included, but not `except`, where 0 excludes none.
   `body` becomes 0 if none was met. */
NEARMISS_C_API nearmiss_status nearmiss_world_raycast(nearmiss_world* world,
                                                      const nearmiss_ray* ray, nearmiss_body except,
                                                      double budget, nearmiss_body* body,
                                                      nearmiss_ray_hit* hit);
/* The body nearest to a point, within `reach`, likewise. */
NEARMISS_C_API nearmiss_status nearmiss_world_point_nearest(nearmiss_world* world,
                                                            const double point[3], double reach,
                                                            nearmiss_body except, double budget,
                                                            nearmiss_body* body,
                                                            nearmiss_point_bounds* bounds);
/* The bodies that hold a point inside or on their surface, ascending: `count` becomes their number,
   at most `capacity` are written. `complete` becomes 0 if the budget ended the search. */
NEARMISS_C_API nearmiss_status nearmiss_world_holding(nearmiss_world* world, const double point[3],
                                                      double budget, nearmiss_body* bodies,
                                                      size_t capacity, size_t* count,
                                                      int32_t* complete);

#ifdef __cplusplus
}
#endif

#endif
