/* block.c - see mechanics/block.h: the recursive Newton-Euler equations of a tree, theory (7.67),
 * in axes of its bodies, theory (13.11)-(13.15). r from the centre of mass of the parent to the
 * joint's point P, u from that of the body; slides a s, turns T about n:
 *
 *     r = u_1 + sum a s,   p = a_1 + z_1 x r + w_1 x (w_1 x r) + 2 w_1 x r' + r''
 *     w = T^T w_1 + n q',   z = T^T z_1 + n q'' + T^T w_1 x n q',   p = T^T p
 *     a = p - z x u - w x (w x u)
 *     f = m a + sum F,   m = J z + w x J w + sum (N + r x F),   n = m - u x f
 *     tau = n . N + J_r q'',   F = T F,   N = T N;   of slides tau = a . F + m_r s''
 *
 * Names of the equations' own variables contain blanks, which no joint's name does. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/block.h"

#include "base/number.h"
#include "linalg/rotation.h"
#include "mechanics/joint/tree.h"
#include "mechanics/law.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct writer {
    const crank_eom *eom;
    const crank_system *s;
    const crank_tree_shape *shape;
    const double *p, *v; /* start values */
    const crank_block_coordinate *coordinate;
    crank_text *text;
} writer;

/* ---- what a block cannot have ---- */

crank_status crank_mechanism_check_block(const crank_eom *eom, crank_error *err)
{
    const crank_system *s = eom->self;
    const crank_tree_shape *shape = crank_tree_of(&s->coordinates)->shape;
    if (s->law_count > 0) {
        return crank_fail(err, CRANK_EREFUSED,
                          "%.120s: forces and equations in a mechanism block: not supported; "
                          "write them in Modelica",
                          crank_law_label(s->law[0]));
    }
    if (eom->sizes.lambda + eom->sizes.mu > 0) {
        char text[160];
        return crank_fail(err, CRANK_EREFUSED,
                          "%.120s closes a loop, or is of no tree: in a mechanism block not "
                          "supported",
                          crank_eom_constraint_text(eom, 0, text, sizeof text));
    }
    if (eom->sizes.r + eom->sizes.s > 0 || eom->sizes.w > shape->nv) {
        return crank_fail(err, CRANK_EREFUSED,
                          "variables besides coordinates of joints (energy: true, dynamic, "
                          "auxiliary) in a mechanism block: not supported");
    }
    for (int i = 0; i < shape->body_count; i++) {
        if (shape->body[i].led >= 0) {
            return crank_fail(err, CRANK_EREFUSED,
                              "%.80s is led along a track: in a mechanism block not supported",
                              crank_eom_body_text(eom, i));
        }
    }
    for (int l = 0; l < shape->link_count; l++) {
        const crank_link *link = &shape->link[l];
        if (link->kind == CRANK_LINK_BALL || link->lead != 0.0) {
            return crank_fail(
                err, CRANK_EREFUSED, "%.80s hangs by a %s: in a mechanism block not supported",
                crank_eom_body_text(eom, link->body),
                link->kind == CRANK_LINK_BALL ? "ball, or is free in space (a quaternion)"
                                              : "screw");
        }
    }
    return CRANK_OK;
}

/* ---- words ---- */

static void write_number(const writer *w, double value)
{
    char text[CRANK_NUMBER_TEXT];
    crank_text_append(w->text, "%s", crank_number_print(text, sizeof text, value, 0));
}

static void write_vector(const writer *w, const double u[3])
{
    for (int i = 0; i < 3; i++) {
        crank_text_append(w->text, i == 0 ? "{" : ", ");
        write_number(w, u[i]);
    }
    crank_text_append(w->text, "}");
}

static void write_matrix(const writer *w, const double M[9])
{
    for (int i = 0; i < 3; i++) {
        crank_text_append(w->text, i == 0 ? "{" : ", ");
        write_vector(w, M + 3 * i);
    }
    crank_text_append(w->text, "}");
}

