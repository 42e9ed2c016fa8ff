/* mjcf_meshes.c - geoms that are meshes: drawn from their files, and weighed.
 *
 * A closed surface is cut into tetrahedra from one point to its triangles, whose volumes V have
 * the sign of their orientation; with corners v and s = sum of v, the integrals over one are
 * V s/4 of x and V (sum of v v^T + s s^T)/20 of x x^T; over a triangle of a shell, of area A,
 * A s/3 and A (sum of v v^T + s s^T)/12. Vertices without faces stand for their convex hull.
 * MuJoCo's older rule, its default, adds |V| from the middle of the surface: the same if every
 * triangle is seen from there from within, else more, which is listed. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/mjcf.h"

#include "base/file.h"
#include "base/then.h"
#include "linalg/rotation.h"
#include "model/import/hull.h"
#include "model/view/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* of areas or volumes that cancel, over those that were added: more is no rounding of files
 * with seven digits */
static const double open_share = 1e-4;

/* volume over the area to 3/2: a sheet whose thickness is a 1e-9 of its width has none */
static const double least_volume = 1e-9;

typedef struct asset {
    const crank_xml *e;
    const char *file; /* NULL: its vertices stand in the robot's file */
    double scale[3];
    crank_frame from; /* of the mesh's own numbers, before they are scaled */
    bool shell, convex, exact;
} asset;

/* ---- assets ---- */

static bool has_name(const crank_xml *e, const char *name)
{
    const char *own = crank_xml_get(e, "name"), *file = crank_xml_get(e, "file");
    if (own != NULL || file == NULL) {
        return own != NULL && strcmp(own, name) == 0;
    }
    const char *slash = strrchr(file, '/'), *base = slash != NULL ? slash + 1 : file;
    const char *dot = strrchr(base, '.');
    const size_t stem = dot != NULL ? (size_t)(dot - base) : strlen(base);
    return strlen(name) == stem && strncmp(base, name, stem) == 0;
}

static const crank_xml *find_asset(const crank_mjcf *m, const char *name)
{
    for (const crank_xml *a = crank_xml_child(m->root, "asset"); a != NULL;
         a = crank_xml_next(a, "asset")) {
        for (const crank_xml *e = crank_xml_child(a, "mesh"); e != NULL;
             e = crank_xml_next(e, "mesh")) {
            if (has_name(e, name)) {
                return e;
            }
        }
    }
    return NULL;
}

static crank_status read_asset(crank_mjcf *m, const crank_xml *geom, const char *name,
                               asset *out)
{
    const crank_xml *e = name != NULL ? find_asset(m, name) : NULL;
    double position[3] = {0.0, 0.0, 0.0}, turn[4] = {1.0, 0.0, 0.0, 0.0};
    if (e == NULL) {
        return crank_xml_fail(m->r->im->err, geom, "<geom>: there is no mesh \"%.80s\"",
                              name != NULL ? name : "");
    }
    *out = (asset){.e = e, .scale = {1.0, 1.0, 1.0}, .exact = m->exact_meshes};
    const char *file = crank_xml_get(e, "file");
    if (file != NULL) {
        out->file = m->mesh_folder != NULL
                        ? crank_store_print(m->r->im->store, "%s/%s", m->mesh_folder, file)
                        : file;
    } else if (crank_xml_get(e, "vertex") == NULL) {
        return crank_xml_fail(m->r->im->err, e,
                              "mesh \"%.80s\": neither a file nor vertices are given", name);
    }
    const char *rule = crank_mjcf_get(m, e, "mesh", NULL, "inertia");
    out->shell = rule != NULL && strcmp(rule, "shell") == 0;
    out->convex = rule != NULL && strcmp(rule, "convex") == 0;
    out->exact = out->exact || (rule != NULL && strcmp(rule, "exact") == 0);
    crank_status status = crank_mjcf_numbers(m, e, "mesh", NULL, "scale", 3, out->scale, NULL);
    CRANK_THEN(status, crank_mjcf_numbers(m, e, "mesh", NULL, "refpos", 3, position, NULL));
    CRANK_THEN(status, crank_mjcf_numbers(m, e, "mesh", NULL, "refquat", 4, turn, NULL));
    const double length =
        sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
    if (status == CRANK_OK && !(length > 0.0)) {
        return crank_xml_fail(m->r->im->err, e, "<mesh refquat>: it is zero");
    }
    for (int i = 0; i < 4; i++) {
        out->from.q[i] = turn[i] / length;
    }
    memcpy(out->from.x, position, sizeof position);
    out->from = crank_frame_inverse(&out->from);
    return status;
}

