/* assembly.c - see mechanics/assembly.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/assembly.h"
#include "mechanics/build_inside.h"
#include "mechanics/joint/tree.h"
#include "mechanics/known_start.h"
#include "mechanics/rolling_start.h"

#include "base/then.h"

#include <stdlib.h>
#include <string.h>

struct crank_assembly {
    crank_system *absolute;
    crank_store store;
    double *start, *x; /* unknowns of it */
    crank_fixing *fixing;
    const char *const *joint; /* names */
};

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "start values of the mechanism");
}

/* how far from joints' positions bodies may be that the search has put there: it ends at
 * rounding, this is far above; axes the wrong way round are at two */
static const double closes = 1e-6;

static crank_status fill(crank_assembly *a, crank_builder *b, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    crank_status status = crank_tree_choose(b, err);
    CRANK_THEN(status, crank_system_create(b, &a->absolute, err));
    if (status != CRANK_OK) {
        return status;
    }
    const size_t n = (size_t)a->absolute->eom->n, joints = (size_t)m->joint_count;
    const char **joint = crank_store_take(&a->store, joints, sizeof *joint);
    a->start = crank_store_take(&a->store, n, sizeof *a->start);
    a->x = crank_store_take(&a->store, n, sizeof *a->x);
    a->fixing = crank_store_take(&a->store, n, sizeof *a->fixing);
    for (size_t i = 0; i < joints && joint != NULL; i++) {
        joint[i] = crank_store_print(&a->store, "%s", m->joint[i].name);
    }
    a->joint = joint;
    if (a->store.failed) {
        return no_memory(err);
    }
    crank_system_start(a->absolute, b, a->start, a->fixing);
    memcpy(a->x, a->start, n * sizeof *a->x);
    crank_tree_drop(b);
    b->coordinates = &crank_joint_coordinates;
    return CRANK_OK;
}

crank_status crank_assembly_create(crank_builder *b, crank_assembly **out, crank_error *err)
{
    crank_assembly *a = calloc(1, sizeof *a);
    *out = NULL;
    if (a == NULL) {
        return no_memory(err);
    }
    const crank_status status = fill(a, b, err);
    if (status != CRANK_OK) {
        crank_assembly_destroy(a);
        return status;
    }
    *out = a;
    return CRANK_OK;
}

void crank_assembly_destroy(crank_assembly *a)
{
    if (a != NULL) {
        crank_eom_destroy(a->absolute != NULL ? a->absolute->eom : NULL);
        crank_store_free(&a->store);
        free(a);
    }
}

crank_status crank_assembly_share(const crank_assembly *from, crank_system *s, crank_error *err)
{
    const size_t n = (size_t)from->absolute->eom->n;
    crank_assembly *a = calloc(1, sizeof *a);
    crank_eom *eom = NULL;
    s->assembly = a; /* which destroys it */
    if (a == NULL) {
        return no_memory(err);
    }
    a->joint = from->joint;
    a->fixing = from->fixing;
    a->start = from->start;
    a->x = crank_store_take(&a->store, n, sizeof *a->x);
    if (a->x != NULL) {
        memcpy(a->x, from->start, n * sizeof *a->x);
    }
    crank_status status = a->x != NULL ? CRANK_OK : no_memory(err);
    CRANK_THEN(status, crank_eom_share(from->absolute->eom, &eom, err));
    if (status == CRANK_OK) {
        status = crank_system_share(from->absolute, eom, &a->absolute, err);
        if (status != CRANK_OK) {
            crank_eom_destroy(eom);
        }
    }
    return status;
}

/* ---- start values ---- */

/* all but p, v and accelerations */
static void take_others(const crank_tree *tree, const crank_assembly *a, double *x)
{
    const crank_eom *to = tree->s->eom, *from = a->absolute->eom;
    static const crank_group same[] = {CRANK_MU, CRANK_R, CRANK_S};
    for (size_t g = 0; g < sizeof same / sizeof *same; g++) {
        const int count = to->column[same[g] + 1] - to->column[same[g]];
        memcpy(x + to->column[same[g]], a->x + from->column[same[g]],
               (size_t)count * sizeof *x);
    }
    const int auxiliary = to->sizes.w - tree->shape->nv;
    memcpy(x + to->column[CRANK_W], a->x + from->column[CRANK_W],
           (size_t)auxiliary * sizeof *x);
    for (int i = 0; i < tree->shape->lambda_count; i++) {
        if (tree->shape->lambda[i] >= 0) {
            x[to->column[CRANK_LAMBDA] + tree->shape->lambda[i]] =
                a->x[from->column[CRANK_LAMBDA] + i];
        }
    }
}

