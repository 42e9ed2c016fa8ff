/* watch.c - see watch.h.
 *
 * A file has changed if its time, size or number (inode) has: editors write in place or put
 * another file in its place. Files are looked at five times a second; that works on every file
 * system. What is compared is their state before the model was read, so that a change during a
 * run is not lost: files that become known only by reading count as changed if they are younger
 * than the start of the run. */
// SPDX-License-Identifier: BSD-3-Clause
#include "watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct file_state {
    bool exists;
    struct timespec changed;
    off_t size;
    ino_t number;
} file_state;

typedef struct watched_entry {
    char *path;
    file_state state; /* when it was last read, or before */
} watched_entry;

struct watched {
    watched_entry *files;
    int count, capacity;
    struct timespec began; /* the run that reads them */
};

static const struct timespec interval = {.tv_nsec = 200 * 1000 * 1000};

static file_state look(const char *path)
{
    struct stat info;

    if (stat(path, &info) != 0) {
        return (file_state){0};
    }
    return (file_state){
        .exists = true, .changed = info.st_mtim, .size = info.st_size, .number = info.st_ino};
}

static bool same(const file_state *a, const file_state *b)
{
    return a->exists == b->exists && a->changed.tv_sec == b->changed.tv_sec &&
           a->changed.tv_nsec == b->changed.tv_nsec && a->size == b->size &&
           a->number == b->number;
}

static bool later(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec > b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec > b->tv_nsec);
}

void watched_file(watched *files, const char *path)
{
    if (files == NULL || path == NULL || path[0] == '\0') {
        return;
    }
    for (int i = 0; i < files->count; i++) {
        if (strcmp(files->files[i].path, path) == 0) {
            return;
        }
    }
    if (files->count == files->capacity) {
        const int capacity = 2 * files->capacity + 8;
        watched_entry *more = realloc(files->files, (size_t)capacity * sizeof *more);
        if (more == NULL) {
            return; /* it is not watched; the model's own file always is */
        }
        files->files = more;
        files->capacity = capacity;
    }
    char *copy = strdup(path);
    if (copy == NULL) {
        return;
    }
    watched_entry *entry = &files->files[files->count++];
    *entry = (watched_entry){.path = copy, .state = look(path)};
    if (later(&entry->state.changed, &files->began)) {
        entry->state = (file_state){.size = -1}; /* unlike any file */
    }
}

void watched_model(watched *files, const crank_model *model)
{
    const char *path;

    for (int i = 0; (path = crank_model_file(model, i)) != NULL; i++) {
        watched_file(files, path);
    }
}

static void begin_run(watched *files)
{
    (void)clock_gettime(CLOCK_REALTIME, &files->began);
    files->began
        .tv_sec--; /* times of files lag behind by a tick of the clock, or by a second */
    for (int i = 0; i < files->count; i++) {
        files->files[i].state = look(files->files[i].path);
    }
}

/* The file that has changed, NULL: a signal came first. */
static const char *wait_for_change(const watched *files)
{
    while (!interrupted()) {
        for (int i = 0; i < files->count; i++) {
            const file_state now = look(files->files[i].path);
            /* a file that has gone is about to be written anew */
            if (now.exists && !same(&now, &files->files[i].state)) {
                return files->files[i].path;
            }
        }
        (void)nanosleep(&interval, NULL); /* a signal cuts it short */
    }
    return NULL;
}

static void remove_version(const char *page)
{
    const size_t size = strlen(page) + sizeof ".version.svg";
    char *path = malloc(size);

    if (path != NULL) {
        (void)snprintf(path, size, "%s.version.svg", page);
        (void)unlink(path);
        free(path);
    }
}

int watch_loop(messages *m, const char *model, const char *page, watch_run_fn *run, void *user)
{
    watched files = {0};
    /* versions of an earlier watch must differ: its page may still be open */
    int64_t version = 1 + (int64_t)time(NULL) % 1000000;
    const char *changed = NULL;
    int code;

    watched_file(&files, model);
    do {
        begin_run(&files);
        code = run(user, version++, &files);
        if (interrupted()) {
            break;
        }
        tell_note(m, "watching %s%s; Ctrl-C ends", model,
                  files.count > 1 ? " and the files it is made of" : "");
        changed = wait_for_change(&files);
        if (changed != NULL) {
            tell_note(m, "%s has changed", changed);
        }
    } while (changed != NULL);
    remove_version(page);
    for (int i = 0; i < files.count; i++) {
        free(files.files[i].path);
    }
    free(files.files);
    return code;
}
