/* mesh.h - surfaces of triangles from STL and OBJ files. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MESH_H
#define CRANK_SRC_MESH_H

#include <crank/base.h>

#include "base/store.h"

enum { CRANK_MESH_MOST = 200000 }; /* triangles */

typedef struct crank_mesh {
    int vertex_count, triangle_count;
    double (*vertex)[3];
    int (*triangle)[3];
    double low[3], high[3];
} crank_mesh;

/* The text of a file that is named so (its ending tells the format). text[length] is a zero.
 * Equal vertices are merged; lengths are multiplied by scale. EMODEL says what is wrong,
 * without place. */
crank_status crank_mesh_parse(const char *name, const char *text, size_t length, double scale,
                              crank_store *store, crank_mesh *out, crank_error *err);
/* The same, without triangles if there are none: points, whose hull is meant. */
crank_status crank_mesh_points(const char *name, const char *text, size_t length, double scale,
                               crank_store *store, crank_mesh *out, crank_error *err);

#endif
