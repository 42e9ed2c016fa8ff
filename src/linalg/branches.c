/* branches.c - the parts of a matrix with a tree: branches.h.
 *
 * A row is local if it speaks of one link alone, besides columns of the border. A local column
 * (p, v, or one that only local rows of one link contain, as what moves a quaternion back to
 * its length) needs a local row of its own: they are matched, and what is left over is the
 * border's. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/branches.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = -1, SEVERAL = -2, ACCELERATION = 8 };

typedef struct finder {
    const crank_solver_setup *setup;
    crank_branches *t;
    int *link_of_column; /* n: link of p, v, a; then of all local columns */
    int *kind;           /* n: component of p, 4 + that of v, ACCELERATION + that of a, NONE */
    int *balance;        /* n: link of the balance that a row is, NONE */
    int *link_of_row;    /* n: of which it speaks, NONE or SEVERAL */
    int *match;          /* n: column of a row, NONE */
    int *seen;           /* n: rows, mark */
    int *place_row, *place_column; /* n: number among locals of its link, or in the border */
    int mark;
} finder;

/* ---- which is which ---- */

static bool mark_links(finder *f)
{
    const crank_recursion *r = f->setup->recursion;
    for (int j = 0; j < f->t->n; j++) {
        f->link_of_column[j] = f->kind[j] = f->balance[j] = f->link_of_row[j] = NONE;
        f->match[j] = f->place_row[j] = f->place_column[j] = NONE;
    }
    for (int l = 0; l < r->count; l++) {
        const crank_recursion_link *link = &r->link[l];
        for (int k = 0; k < link->np; k++) {
            f->link_of_column[link->p + k] = l;
            f->kind[link->p + k] = k;
        }
        for (int k = 0; k < link->nv; k++) {
            const int row = f->setup->recursion_row[link->row + k];
            f->link_of_column[link->v + k] = f->link_of_column[link->a + k] = l;
            f->kind[link->v + k] = 4 + k;
            f->kind[link->a + k] = ACCELERATION + k;
            if (row < 0 || row != f->setup->recursion_row[link->row] + k) {
                return false;
            }
            f->balance[row] = l;
        }
        f->t->branch[l].row = f->setup->recursion_row[link->row];
    }
    return true;
}

static void find_local_rows(finder *f)
{
    const int *start = f->setup->start, *row = f->setup->row;
    for (int j = 0; j < f->t->n; j++) {
        const int l = f->link_of_column[j];
        for (int e = start[j]; e < start[j + 1] && l >= 0; e++) {
            int *of = &f->link_of_row[row[e]];
            *of = f->balance[row[e]] >= 0 || (*of != NONE && *of != l) ? SEVERAL : l;
        }
    }
}

/* of other columns: those whose rows are all local ones of the same link */
static void find_local_columns(finder *f)
{
    const int *start = f->setup->start, *row = f->setup->row;
    for (int j = 0; j < f->t->n; j++) {
        int l = NONE;
        for (int e = start[j]; e < start[j + 1] && f->kind[j] == NONE; e++) {
            const int of = f->link_of_row[row[e]];
            l = l == SEVERAL || of < 0 || (l >= 0 && l != of) ? SEVERAL : of;
        }
        if (l >= 0) {
            f->link_of_column[j] = l;
        }
    }
}

/* a row for column j, along an augmenting path */
static bool match(finder *f, int j)
{
    const int l = f->link_of_column[j], *start = f->setup->start, *row = f->setup->row;
    for (int e = start[j + 1] - 1; e >= start[j]; e--) {
        const int i = row[e];
        if (f->link_of_row[i] != l || f->seen[i] == f->mark) {
            continue;
        }
        f->seen[i] = f->mark;
        if (f->match[i] == NONE || match(f, f->match[i])) {
            f->match[i] = j;
            return true;
        }
    }
    return false;
}

static void match_all(finder *f)
{
    for (int j = 0; j < f->t->n; j++) {
        if (f->link_of_column[j] >= 0 && f->kind[j] < ACCELERATION) {
            f->mark++;
            (void)match(f, j);
        }
    }
}

/* ---- lists ---- */

