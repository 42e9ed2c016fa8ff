/* package.c - packages of several files (Modelica 3.6, 13.4): NAME.mo, or a folder NAME with
 * package.mo and a file or folder for each class that package.order, or else the folder, lists.
 *
 * A name `A` in `A.b` that a file does not declare is looked for in the folders that were asked
 * for, in that of the model, and in crank's own library. What is found is read, and its names
 * are looked for in turn. A file `within A.B` is read with all of A. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/package.h"

#include "base/blame.h"
#include "base/file.h"
#include "base/grow.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 64 << 20, DEPTH = 50 };

typedef struct work {
    crank_mo_file *file;
    crank_store *store;
    crank_error *err;
    crank_status status;
    const char *folder;      /* where files are looked for now; NULL: in the library */
    crank_mo_tokens *tokens; /* by file */
    int tokens_capacity;
    crank_index tried;
    crank_mo_block_fn *block;
} work;

static crank_status no_memory(work *w)
{
    w->status = crank_fail(w->err, CRANK_EMEM, "reading packages");
    return w->status;
}

static const char *print(work *w, const char *format, ...) CRANK_PRINTF(2, 3);

static const char *print(work *w, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *kept = crank_store_copy(w->store, text, strlen(text));
    if (kept == NULL) {
        (void)no_memory(w);
    }
    return kept != NULL ? kept : "";
}

/* ---- texts ---- */

/* A text of the library or of the folder; false: there is none. */
static bool find_text(work *w, const char *path, const char **text, size_t *length)
{
    if (w->folder == NULL) {
        return crank_mo_library_find(path, text, length);
    }
    crank_error ignored = {0};
    char *loaded = NULL;
    const char *whole = print(w, "%s/%s", w->folder, path);
    if (w->status != CRANK_OK || crank_file_load(whole, CRANK_FILE_REGULAR, FILE_MOST, &loaded,
                                                 length, &ignored) != CRANK_OK) {
        return false;
    }
    *text = crank_store_copy(w->store, loaded, *length);
    free(loaded);
    if (*text == NULL) {
        (void)no_memory(w);
    }
    return w->status == CRANK_OK;
}

/* ---- one file ---- */

/* the name of the next file; false: out of memory */
static bool name_file(work *w, const char *label)
{
    crank_mo_file *file = w->file;
    const char **names = crank_store_grow(w->store, file->name, file->count,
                                          &file->name_capacity, sizeof *names);
    if (names != NULL) {
        file->name = names;
        file->name[file->count] = label;
    }
    return names != NULL;
}

static bool queue_tokens(work *w, int number, const crank_mo_tokens *tokens)
{
    crank_mo_tokens *more =
        crank_store_grow(w->store, w->tokens, number, &w->tokens_capacity, sizeof *w->tokens);
    if (more == NULL) {
        (void)no_memory(w);
        return false;
    }
    w->tokens = more;
    w->tokens[number] = *tokens;
    return true;
}

/* ---- mechanism blocks ---- */

/* FILE of annotation(__crank(mechanism = "FILE")); NULL: none */
static const crank_mo_expression *mechanism_of(const crank_mo_class *c)
{
    const crank_mo_modification *m = c->annotation;
    const char *const names[] = {"__crank", "mechanism"};
    for (int level = 0; level < 2 && m != NULL; level++) {
        const crank_mo_modification *inner = NULL;
        for (int i = 0; i < m->count; i++) {
            inner = strcmp(m->argument[i]->name, names[level]) == 0
                        ? m->argument[i]->modification
                        : inner;
        }
        m = inner;
    }
    return m != NULL ? m->value : NULL;
}