/* ---- drawing ---- */

/* a file of vertices alone */
static bool is_points(crank_mjcf *m, const char *file)
{
    const crank_named_file *text = NULL;
    crank_error why = {0};
    crank_mesh points = {0};
    const char *name =
        crank_path_ends_in(file, ".obj") ? crank_robot_find_mesh(m->r, file) : NULL;
    const char *path =
        name != NULL ? crank_named_file_path(m->r->im->store, m->r->im->path, name) : NULL;
    return path != NULL && crank_files_load(m->r->im->files, path, &text, &why) == CRANK_OK &&
           crank_mesh_points(path, text->text, text->length, 1.0, m->r->im->store, &points,
                             &why) == CRANK_OK &&
           points.triangle_count == 0;
}

static crank_status draw(crank_mjcf *m, const crank_xml *e, const char *childclass,
                         const asset *mesh, const crank_frame *at, crank_robot_link *link)
{
    crank_robot_shape *shape = NULL;
    if (mesh->file == NULL || is_points(m, mesh->file)) {
        crank_import_find(m->r->im, e,
                          "a mesh of vertices is not drawn: triangles in files are");
        return CRANK_OK;
    }
    const crank_status status = crank_robot_mesh(m->r, link, e, mesh->file, &shape);
    if (status != CRANK_OK || shape == NULL) {
        return status;
    }
    const double *scale = mesh->scale;
    if (scale[1] != scale[0] || scale[2] != scale[0] || scale[0] < 0.0) {
        crank_import_find(
            m->r->im, mesh->e,
            "a mesh is drawn with one scale, the size of that of x; it weighs what "
            "all three make of it");
    }
    crank_frame from = mesh->from;
    shape->size[0] = fabs(scale[0]);
    for (int i = 0; i < 3; i++) {
        from.x[i] *= shape->size[0];
    }
    shape->at = crank_frame_chain(at, &from);
    shape->color = crank_mjcf_color(m, e, childclass, &shape->opacity);
    return status;
}

/* ---- triangles ---- */

/* all numbers of an attribute; *count of groups of three */
static crank_status read_triples(crank_mjcf *m, const crank_xml *e, const char *attribute,
                                 double **out, int *count)
{
    const char *text = crank_xml_get(e, attribute);
    int numbers = 0;
    *count = 0;
    if (text == NULL) {
        return CRANK_OK;
    }
    for (const char *c = text; *c != '\0'; numbers++) {
        c += strspn(c, " \t\r\n");
        c += strcspn(c, " \t\r\n");
    }
    *out = crank_store_take(m->r->im->store, (size_t)numbers + 1, sizeof **out);
    if (*out == NULL) {
        return CRANK_EMEM;
    }
    const crank_status status =
        crank_xml_list(e, attribute, numbers + 1, *out, &numbers, m->r->im->err);
    if (status == CRANK_OK && numbers % 3 != 0) {
        return crank_xml_fail(m->r->im->err, e, "<mesh %s>: %d numbers, which are no triples",
                              attribute, numbers);
    }
    *count = numbers / 3;
    return status;
}

static crank_status read_vertices(crank_mjcf *m, const asset *mesh, crank_mesh *out)
{
    double *vertex = NULL, *face = NULL;
    crank_status status = read_triples(m, mesh->e, "vertex", &vertex, &out->vertex_count);
    CRANK_THEN(status, read_triples(m, mesh->e, "face", &face, &out->triangle_count));
    if (status != CRANK_OK) {
        return status;
    }
    const size_t vertices = (size_t)out->vertex_count, faces = (size_t)out->triangle_count;
    out->vertex = crank_store_take(m->r->im->store, vertices, sizeof *out->vertex);
    out->triangle = crank_store_take(m->r->im->store, faces, sizeof *out->triangle);
    if (out->vertex == NULL || out->triangle == NULL) {
        return CRANK_EMEM;
    }
    if (vertices > 0) {
        memcpy(out->vertex, vertex, vertices * sizeof *out->vertex);
    }
    for (int k = 0; k < 3 * out->triangle_count; k++) {
        if (!(face[k] >= 0.0 && face[k] < out->vertex_count) || face[k] != floor(face[k])) {
            return crank_xml_fail(m->r->im->err, mesh->e,
                                  "<mesh face>: %g is no number of a vertex (0 to %d)", face[k],
                                  out->vertex_count - 1);
        }
        out->triangle[k / 3][k % 3] = (int)face[k];
    }
    return status;
}