static bool is_keyword(const char *name)
{
    static const char *const words[] = {
        "algorithm", "and",          "annotation",    "assert",
        "block",     "break",        "class",         "connect",
        "connector", "constant",     "constrainedby", "der",
        "discrete",  "each",         "else",          "elseif",
        "elsewhen",  "encapsulated", "end",           "enumeration",
        "equation",  "expandable",   "extends",       "external",
        "false",     "final",        "flow",          "for",
        "function",  "if",           "import",        "impure",
        "in",        "initial",      "inner",         "input",
        "loop",      "model",        "not",           "operator",
        "or",        "outer",        "output",        "package",
        "parameter", "partial",      "protected",     "public",
        "pure",      "record",       "redeclare",     "replaceable",
        "return",    "stream",       "then",          "true",
        "type",      "when",         "while",         "within",
        "time"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* the flange of a link: its joint's name, or with a number where the joint has several; quoted
 * unless it is a plain name */
static void write_flange(const writer *w, int l)
{
    const crank_link *link = &w->shape->link[l];
    const crank_tree_body *body = &w->shape->body[link->body];
    const char *full =
        crank_eom_column_name(w->eom, w->eom->column[CRANK_P] + link->p) + strlen("joint.");
    const char *end = strrchr(full, '.');
    char name[200];
    const size_t length = end != NULL ? (size_t)(end - full) : strlen(full);
    const int used = length < 180 ? (int)length : 180;
    memcpy(name, full, (size_t)used);
    name[used] = '\0';
    bool plain = !is_keyword(name);
    for (const char *c = name; *c != '\0'; c++) {
        const bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
        plain = plain && (letter || (c > name && *c >= '0' && *c <= '9'));
    }
    crank_text_append(w->text, plain ? "" : "'");
    for (const char *c = name; *c != '\0'; c++) {
        crank_text_append(w->text, *c == '\'' || *c == '\\' ? "\\%c" : "%c", *c);
    }
    if (body->count > 1) {
        crank_text_append(w->text, "_%d", l - body->first + 1);
    }
    crank_text_append(w->text, plain ? "" : "'");
}

static bool has_flange(const writer *w, int l)
{
    return w->shape->body[w->shape->link[l].body].joint >= 0;
}

/* ---- declarations ---- */

static void declare_link(const writer *w, int l)
{
    crank_text *t = w->text;
    const crank_link *link = &w->shape->link[l];
    const bool turn = link->kind == CRANK_LINK_TURN;
    if (has_flange(w, l)) {
        crank_text_append(t, "  Crank.%s.Flange ", turn ? "Rotational" : "Translational");
        write_flange(w, l);
        crank_text_append(t, ";\n");
    }
    crank_text_append(t, "  Real 'q %d'(start = ", l);
    write_number(w, w->p[link->p]);
    crank_text_append(t, ", unit = \"%s\"), 'v %d'(start = ", turn ? "rad" : "m", l);
    write_number(w, w->v[link->v]);
    crank_text_append(t, ", unit = \"%s\"), 'a %d', 'tau %d';\n", turn ? "rad/s" : "m/s", l, l);
    if (turn) {
        crank_text_append(t,
                          "  Real 'T %d'[3, 3], 'w %d'[3], 'z %d'[3], 'p %d'[3], 'F %d'[3], "
                          "'N %d'[3];\n",
                          l, l, l, l, l, l);
    }
}

/* ---- frames ---- */

/* entries of rotations that are zero or one but for rounding */
static void clean(double *M, int count)
{
    for (int i = 0; i < count; i++) {
        const double whole = round(M[i]);
        M[i] = fabs(M[i] - whole) <= 8.0 * DBL_EPSILON ? whole + 0.0 : M[i];
    }
}

/* The turn as B0 + B1 cos q + B2 sin q, times what is fixed behind the last one. */
static void write_turn(const writer *w, int l, const double Q[9])
{
    const double *n = w->shape->link[l].axis;
    const double S[9] = {0.0, -n[2], n[1], n[2], 0.0, -n[0], -n[1], n[0], 0.0};
    double B[3][9], part[3][9];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            part[0][3 * i + j] = n[i] * n[j];
            part[1][3 * i + j] = (i == j ? 1.0 : 0.0) - n[i] * n[j];
            part[2][3 * i + j] = S[3 * i + j];
        }
    }
    for (int k = 0; k < 3; k++) {
        crank_mat3_multiply(B[k], part[k], Q);
        clean(B[k], 9);
    }
    crank_text_append(w->text, "  'T %d' = ", l);
    write_matrix(w, B[0]);
    crank_text_append(w->text, " + ");
    write_matrix(w, B[1]);
    crank_text_append(w->text, "*cos('q %d') + ", l);
    write_matrix(w, B[2]);
    crank_text_append(w->text, "*sin('q %d');\n", l);
}

