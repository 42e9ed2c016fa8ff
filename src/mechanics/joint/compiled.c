/* compiled.c - see compiled.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/compiled.h"

#include "mechanics/joint/emit.h"
#include "mechanics/joint/spatial.h"

#include <stddef.h>

struct crank_tree_program {
    crank_compiled *compiled; /* of the first one that has it */
    crank_compiled_fn *run[EMIT_SECTIONS];
    emit_slots slot;
    int size;              /* of w */
    int seen_count, *seen; /* bodies that are looked at */
    double *w;
    const double *x;                  /* of the point of now */
    crank_log log;                    /* while the model is made */
    crank_compiled_fn *differentiate; /* NULL: derivatives are not compiled */
    crank_tree_products products;
};

/* ---- running ---- */

static void take_state(const double *from, crank_body_state *to)
{
    memcpy(to->x, from, sizeof to->x);
    memcpy(to->v, from + 12, sizeof to->v);
    memcpy(to->a, from + 18, sizeof to->a);
    if (to->kind == CRANK_BODY_SPATIAL) {
        memcpy(to->R, from + 3, sizeof to->R);
        memcpy(to->omega, from + 15, sizeof to->omega);
        memcpy(to->alpha, from + 21, sizeof to->alpha);
    } else if (to->kind == CRANK_BODY_PLANAR) {
        memcpy(to->R, from + 3, sizeof to->R);
        to->omega[2] = from[17];
        to->alpha[2] = from[23];
        to->angle = from[24];
    }
}

static void take_links(crank_tree *tree)
{
    const struct crank_tree_program *p = tree->program;
    for (int l = 0; l < tree->shape->link_count; l++) {
        const double *from = p->w + p->slot.link + (ptrdiff_t)EMIT_LINK * l;
        crank_link_value *to = &tree->link[l];
        memcpy(to->P, from, sizeof to->P);
        memcpy(to->S, from + 3, (size_t)tree->shape->link[l].nv * sizeof to->S[0]);
    }
    for (int i = 0; i < p->seen_count; i++) {
        crank_tree_value *to = &tree->body[p->seen[i]];
        memcpy(to->c, p->w + p->slot.center + (ptrdiff_t)3 * i, sizeof to->c);
    }
}

void crank_tree_compiled_states(crank_tree *tree, double t, const double *x, bool links)
{
    struct crank_tree_program *p = tree->program;
    crank_tree_lead(tree, t, x);
    for (int i = 0; i < CRANK_LED_NUMBERS * tree->led_count; i++) {
        p->w[p->slot.led + i] = tree->led_value[i];
    }
    p->x = x;
    tree->compiled_point = true;
    if (p->seen_count == 0) {
        return;
    }
    p->run[EMIT_STATES](x, p->w);
    for (int i = 0; i < p->seen_count; i++) {
        take_state(p->w + p->slot.state + (ptrdiff_t)EMIT_STATE * i,
                   &tree->s->state[p->seen[i]]);
    }
    if (links) {
        p->run[EMIT_LINKS](x, p->w);
        take_links(tree);
    }
}

void crank_tree_compiled_rows(crank_tree *tree, double *k)
{
    struct crank_tree_program *p = tree->program;
    for (int i = 0; i < p->seen_count; i++) {
        memcpy(p->w + p->slot.load + (ptrdiff_t)EMIT_LOAD * i, tree->body[p->seen[i]].load,
               EMIT_LOAD * sizeof *p->w);
    }
    p->run[EMIT_ROWS](p->x, p->w);
    memcpy(k + tree->row_d, p->w + p->slot.d, (size_t)tree->shape->nv * sizeof *k);
}

bool crank_tree_compiled_factor(crank_tree *tree)
{
    struct crank_tree_program *p = tree->program;
    p->run[EMIT_FACTOR](p->w, p->w); /* reads no unknown: rows have kept them */
    return p->w[p->slot.fine] > 0.0;
}

void crank_tree_compiled_solve(crank_tree *tree, const double *r, double *y)
{
    struct crank_tree_program *p = tree->program;
    const size_t nv = (size_t)tree->shape->nv;
    memcpy(p->w + p->slot.r, r, nv * sizeof *r);
    p->run[EMIT_SOLVE](p->w, p->w);
    memcpy(y, p->w + p->slot.y, nv * sizeof *y);
}

/* ---- derivatives ---- */

bool crank_tree_compiled_derivatives(crank_system *s, double t, const double *x,
                                     crank_fill *fill)
{
    crank_tree *tree = crank_tree_of(&s->coordinates);
    const struct crank_tree_program *p = tree->program;
    const crank_tree_shape *shape = tree->shape;
    (void)t;
    if (p == NULL || p->differentiate == NULL || s->eom->recursion_wanted) {
        return false; /* elimination along the tree wants blocks, not entries */
    }
    p->differentiate(x, p->products.w);
    for (int l = 0; l < shape->link_count; l++) {
        const crank_link *link = &shape->link[l];
        if (link->kind == CRANK_LINK_BALL) {
            memcpy(tree->link[l].q, x + tree->column_p + link->p, 4 * sizeof *x);
            memcpy(tree->link[l].omega, x + tree->column_v + link->v, 3 * sizeof *x);
        }
        crank_tree_fill_kinematics(tree, l, fill);
    }
    crank_tree_products_fill(tree, &p->products, fill);
    tree->compiled_point = false;
    return true;
}

/* ---- making ---- */