static crank_status read_file(crank_mjcf *m, const crank_xml *e, const asset *mesh,
                              crank_mesh *out)
{
    static const char remedy[] = "so that what the body weighs is not known; give the body an "
                                 "<inertial>, or the geom mass=\"0\"";
    const crank_named_file *file = NULL;
    crank_error why = {0};
    const char *name = crank_robot_find_mesh(m->r, mesh->file);
    const char *path =
        name != NULL ? crank_named_file_path(m->r->im->store, m->r->im->path, name) : NULL;
    if (path == NULL) {
        return m->r->im->store->failed
                   ? CRANK_EMEM
                   : crank_xml_fail(m->r->im->err, e,
                                    "mesh \"%.100s\": there is no such file, %s", mesh->file,
                                    remedy);
    }
    crank_status status = crank_files_load(m->r->im->files, path, &file, &why);
    CRANK_THEN(status, crank_mesh_points(path, file->text, file->length, 1.0, m->r->im->store,
                                         out, &why));
    if (status == CRANK_OK || status == CRANK_EMEM) {
        return status;
    }
    return crank_xml_fail(m->r->im->err, e, "%.200s, %s", why.text, remedy);
}

static crank_status take_hull(crank_mjcf *m, crank_mesh *mesh)
{
    int(*triangle)[3] = NULL, count = 0;
    if (!crank_hull(mesh->vertex_count, (const double(*)[3])mesh->vertex, &triangle, &count)) {
        return CRANK_EMEM;
    }
    mesh->triangle_count = count;
    mesh->triangle = crank_store_take(m->r->im->store, (size_t)count, sizeof *mesh->triangle);
    if (mesh->triangle != NULL && count > 0) {
        memcpy(mesh->triangle, triangle, (size_t)count * sizeof *mesh->triangle);
    }
    free(triangle);
    return mesh->triangle != NULL ? CRANK_OK : CRANK_EMEM;
}

/* vertices in axes of the body */
static void place(const asset *mesh, const crank_frame *at, crank_mesh *out)
{
    for (int k = 0; k < out->vertex_count; k++) {
        double v[3];
        crank_frame_turn(v, mesh->from.q, out->vertex[k]);
        for (int i = 0; i < 3; i++) {
            v[i] = (v[i] + mesh->from.x[i]) * mesh->scale[i];
        }
        crank_frame_turn(out->vertex[k], at->q, v);
        crank_add3(out->vertex[k], 1.0, at->x);
    }
}

/* ---- what it weighs ---- */

/* a tetrahedron or a triangle, of this volume or area and density one */
static void add_simplex(crank_mjcf_weight *w, int corners, const double *const v[], double size)
{
    double s[3] = {0.0, 0.0, 0.0}, xx[6] = {0.0}; /* in the order of inertia */
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const double f = size / (corners * (corners + 1));
    for (int c = 0; c < corners; c++) {
        crank_add3(s, 1.0, v[c]);
    }
    for (int k = 0; k < 6; k++) {
        xx[k] = s[row[k]] * s[column[k]];
        for (int c = 0; c < corners; c++) {
            xx[k] += v[c][row[k]] * v[c][column[k]];
        }
    }
    w->mass += size;
    crank_add3(w->moment, size / corners, s);
    for (int k = 0; k < 6; k++) {
        w->inertia[k] += f * (k < 3 ? xx[0] + xx[1] + xx[2] - xx[k] : -xx[k]);
    }
}

/* half the cross product of two edges: the area, along the normal */
static void area_of(const crank_mesh *mesh, int triangle, double out[3])
{
    const int *t = mesh->triangle[triangle];
    double u[3], v[3];
    for (int i = 0; i < 3; i++) {
        u[i] = 0.5 * (mesh->vertex[t[1]][i] - mesh->vertex[t[0]][i]);
        v[i] = mesh->vertex[t[2]][i] - mesh->vertex[t[0]][i];
    }
    crank_cross3(out, u, v);
}

typedef struct surface {
    double middle[3], area, sum[3]; /* sum of areas along normals: zero of a closed one */
} surface;

static surface measure(const crank_mesh *mesh)
{
    surface s = {0};
    for (int k = 0; k < mesh->triangle_count; k++) {
        double a[3];
        area_of(mesh, k, a);
        const double area = crank_norm3(a);
        s.area += area;
        crank_add3(s.sum, 1.0, a);
        for (int c = 0; c < 3; c++) {
            crank_add3(s.middle, area / 3.0, mesh->vertex[mesh->triangle[k][c]]);
        }
    }
    for (int i = 0; i < 3 && s.area > 0.0; i++) {
        s.middle[i] /= s.area;
    }
    return s;
}

