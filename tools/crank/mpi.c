/* mpi.c - "crank-mpi": crank sweep on many machines, a rank a shard. A program of its own, so
 * that crank and libcrank do not need MPI.
 *
 *     mpirun -n 64 crank-mpi sweep study.yaml -o study.nc
 *
 * Ranks do not talk to each other: logs in the folder that they share do it all. A rank that
 * dies takes the others with it; the same command goes on where they were. */
// SPDX-License-Identifier: BSD-3-Clause
#include "command.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ADDED = 5 };

static bool is_given(int argc, char **argv, const char *name)
{
    bool given = false;

    for (int i = 0; i < argc; i++) {
        given = given || strcmp(argv[i], name) == 0;
    }
    return given;
}

/* The sweep of this rank: --shard, one thread, and one voice. */
static int sweep(int argc, char **argv, int rank, int ranks)
{
    char name[] = "--shard", part[48], threads[] = "--threads", one[] = "1",
         quiet[] = "--quiet";
    char **all = calloc((size_t)argc + ADDED + 1, sizeof *all);
    int count = 0;

    if (all == NULL) {
        return CODE_FAILED;
    }
    for (; count < argc; count++) {
        all[count] = argv[count];
    }
    (void)snprintf(part, sizeof part, "%d/%d", rank + 1, ranks);
    all[count++] = name;
    all[count++] = part;
    if (!is_given(argc, argv, threads)) {
        all[count++] = threads;
        all[count++] = one;
    }
    if (rank > 0) {
        all[count++] = quiet;
    }
    const int code = sweep_main(count, all);
    free(all);
    return code;
}

int main(int argc, char **argv)
{
    int rank = 0, ranks = 1, code = CODE_USAGE, worst = CODE_USAGE;

    if (MPI_Init(&argc, &argv) != MPI_SUCCESS) {
        (void)fputs("crank-mpi: MPI does not start\n", stderr);
        return CODE_FAILED;
    }
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc < 2 || strcmp(argv[1], "sweep") != 0 || is_given(argc, argv, "--shard") ||
        is_given(argc, argv, "--merge")) {
        if (rank == 0) {
            (void)fputs("usage: mpirun -n N crank-mpi sweep STUDY|MODEL [options] -o FILE.nc\n"
                        "as crank sweep, without --shard and --merge: a rank is a shard\n",
                        stderr);
        }
    } else {
        code = sweep(argc - 1, argv + 1, rank, ranks);
    }
    (void)MPI_Allreduce(&code, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    (void)MPI_Finalize();
    return worst;
}
