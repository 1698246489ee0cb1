/* SPDX-License-Identifier: MIT */
/* C interface of the library, for C programs and bindings of other languages: shapes, pairs, bodies
   by handle, distance, penetration, contacts, time to contact, rays and points. Link with
   nearmiss::c, or -lnearmiss_c.

   Units are metres and seconds; frames are the world frame. No function throws, and no argument
   terminates the program, including null. Functions that can fail return a status, and
   nearmiss_error() returns the message; their outputs are then unchanged unless stated otherwise.
   Shapes are immutable and thread-safe; any other object belongs to one thread at a time. Free each
   object with its own free function, which accepts null. The library reads no files: shapes are
   read from bytes. */
#ifndef NEARMISS_C_H
#define NEARMISS_C_H

#include <stddef.h>
#include <stdint.h>

/* Increases when a function or a field is added; the hundreds increase when one is changed or
   removed. Fields are added only to structures with a `size`, at their end, because the program
   allocates all other structures. */
#define NEARMISS_C_VERSION 301

#if defined(_WIN32)
#define NEARMISS_C_API
#else
#define NEARMISS_C_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the NEARMISS_C_VERSION of the loaded library. It is compatible with a program if the
   hundreds are equal and it is at least the program's. */
NEARMISS_C_API uint32_t nearmiss_c_version(void);
/* Returns the version of the library, such as "0.1.0". */
NEARMISS_C_API const char* nearmiss_version(void);

/* The outcome of a call. */
typedef enum nearmiss_status {
  NEARMISS_OK = 0,
  NEARMISS_NOT_FOUND = 1,
  NEARMISS_BAD_FORMAT = 2,
  NEARMISS_WRONG_VERSION = 3,
  NEARMISS_MISMATCH = 4,
  NEARMISS_UNSUPPORTED = 5, /* an invalid argument, including null */
  NEARMISS_EMPTY_MESH = 6,
  NEARMISS_TOO_LARGE = 7,
  NEARMISS_OUT_OF_MEMORY = 8
} nearmiss_status;

/* Returns the message of the last failed call of this thread; "" if none failed. Valid until the
   next failure. */
NEARMISS_C_API const char* nearmiss_error(void);

/* A `budget` is the time that a call may take, seconds. If it runs out, the call returns the result
   so far. */
#define NEARMISS_UNLIMITED (-1.0)

/* How budgets are measured. */
typedef enum nearmiss_clock {
  NEARMISS_WALL_TIME = 0,
  NEARMISS_WORK = 1 /* counted work at fixed prices per test: results are repeatable */
} nearmiss_clock;

/* Selects how the budgets of this thread's next calls are measured. By default: wall time. */
NEARMISS_C_API nearmiss_status nearmiss_set_clock(int clock);

/* Index of no triangle. */
#define NEARMISS_NO_TRIANGLE 0xffffffffu

/* From a body's own frame to the world. */
typedef struct nearmiss_pose {
  double position[3];
  double rotation[4]; /* quaternion of unit length: w, x, y, z */
} nearmiss_pose;

/* A mesh and the trees built around it. */
typedef struct nearmiss_shape nearmiss_shape;

/* Called by the building threads during a build, about once per percent of each stage. `stage`
   increases from 1; `fraction` of the stage is from 0 to 1. Returning anything but 0 cancels the
   build: its status is then NEARMISS_UNSUPPORTED, and nearmiss_error() says that it was
   cancelled. */
typedef int (*nearmiss_progress)(void* context, int stage, double fraction);

/* How to make a shape. 0 in any field selects its default. */
typedef struct nearmiss_shape_settings {
  uint32_t size;        /* sizeof(nearmiss_shape_settings) */
  int32_t levels;       /* of the sphere tree, without the root */
  int32_t branching;    /* maximum mean number of children; for "variational" */
  uint32_t max_spheres; /* of the deepest level; for "variational" */
  uint32_t bsp_tree;    /* not 0: builds a BSP tree */
  double weld;          /* vertices nearer than this are welded */
  /* "fast" (default): built immediately; "tight": spheres at half the distance from the surface,
     built in seconds; "variational", "octree" ...: that builder; "": no sphere tree */
  const char* builder;
  nearmiss_progress progress; /* may be null */
  void* context;              /* of `progress` */
} nearmiss_shape_settings;

