/* compile.c - C source to functions in memory: the system's compiler makes a shared object,
 * which is kept in a cache directory under the hash of its source and loaded from there the
 * next time.
 *
 * The cache holds HASH.c and HASH.so; an entry counts only if HASH.c is the very source and
 * HASH.so is a file of this user that nobody else can write. New entries are made in a
 * directory of their own and renamed into place, so that runs at the same time do not
 * disturb each other. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "symbolic/symbolic.h"

#include "base/clock.h"
#include "base/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, HASH_TEXT = 33 };

enum { OPTIONS = 6 };
static const char options[OPTIONS][20] = {"cc",    "-std=c99", "-O2",
                                          "-fPIC", "-shared",  "-ffp-contract=off"};

struct crank_compiled {
    void *handle;
};

/* ---- content hash ---- */

/* FNV-1a with 128 bits (prime 2^88 + 0x13b); h in limbs of 32 bits, lowest first. */
static void hash_text(uint32_t h[4], const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        h[0] ^= (uint32_t)(unsigned char)*c;
        const uint64_t low[4] = {h[0], h[1], h[2], h[3]};
        uint64_t carry = 0;
        for (int i = 0; i < 4; i++) { /* times 0x13b, plus h shifted up by 88 bits */
            uint64_t sum = low[i] * 0x13bu + carry;
            if (i == 2) {
                sum += (low[0] << 24) & 0xffffffffu;
            } else if (i == 3) {
                sum += ((low[1] << 24) | (low[0] >> 8)) & 0xffffffffu;
            }
            h[i] = (uint32_t)sum;
            carry = sum >> 32;
        }
    }
}

/* The hash of source and compiler options. */
static void hash_source(const char *source, char text[HASH_TEXT])
{
    uint32_t h[4] = {0x6295c58du, 0x62b82175u, 0x07bb0142u, 0x6c62272eu}; /* offset basis */
    for (int i = 0; i < OPTIONS; i++) {
        hash_text(h, options[i]);
    }
    hash_text(h, source);
    (void)snprintf(text, HASH_TEXT, "%08lx%08lx%08lx%08lx", (unsigned long)h[3],
                   (unsigned long)h[2], (unsigned long)h[1], (unsigned long)h[0]);
}

/* ---- files ---- */

static crank_status join(char path[PATH_SIZE], const char *directory, const char *name,
                         const char *suffix, crank_error *err)
{
    const int length = snprintf(path, PATH_SIZE, "%s/%s%s", directory, name, suffix);
    return length < 0 || length >= PATH_SIZE
               ? crank_fail(err, CRANK_ECOMPILE, "the path of the cache is too long")
               : CRANK_OK;
}

/* Makes the directory and those above it. */
static crank_status make_directories(char path[PATH_SIZE], crank_error *err)
{
    for (char *c = path + 1;; c++) {
        if (*c != '/' && *c != '\0') {
            continue;
        }
        const char kept = *c;
        *c = '\0';
        if (mkdir(path, S_IRWXU) != 0 && errno != EEXIST) {
            return crank_fail(err, CRANK_ECOMPILE, "cannot make the cache directory %s: %s",
                              path, strerror(errno));
        }
        *c = kept;
        if (kept == '\0') {
            return CRANK_OK;
        }
    }
}

static crank_status find_cache(const char *cache, char path[PATH_SIZE], crank_error *err)
{
    char home[PATH_SIZE];
    if (cache == NULL && !crank_system_home(home, sizeof home)) {
        return crank_fail(err, CRANK_ECOMPILE, "no home directory for the cache");
    }
    const crank_status status = cache == NULL ? join(path, home, ".cache/crank", "", err)
                                              : join(path, cache, "", "", err);
    return status == CRANK_OK ? make_directories(path, err) : status;
}

static crank_status write_file(const char *path, const char *text, crank_error *err)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return crank_fail(err, CRANK_ECOMPILE, "cannot write %s: %s", path, strerror(errno));
    }
    const size_t length = strlen(text);
    const bool written = fwrite(text, 1, length, file) == length;
    if (fclose(file) != 0 || !written) {
        return crank_fail(err, CRANK_ECOMPILE, "cannot write %s: %s", path, strerror(errno));
    }
    return CRANK_OK;
}

/* The file's content is exactly text. */
static bool file_is(const char *path, const char *text)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    char part[4096];
    size_t n;
    bool same = true;
    size_t rest = strlen(text);
    while (same && (n = fread(part, 1, sizeof part, file)) > 0) {
        same = n <= rest && memcmp(part, text, n) == 0;
        text += same ? n : 0;
        rest -= same ? n : 0;
    }
    same = same && rest == 0 && ferror(file) == 0;
    (void)fclose(file);
    return same;
}

