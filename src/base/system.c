/* system.c - see system.h: by POSIX, but for the running program, which Linux knows. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/system.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ; /* handed on to programs, not read */

enum { ENTRY_SIZE = 4096 };

const char *crank_program_file(void)
{
    return "/proc/self/exe";
}

bool crank_system_home(char *path, size_t size)
{
    char buffer[ENTRY_SIZE];
    struct passwd entry;
    struct passwd *found = NULL;
    if (getpwuid_r(getuid(), &entry, buffer, sizeof buffer, &found) != 0 || found == NULL) {
        return false;
    }
    const int length = snprintf(path, size, "%s", found->pw_dir);
    return length > 0 && (size_t)length < size;
}

/* ---- other programs ---- */

static int wait_for(pid_t child)
{
    int status = 0;
    pid_t done;
    do {
        done = waitpid(child, &status, 0);
    } while (done < 0 && errno == EINTR);
    /* where the program ignores its children's end there is no code: the result must tell */
    return done < 0 ? 0 : WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int crank_system_run(char *const *arguments, const char *log, int *code)
{
    posix_spawn_file_actions_t actions;
    pid_t child = 0;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0) {
        return failure;
    }
    failure = posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC,
                                               S_IRUSR | S_IWUSR);
    if (failure == 0) {
        failure = posix_spawn_file_actions_adddup2(&actions, 1, 2);
    }
    if (failure == 0) {
        failure = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    }
    if (failure == 0) {
        failure = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    *code = failure == 0 ? wait_for(child) : -1;
    return failure;
}

/* ---- code ---- */

void *crank_system_load(const char *path, const char **reason)
{
    void *code = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *why = code == NULL ? dlerror() : NULL;
    *reason = why != NULL ? why : "unknown reason";
    return code;
}

crank_system_fn *crank_system_find(void *code, const char *name)
{
    void *address = dlsym(code, name);
    crank_system_fn *function = NULL;
    if (address != NULL) {
        memcpy(&function, &address, sizeof function); /* as POSIX has it */
    }
    return function;
}

void crank_system_unload(void *code)
{
    (void)dlclose(code);
}