/* Makes a shape from any triangles. `vertices` has three numbers per vertex, `triangles` three
   indices per triangle. `settings` may be null. Takes a few microseconds per triangle, less
   without a sphere tree. No function requires a sphere tree; without one, comparisons have no
   levels. */
NEARMISS_C_API nearmiss_status nearmiss_shape_make(const double* vertices, size_t vertex_count,
                                                   const uint32_t* triangles, size_t triangle_count,
                                                   const nearmiss_shape_settings* settings,
                                                   nearmiss_shape** shape);
/* Make shapes from meshes of primitives about the origin. All are solids. Round ones are
   inscribed, with their axis along z. Sizes are in metres, from 1e-15 to 1e15. `settings` may be
   null. */
NEARMISS_C_API nearmiss_status nearmiss_shape_box(const double half_extents[3],
                                                  const nearmiss_shape_settings* settings,
                                                  nearmiss_shape** shape);
/* Makes a sphere: an icosahedron that is subdivided 0 to 8 times; typically 3. */
NEARMISS_C_API nearmiss_status nearmiss_shape_sphere(double radius, int subdivisions,
                                                     const nearmiss_shape_settings* settings,
                                                     nearmiss_shape** shape);
/* `half_height` is half of the length between the half spheres; may be 0. `segments` around the
   axis: 3 to 1024, typically 32. */
NEARMISS_C_API nearmiss_status nearmiss_shape_capsule(double radius, double half_height,
                                                      int segments,
                                                      const nearmiss_shape_settings* settings,
                                                      nearmiss_shape** shape);
NEARMISS_C_API nearmiss_status nearmiss_shape_cylinder(double radius, double half_height,
                                                       int segments,
                                                       const nearmiss_shape_settings* settings,
                                                       nearmiss_shape** shape);
/* Makes the convex hull of points, three numbers each. They must not all lie in one plane. */
NEARMISS_C_API nearmiss_status nearmiss_shape_convex_hull(const double* points, size_t point_count,
                                                          const nearmiss_shape_settings* settings,
                                                          nearmiss_shape** shape);
/* Makes a copy of a shape with the sphere tree in the bytes of a tree file, as written by
   `nearmiss tree build`. */
NEARMISS_C_API nearmiss_status nearmiss_shape_with_tree(const nearmiss_shape* shape,
                                                        const void* bytes, size_t size,
                                                        nearmiss_shape** with_tree);
/* Reads a shape with its trees from the bytes of a shape file. Damaged bytes are rejected. */
NEARMISS_C_API nearmiss_status nearmiss_shape_read(const void* bytes, size_t size,
                                                   nearmiss_shape** shape);
/* Writes the bytes of a shape file. `size` receives their number. If `capacity` is too small,
   nothing is written and the status is NEARMISS_TOO_LARGE. With capacity 0 the status is
   NEARMISS_OK, to query the size. */
NEARMISS_C_API nearmiss_status nearmiss_shape_write(const nearmiss_shape* shape, void* bytes,
                                                    size_t capacity, size_t* size);
/* Makes a shape scaled by `factor` about the origin of its frame, including its trees. Instances
   of all sizes thus need one build. */
NEARMISS_C_API nearmiss_status nearmiss_shape_scaled(const nearmiss_shape* shape, double factor,
                                                     nearmiss_shape** scaled);

/* How well a sphere tree fits after nearmiss_shape_refit(). */
typedef struct nearmiss_refit {
  double growth;        /* how much looser the spheres are than those built */
  int32_t rebuild_pays; /* 1: a rebuild would pay */
} nearmiss_refit;

/* Makes a shape with moved vertices: the same number in the same order, see
   nearmiss_shape_vertices(). Keeps the sphere tree, which then covers the new surface; drops a
   BSP tree. Always refit the original shape, not a refitted one. `refit` may be null. */
NEARMISS_C_API nearmiss_status nearmiss_shape_refit(const nearmiss_shape* shape,
                                                    const double* vertices, size_t vertex_count,
                                                    nearmiss_shape** refitted,
                                                    nearmiss_refit* refit);
/* Writes the shape's vertices, each welded vertex once. `count` receives their number; at most
   `capacity` are written, three numbers each. */
