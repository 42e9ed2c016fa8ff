/* mesh.c - surfaces of triangles from files: STL (binary or text) and OBJ (vertices v and faces
 * f; polygons are cut into fans from their first corner). Vertices that are equal to the last
 * bit are one. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/view/mesh.h"
#include "base/grow.h"
#include "base/then.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/number.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    const char *name;
    double scale;
    int vertex_count, vertex_capacity, triangle_count, triangle_capacity;
    double (*vertex)[3];
    int (*triangle)[3];
    crank_index same; /* vertices by their coordinates */
    crank_error *err;
} work;

static crank_status fail(const work *w, const char *what)
{
    return crank_fail(w->err, CRANK_EMODEL, "%.160s: %s", w->name, what);
}

static crank_status fail_line(const work *w, int line, const char *what)
{
    return crank_fail(w->err, CRANK_EMODEL, "%.160s: line %d: %s", w->name, line, what);
}

static crank_status no_memory(const work *w)
{
    return crank_fail(w->err, CRANK_EMEM, "reading a mesh");
}

/* ---- vertices and triangles ---- */

static bool same_point(const void *wanted, const void *user, int number)
{
    const double *p = wanted, *q = ((const work *)user)->vertex[number];
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

static crank_status add_vertex(work *w, const double given[3], int *out)
{
    void *grown =
        crank_grow(w->vertex, w->vertex_count, &w->vertex_capacity, sizeof *w->vertex);
    if (grown == NULL) {
        return no_memory(w);
    }
    w->vertex = grown;
    double *p = w->vertex[w->vertex_count]; /* stays if there is no such vertex yet */
    for (int i = 0; i < 3; i++) {
        p[i] = given[i] * w->scale + 0.0; /* no -0 */
        if (!(fabs(p[i]) <= 1e30)) {
            return fail(w, "a coordinate is not finite, or beyond 1e30 m");
        }
    }
    const uint64_t hash = crank_hash(CRANK_HASH_START, p, sizeof w->vertex[0]);
    *out = crank_index_find_by(&w->same, hash, same_point, p, w);
    if (*out < 0) {
        if (!crank_index_add_by(&w->same, NULL, hash, w->vertex_count)) {
            return no_memory(w);
        }
        *out = w->vertex_count++;
    }
    return CRANK_OK;
}

/* triangles without area are left out */
static crank_status add_triangle(work *w, int a, int b, int c)
{
    if (a == b || b == c || c == a) {
        return CRANK_OK;
    }
    if (w->triangle_count >= CRANK_MESH_MOST) {
        return crank_fail(w->err, CRANK_EMODEL,
                          "%.160s: more than %d triangles; simplify the mesh", w->name,
                          CRANK_MESH_MOST);
    }
    void *grown =
        crank_grow(w->triangle, w->triangle_count, &w->triangle_capacity, sizeof *w->triangle);
    if (grown == NULL) {
        return no_memory(w);
    }
    w->triangle = grown;
    int *t = w->triangle[w->triangle_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
    return CRANK_OK;
}

/* ---- STL ---- */

static uint32_t little_endian(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static crank_status read_binary(work *w, const char *text, uint32_t count)
{
    crank_status status = CRANK_OK;
    for (uint32_t i = 0; i < count && status == CRANK_OK; i++) {
        const char *at = text + 84 + 50 * (size_t)i + 12; /* after the normal */
        int v[3] = {0, 0, 0};
        for (int k = 0; k < 3 && status == CRANK_OK; k++) {
            double p[3];
            for (int j = 0; j < 3; j++) {
                const uint32_t bits = little_endian(at + 12 * k + 4 * j);
                float value;
                memcpy(&value, &bits, sizeof value);
                p[j] = (double)value;
            }
            status = add_vertex(w, p, &v[k]);
        }
        status = status == CRANK_OK ? add_triangle(w, v[0], v[1], v[2]) : status;
    }
    return status;
}

/* the next word of a line, cut out into a buffer; false: none, or too long */
static bool next_word(const char **at, char *word, size_t size)
{
    const char *start = *at + strspn(*at, " \t\r");
    const size_t length = strcspn(start, " \t\r\n");
    *at = start + length;
    if (length == 0 || length >= size) {
        return false;
    }
    memcpy(word, start, length);
    word[length] = '\0';
    return true;
}

static bool read_three(const char **at, double p[3])
{
    char word[64];
    for (int i = 0; i < 3; i++) {
        if (!next_word(at, word, sizeof word) || !crank_number_parse(word, &p[i])) {
            return false;
        }
    }
    return true;
}

static crank_status read_text(work *w, const char *text)
{
    crank_status status = CRANK_OK;
    int line = 1, corner = 0, v[3] = {0, 0, 0};
    while (*text != '\0' && status == CRANK_OK) {
        char word[64];
        const char *at = text;
        if (next_word(&at, word, sizeof word) && strcmp(word, "vertex") == 0) {
            double p[3];
            if (!read_three(&at, p)) {
                return fail_line(w, line, "three numbers must follow \"vertex\"");
            }
            if (corner == 3) {
                return fail_line(w, line, "a facet with more than three vertices");
            }
            status = add_vertex(w, p, &v[corner++]);
        } else if (strncmp(text + strspn(text, " \t"), "endloop", 7) == 0) {
            if (corner != 3) {
                return fail_line(w, line, "a facet with less than three vertices");
            }
            status = add_triangle(w, v[0], v[1], v[2]);
            corner = 0;
        }
        text += strcspn(text, "\n");
        text += *text == '\n';
        line++;
    }
    return status == CRANK_OK && corner != 0 ? fail(w, "it ends within a facet") : status;
}

static crank_status read_stl(work *w, const char *text, size_t length)
{
    if (length >= 84) {
        const uint32_t count = little_endian(text + 80);
        if (84 + 50 * (uint64_t)count == length) {
            return read_binary(w, text, count);
        }
    }
    if (strncmp(text + strspn(text, " \t\r\n"), "solid", 5) == 0 &&
        memchr(text, '\0', length) == NULL) {
        return read_text(w, text);
    }
    return fail(w, "not an STL file, or cut off");
}

/* ---- OBJ ---- */

typedef struct corners {
    int *number; /* of the file's vertices: the merged one */
    int count, capacity;
} corners;

static crank_status add_corner(const work *w, corners *list, int vertex)
{
    int *grown = crank_grow(list->number, list->count, &list->capacity, sizeof *grown);
    if (grown == NULL) {
        return no_memory(w);
    }
    list->number = grown;
    list->number[list->count++] = vertex;
    return CRANK_OK;
}

/* "7", "7/1", "7//2", "-1": the vertex; -1: none */
static int corner_of(const corners *list, char *word)
{
    double number = 0.0;
    word[strcspn(word, "/")] = '\0';
    if (!crank_number_parse(word, &number) || number != floor(number)) {
        return -1;
    }
    const double place = number < 0.0 ? list->count + number : number - 1.0;
    return place >= 0.0 && place < list->count ? list->number[(int)place] : -1;
}

static crank_status read_face(work *w, const corners *list, const char *at, int line)
{
    char word[64];
    int count = 0, first = 0, last = 0;
    crank_status status = CRANK_OK;
    while (status == CRANK_OK && next_word(&at, word, sizeof word)) {
        const int v = corner_of(list, word);
        if (v < 0) {
            return fail_line(w, line, "a face names a vertex that was not given before");
        }
        if (count >= 2) {
            status = add_triangle(w, first, last, v);
        }
        first = count == 0 ? v : first;
        last = v;
        count++;
    }
    return status == CRANK_OK && count < 3
               ? fail_line(w, line, "a face with less than three corners")
               : status;
}

static crank_status read_obj(work *w, const char *text, size_t length)
{
    corners list = {0};
    crank_status status = CRANK_OK;
    if (memchr(text, '\0', length) != NULL) {
        return fail(w, "not an OBJ file: it holds zero bytes");
    }
    for (int line = 1; *text != '\0' && status == CRANK_OK; line++) {
        char word[64];
        const char *at = text;
        if (next_word(&at, word, sizeof word)) {
            if (strcmp(word, "v") == 0) {
                double p[3];
                int v = 0;
                status = read_three(&at, p)
                             ? add_vertex(w, p, &v)
                             : fail_line(w, line, "three numbers must follow \"v\"");
                status = status == CRANK_OK ? add_corner(w, &list, v) : status;
            } else if (strcmp(word, "f") == 0) {
                status = read_face(w, &list, at, line);
            }
        }
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    free(list.number);
    return status;
}

/* ---- all of it ---- */

static crank_status keep(const work *w, crank_store *store, crank_mesh *out)
{
    const size_t vertices = (size_t)w->vertex_count, triangles = (size_t)w->triangle_count;
    out->vertex = crank_store_take(store, vertices, sizeof *out->vertex);
    out->triangle = crank_store_take(store, triangles, sizeof *out->triangle);
    if (w->vertex == NULL || out->vertex == NULL || out->triangle == NULL) {
        return no_memory(w);
    }
    out->vertex_count = w->vertex_count;
    out->triangle_count = w->triangle_count;
    memcpy(out->vertex, w->vertex, vertices * sizeof *out->vertex);
    if (triangles > 0) {
        memcpy(out->triangle, w->triangle, triangles * sizeof *out->triangle);
    }
    for (int i = 0; i < 3; i++) {
        out->low[i] = out->high[i] = out->vertex[0][i];
        for (int v = 1; v < out->vertex_count; v++) {
            out->low[i] = fmin(out->low[i], out->vertex[v][i]);
            out->high[i] = fmax(out->high[i], out->vertex[v][i]);
        }
    }
    return CRANK_OK;
}

crank_status crank_mesh_points(const char *name, const char *text, size_t length, double scale,
                               crank_store *store, crank_mesh *out, crank_error *err)
{
    work w = {.name = name, .scale = scale, .err = err};
    crank_status status = crank_path_ends_in(name, ".stl") ? read_stl(&w, text, length)
                          : crank_path_ends_in(name, ".obj")
                              ? read_obj(&w, text, length)
                              : fail(&w, "meshes end in .stl or .obj");
    if (status == CRANK_OK && w.vertex_count == 0) {
        status = fail(&w, "it has no triangles");
    }
    CRANK_THEN(status, keep(&w, store, out));
    free(w.vertex);
    free(w.triangle);
    crank_index_free(&w.same);
    return status;
}

crank_status crank_mesh_parse(const char *name, const char *text, size_t length, double scale,
                              crank_store *store, crank_mesh *out, crank_error *err)
{
    const crank_status status = crank_mesh_points(name, text, length, scale, store, out, err);
    return status == CRANK_OK && out->triangle_count == 0
               ? crank_fail(err, CRANK_EMODEL, "%.160s: it has no triangles", name)
               : status;
}