/* The class becomes the mechanism, whose file stands beside the class's, at path. */
static void fill_block(work *w, crank_mo_class *c, const crank_mo_expression *e,
                       const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    crank_text text = {0};
    crank_error reason = {0};
    crank_mo_file one;
    if (w->block == NULL || e->kind != CRANK_MO_STRING || c->element_count > 0 ||
        c->equation.count > 0) {
        w->status = crank_fail_at(w->err, CRANK_EMODEL, e->place.line, e->place.column,
                                  "a mechanism block is a class without anything else, "
                                  "annotation(__crank(mechanism = \"FILE\"))");
        return;
    }
    const char *own = e->text[0] == '/' || slash == NULL
                          ? e->text
                          : print(w, "%.*s/%s", (int)(slash - path), path, e->text);
    crank_status status = w->block(own, c->name, &text, &reason);
    if (status != CRANK_OK) {
        const bool named = strncmp(reason.text, own, strlen(own)) == 0;
        const crank_status kind = status == CRANK_EMEM ? CRANK_EMEM : CRANK_EMODEL;
        w->status =
            reason.line > 0
                ? crank_fail_at(w->err, kind, e->place.line, e->place.column,
                                "%.200s:%d:%d: %.300s", own, reason.line, reason.column,
                                reason.text)
                : crank_fail_at(w->err, kind, e->place.line, e->place.column, "%.200s%s%.300s",
                                named ? "" : own, named ? "" : ": ", reason.text);
    } else if (!name_file(w, own)) {
        (void)no_memory(w);
    } else {
        const char *kept = crank_store_copy(w->store, text.data, text.length);
        w->status = kept != NULL ? crank_mo_parse_made(kept, text.length, e->place, w->store,
                                                       &one, w->err)
                                 : no_memory(w);
        if (queue_tokens(w, w->file->count++, &one.tokens) && w->status == CRANK_OK) {
            const crank_mo_class *made = one.root->element[0]->nested;
            c->element = made->element;
            c->element_count = made->element_count;
            c->element_capacity = made->element_capacity;
            c->by_name = made->by_name;
            c->equation = made->equation;
        }
    }
    crank_text_free(&text);
}

static void fill_blocks(work *w, crank_mo_class *c, const char *path, int depth)
{
    const crank_mo_expression *e = mechanism_of(c);
    if (e != NULL) {
        fill_block(w, c, e, path);
        return;
    }
    for (int i = 0; i < c->element_count && depth < DEPTH && w->status == CRANK_OK; i++) {
        if (c->element[i]->kind == CRANK_MO_NESTED) {
            fill_blocks(w, c->element[i]->nested, path, depth + 1);
        }
    }
}

/* ---- classes of files ---- */

/* The class of a file, hung into the class that it belongs to; NULL: an error. */
static crank_mo_class *read_class(work *w, const char *path, const char *name,
                                  crank_mo_class *into, const char *within, const char *text,
                                  size_t length)
{
    crank_mo_file *file = w->file;
    crank_mo_file one;
    const char *label = w->folder != NULL ? print(w, "%s/%s", w->folder, path) : path;
    if (!name_file(w, label)) {
        (void)no_memory(w);
        return NULL;
    }
    w->status = crank_mo_parse(text, length, false, file->count, w->store, &one, w->err);
    if (w->status == CRANK_ESYNTAX && into == file->root && name[0] >= 'a' && name[0] <= 'z') {
        w->status = CRANK_OK; /* rather a component than a package */
        return NULL;
    }
    if (!queue_tokens(w, file->count++, &one.tokens) || w->status != CRANK_OK) {
        return NULL;
    }
    const crank_mo_element *e = one.root->element_count == 1 ? one.root->element[0] : NULL;
    const char *said = one.within != NULL ? one.within : "";
    if (into == file->root && (said[0] != '\0' || e == NULL || strcmp(e->name, name) != 0)) {
        return NULL; /* a part of another package, or a file whose name means nothing */
    }
    if (e == NULL || strcmp(e->name, name) != 0 || strcmp(said, within) != 0) {
        w->status = crank_fail(w->err, CRANK_EMODEL,
                               "%.200s: \"within %.80s;\" and the class \"%.80s\" are expected",
                               label, within, name);
        return NULL;
    }
    one.root->element[0]->nested->parent = into;
    if (!crank_mo_add_element(w->store, into, one.root->element[0])) {
        (void)no_memory(w);
        return NULL;
    }
    fill_blocks(w, one.root->element[0]->nested, label, 0);
    return w->status == CRANK_OK ? one.root->element[0]->nested : NULL;
}

