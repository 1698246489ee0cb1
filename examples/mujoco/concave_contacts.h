/* SPDX-License-Identifier: MIT */
/* Contacts of concave meshes in MuJoCo, which by itself collides their convex hulls.

   Replaces mesh-mesh and box-mesh in mjCOLLISIONFUNC. All other pairs keep MuJoCo's functions. A
   plane or a height field below a mesh needs no other. Meshes should be closed, so that they have
   an inside.

       nearmiss_mujoco_install(model);   after mj_loadXML()
       nearmiss_mujoco_remove();         before mj_deleteModel()

   mjCOLLISIONFUNC is global, and so is this: one model at a time, stepped by one thread. */
#ifndef CONCAVE_CONTACTS_H
#define CONCAVE_CONTACTS_H

#include <mujoco/mujoco.h>

/* Builds the shapes of all meshes and boxes of the model that collide, and takes over their pairs.
   Replaces an earlier model. Returns NULL, or a sentence that says why nothing was installed; it is
   valid until the next call. */
const char* nearmiss_mujoco_install(const mjModel* model);

/* Gives the pairs back to MuJoCo and frees all memory. */
void nearmiss_mujoco_remove(void);

#endif