/* what is fixed behind the last turn; also the axis seen from there */
static void fixed_behind(const writer *w, int i, double Q[9])
{
    const crank_tree_body *body = &w->shape->body[i];
    if (w->s->body[i].kind == CRANK_BODY_PLANAR) {
        const double c = cos(body->outer_angle), s = sin(body->outer_angle);
        const double R[9] = {c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0};
        memcpy(Q, R, sizeof R);
    } else if (w->s->body[i].kind == CRANK_BODY_SPATIAL) {
        crank_quaternion_matrix(Q, body->outer_q);
    } else {
        const double R[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
        memcpy(Q, R, sizeof R);
    }
    clean(Q, 9);
}

/* sum of what the slides of a body's joint give */
static void write_slides(const writer *w, int i, char letter)
{
    const crank_tree_body *body = &w->shape->body[i];
    for (int l = body->first; l < body->first + body->count; l++) {
        if (w->shape->link[l].kind == CRANK_LINK_SLIDE) {
            crank_text_append(w->text, " + ");
            write_vector(w, w->shape->link[l].axis);
            crank_text_append(w->text, "*'%c %d'", letter, l);
        }
    }
}

/* from the parent to the joint's point */
static void write_point(const writer *w, int i)
{
    const crank_tree_body *body = &w->shape->body[i];
    const int j = body->parent;
    crank_text *t = w->text;
    double up[3];
    crank_text_append(t, "  'r b%d' = ", i);
    write_vector(w, body->inner);
    write_slides(w, i, 'q');
    crank_text_append(t, ";\n  'p b%d' = ", i);
    if (j < 0) {
        for (int k = 0; k < 3; k++) {
            up[k] = -w->s->gravity[k];
        }
        write_vector(w, up);
    } else {
        crank_text_append(t,
                          "'a b%d' + cross('z b%d', 'r b%d') + cross('w b%d', cross('w b%d', "
                          "'r b%d')) + 2*cross('w b%d', {0, 0, 0}",
                          j, j, i, j, j, i, j);
        write_slides(w, i, 'v');
        crank_text_append(t, ")");
    }
    write_slides(w, i, 'a');
    crank_text_append(t, ";\n");
}

/* names of the vectors before a turn: those of the turn before it, or of the joint's beginning */
static void name_before(int i, int parent, int before, char letter, char *out)
{
    if (before >= 0) {
        (void)snprintf(out, 24, "'%c %d'", letter, before);
    } else if (letter == 'p') {
        (void)snprintf(out, 24, "'p b%d'", i);
    } else if (parent >= 0) {
        (void)snprintf(out, 24, "'%c b%d'", letter, parent);
    } else {
        (void)snprintf(out, 24, "{0, 0, 0}");
    }
}

static void write_motion(const writer *w, int i)
{
    const crank_tree_body *body = &w->shape->body[i];
    crank_text *t = w->text;
    char omega[24], alpha[24], point[24];
    double Q[9];
    const double unit[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    int before = -1;
    fixed_behind(w, i, Q);
    write_point(w, i);
    for (int l = body->first; l < body->first + body->count; l++) {
        if (w->shape->link[l].kind != CRANK_LINK_TURN) {
            continue;
        }
        const double *B = l == body->first + body->count - 1 ? Q : unit;
        double n[3];
        crank_mat3_transposed_times(n, B, w->shape->link[l].axis);
        clean(n, 3);
        name_before(i, body->parent, before, 'w', omega);
        name_before(i, body->parent, before, 'z', alpha);
        name_before(i, body->parent, before, 'p', point);
        write_turn(w, l, B);
        crank_text_append(t, "  'w %d' = transpose('T %d')*%s + ", l, l, omega);
        write_vector(w, n);
        crank_text_append(t, "*'v %d';\n  'z %d' = transpose('T %d')*%s + ", l, l, l, alpha);
        write_vector(w, n);
        crank_text_append(t, "*'a %d' + cross(transpose('T %d')*%s, ", l, l, omega);
        write_vector(w, n);
        crank_text_append(t, "*'v %d');\n  'p %d' = transpose('T %d')*%s;\n", l, l, l, point);
        before = l;
    }
    name_before(i, body->parent, before, 'w', omega);
    name_before(i, body->parent, before, 'z', alpha);
    name_before(i, body->parent, before, 'p', point);
    const char *vectors[3] = {omega, alpha, point};
    for (int k = 0; k < 3; k++) {
        crank_text_append(t, "  '%c b%d' = ", "wze"[k], i);
        if (before < 0) {
            crank_text_append(t, "transpose(");
            write_matrix(w, Q);
            crank_text_append(t, ")*");
        }
        crank_text_append(t, "%s;\n", vectors[k]);
    }
    crank_text_append(t, "  'a b%d' = 'e b%d' - cross('z b%d', ", i, i, i);
    write_vector(w, body->outer);
    crank_text_append(t, ") - cross('w b%d', cross('w b%d', ", i, i);
    write_vector(w, body->outer);
    crank_text_append(t, "));\n");
}

/* ---- forces ---- */

static void write_effort(const writer *w, int l, const double axis[3], const char *force)
{
    const crank_link *link = &w->shape->link[l];
    crank_text_append(w->text, "  'tau %d' = ", l);
    write_vector(w, axis);
    crank_text_append(w->text, "*%s", force);
    if (link->rotor != 0.0) {
        crank_text_append(w->text, " + ");
        write_number(w, link->rotor);
        crank_text_append(w->text, "*'a %d'", l);
    }
    crank_text_append(w->text, ";\n");
}

/* what the joint carries, through its turns to the axes of the parent: 'F b', 'N b' */
static void write_carried(const writer *w, int i)
{
    const crank_tree_body *body = &w->shape->body[i];
    crank_text *t = w->text;
    char force[24], moment[24];
    double Q[9];
    const double unit[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    bool turned = false;
    fixed_behind(w, i, Q);
    (void)snprintf(force, sizeof force, "'f b%d'", i);
    (void)snprintf(moment, sizeof moment, "'n b%d'", i);
    for (int l = body->first + body->count - 1; l >= body->first; l--) {
        if (w->shape->link[l].kind != CRANK_LINK_TURN) {
            continue;
        }
        double n[3];
        crank_mat3_transposed_times(n, turned ? unit : Q, w->shape->link[l].axis);
        clean(n, 3);
        write_effort(w, l, n, moment);
        crank_text_append(t, "  'F %d' = 'T %d'*%s;\n  'N %d' = 'T %d'*%s;\n", l, l, force, l,
                          l, moment);
        (void)snprintf(force, sizeof force, "'F %d'", l);
        (void)snprintf(moment, sizeof moment, "'N %d'", l);
        turned = true;
    }
    for (int k = 0; k < 2; k++) {
        crank_text_append(t, "  '%c b%d' = ", "FN"[k], i);
        if (!turned) {
            write_matrix(w, Q);
            crank_text_append(t, "*");
        }
        crank_text_append(t, "%s;\n", k == 0 ? force : moment);
    }
    (void)snprintf(force, sizeof force, "'F b%d'", i);
    for (int l = body->first; l < body->first + body->count; l++) {
        if (w->shape->link[l].kind == CRANK_LINK_SLIDE) {
            write_effort(w, l, w->shape->link[l].axis, force);
        }
    }
}

static void write_forces(const writer *w, int i)
{
    crank_text *t = w->text;
    const crank_body *body = &w->s->body[i];
    double J[9] = {0.0};
    if (body->kind == CRANK_BODY_SPATIAL) {
        memcpy(J, body->inertia, sizeof J);
    } else if (body->kind == CRANK_BODY_PLANAR) {
        J[8] = body->inertia[8];
    }
    crank_text_append(t, "  'f b%d' = ", i);
    write_number(w, body->mass);
    crank_text_append(t, "*'a b%d'", i);
    for (int c = 0; c < w->shape->body_count; c++) {
        if (w->shape->body[c].parent == i) {
            crank_text_append(t, " + 'F b%d'", c);
        }
    }
    crank_text_append(t, ";\n  'm b%d' = ", i);
    write_matrix(w, J);
    crank_text_append(t, "*'z b%d' + cross('w b%d', ", i, i);
    write_matrix(w, J);
    crank_text_append(t, "*'w b%d')", i);
    for (int c = 0; c < w->shape->body_count; c++) {
        if (w->shape->body[c].parent == i) {
            crank_text_append(t, " + 'N b%d' + cross('r b%d', 'F b%d')", c, c, c);
        }
    }
    crank_text_append(t, ";\n  'n b%d' = 'm b%d' - cross(", i, i);
    write_vector(w, w->shape->body[i].outer);
    crank_text_append(t, ", 'f b%d');\n", i);
    write_carried(w, i);
}

/* ---- all of it ---- */

static void write_link(const writer *w, int l)
{
    crank_text *t = w->text;
    const bool turn = w->shape->link[l].kind == CRANK_LINK_TURN;
    crank_text_append(t, "  der('q %d') = 'v %d';\n  der('v %d') = 'a %d';\n", l, l, l, l);
    if (!has_flange(w, l)) {
        crank_text_append(t, "  'tau %d' = 0;\n", l);
        return;
    }
    crank_text_append(t, "  ");
    write_flange(w, l);
    const crank_block_coordinate *c = &w->coordinate[w->shape->link[l].p];
    const char *sign = c->sign < 0.0 ? "-" : "";
    crank_text_append(t, ".%s = ", turn ? "phi" : "s");
    write_number(w, c->offset);
    crank_text_append(t, " %s 'q %d';\n  ", c->sign < 0.0 ? "-" : "+", l);
    write_flange(w, l);
    crank_text_append(t, ".%s = %s'tau %d';\n", turn ? "tau" : "f", sign, l);
}

crank_status crank_mechanism_write_block(const crank_eom *eom, const double *x,
                                         const crank_block_coordinate *coordinate,
                                         const char *name, crank_text *text, crank_error *err)
{
    const crank_system *s = eom->self;
    const crank_tree_shape *shape = crank_tree_of(&s->coordinates)->shape;
    const writer w = {.eom = eom,
                      .s = s,
                      .shape = shape,
                      .p = x + eom->column[CRANK_P],
                      .v = x + eom->column[CRANK_V],
                      .coordinate = coordinate,
                      .text = text};
    crank_text_append(text, "model %s\n", name);
    for (int l = 0; l < shape->link_count; l++) {
        declare_link(&w, l);
    }
    for (int i = 0; i < shape->body_count; i++) {
        static const char letters[] = "rpwzeafmnFN";
        crank_text_append(text, "  Real ");
        for (const char *c = letters; *c != '\0'; c++) {
            crank_text_append(text, "%s'%c b%d'[3]", c > letters ? ", " : "", *c, i);
        }
        crank_text_append(text, ";\n");
    }
    crank_text_append(text, "equation\n");
    for (int l = 0; l < shape->link_count; l++) {
        write_link(&w, l);
    }
    for (int i = 0; i < shape->body_count; i++) {
        write_motion(&w, i);
        write_forces(&w, i);
    }
    crank_text_append(text, "end %s;\n", name);
    return text->failed ? crank_fail(err, CRANK_EMEM, "a mechanism block") : CRANK_OK;
}