/* locals in the order of links, then the border */
static bool number_parts(finder *f, bool fill)
{
    crank_branches *t = f->t;
    int *next = f->seen, rows = 0, columns = 0;
    memset(next, 0, (size_t)t->n * sizeof *next);
    for (int i = 0; i < t->n; i++) {
        if (f->match[i] != NONE) {
            f->place_row[i] = f->place_column[f->match[i]] = next[f->link_of_row[i]]++;
        }
    }
    t->locals = 0;
    for (int l = 0; l < t->recursion->count; l++) {
        t->branch[l].first = t->locals;
        t->branch[l].local = next[l];
        t->locals += next[l];
        if (next[l] > CRANK_BRANCH_LOCAL) {
            return false;
        }
    }
    for (int i = 0; i < t->n; i++) {
        if (f->match[i] != NONE && fill) {
            const int at = t->branch[f->link_of_row[i]].first + f->place_row[i],
                      kind = f->kind[f->match[i]];
            t->row[at] = i;
            t->column[at] = f->match[i];
            t->kind[at] = kind;
        } else if (f->match[i] == NONE && f->balance[i] == NONE) {
            if (fill) {
                t->border_row[rows] = i;
                f->place_row[i] = rows;
            }
            rows++;
        }
    }
    for (int j = 0; j < t->n; j++) {
        if (f->place_column[j] == NONE && f->kind[j] < ACCELERATION) {
            if (fill) {
                t->border_column[columns] = j;
            }
            columns++;
        }
    }
    t->border = columns;
    return rows == columns;
}

static void list_entries(finder *f, bool fill, const bool *in_border)
{
    crank_branches *t = f->t;
    const int *start = f->setup->start, *row = f->setup->row;
    t->own_count = t->down_count = t->across_count = t->corner_count = 0;
    for (int j = 0; j < t->n; j++) {
        const int l = f->link_of_column[j];
        const bool a = f->kind[j] >= ACCELERATION;
        for (int e = start[j]; e < start[j + 1]; e++) {
            const int i = row[e];
            const bool outer = f->match[i] == NONE && f->balance[i] == NONE;
            crank_branch_entry item = {.entry = e, .i = f->place_row[i], .j = j};
            crank_branch_entry *list = t->across;
            int *count = &t->across_count;
            if (in_border[j]) {
                item.i = outer ? item.i : i;
                item.j = f->place_column[j];
                list = outer ? t->corner : t->down;
                count = outer ? &t->corner_count : &t->down_count;
            } else if (!outer && f->balance[i] == NONE) {
                item.j =
                    a ? t->branch[l].local + f->kind[j] - ACCELERATION : f->place_column[j];
                list = t->own;
                count = &t->own_count;
            } else if (!outer) {
                continue; /* of a balance: by recursion */
            }
            if (fill) {
                list[*count] = item;
            }
            (*count)++;
        }
    }
}

static int link_of_entry(const finder *f, const crank_branch_entry *item)
{
    return f->link_of_row[f->setup->row[item->entry]];
}

/* by links: counting sort */
static bool sort_own(finder *f)
{
    crank_branches *t = f->t;
    crank_branch_entry *copy = malloc(((size_t)t->own_count + 1) * sizeof *copy);
    int *next = f->seen;
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, t->own, (size_t)t->own_count * sizeof *copy);
    memset(next, 0, (size_t)t->n * sizeof *next);
    for (int e = 0; e < t->own_count; e++) {
        next[link_of_entry(f, &copy[e])]++;
    }
    for (int l = 0, at = 0; l <= t->recursion->count; l++) {
        t->branch[l].entry = at;
        if (l < t->recursion->count) {
            at += next[l];
            next[l] = t->branch[l].entry;
        }
    }
    for (int e = 0; e < t->own_count; e++) {
        t->own[next[link_of_entry(f, &copy[e])]++] = copy[e];
    }
    free(copy);
    return true;
}

/* ---- cost ---- */

/* Multiplications of a factorisation and the solutions that follow, some SOLUTIONS of them:
 * along the tree with its border, and with one look at all entries where there is one; of the
 * entries themselves from the tips to the root, at least. Then a balance meets all before it,
 * the columns p and v of each link all entries of one another, and a solution all entries. */