/* Of density one. *other: the share of volumes that count against the rest, as seen from the
 * middle. */
static void integrate(const crank_mesh *mesh, const surface *s, bool shell,
                      crank_mjcf_weight *w, double *other)
{
    double with = 0.0, against = 0.0;
    for (int k = 0; k < mesh->triangle_count; k++) {
        const int *t = mesh->triangle[k];
        const double *const v[4] = {mesh->vertex[t[0]], mesh->vertex[t[1]], mesh->vertex[t[2]],
                                    s->middle};
        double a[3], d[3];
        area_of(mesh, k, a);
        for (int i = 0; i < 3; i++) {
            d[i] = v[0][i] - s->middle[i];
        }
        const double volume = crank_dot3(a, d) / 3.0;
        with += fmax(volume, 0.0);
        against += fmax(-volume, 0.0);
        add_simplex(w, shell ? 3 : 4, v, shell ? crank_norm3(a) : volume);
    }
    *other = with > 0.0 && against > 0.0 ? fmin(with, against) / fmax(with, against) : 0.0;
}

static void add_scaled(crank_mjcf_weight *to, const crank_mjcf_weight *w, double f)
{
    to->mass += f * w->mass;
    crank_add3(to->moment, f, w->moment);
    for (int k = 0; k < 6; k++) {
        to->inertia[k] += f * w->inertia[k];
    }
}

static crank_status weigh(crank_mjcf *m, const crank_xml *e, const char *childclass,
                          const asset *mesh, crank_mesh *of, crank_mjcf_weight *weight)
{
    crank_mjcf_weight own = {0};
    double other = 0.0, density = 0.0;
    const bool hull = mesh->convex || of->triangle_count == 0;
    crank_status status = hull ? take_hull(m, of) : CRANK_OK;
    if (status != CRANK_OK) {
        return status;
    }
    const surface s = measure(of);
    const double least = mesh->shell ? 0.0 : least_volume * s.area * sqrt(s.area);
    integrate(of, &s, mesh->shell, &own, &other);
    if (!(fabs(own.mass) > least)) {
        return crank_xml_fail(m->r->im->err, e,
                              "<geom>: its mesh has no volume, so that what the body weighs is "
                              "not known; give the body an <inertial>, or the geom mass=\"0\"");
    }
    if (!mesh->shell && crank_norm3(s.sum) > open_share * s.area) {
        crank_import_find(m->r->im, e,
                          "the mesh is not closed: it is weighed as if each opening were shut "
                          "towards the middle of the surface");
    } else if (!mesh->shell && !mesh->exact && other > open_share) {
        crank_import_find(m->r->im, e,
                          "the mesh is hollowed: it weighs what it encloses, as MuJoCo's "
                          "exactmeshinertia=\"true\" gives; its older rule gives more");
    }
    status = crank_mjcf_density(m, e, childclass, fabs(own.mass), &density);
    if (status == CRANK_OK) {
        add_scaled(weight, &own, own.mass < 0.0 ? -density : density);
    }
    return status;
}

crank_status crank_mjcf_mesh(crank_mjcf *m, const crank_xml *e, const char *childclass,
                             const crank_frame *at, crank_robot_link *link,
                             crank_mjcf_weight *weight)
{
    asset mesh;
    double density = 1.0;
    crank_mesh triangles = {0};
    crank_status status =
        read_asset(m, e, crank_mjcf_get(m, e, "geom", childclass, "mesh"), &mesh);
    const char *shell = crank_mjcf_get(m, e, "geom", childclass, "shellinertia");
    mesh.shell = mesh.shell || (shell != NULL && strcmp(shell, "true") == 0);
    CRANK_THEN(status, draw(m, e, childclass, &mesh, at, link));
    CRANK_THEN(status,
               weight != NULL ? crank_mjcf_density(m, e, childclass, 1.0, &density) : CRANK_OK);
    if (status != CRANK_OK || weight == NULL || density == 0.0) {
        return status;
    }
    status = mesh.file != NULL ? read_file(m, e, &mesh, &triangles)
                               : read_vertices(m, &mesh, &triangles);
    if (status == CRANK_OK) {
        place(&mesh, at, &triangles);
    }
    CRANK_THEN(status, weigh(m, e, childclass, &mesh, &triangles, weight));
    return status;
}
