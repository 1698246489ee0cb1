/* SPDX-License-Identifier: MIT */
/** The simulator for a page: C functions of the module that WebAssembly compiles.
 *
 * Models come as bytes, because a page has no files. Numbers come in rows of doubles whose columns
 * nearmiss_page_columns() names, so that the page needs no offsets of its own. Lengths are metres,
 * times are simulation seconds unless a name ends in _us, and directions are in the world frame.
 * Rows and texts are valid until the next call for the same flight. One thread. Functions that can
 * fail return null, 0 or -1; nearmiss_page_error() then is a sentence. Lack of memory ends the
 * module by a trap.
 */
#ifndef ENGINE_PAGE_FLIGHT_C_H
#define ENGINE_PAGE_FLIGHT_C_H

#include <stddef.h>
#include <stdint.h>

/* Marks what the module exports. */
#define NEARMISS_PAGE_API

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nearmiss_flight nearmiss_flight;

/** The reason why the last call failed; UTF-8, ends with 0. */
NEARMISS_PAGE_API const char* nearmiss_page_error(void);

/** Adds a model under the name of its file. `bytes` are a shape's bytes (see shapeFromBytes()) or,
 * for names that end in .toml, the text of a model with joints. A file may have several shapes with
 * different trees. Returns 0 on success. */
NEARMISS_PAGE_API int nearmiss_page_add_model(const char* name, const void* bytes, size_t size);

/** The names of the columns of a kind of rows ("input", "bodies", "pairs", "collisions", "spheres",
 * "contact", "statistics", "distance",
 * "comparison"), separated by commas; null for another kind. */
NEARMISS_PAGE_API const char* nearmiss_page_columns(const char* kind);

/** Starts a flight of a scene, a text as in scene files. The models of the scene must have been
 * added. The user may shoot if `shots` is not 0. Frees: nearmiss_flight_close(). */
NEARMISS_PAGE_API nearmiss_flight* nearmiss_flight_open(const char* scene, size_t size, int shots);
/** Opens a recorded session before its first frame; its bytes are copied. */
NEARMISS_PAGE_API nearmiss_flight* nearmiss_flight_replay(const void* bytes, size_t size);
NEARMISS_PAGE_API void nearmiss_flight_close(nearmiss_flight* flight);

/** A JSON object about scene, shapes, method, frames and, for a session, its warning. */
NEARMISS_PAGE_API const char* nearmiss_flight_about(nearmiss_flight* flight);

/** The one row of input, which stays where it is until the flight is closed. */
NEARMISS_PAGE_API double* nearmiss_flight_input(nearmiss_flight* flight);
/** Changes the narrow phase from the next frame on, such as "bsp". Returns 0 on success. */
NEARMISS_PAGE_API int nearmiss_flight_set_method(nearmiss_flight* flight, const char* narrow);

/** Advances by a frame of `dt` seconds. Detection may take `budget_us` microseconds: of counted
 * work if `counted` is not 0, which is repeatable, otherwise of time; without limit if negative.
 * For a session, plays the next frame and ignores the arguments. Returns 0 on success. */
NEARMISS_PAGE_API int nearmiss_flight_step(nearmiss_flight* flight, double dt, double budget_us,
                                           int counted);
/** Goes to the state after `frame` frames of a session, 1 to all. Returns 0 on success. */
NEARMISS_PAGE_API int nearmiss_flight_seek(nearmiss_flight* flight, uint32_t frame);

/** Rows of the last frame; `count` receives their number. A body with joints has a row for each
 * part. `pairs` are those of the last detection that are not separate, `collisions` the touches
 * that began in the frame. */
NEARMISS_PAGE_API const double* nearmiss_flight_bodies(nearmiss_flight* flight, uint32_t* count);
NEARMISS_PAGE_API const double* nearmiss_flight_pairs(nearmiss_flight* flight, uint32_t* count);
NEARMISS_PAGE_API const double* nearmiss_flight_collisions(nearmiss_flight* flight,
                                                           uint32_t* count);
NEARMISS_PAGE_API const double* nearmiss_flight_statistics(nearmiss_flight* flight);
/** The spheres of a level of a shape's tree, in the shape's frame; of its finest level if it has
 * fewer levels. */
NEARMISS_PAGE_API const double* nearmiss_flight_spheres(nearmiss_flight* flight, uint32_t shape,
                                                        int level, uint32_t* count);
/** The colliding spheres of a row of `pairs`, at most 64 pairs of spheres. */
NEARMISS_PAGE_API const double* nearmiss_flight_contact(nearmiss_flight* flight, uint32_t pair,
                                                        uint32_t* count);
/** Computes bounds on the distance of two bodies, and their nearest points, from triangles. Stops
 * after a millisecond of counted work. */
NEARMISS_PAGE_API const double* nearmiss_flight_distance(nearmiss_flight* flight, uint32_t a,
                                                         uint32_t b);
/** Equal states have equal hashes on every machine: see stateHash(). */
NEARMISS_PAGE_API uint64_t nearmiss_flight_hash(nearmiss_flight* flight);
/** The first difference between a session and its replay so far, as a sentence; empty if none. */
NEARMISS_PAGE_API const char* nearmiss_flight_difference(nearmiss_flight* flight);

/* Two bodies in the hand, for the tour and the bench. */

/** Makes a shape of triangles: three doubles a vertex, three indices a triangle; the spheres are
 * built at once, in about ten microseconds a triangle. Returns the shape's number, or -1. */
NEARMISS_PAGE_API int nearmiss_hand_make_shape(const double* vertices, size_t vertex_count,
                                               const uint32_t* triangles, size_t triangle_count);
/** Returns the number of the shape of an added model, or -1. */
NEARMISS_PAGE_API int nearmiss_hand_model(const char* name);
/** Discards a shape. Its number may be reused. */
NEARMISS_PAGE_API void nearmiss_hand_forget(int shape);
/** Half the greatest extent from the shape's origin, metres; 0 for an unknown number. */
NEARMISS_PAGE_API double nearmiss_hand_radius(int shape);
/** Number of levels of spheres, with the bounding sphere; 0 for an unknown number. */
NEARMISS_PAGE_API int nearmiss_hand_levels(int shape);
/** Compares two shapes down to a level, 5 or more for the triangles, within a budget of counted
 * work (negative: no limit). Poses are x, y, z and the quaternion x, y, z, w. Null for unknown
 * shapes and invalid poses. */
NEARMISS_PAGE_API const double* nearmiss_hand_compare(int a, const double* pose_a, int b,
                                                      const double* pose_b, int level,
                                                      double budget_us);
/** The colliding spheres of the last comparison, at most 256 pairs: rows of "contact". */
NEARMISS_PAGE_API const double* nearmiss_hand_contact(uint32_t* count);
/** As nearmiss_flight_spheres(). */
NEARMISS_PAGE_API const double* nearmiss_hand_spheres(int shape, int level, uint32_t* count);

#ifdef __cplusplus
}
#endif

#endif