NEARMISS_C_API nearmiss_status nearmiss_shape_vertices(const nearmiss_shape* shape,
                                                       double* vertices, size_t capacity,
                                                       size_t* count);
/* Builds all data that contact functions otherwise build at the first use of a shape, which
   takes milliseconds for a large mesh. Later calls return immediately. */
NEARMISS_C_API nearmiss_status nearmiss_shape_prepare(const nearmiss_shape* shape);
NEARMISS_C_API void nearmiss_shape_free(nearmiss_shape* shape);

/* Returns the radius about the origin of the shape's frame; 0 for null. */
NEARMISS_C_API double nearmiss_shape_radius(const nearmiss_shape* shape);
/* Returns 1 if the shape is a solid, so that containment counts as contact; 0 if only its
   surface collides. */
NEARMISS_C_API int nearmiss_shape_is_solid(const nearmiss_shape* shape);

/* Mass properties for density 1. For another density multiply volume and inertia by it. */
typedef struct nearmiss_mass_properties {
  double volume;     /* equals the mass */
  double centre[3];  /* of mass, in the frame of the body */
  double inertia[9]; /* about the centre, along the body axes; symmetric 3x3 matrix */
} nearmiss_mass_properties;

/* Computes mass properties. If the surface intersects itself, overlapping parts count twice.
   NEARMISS_UNSUPPORTED if the surface is not closed. */
NEARMISS_C_API nearmiss_status nearmiss_shape_mass_properties(const nearmiss_shape* shape,
                                                              nearmiss_mass_properties* mass);
/* Returns the number of levels of the sphere tree, including the root's; 0 without a tree. */
NEARMISS_C_API int nearmiss_shape_level_count(const nearmiss_shape* shape);
/* Writes the spheres of a level as x, y, z, radius. `count` receives their number; at most
   `capacity` are written. */
NEARMISS_C_API nearmiss_status nearmiss_shape_spheres(const nearmiss_shape* shape, int level,
                                                      double* spheres, size_t capacity,
                                                      size_t* count);

/* If the coverage of a sphere tree is not guaranteed (possible only for trees from files),
   shapes that seem separate are reported as NEARMISS_POSSIBLE, and this is final. */
typedef enum nearmiss_verdict {
  NEARMISS_SEPARATE = 0, /* they certainly do not touch */
  NEARMISS_POSSIBLE = 1, /* their spheres overlap; the shapes may not */
  NEARMISS_CONTACT = 2   /* they certainly touch */
} nearmiss_verdict;

/* The evidence for a verdict. */
typedef enum nearmiss_stage {
  NEARMISS_BOUNDS = 0,  /* bounding spheres alone */
  NEARMISS_SPHERES = 1, /* levels of spheres */
  NEARMISS_EXACT = 2    /* triangles */
} nearmiss_stage;

/* What is known about a pair. */
typedef struct nearmiss_refinement {
  int32_t verdict;         /* nearmiss_verdict */
  int32_t stage;           /* nearmiss_stage */
  int32_t level;           /* deepest completed level of spheres */
  int32_t can_refine;      /* 0: the answer is final */
  double separation_bound; /* they are at most this far apart */
  double sphere_a[4];      /* the spheres with the deepest overlap: x, y, z, radius */
  double sphere_b[4];
  uint32_t triangle_a; /* with NEARMISS_CONTACT: two that intersect, or NEARMISS_NO_TRIANGLE */
  uint32_t triangle_b;
} nearmiss_refinement;

/* Decides whether two shapes touch. */
NEARMISS_C_API nearmiss_status nearmiss_collide(const nearmiss_shape* a,
                                                const nearmiss_pose* pose_a,
                                                const nearmiss_shape* b,
                                                const nearmiss_pose* pose_b, double budget,
                                                nearmiss_refinement* answer);

/* Bounds on the distance of two shapes. */
typedef struct nearmiss_distance_bounds {
  double lower;      /* the distance is at least this */
  double upper;      /* the distance is at most this; both 0 if they touch */
  double point_a[3]; /* one on each surface, `upper` apart; meaningless without triangles */
  double point_b[3];
  /* contain the points; NEARMISS_NO_TRIANGLE if one shape contains the other */
  uint32_t triangle_a;
  uint32_t triangle_b;
  int32_t can_refine; /* 0: the bounds cannot be tightened further */
} nearmiss_distance_bounds;