static bool is_own_file(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode) && s.st_uid == geteuid() &&
           (s.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* ---- the compiler ---- */

/* The compiler's first error, or else its first line. */
static void first_error(const char *log_path, char *line, size_t size)
{
    char words[400];
    line[0] = '\0';
    FILE *file = fopen(log_path, "r");
    while (file != NULL && fgets(words, sizeof words, file) != NULL) {
        const bool error = strstr(words, "error") != NULL;
        if (error || line[0] == '\0') {
            words[strcspn(words, "\n")] = '\0';
            (void)snprintf(line, size, "%.*s", (int)size - 1, words);
        }
        if (error) {
            break;
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
}

static crank_status run_compiler(char *source, char *object, const char *log_path,
                                 crank_error *err)
{
    char words[OPTIONS][sizeof options[0]]; /* programs get them writable */
    char to[] = "-o";
    char library[] = "-lm";
    memcpy(words, options, sizeof words);
    char *arguments[] = {words[0], words[1], words[2], words[3], words[4], words[5],
                         to,       object,   source,   library,  NULL};
    int code = 0;
    const int failure = crank_system_run(arguments, log_path, &code);
    if (failure != 0) {
        return crank_fail(err, CRANK_ECOMPILE, "cannot run the C compiler cc: %s",
                          strerror(failure));
    }
    if (code == 127) {
        return crank_fail(err, CRANK_ECOMPILE, "there is no C compiler cc");
    }
    if (code != 0 || access(object, R_OK) != 0) {
        char line[400];
        first_error(log_path, line, sizeof line);
        return crank_fail(err, CRANK_ECOMPILE, "the C compiler failed: %s",
                          line[0] == '\0' ? "it gave no reason" : line);
    }
    return CRANK_OK;
}

/* Makes the cache entry in a directory of its own, then renames it into place. */
static crank_status make_entry(const char *source, const char *cache, const char *c_path,
                               const char *so_path, crank_error *err)
{
    char directory[PATH_SIZE];
    char c_new[PATH_SIZE];
    char so_new[PATH_SIZE];
    char log_path[PATH_SIZE];
    crank_status status = join(directory, cache, "new-XXXXXX", "", err);
    if (status != CRANK_OK) {
        return status;
    }
    if (mkdtemp(directory) == NULL) {
        return crank_fail(err, CRANK_ECOMPILE, "cannot write in the cache directory %s: %s",
                          cache, strerror(errno));
    }
    if ((status = join(c_new, directory, "model.c", "", err)) == CRANK_OK &&
        (status = join(so_new, directory, "model.so", "", err)) == CRANK_OK &&
        (status = join(log_path, directory, "log", "", err)) == CRANK_OK &&
        (status = write_file(c_new, source, err)) == CRANK_OK &&
        (status = run_compiler(c_new, so_new, log_path, err)) == CRANK_OK &&
        (chmod(so_new, S_IRWXU) != 0 || rename(c_new, c_path) != 0 ||
         rename(so_new, so_path) != 0)) {
        status =
            crank_fail(err, CRANK_ECOMPILE, "cannot write %s: %s", so_path, strerror(errno));
    }
    (void)unlink(c_new);
    (void)unlink(so_new);
    (void)unlink(log_path);
    (void)rmdir(directory);
    return status;
}

/* ---- interface ---- */

crank_status crank_compiled_load(const char *source, const char *cache, crank_log log,
                                 crank_compiled **out, crank_error *err)
{
    char directory[PATH_SIZE];
    char c_path[PATH_SIZE];
    char so_path[PATH_SIZE];
    char hash[HASH_TEXT];
    *out = NULL;
    hash_source(source, hash);
    crank_status status = find_cache(cache, directory, err);
    CRANK_THEN(status, join(c_path, directory, hash, ".c", err));
    CRANK_THEN(status, join(so_path, directory, hash, ".so", err));
    if (status == CRANK_OK && !(file_is(c_path, source) && is_own_file(so_path))) {
        const double start = crank_clock_seconds();
        status = make_entry(source, directory, c_path, so_path, err);
        if (status == CRANK_OK) {
            crank_log_write(&log, CRANK_INFO, "compiled the model in %.2f s, kept as %s",
                            crank_clock_seconds() - start, so_path);
        }
    }
    if (status != CRANK_OK) {
        return status;
    }
    crank_compiled *compiled = calloc(1, sizeof *compiled);
    if (compiled == NULL) {
        return crank_fail(err, CRANK_EMEM, "compiled model");
    }
    const char *reason;
    compiled->handle = crank_system_load(so_path, &reason);
    if (compiled->handle == NULL) {
        free(compiled);
        return crank_fail(err, CRANK_ECOMPILE, "cannot load %s: %s", so_path, reason);
    }
    *out = compiled;
    return CRANK_OK;
}

crank_compiled_fn *crank_compiled_find(const crank_compiled *compiled, const char *name)
{
    return (crank_compiled_fn *)crank_system_find(compiled->handle, name);
}

void crank_compiled_unload(crank_compiled *compiled)
{
    if (compiled != NULL) {
        crank_system_unload(compiled->handle);
        free(compiled);
    }
}
