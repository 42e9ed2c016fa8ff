/* import.c - findings, names and frames of importers, see import.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/import.h"

#include "base/grow.h"
#include "linalg/rotation.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- kinds of files ---- */

crank_status crank_import_xml(crank_import *im, const char *text, size_t length,
                              const crank_node **root)
{
    crank_xml *top = NULL;
    crank_status status = crank_xml_read(text, length, im->named, im->store, &top, im->err);
    if (status != CRANK_OK) {
        return status;
    }
    top->used = true;
    if (strcmp(top->name, "robot") == 0) {
        return crank_import_urdf(im, top, root);
    }
    if (strcmp(top->name, "mujoco") == 0 || strcmp(top->name, "mujocoinclude") == 0) {
        return crank_import_mjcf(im, top, root);
    }
    return crank_xml_fail(im->err, top,
                          "<%.60s>: neither a URDF (<robot>) nor an MJCF file (<mujoco>)",
                          top->name);
}

/* ---- findings ---- */

static void keep(crank_import *im, const crank_xml *e, const char *text, bool note)
{
    crank_finding *grown = crank_store_grow(im->store, im->finding, im->finding_count,
                                            &im->finding_capacity, sizeof *grown);
    if (grown != NULL && text != NULL) {
        im->finding = grown;
        grown[im->finding_count++] =
            (crank_finding){.file = e->file, .line = e->line, .text = text, .note = note};
    }
}

void crank_import_find(crank_import *im, const crank_xml *e, const char *format, ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    keep(im, e, crank_store_copy(im->store, text, strlen(text)), false);
}

void crank_import_note(crank_import *im, const crank_xml *e, const char *format, ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    keep(im, e, crank_store_copy(im->store, text, strlen(text)), true);
}

static const char *reason_for(const char *name, const char *const *why)
{
    for (; why != NULL && why[0] != NULL; why += 2) {
        if (strcmp(why[0], name) == 0) {
            return why[1];
        }
    }
    return "not known";
}

void crank_import_find_unused(crank_import *im, const crank_xml *root, const char *const *why)
{
    for (const crank_xml *e = root->first; e != NULL; e = e->next) {
        if (!e->used) {
            crank_import_find(im, e, "<%.60s> in <%.60s> is not used: %s", e->name, root->name,
                              reason_for(e->name, why));
            continue;
        }
        for (int i = 0; i < e->attribute_count; i++) {
            if (!e->attribute[i].used && strncmp(e->attribute[i].name, "xmlns", 5) != 0) {
                crank_import_find(im, e, "attribute %.60s of <%.60s> is not used",
                                  e->attribute[i].name, e->name);
            }
        }
        crank_import_find_unused(im, e, why);
    }
}

static bool same(const crank_finding *a, const crank_finding *b)
{
    const bool file = a->file == b->file ||
                      (a->file != NULL && b->file != NULL && strcmp(a->file, b->file) == 0);
    return file && strcmp(a->text, b->text) == 0;
}

void crank_import_tell(const crank_import *im, const char *path, const crank_log *log)
{
    enum { LINES = 8 };
    for (int i = 0; i < im->finding_count; i++) {
        const crank_finding *f = &im->finding[i];
        char lines[120];
        int count = 0, used = 0;
        bool first = true;
        for (int k = 0; k < im->finding_count; k++) {
            if (!same(f, &im->finding[k])) {
                continue;
            }
            first = first && k >= i;
            if (count++ < LINES) {
                used += snprintf(lines + used, sizeof lines - (size_t)used, "%s%d",
                                 count > 1 ? ", " : "", im->finding[k].line);
            }
        }
        if (!first) {
            continue;
        }
        if (count > LINES) {
            (void)snprintf(lines + used, sizeof lines - (size_t)used, " and %d more",
                           count - LINES);
        }
        crank_log_write(log, CRANK_WARNING, "%s%s%s: %s", f->file != NULL ? f->file : path,
                        f->line > 0 ? ":" : "", f->line > 0 ? lines : "", f->text);
    }
}

/* ---- names ---- */

const char *crank_import_name(crank_import *im, crank_index *index, const crank_xml *e,
                              const char *wanted, int number)
{
    static const char *const reserved[] = {"ground", "t", "time", "der", "table", NULL};
    const size_t length = strlen(wanted);
    char *name = crank_store_take(im->store, length + 16, 1);
    if (name == NULL) {
        return NULL;
    }
    size_t used = 0;
    if (length == 0 || (wanted[0] >= '0' && wanted[0] <= '9')) {
        name[used++] = '_';
    }
    for (size_t i = 0; i < length; i++) {
        const char c = wanted[i];
        const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '_';
        name[used++] = fits ? c : '_';
    }
    for (int i = 0; reserved[i] != NULL; i++) {
        if (strcmp(name, reserved[i]) == 0) {
            name[used++] = '_';
        }
    }
    for (int k = 2; crank_index_find(index, name) >= 0; k++) {
        (void)snprintf(name + used, 12, "_%d", k);
    }
    if (strcmp(name, wanted) != 0) {
        crank_import_note(im, e, "\"%.80s\" is called %.80s here", wanted, name);
    }
    return crank_index_add(index, im->store, name, number) ? name : NULL;
}

/* ---- frames ---- */

void crank_frame_rpy(double q[4], const double rpy[3])
{
    static const double axis[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    double turn[3][4], both[4];
    for (int i = 0; i < 3; i++) {
        crank_quaternion_of_axis(turn[i], axis[i], rpy[i]);
    }
    crank_quaternion_multiply(both, turn[2], turn[1]);
    crank_quaternion_multiply(q, both, turn[0]);
}

void crank_frame_turn(double out[3], const double q[4], const double v[3])
{
    double once[3], twice[3]; /* what lies along the axis stays bit for bit */
    crank_cross3(once, q + 1, v);
    crank_cross3(twice, q + 1, once);
    for (int i = 0; i < 3; i++) {
        out[i] = v[i] + 2.0 * (q[0] * once[i] + twice[i]);
    }
}

crank_frame crank_frame_chain(const crank_frame *a, const crank_frame *b)
{
    crank_frame c;
    crank_frame_turn(c.x, a->q, b->x);
    crank_add3(c.x, 1.0, a->x);
    crank_quaternion_multiply(c.q, a->q, b->q);
    return c;
}

crank_frame crank_frame_inverse(const crank_frame *a)
{
    crank_frame c = {.q = {a->q[0], -a->q[1], -a->q[2], -a->q[3]}};
    const double back[3] = {-a->x[0], -a->x[1], -a->x[2]};
    crank_frame_turn(c.x, c.q, back);
    return c;
}

bool crank_frame_is_turned(const double q[4])
{
    return q[1] != 0.0 || q[2] != 0.0 || q[3] != 0.0;
}

void crank_frame_along(double q[4], const double direction[3])
{
    const double length = crank_norm3(direction);
    const double d[3] = {direction[0] / length, direction[1] / length, direction[2] / length};
    const double across = hypot(d[0], d[1]);
    const double axis[3] = {across > 0.0 ? -d[1] / across : 1.0,
                            across > 0.0 ? d[0] / across : 0.0, 0.0};
    crank_quaternion_of_axis(q, axis, atan2(across, d[2]));
}