/* Computes the distance of two shapes. */
NEARMISS_C_API nearmiss_status nearmiss_distance(const nearmiss_shape* a,
                                                 const nearmiss_pose* pose_a,
                                                 const nearmiss_shape* b,
                                                 const nearmiss_pose* pose_b, double budget,
                                                 nearmiss_distance_bounds* bounds);

/* Bounds on the length of the shortest translation that separates two shapes. */
typedef struct nearmiss_penetration_bounds {
  double lower;        /* no shorter translation of b separates them */
  double upper;        /* a translation of this length along `direction` does */
  double direction[3]; /* unit length; zero: already separate */
  int32_t can_refine;
} nearmiss_penetration_bounds;

/* Computes the penetration depth. Without a budget, the worst pairs of concave shapes take about
   ten seconds. */
NEARMISS_C_API nearmiss_status nearmiss_penetration(const nearmiss_shape* a,
                                                    const nearmiss_pose* pose_a,
                                                    const nearmiss_shape* b,
                                                    const nearmiss_pose* pose_b, double budget,
                                                    nearmiss_penetration_bounds* bounds);

/* The deepest vertex of either shape inside the other. */
typedef struct nearmiss_protruding {
  double depth;   /* distance of the deepest vertex inside the other shape from the nearest face */
  double from[3]; /* that vertex, and the point of the face; meaningless at depth 0 */
  double to[3];
  int32_t of_b;       /* 1: it is a vertex of b */
  uint32_t vertex;    /* its index in nearmiss_shape_vertices() */
  int32_t can_refine; /* 1: the budget ran out, and the depth may increase */
} nearmiss_protruding;

/* Finds the deepest vertex of either shape inside the other. Only solids have an inside. */
NEARMISS_C_API nearmiss_status nearmiss_protrusion(const nearmiss_shape* a,
                                                   const nearmiss_pose* pose_a,
                                                   const nearmiss_shape* b,
                                                   const nearmiss_pose* pose_b, double budget,
                                                   nearmiss_protruding* protrusion);

/* A contact point for a solver. */
typedef struct nearmiss_manifold_point {
  double on_a[3]; /* points on both surfaces */
  double on_b[3];
  double normal[3]; /* unit length, from b to a */
  double depth;     /* overlap of the two points; below 0: the gap */
  uint64_t id;      /* names the touching features; stable across frames, unique in a manifold */
} nearmiss_manifold_point;

/* The result of a search for contact points. The points are in an array of their own. */
typedef struct nearmiss_manifold {
  size_t point_count;
  int32_t depth_known; /* 0: they touch, but the depth is undefined, because neither is a solid */
  int32_t can_refine;  /* 1: the budget ran out, and more points may touch */
} nearmiss_manifold;

/* Computes contact points, including points with a gap of at most `margin` (for edges, within
   1e-9 of the sizes). Deepest first. `points` has room for `max_points`, above 0. If there are
   more points, those that span the widest patch are kept. */
NEARMISS_C_API nearmiss_status nearmiss_contact_manifold(
    const nearmiss_shape* a, const nearmiss_pose* pose_a, const nearmiss_shape* b,
    const nearmiss_pose* pose_b, double margin, double budget, nearmiss_manifold_point* points,
    size_t max_points, nearmiss_manifold* manifold);

/* Motion with constant velocities. The body rotates about the origin of its frame. */
typedef struct nearmiss_motion {
  nearmiss_pose pose; /* at time 0 */
  double velocity[3];
  double angular_velocity[3];
} nearmiss_motion;

/* A time before which two shapes do not touch. */
typedef struct nearmiss_contact_time {
  double no_contact_before; /* seconds: the bodies certainly do not touch before */
  int32_t reached;          /* 1: at that time the distance is at most the tolerance */
  int32_t can_refine; /* 1: the budget ran out, or a million steps without one; 0 and not reached: a
                         body leaves the range, or the gap is below rounding */
} nearmiss_contact_time;

/* Computes a time before which two shapes do not touch: advances until they are at most `tolerance`
   (above 0) apart, or for `horizon` seconds. A horizon of INFINITY requires a limited budget. So
   does a horizon in which points rotate by about 1e9 times the radii. */