static crank_status read_coordinates(const crank_tree *tree, const crank_assembly *a, double t,
                                     double *x, crank_error *err)
{
    int worst = -1;
    const double off = crank_tree_take(tree, t, a->absolute->state,
                                       a->absolute->eom->parts->length, x, &worst);
    if (off < closes) {
        take_others(tree, a, x);
        return CRANK_OK;
    }
    const int joint = tree->shape->body[worst].joint;
    return crank_fail(err, CRANK_EREFUSED,
                      "joint \"%.80s\": its bodies stand the wrong way round, as a tree cannot "
                      "have them; reverse an axis, or use coordinates: absolute",
                      joint >= 0 ? a->joint[joint] : "?");
}

crank_status crank_assembly_find(crank_system *s, double t, double *x,
                                 crank_initial_report *report, crank_log log, crank_error *err)
{
    crank_assembly *a = s->assembly;
    crank_system *absolute = a->absolute;
    const size_t memory = (size_t)s->memory_count;
    absolute->eom->window = s->eom->window;
    memcpy(a->x, a->start, (size_t)absolute->eom->n * sizeof *a->x);
    if (memory > 0) {
        memcpy(absolute->memory, s->memory_start, memory * sizeof *s->memory);
        memcpy(absolute->memory_start, s->memory_start, memory * sizeof *s->memory);
    }
    crank_status status = CRANK_OK;
    if (!absolute->shared && absolute->known_start == NULL) { /* a model is being made */
        status = crank_system_know_start(absolute, t, a->x, a->fixing, err);
    }
    CRANK_THEN(status,
               crank_system_find_start(absolute, t, a->x, a->fixing, NULL, report, log, err));
    if (status != CRANK_OK) {
        return status;
    }
    crank_system_point(absolute, t, a->x);
    return read_coordinates(crank_tree_of(&s->coordinates), a, t, x, err);
}

crank_status crank_assembly_roll(crank_system *s, double t, double *x, crank_error *err)
{
    const crank_assembly *a = s->assembly;
    crank_system *absolute = a->absolute;
    const crank_eom *to = absolute->eom, *from = s->eom;
    static const crank_group same[] = {CRANK_MU, CRANK_R, CRANK_S};
    int worst = -1;
    if (absolute->wheel_count == 0) {
        return CRANK_OK;
    }
    double *rolling = malloc(((size_t)to->n + (size_t)from->n) * sizeof *rolling);
    if (rolling == NULL) {
        return no_memory(err);
    }
    double *taken = rolling + to->n;
    memcpy(rolling, a->x, (size_t)to->n * sizeof *rolling);
    memcpy(taken, x, (size_t)from->n * sizeof *taken);
    for (size_t g = 0; g < sizeof same / sizeof *same; g++) {
        const int count = to->column[same[g] + 1] - to->column[same[g]];
        memcpy(rolling + to->column[same[g]], x + from->column[same[g]],
               (size_t)count * sizeof *x);
    }
    crank_system_point(s, t, x);
    (void)absolute->coordinates.kind->take(absolute, t, s->state, rolling, &worst);
    const crank_status status =
        crank_system_roll_again(absolute, t, a->x, rolling, a->fixing, err);
    crank_system_point(absolute, t, rolling);
    if (status == CRANK_OK &&
        s->coordinates.kind->take(s, t, absolute->state, taken, &worst) < closes) {
        memcpy(x + from->column[CRANK_V], taken + from->column[CRANK_V],
               (size_t)from->sizes.v * sizeof *x);
    }
    free(rolling);
    return status;
}

crank_eom *crank_assembly_values(const crank_assembly *a, const double **given,
                                 const double **found, const crank_fixing **fixing)
{
    *given = a->start;
    *found = a->x;
    *fixing = a->fixing;
    return a->absolute->eom;
}
