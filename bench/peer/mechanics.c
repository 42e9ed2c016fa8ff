/* mechanics.c - the problems by name, and lists of places. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics.h"

#include <stdlib.h>
#include <string.h>

places places_make(int count)
{
    places list = {count, take(count, sizeof(int)), take(count, sizeof(int))};
    return list;
}

places places_listed(const int (*pairs)[2], int count)
{
    places list = places_make(count);
    for (int i = 0; i < count; i++) {
        list.row[i] = pairs[i][0];
        list.column[i] = pairs[i][1];
    }
    return list;
}

places places_diagonal(int count)
{
    places list = places_make(count);
    for (int i = 0; i < count; i++)
        list.row[i] = list.column[i] = i;
    return list;
}

void places_free(places *list)
{
    free(list->row);
    free(list->column);
}

mechanics *mechanics_create(const char *name, int size)
{
    static const struct {
        const char *name;
        mechanics *(*create)(void);
    } one[] = {{"pendulum", pendulum_create},
               {"andrews", andrews_create},
               {"elastic-slider-crank", elastic_create},
               {"truck", truck_create},
               {"flyball-governor", governor_create},
               {"spinning-top", spinning_top_create},
               {"universal-pendulum", universal_pendulum_create},
               {"stewart-platform", stewart_platform_create},
               {"gyroscope-loop", gyroscope_create},
               {"swashplate", swashplate_create}};
    for (unsigned i = 0; i < sizeof one / sizeof *one; i++)
        if (strcmp(name, one[i].name) == 0)
            return one[i].create();
    if (strcmp(name, "four-bar") == 0 && size > 0)
        return four_bar_create(size);
    if (strcmp(name, "free-chain") == 0 && size > 0)
        return free_chain_create(size);
    return NULL;
}

void mechanics_destroy(mechanics *self)
{
    if (!self)
        return;
    if (self->release)
        self->release(self);
    places_free(&self->mass);
    places_free(&self->force_q);
    places_free(&self->force_v);
    places_free(&self->jacobian);
    places_free(&self->hessian);
    free(self->own);
    free(self);
}