NEARMISS_C_API nearmiss_status nearmiss_time_to_contact(const nearmiss_shape* a,
                                                        const nearmiss_motion* motion_a,
                                                        const nearmiss_shape* b,
                                                        const nearmiss_motion* motion_b,
                                                        double horizon, double tolerance,
                                                        double budget, nearmiss_contact_time* time);

/* A resumable comparison of two shapes. Reuses its memory from pair to pair. */
typedef struct nearmiss_pair nearmiss_pair;
NEARMISS_C_API nearmiss_status nearmiss_pair_make(nearmiss_pair** pair);
NEARMISS_C_API void nearmiss_pair_free(nearmiss_pair* pair);
/* Starts a comparison of two shapes. Discards the previous pair. */
NEARMISS_C_API nearmiss_status nearmiss_pair_begin(nearmiss_pair* pair, const nearmiss_shape* a,
                                                   const nearmiss_pose* pose_a,
                                                   const nearmiss_shape* b,
                                                   const nearmiss_pose* pose_b);
/* Each of these continues its own query of the current pair. */
NEARMISS_C_API nearmiss_status nearmiss_pair_collide(nearmiss_pair* pair, double budget,
                                                     nearmiss_refinement* answer);
NEARMISS_C_API nearmiss_status nearmiss_pair_distance(nearmiss_pair* pair, double budget,
                                                      nearmiss_distance_bounds* bounds);
NEARMISS_C_API nearmiss_status nearmiss_pair_penetration(nearmiss_pair* pair, double budget,
                                                         nearmiss_penetration_bounds* bounds);
NEARMISS_C_API nearmiss_status nearmiss_pair_protrusion(nearmiss_pair* pair, double budget,
                                                        nearmiss_protruding* protrusion);
/* Prefers points of the pair's previous manifold, also if the poses have changed. A different
   margin or `max_points` starts over. */
NEARMISS_C_API nearmiss_status nearmiss_pair_manifold(nearmiss_pair* pair, double margin,
                                                      double budget,
                                                      nearmiss_manifold_point* points,
                                                      size_t max_points,
                                                      nearmiss_manifold* manifold);

/* A ray: all points origin + t direction with 0 <= t <= end. A segment from p to q has direction
   q - p and end 1. With a radius above 0, a ball that moves along the ray. */
typedef struct nearmiss_ray {
  double origin[3];
  double direction[3]; /* largest coordinate: magnitude 1e-200 to 1e200 */
  double end;          /* 0 or more; INFINITY for no end */
  double radius;       /* 0: a ray */
} nearmiss_ray;

/* The first hit of a ray or moving ball. */
typedef struct nearmiss_ray_hit {
  double lower;       /* nothing is hit before this t */
  double t;           /* of the first hit found; infinite: none */
  double point[3];    /* of the surface */
  double normal[3];   /* of the triangle, unit length; for a ball: from the point to its centre */
  uint32_t triangle;  /* that contains the point, or NEARMISS_NO_TRIANGLE */
  int32_t can_refine; /* 1: the budget ran out; there may be a hit between lower and t */
} nearmiss_ray_hit;

/* Finds the first hit on the surface of a shape. */
NEARMISS_C_API nearmiss_status nearmiss_raycast(const nearmiss_shape* shape,
                                                const nearmiss_pose* pose, const nearmiss_ray* ray,
                                                double budget, nearmiss_ray_hit* hit);

/* Bounds on the distance of a point from a surface. */
typedef struct nearmiss_point_bounds {
  double lower;      /* the distance is at least this */
  double upper;      /* the distance is at most this; infinite: no point found */
  double point[3];   /* on the surface, `upper` away */
  uint32_t triangle; /* that contains the point, or NEARMISS_NO_TRIANGLE */
  int32_t can_refine;
} nearmiss_point_bounds;

/* Finds the nearest surface point, also from inside a solid. Searches within `reach`; INFINITY
   for no limit. */
NEARMISS_C_API nearmiss_status nearmiss_nearest_point(const nearmiss_shape* shape,
                                                      const nearmiss_pose* pose,
                                                      const double point[3], double reach,
                                                      double budget, nearmiss_point_bounds* bounds);