static void count_work(crank_branches *t, int entries, int *before)
{
    enum { SOLUTIONS = 3 };
    const double m = t->motion, w = 3.0 * m, edge = t->edge, b = t->border;
    double solve = t->n * edge;
    t->work = edge > 0.0 ? 2.0 * entries : 0.0;
    t->dense = b * b * b / 3.0 + (2.0 + SOLUTIONS) * entries;
    for (int l = 0; l < t->recursion->count; l++) {
        const crank_recursion_link *link = &t->recursion->link[l];
        const double nv = link->nv, q = t->branch[l].local, blocks = link->pushed ? 4.0 : 1.0;
        const double apart = link->apart ? 6.0 * 9.0 * 18.0 : 0.0;
        t->work += m * w * (3.0 * nv + q + blocks * nv) + nv * w * (nv + q) + apart;
        solve += nv * (2.0 * w + 2.0 * m + q) + q * (w + m + q) + apart / 6.0;
        before[l] = (link->before >= 0 ? before[link->before] : 0) + link->nv;
        for (int k = 0; k < link->nv; k++) {
            const double on_the_way = before[l] - link->nv + k;
            t->dense += on_the_way * on_the_way;
        }
    }
    t->work += edge * (solve + t->across_count + m * w * t->recursion->pair_count) +
               edge * edge * edge / 3.0 + SOLUTIONS * solve;
}

/* ---- pairs ---- */

/* links that forces of pairs act on, by order of pairs; number: of each link */
static void list_pushes(crank_branches *t, int *number, bool fill)
{
    const crank_recursion *r = t->recursion;
    memset(number, 0, (size_t)r->count * sizeof *number);
    t->push_count = 0;
    for (int i = 0; i < r->pair_count; i++) {
        const int on = r->pair[i].on;
        if (number[on] == 0) {
            number[on] = ++t->push_count;
            if (fill) {
                t->push[number[on] - 1] = on;
            }
        }
        if (fill) {
            t->pair_push[i] = number[on] - 1;
        }
    }
    t->edge = t->border + t->push_count * t->motion;
}

/* ---- memory ---- */

static void place_numbers(crank_branches *t)
{
    t->numbers = t->constants = 0;
    for (int l = 0; l < t->recursion->count; l++) {
        const crank_recursion_link *link = &t->recursion->link[l];
        crank_branch *b = &t->branch[l];
        b->number = t->numbers;
        b->constant = t->constants;
        t->numbers += crank_branch_places(link, t->motion, b->local).end;
        t->constants += crank_branch_constants(link, t->motion, b->local);
        t->pushes = t->pushes || link->pushed;
    }
}

static void layout_factors(crank_branches *t, const crank_solver_setup *setup)
{
    const size_t stride = setup->real ? 1 : 2, n = (size_t)t->n, edge = (size_t)t->edge,
                 pairs = 3 * (size_t)(t->motion * t->motion) * (size_t)t->recursion->pair_count;
    for (int i = 0; i < setup->shifts; i++) {
        crank_branch_factors *f = &t->factors[i];
        f->number = crank_arena_take(&t->arena, stride * t->numbers, sizeof(double));
        f->constant = crank_arena_take(&t->arena, t->constants, sizeof(double));
        f->pair = crank_arena_take(&t->arena, pairs, sizeof(double));
        f->reach = crank_arena_take(&t->arena, stride * n * edge, sizeof(double));
        f->border = crank_arena_take(&t->arena, stride * edge * edge, sizeof(double));
        f->scale = crank_arena_take(&t->arena, edge, sizeof(double));
        f->across =
            crank_arena_take(&t->arena, stride * (size_t)t->across_count, sizeof(double));
        f->border_pivot = crank_arena_take(&t->arena, edge, sizeof(int));
    }
}

static void layout(crank_branches *t, const crank_solver_setup *setup)
{
    const size_t stride = setup->real ? 1 : 2, n = (size_t)t->n,
                 links = (size_t)t->recursion->count, m = (size_t)t->motion,
                 pushed = t->pushes ? links : 0;
    crank_arena *arena = &t->arena;
    t->row = crank_arena_take(arena, (size_t)t->locals, sizeof(int));
    t->column = crank_arena_take(arena, (size_t)t->locals, sizeof(int));
    t->kind = crank_arena_take(arena, (size_t)t->locals, sizeof(int));
    t->own = crank_arena_take(arena, (size_t)t->own_count, sizeof *t->own);
    t->down = crank_arena_take(arena, (size_t)t->down_count, sizeof *t->down);
    t->across = crank_arena_take(arena, (size_t)t->across_count, sizeof *t->across);
    t->corner = crank_arena_take(arena, (size_t)t->corner_count, sizeof *t->corner);
    t->border_row = crank_arena_take(arena, (size_t)t->border, sizeof(int));
    t->border_column = crank_arena_take(arena, (size_t)t->border, sizeof(int));
    t->push = crank_arena_take(arena, (size_t)t->push_count, sizeof(int));
    t->pair_push = crank_arena_take(arena, (size_t)t->recursion->pair_count, sizeof(int));
    t->K = crank_arena_take(arena, stride * links * 3 * m * m, sizeof(double));
    t->B = crank_arena_take(arena, stride * pushed * 3 * m * m, sizeof(double));
    t->C = crank_arena_take(arena, stride * pushed * 3 * m * m, sizeof(double));
    t->all = crank_arena_take(arena, stride * links * 3 * m * m, sizeof(double));
    t->f = crank_arena_take(arena, stride * links * m, sizeof(double));
    t->y = crank_arena_take(arena, stride * links * 3 * m, sizeof(double));
    t->u = crank_arena_take(arena, stride * links * 3, sizeof(double));
    t->z = crank_arena_take(arena, stride * ((size_t)t->locals + links), sizeof(double));
    t->b = crank_arena_take(arena, stride * (n + (size_t)t->edge), sizeof(double));
    t->x = crank_arena_take(arena, stride * n, sizeof(double));
    layout_factors(t, setup);
}

