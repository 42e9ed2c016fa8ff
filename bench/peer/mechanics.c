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
    if (strcmp(name, "pendulum") == 0)
        return pendulum_create();
    if (strcmp(name, "andrews") == 0)
        return andrews_create();
    if (strcmp(name, "elastic-slider-crank") == 0)
        return elastic_create();
    if (strcmp(name, "truck") == 0)
        return truck_create();
    if (strcmp(name, "flyball-governor") == 0)
        return governor_create();
    if (strcmp(name, "four-bar") == 0 && size > 0)
        return four_bar_create(size);
    if (strcmp(name, "spinning-top") == 0)
        return spinning_top_create();
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