/* The side of a surface on which a point lies. */
typedef enum nearmiss_side {
  NEARMISS_OUTSIDE = 0,
  NEARMISS_INSIDE = 1,
  NEARMISS_ON_SURFACE = 2,
  NEARMISS_SIDE_UNKNOWN = 3,  /* the shape is not a solid */
  NEARMISS_SIDE_UNDECIDED = 4 /* time ran out */
} nearmiss_side;

/* Writes a nearmiss_side to `side`. */
NEARMISS_C_API nearmiss_status nearmiss_side_of(const nearmiss_shape* shape,
                                                const nearmiss_pose* pose, const double point[3],
                                                double budget, int32_t* side);

/* Bodies with shapes, poses and traits, addressed by handle. */
typedef struct nearmiss_world nearmiss_world;

/* Handle of a body in one world. Never 0 and never reused; later bodies have higher handles. */
typedef uint32_t nearmiss_body;

/* Pairs of bodies with this importance are never postponed. */
#define NEARMISS_FULL_IMPORTANCE 0xffffffffu

/* What a body may touch. */
typedef struct nearmiss_traits {
  uint32_t group; /* a pair counts if each group shares a bit with the other's mask */
  uint32_t mask;
  uint32_t assembly;   /* above 0: bodies with the same number never form a pair */
  uint32_t importance; /* below NEARMISS_FULL_IMPORTANCE: pairs may be postponed */
} nearmiss_traits;

NEARMISS_C_API nearmiss_status nearmiss_world_make(nearmiss_world** world);
NEARMISS_C_API void nearmiss_world_free(nearmiss_world* world);
/* Adds a body. If `traits` is null: group 1, all groups, no assembly, full importance. */
NEARMISS_C_API nearmiss_status nearmiss_world_add(nearmiss_world* world,
                                                  const nearmiss_shape* shape,
                                                  const nearmiss_pose* pose,
                                                  const nearmiss_traits* traits,
                                                  nearmiss_body* body);
NEARMISS_C_API nearmiss_status nearmiss_world_set_pose(nearmiss_world* world, nearmiss_body body,
                                                       const nearmiss_pose* pose);
/* Sets the poses of `count` bodies. On failure no pose is changed. */
NEARMISS_C_API nearmiss_status nearmiss_world_set_poses(nearmiss_world* world,
                                                        const nearmiss_body* bodies,
                                                        const nearmiss_pose* poses, size_t count);
NEARMISS_C_API nearmiss_status nearmiss_world_set_traits(nearmiss_world* world, nearmiss_body body,
                                                         const nearmiss_traits* traits);
/* With 1, makes the body a sensor: its pairs are reported and marked, two sensors never form a
   pair, and nearmiss_world_min_distance() ignores sensors. Independent of traits. */
NEARMISS_C_API nearmiss_status nearmiss_world_set_sensor(nearmiss_world* world, nearmiss_body body,
                                                         int is_sensor);
/* Returns 1 if the body is a sensor, so that its pairs need no response; 0 for an unknown body. */
NEARMISS_C_API int nearmiss_world_is_sensor(const nearmiss_world* world, nearmiss_body body);
NEARMISS_C_API nearmiss_status nearmiss_world_remove(nearmiss_world* world, nearmiss_body body);
NEARMISS_C_API size_t nearmiss_world_size(const nearmiss_world* world);

/* Two bodies that touch or may touch. */
typedef struct nearmiss_touching_pair {
  nearmiss_body a, b;         /* a < b */
  nearmiss_refinement answer; /* NEARMISS_CONTACT or NEARMISS_POSSIBLE */
} nearmiss_touching_pair;

/* The result of nearmiss_world_collisions(). */
typedef struct nearmiss_collisions {
  size_t pair_count;    /* see nearmiss_world_pairs() */
  size_t waiting_count; /* see nearmiss_world_waiting() */
  int32_t complete;     /* 1: nothing waits, and no pair can be refined further */
} nearmiss_collisions;

/* Finds the pairs of bodies that touch. */
NEARMISS_C_API nearmiss_status nearmiss_world_collisions(nearmiss_world* world, double budget,
                                                         nearmiss_collisions* collisions);
/* Writes the pairs of the last call of nearmiss_world_collisions(), by handle; at most
   `capacity`. Returns their number. */