static bool take_finder(finder *f)
{
    const size_t n = (size_t)f->t->n + (size_t)f->setup->recursion->count + 1;
    int **const list[] = {&f->link_of_column, &f->kind, &f->balance,   &f->link_of_row,
                          &f->match,          &f->seen, &f->place_row, &f->place_column};
    bool fine = true;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        *list[i] = calloc(n, sizeof(int));
        fine = fine && *list[i] != NULL;
    }
    return fine;
}

static void free_finder(finder *f)
{
    int *const list[] = {f->link_of_column, f->kind, f->balance,   f->link_of_row,
                         f->match,          f->seen, f->place_row, f->place_column};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        free(list[i]);
    }
}

/* ---- creation ---- */

static void number_border(finder *f, const bool *in_border)
{
    for (int j = 0, columns = 0; j < f->t->n; j++) {
        if (in_border[j]) {
            f->place_column[j] = columns++;
        }
    }
}

static crank_status fill(finder *f, bool *in_border)
{
    crank_branches *t = f->t;
    const crank_solver_setup *setup = f->setup;
    if (!mark_links(f)) {
        return CRANK_RETRY;
    }
    find_local_rows(f);
    find_local_columns(f);
    memset(f->seen, 0, (size_t)t->n * sizeof *f->seen);
    match_all(f);
    if (!number_parts(f, false)) {
        return CRANK_RETRY;
    }
    for (int j = 0; j < t->n; j++) {
        in_border[j] = f->place_column[j] == NONE && f->kind[j] < ACCELERATION;
    }
    list_entries(f, false, in_border);
    place_numbers(t);
    list_pushes(t, f->seen, false);
    layout(t, setup);
    if (!crank_arena_allocate(&t->arena)) {
        return CRANK_EMEM;
    }
    layout(t, setup);
    (void)number_parts(f, true);
    number_border(f, in_border);
    list_entries(f, true, in_border);
    if (!sort_own(f)) {
        return CRANK_EMEM;
    }
    list_pushes(t, f->seen, true);
    count_work(t, setup->start[t->n], f->seen);
    return CRANK_OK;
}

crank_status crank_branches_create(const crank_solver_setup *setup, crank_branches **out,
                                   crank_error *err)
{
    crank_branches *t = calloc(1, sizeof *t);
    bool *in_border = calloc((size_t)setup->n + 1, sizeof *in_border);
    finder f = {.setup = setup, .t = t};
    crank_status status = CRANK_EMEM;
    *out = NULL;
    if (t != NULL) {
        t->n = setup->n;
        t->recursion = setup->recursion;
        t->values = setup->recursion_values;
        t->motion = setup->recursion->motion;
        t->branch = calloc((size_t)t->recursion->count + 1, sizeof *t->branch);
    }
    if (t != NULL && t->branch != NULL && in_border != NULL && take_finder(&f)) {
        status = fill(&f, in_border);
    }
    if (t != NULL) {
        free_finder(&f);
    }
    free(in_border);
    if (status == CRANK_OK) {
        *out = t;
        return CRANK_OK;
    }
    crank_branches_destroy(t);
    return status == CRANK_RETRY
               ? status
               : crank_fail(err, CRANK_EMEM, "tree of a matrix of %d rows", setup->n);
}

void crank_branches_destroy(crank_branches *t)
{
    if (t != NULL) {
        crank_arena_free(&t->arena);
        free(t->branch);
        free(t);
    }
}
