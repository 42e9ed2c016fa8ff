/* reference.c - reads reference motions, see reference.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "reference.h"

#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void bad(const char *path, const char *why)
{
    fprintf(stderr, "%s: %s\n", path, why);
    exit(1);
}

static char *read_line(FILE *file)
{
    char *line = NULL;
    size_t room = 0;
    if (getline(&line, &room, file) < 0) {
        free(line);
        return NULL;
    }
    line[strcspn(line, "\r\n")] = 0;
    return line;
}

static void read_names(reference *self, char *line)
{
    self->columns = 0;
    for (const char *c = line; *c; c++)
        self->columns += *c == ',';
    self->names = take(self->columns, sizeof *self->names);
    char *rest = strchr(line, ',');
    for (int i = 0; i < self->columns; i++) {
        char *name = rest + 1;
        rest = strchr(name, ',');
        if (rest)
            *rest = 0;
        self->names[i] = take((int)strlen(name) + 1, 1);
        memcpy(self->names[i], name, strlen(name));
    }
}

reference reference_read(const char *path)
{
    reference self = {0};
    FILE *file = fopen(path, "r");
    char *line = file ? read_line(file) : NULL;
    if (!line)
        bad(path, "cannot be read");
    read_names(&self, line);
    free(line);
    int room = 0;
    while ((line = read_line(file))) {
        if (self.count == room) {
            room = 2 * room + 16;
            self.times = realloc(self.times, (size_t)room * sizeof(double));
            self.values = realloc(self.values, (size_t)(room * self.columns) * sizeof(double));
            if (!self.times || !self.values)
                bad(path, "out of memory");
        }
        char *end = line;
        self.times[self.count] = strtod(line, &end);
        for (int i = 0; i < self.columns; i++) {
            if (*end != ',')
                bad(path, "a row is too short");
            self.values[self.count * self.columns + i] = strtod(end + 1, &end);
        }
        self.count++;
        free(line);
    }
    fclose(file);
    if (self.count == 0)
        bad(path, "has no rows");
    return self;
}

void reference_free(reference *self)
{
    for (int i = 0; i < self->columns; i++)
        free(self->names[i]);
    free(self->names);
    free(self->times);
    free(self->values);
}

double largest_error(const double *x, const double *exact, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++) {
        const double error = fabs(x[i] - exact[i]) / (1 + fabs(exact[i]));
        if (!isfinite(error))
            return HUGE_VAL;
        largest = error > largest ? error : largest;
    }
    return largest;
}