/* ---- folders ---- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* names of a folder without package.order, sorted; NULL: none */
static const char **list_folder(work *w, const char *path, int *count)
{
    int capacity = 0;
    const char **list = NULL;
    DIR *folder = opendir(print(w, "%s/%s", w->folder, path));
    *count = 0;
    for (struct dirent *d; folder != NULL && (d = readdir(folder)) != NULL;) {
        size_t length = strlen(d->d_name);
        length -= crank_path_ends_in(d->d_name, ".mo") ? 3 : 0;
        const char *name = crank_store_copy(w->store, d->d_name, length);
        const char **more = crank_store_grow(w->store, list, *count, &capacity, sizeof *list);
        if (name == NULL || more == NULL) {
            (void)no_memory(w);
            break;
        }
        list = more;
        list[*count] = name;
        *count += strchr(name, '.') == NULL && strcmp(name, "package") != 0;
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    if (*count > 0) {
        qsort(list, (size_t)*count, sizeof *list, compare_names);
    }
    return list;
}

/* names of package.order, a line each */
static const char **list_order(work *w, const char *text, size_t length, int *count)
{
    int capacity = 0;
    const char **list = NULL;
    *count = 0;
    for (size_t from = 0; from < length && w->status == CRANK_OK;) {
        size_t to = from;
        while (to < length && text[to] != '\n' && text[to] != '\r') {
            to++;
        }
        if (to > from) {
            const char *name = crank_store_copy(w->store, text + from, to - from);
            const char **more =
                crank_store_grow(w->store, list, *count, &capacity, sizeof *list);
            if (name == NULL || more == NULL) {
                (void)no_memory(w);
                return NULL;
            }
            list = more;
            list[(*count)++] = name;
        }
        from = to + 1;
    }
    return list;
}

/* Reads class `name` from path/name.mo or the folder path/name; false: there is none. */
static bool read_named(work *w, const char *path, const char *name, crank_mo_class *into,
                       const char *within, int depth)
{
    const char *text = NULL;
    size_t length = 0;
    const char *folder = print(w, "%s%s%s", path, path[0] != '\0' ? "/" : "", name);
    const char *file = print(w, "%s/package.mo", folder);
    if (w->status != CRANK_OK || depth > DEPTH) {
        return false;
    }
    if (!find_text(w, file, &text, &length)) {
        file = print(w, "%s.mo", folder);
        if (!find_text(w, file, &text, &length)) {
            return false;
        }
        return read_class(w, file, name, into, within, text, length) != NULL;
    }
    crank_mo_class *package = read_class(w, file, name, into, within, text, length);
    if (package == NULL) {
        return false;
    }
    int count = 0;
    const char **list = NULL;
    if (find_text(w, print(w, "%s/package.order", folder), &text, &length)) {
        list = list_order(w, text, length, &count);
    } else if (w->folder != NULL) {
        list = list_folder(w, folder, &count);
    }
    const char *inside = print(w, "%s%s%s", within, within[0] != '\0' ? "." : "", name);
    for (int i = 0; i < count && w->status == CRANK_OK; i++) {
        if (crank_index_find(&package->by_name, list[i]) < 0) {
            (void)read_named(w, folder, list[i], package, inside, depth + 1);
        }
    }
    return true;
}

/* ---- names that are not declared ---- */

static void look_for(work *w, const char *name, int count, const char *const *folders)
{
    if (crank_index_find(&w->file->root->by_name, name) >= 0 ||
        crank_index_find(&w->tried, name) >= 0) {
        return;
    }
    if (!crank_index_add(&w->tried, w->store, name, 0)) {
        (void)no_memory(w);
        return;
    }
    for (int i = 0; i <= count && w->status == CRANK_OK; i++) {
        w->folder = i < count ? folders[i] : NULL;
        if (read_named(w, "", name, w->file->root, "", 0)) {
            return;
        }
    }
}

static bool is_symbol(const crank_mo_token *t, const char *text)
{
    return t->kind == CRANK_MO_SYMBOL && strcmp(t->text, text) == 0;
}

static void look_through(work *w, int count, const char *const *folders)
{
    for (int f = 0; f < w->file->count && w->status == CRANK_OK; f++) {
        const crank_mo_tokens tokens = w->tokens[f];
        for (int i = 0; i + 1 < tokens.count && w->status == CRANK_OK; i++) {
            const crank_mo_token *t = &tokens.token[i];
            if (t->kind == CRANK_MO_IDENT && is_symbol(t + 1, ".") &&
                (i == 0 || !is_symbol(t - 1, "."))) {
                look_for(w, t->text, count, folders);
            }
        }
    }
}

/* ---- within A.B ---- */

/* The folder in which A is, of a file in A/B; its whole package is read in place of the file. */
static void read_whole(work *w, const char *path)
{
    crank_mo_file *file = w->file;
    const crank_mo_class *own =
        file->root->element_count > 0 ? file->root->element[0]->nested : NULL;
    const char *slash = strrchr(path, '/');
    const bool is_package = strcmp(slash != NULL ? slash + 1 : path, "package.mo") == 0;
    int up = 1 + (is_package ? 1 : 0);
    for (const char *c = file->within; *c != '\0'; c++) {
        up += *c == '.';
    }
    const char *folder =
        slash != NULL ? crank_store_copy(w->store, path, (size_t)(slash - path)) : ".";
    for (int i = 0; i < up && w->status == CRANK_OK; i++) {
        folder = print(w, "%s/..", folder);
    }
    size_t length = strcspn(file->within, ".");
    const char *first = crank_store_copy(w->store, file->within, length);
    crank_mo_class *root = crank_store_take(w->store, 1, sizeof *root);
    if (w->status != CRANK_OK || first == NULL || root == NULL || own == NULL) {
        w->status = w->status != CRANK_OK ? w->status : no_memory(w);
        return;
    }
    root->name = "";
    root->restriction = CRANK_MO_PACKAGE;
    w->folder = folder;
    file->root = root;
    const char *wanted = print(w, "%s.%s", file->within, own->name);
    if (!read_named(w, "", first, root, "", 0) && w->status == CRANK_OK) {
        w->status = crank_fail_at(w->err, CRANK_EMODEL, 1, 1,
                                  "within %.120s: there is no folder %.80s with package.mo "
                                  "around the file",
                                  file->within, first);
    }
    file->own = wanted;
}

crank_status crank_mo_read_packages(crank_mo_file *file, const char *path, int count,
                                    const char *const *folders, crank_mo_block_fn *block,
                                    crank_store *store, crank_error *err)
{
    work w = {.file = file, .store = store, .err = err, .block = block};
    const char **all = crank_store_take(store, (size_t)count + 1, sizeof *all);
    file->name = crank_store_grow(store, NULL, 0, &file->name_capacity, sizeof *file->name);
    if (all == NULL || file->name == NULL) {
        return no_memory(&w);
    }
    file->name[0] = "";
    file->count = 1;
    file->own_count = file->root->element_count;
    if (!queue_tokens(&w, 0, &file->tokens)) {
        return w.status;
    }
    int used = 0;
    for (int i = 0; i < count; i++) {
        all[used++] = folders[i];
    }
    if (path != NULL) {
        const char *slash = strrchr(path, '/');
        all[used++] =
            slash != NULL ? crank_store_copy(store, path, (size_t)(slash - path)) : ".";
    }
    if (file->within != NULL && file->within[0] != '\0') {
        if (path == NULL) {
            return crank_fail_at(err, CRANK_EMODEL, 1, 1,
                                 "within %.120s: a text from no file has no package around it",
                                 file->within);
        }
        read_whole(&w, path);
        all[used - 1] = w.folder; /* beside the package */
    }
    if (w.status == CRANK_OK && file->own == NULL) {
        fill_blocks(&w, file->root, path, 0);
    }
    look_through(&w, used, all);
    if (w.status != CRANK_OK) {
        crank_mo_resolve_place(file, err);
    }
    return w.status;
}

void crank_mo_resolve_place(const crank_mo_file *file, crank_error *err)
{
    const int number = err->line / CRANK_FLAT_LINES;
    if (number > 0 && number < file->count) {
        err->line %= CRANK_FLAT_LINES;
        (void)snprintf(err->file, sizeof err->file, "%s", file->name[number]);
    }
}