NEARMISS_C_API size_t nearmiss_world_pairs(const nearmiss_world* world,
                                           nearmiss_touching_pair* pairs, size_t capacity);
/* Writes the pairs with overlapping bounding spheres that were not examined for lack of time, as
   two handles each. */
NEARMISS_C_API size_t nearmiss_world_waiting(const nearmiss_world* world, nearmiss_body* pairs,
                                             size_t capacity);

/* The two bodies of a world that are nearest to each other. */
typedef struct nearmiss_nearest_bodies {
  nearmiss_body a, b; /* the bodies that are bounds.upper apart; 0: none */
  nearmiss_distance_bounds bounds;
} nearmiss_nearest_bodies;

/* Computes the minimum distance over all pairs that count. Ignores pairs farther apart than
   `within`; INFINITY for no limit. If no pair is nearer, upper is infinite and lower is at least
   `within`. */
NEARMISS_C_API nearmiss_status nearmiss_world_min_distance(nearmiss_world* world, double within,
                                                           double budget,
                                                           nearmiss_nearest_bodies* nearest);

/* The result of nearmiss_world_contacts(). */
typedef struct nearmiss_contacts {
  size_t pair_count;  /* see nearmiss_world_contact_pairs() */
  size_t point_count; /* of all pairs: see nearmiss_world_contact_points() */
  int32_t complete;   /* 1: no pair can be refined further */
} nearmiss_contacts;

/* The contact points of two bodies. */
typedef struct nearmiss_pair_contacts {
  nearmiss_body a, b;  /* a < b; normals point from b to a */
  size_t first_point;  /* index of the first of its point_count points in those of all pairs */
  size_t point_count;  /* if 0 and can_refine is 1: they may touch */
  int32_t depth_known; /* as in nearmiss_manifold */
  int32_t can_refine;  /* 1: the search was cut short; other points may touch */
  int32_t sensed;      /* 1: one of the two is a sensor; no response needed */
} nearmiss_pair_contacts;

/* Computes contact points: a manifold of at most `max_points` for each pair that counts and
   whose gap is at most `margin`. Does not require nearmiss_world_collisions(). Ids are stable from
   call to call. Pairs whose poses have not changed take almost no time. All pairs share the
   time. If it runs out, the remaining pairs keep their last points, moved along with the bodies,
   and come first in the next call. */
NEARMISS_C_API nearmiss_status nearmiss_world_contacts(nearmiss_world* world, double margin,
                                                       size_t max_points, double budget,
                                                       nearmiss_contacts* contacts);
/* Writes the pairs of the last successful nearmiss_world_contacts(), by handle; at most
   `capacity`. Returns their number. */
NEARMISS_C_API size_t nearmiss_world_contact_pairs(const nearmiss_world* world,
                                                   nearmiss_pair_contacts* pairs, size_t capacity);
/* Writes the points of these pairs, pair by pair; at most `capacity`. Returns their number. */
NEARMISS_C_API size_t nearmiss_world_contact_points(const nearmiss_world* world,
                                                    nearmiss_manifold_point* points,
                                                    size_t capacity);

/* Finds the first body that a ray hits, including sensors, except `ignore` (0: none). `body` is
   0 if nothing was hit. */
NEARMISS_C_API nearmiss_status nearmiss_world_raycast(nearmiss_world* world,
                                                      const nearmiss_ray* ray, nearmiss_body ignore,
                                                      double budget, nearmiss_body* body,
                                                      nearmiss_ray_hit* hit);
/* Finds the body nearest to a point within `reach`, except `ignore` (0: none). `body` is 0 if
   none was found. */
NEARMISS_C_API nearmiss_status nearmiss_world_nearest_point(nearmiss_world* world,
                                                            const double point[3], double reach,
                                                            nearmiss_body ignore, double budget,
                                                            nearmiss_body* body,
                                                            nearmiss_point_bounds* bounds);
/* Writes the bodies that contain a point inside or on their surface, ascending. `count` receives
   their number; at most `capacity` are written. `complete` is 0 if the budget ran out. */
NEARMISS_C_API nearmiss_status nearmiss_world_containing(nearmiss_world* world,
                                                         const double point[3], double budget,
                                                         nearmiss_body* bodies, size_t capacity,
                                                         size_t* count, int32_t* complete);

#ifdef __cplusplus
}
#endif

#endif
