/* recursion.c - trees of recursion.h: what they cost; their values: copies, checkpoints. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/recursion.h"

#include <stddef.h>
#include <string.h>

/* Of the entries themselves: a balance meets all before it, and each of the six entries that
 * the two have in common is met some five times (branches.c). */
bool crank_recursion_may_pay(const crank_recursion *r)
{
    double work = 0.0, dense = 0.0;
    for (int l = 0; l < r->count; l++) {
        work += 9.0 * r->motion * r->motion * r->link[l].nv;
    }
    for (int l = 0; l < r->count && dense <= work; l++) {
        double before = 0.0;
        for (int j = l; j >= 0; j = r->link[j].before) {
            before += r->link[j].nv;
        }
        dense += r->link[l].nv * before * (before + 30.0);
    }
    return dense > work;
}

void crank_recursion_copy(const crank_recursion *r, const crank_recursion_values *from,
                          crank_recursion_values *to)
{
    for (int l = 0; l < r->count; l++) {
        memcpy(&to[l], &from[l], offsetof(crank_recursion_values, B));
        if (r->link[l].pushed) {
            memcpy(to[l].B, from[l].B, sizeof to[l].B);
            memcpy(to[l].C, from[l].C, sizeof to[l].C);
        }
        if (r->link[l].apart) {
            memcpy(to[l].pass, from[l].pass, sizeof to[l].pass);
        }
    }
    for (int i = r->count; i < r->count + r->pair_count; i++) {
        memcpy(to[i].K, from[i].K, sizeof to[i].K);
    }
}

void crank_recursion_archive(const crank_recursion *r, crank_recursion_values *values,
                             crank_archive *archive)
{
    crank_archive_doubles(archive, (double *)values,
                          crank_recursion_size(r) * sizeof *values / sizeof(double));
}