/* trees that nothing pulls at, with inertia everywhere */
static bool has_derivatives(const crank_tree *tree)
{
    bool fine =
        tree->program->seen_count == 0 && tree->s->law_count == 0 && tree->led_count == 0;
    for (int i = 0; i < tree->shape->body_count; i++) {
        fine = fine && !crank_tree_is_thin(&tree->s->body[i]);
    }
    for (int l = 0; l < tree->shape->link_count; l++) {
        fine = fine && !tree->shape->link[l].apart;
    }
    return fine;
}

/* bodies of primitives that laws and constraints are made of; number: of each, -1: none */
static void look(const crank_system *s, struct crank_tree_program *p, int *number)
{
    for (int i = 0; i < s->body_count; i++) {
        number[i] = -1;
    }
    for (int i = 0; i < s->needed_count + s->row_count; i++) {
        const int y =
            i < s->needed_count ? s->needed[i] : s->row_primitive[i - s->needed_count];
        for (int b = 0; b < s->primitive[y].bodies; b++) {
            const int body = s->primitive[y].body[b];
            if (number[body] < 0) {
                number[body] = p->seen_count;
                p->seen[p->seen_count++] = body;
            }
        }
    }
}

/* slides before turns, one lead, points at their joints: what links.c makes */
static bool is_emitted(const crank_tree *tree, int *body)
{
    for (int i = 0; i < tree->shape->body_count; i++) {
        const crank_tree_body *b = &tree->shape->body[i];
        const crank_body_kind kind = tree->s->body[i].kind;
        const bool point = kind == CRANK_BODY_POINT || kind == CRANK_BODY_PLANAR_POINT;
        bool turned = false, fine = true;
        for (int l = b->first; l < b->first + b->count; l++) {
            const crank_link *link = &tree->shape->link[l];
            fine = fine && !(turned && (link->kind == CRANK_LINK_SLIDE || link->lead != 0.0));
            turned = turned || link->kind != CRANK_LINK_SLIDE;
        }
        for (int k = 0; k < 3; k++) {
            fine = fine && !(point && b->outer[k] != 0.0);
        }
        if (!fine) {
            *body = i;
            return false;
        }
    }
    return true;
}

static crank_status load(struct crank_tree_program *p, const char *source,
                         const crank_model_options *options, crank_error *err)
{
    crank_status status =
        crank_compiled_load(source, options->cache, options->log, &p->compiled, err);
    for (int i = 0; i < EMIT_SECTIONS && status == CRANK_OK; i++) {
        p->run[i] = crank_compiled_find(p->compiled, emit_names[i]);
        if (p->run[i] == NULL) {
            status = crank_fail(err, CRANK_ECOMPILE, "%s: not found in the compiled model",
                                emit_names[i]);
        }
    }
    if (status == CRANK_OK && p->products.w != NULL) {
        p->differentiate = crank_compiled_find(p->compiled, "derivatives");
    }
    return status;
}

crank_status crank_tree_compile(crank_tree *tree, const crank_builder *b, crank_error *err)
{
    crank_system *s = tree->s;
    const crank_model_options *options = b->mechanism->options;
    struct crank_tree_program *p = crank_store_take(&s->store, 1, sizeof *p);
    int *number = crank_store_take(&s->store, (size_t)s->body_count + 1, sizeof *number);
    int body;
    tree->program = p;
    if (!is_emitted(tree, &body)) {
        return crank_fail(err, CRANK_EREFUSED,
                          "body \"%.80s\": its joint is not compiled; leave out --compile",
                          b->mechanism->body[body].name);
    }
    if (p != NULL) {
        p->seen = crank_store_take(&s->store, (size_t)s->body_count + 1, sizeof *p->seen);
    }
    if (s->store.failed) {
        return crank_fail(err, CRANK_EMEM, "compiling the mechanism");
    }
    crank_text text = {0};
    look(s, p, number);
    p->size = emit_tree(tree, number, p->seen_count, &p->slot, &text, NULL);
    p->w = crank_store_take(&s->store, (size_t)p->size, sizeof *p->w);
    if (has_derivatives(tree)) {
        const int size = emit_derivatives(tree, &text);
        p->size = crank_tree_products_create(tree, size, &p->products) ? p->size : 0;
    }
    const crank_status status = p->size > 0 && p->w != NULL
                                    ? load(p, text.data, options, err)
                                    : crank_fail(err, CRANK_EMEM, "compiling the mechanism");
    crank_text_free(&text);
    p->log = options->log;
    if (status == CRANK_OK) {
        crank_tree_compiled_note(tree, p->seen_count > 0 ? "forces, constraints, derivatives"
                                       : p->differentiate == NULL ? "derivatives"
                                                                  : "reactions, outputs");
    }
    return status;
}

void crank_tree_compiled_note(const crank_tree *tree, const char *text)
{
    crank_log_write(&tree->program->log, CRANK_INFO, "not compiled: %s", text);
}

bool crank_tree_compiled_share(crank_tree *tree, const crank_tree *from)
{
    if (from->program == NULL) {
        return true;
    }
    struct crank_tree_program *p = crank_store_take(&tree->s->store, 1, sizeof *p);
    if (p == NULL) {
        return false;
    }
    *p = *from->program;
    p->w = crank_store_take(&tree->s->store, (size_t)p->size, sizeof *p->w);
    if (p->differentiate != NULL) {
        (void)crank_tree_products_create(tree, p->products.size, &p->products);
    }
    tree->program = p;
    tree->compiled_point = false;
    return !tree->s->store.failed;
}

void crank_tree_compiled_destroy(crank_tree *tree)
{
    if (tree->program != NULL) {
        crank_compiled_unload(tree->program->compiled);
    }
}
