/* hidden_blocks.c - the blocks of the Jacobian that decide ranks, for hidden constraints
 * that are made by differences:
 *     G = g_p - g_s c_s^-1 c_p,  gI_v = G Z,  [gII; hI]_y = [gI_v; h_v] M^-1 f_y,
 *     y = (w, lambda, mu).
 * Dense, as are the models of those who supply no derivatives. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/hidden_blocks.h"

#include "linalg/dense.h"

#include <string.h>

void crank_hidden_blocks_layout(crank_hidden_blocks *b, crank_arena *arena)
{
    const crank_eom_sizes *s = &b->eom->sizes;
    const size_t np = (size_t)s->p, nv = (size_t)s->v, nl = (size_t)s->lambda,
                 ns = (size_t)s->s;
    const size_t nc = nl + (size_t)s->mu, ny = nc + (size_t)s->w;
    b->G = crank_arena_take(arena, nl * np, sizeof(double));
    b->Z = crank_arena_take(arena, np * nv, sizeof(double));
    b->A = crank_arena_take(arena, nc * nv, sizeof(double));
    b->Y = crank_arena_take(arena, nv * ny, sizeof(double));
    b->B = crank_arena_take(arena, nc * ny, sizeof(double));
    b->cp = crank_arena_take(arena, ns * np, sizeof(double));
    b->gs = crank_arena_take(arena, nl * ns, sizeof(double));
}

/* Dense copy (rows x columns, leading dimension lead) of a block of the Jacobian. */
static void read_block(const crank_eom *eom, const double *values, int row, int rows,
                       int column, int columns, double *block, int lead)
{
    const crank_pattern *pattern = &eom->jacobian_pattern;
    for (int j = 0; j < columns; j++) {
        memset(block + (size_t)j * (size_t)lead, 0, (size_t)rows * sizeof *block);
        for (int q = pattern->start[column + j]; q < pattern->start[column + j + 1]; q++) {
            const int i = pattern->row[q] - row;
            if (i >= 0 && i < rows) {
                block[i + j * lead] = values[q];
            }
        }
    }
}

static void write_block(const crank_eom *eom, double *values, int row, int rows, int column,
                        int columns, const double *block, int lead)
{
    const crank_pattern *pattern = &eom->jacobian_pattern;
    for (int j = 0; j < columns; j++) {
        for (int q = pattern->start[column + j]; q < pattern->start[column + j + 1]; q++) {
            const int i = pattern->row[q] - row;
            if (i >= 0 && i < rows) {
                values[q] = block[i + j * lead];
            }
        }
    }
}

/* G = g_p - g_s c_s^-1 c_p. */
static void total_position_derivative(crank_hidden_blocks *b, const crank_flow *flow,
                                      const double *values)
{
    const crank_eom *eom = b->eom;
    const int np = eom->sizes.p, nl = eom->sizes.lambda, ns = eom->sizes.s;
    const int g = eom->row[CRANK_ROW_G], c = eom->row[CRANK_ROW_C];
    read_block(eom, values, g, nl, eom->column[CRANK_P], np, b->G, nl);
    if (ns == 0) {
        return;
    }
    read_block(eom, values, g, nl, eom->column[CRANK_S], ns, b->gs, nl);
    read_block(eom, values, c, ns, eom->column[CRANK_P], np, b->cp, ns);
    for (int j = 0; j < np; j++) {
        double *column = b->cp + (size_t)j * (size_t)ns;
        crank_lu_solve(ns, flow->cs, ns, flow->cs_pivot, column);
        for (int l = 0; l < ns; l++) {
            for (int i = 0; i < nl; i++) {
                b->G[i + j * nl] -= b->gs[i + l * nl] * column[l];
            }
        }
    }
}

void crank_hidden_blocks_fill(crank_hidden_blocks *b, const crank_flow *flow, double *values)
{
    const crank_eom *eom = b->eom;
    const crank_eom_sizes *s = &eom->sizes;
    const int nc = s->lambda + s->mu, ny = s->w + nc, v = eom->column[CRANK_V];
    if (flow->from_velocity) {
        read_block(eom, values, eom->row[CRANK_ROW_GI], s->lambda, v, s->v, b->A, nc);
    } else {
        total_position_derivative(b, flow, values);
        read_block(eom, values, eom->row[CRANK_ROW_KIN], s->p, v, s->v, b->Z, s->p);
        crank_gemm(false, s->lambda, s->v, s->p, b->G, s->lambda, b->Z, s->p, b->A, nc);
        write_block(eom, values, eom->row[CRANK_ROW_GI], s->lambda, v, s->v, b->A, nc);
    }
    read_block(eom, values, eom->row[CRANK_ROW_H], s->mu, v, s->v, b->A + s->lambda, nc);
    read_block(eom, values, eom->row[CRANK_ROW_DYN], s->v, 0, ny, b->Y, s->v);
    for (int j = 0; j < ny; j++) {
        crank_flow_mass_solve(flow, b->Y + (size_t)j * (size_t)s->v);
    }
    crank_gemm(false, nc, ny, s->v, b->A, nc, b->Y, s->v, b->B, nc);
    write_block(eom, values, eom->row[CRANK_ROW_GII], nc, 0, ny, b->B, nc);
}
