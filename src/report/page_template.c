/* page_template.c - the built page that data are put into: where it is, and its two marks. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "report/page.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_PATH = 4096 };
static const size_t largest = (size_t)1 << 28; /* bytes */

static const char title_mark[] = "<!--crank:title-->", data_mark[] = "<!--crank:data-->";

/* Is there a file named directory/name? Then its path. */
static bool is_there(char *path, size_t size, const char *directory, const char *name)
{
    const int length = snprintf(path, size, "%s/%s", directory, name);
    struct stat info;

    return length > 0 && (size_t)length < size && stat(path, &info) == 0 &&
           S_ISREG(info.st_mode);
}

/* Beside the running program: where an installed tree has it, or a build. */
static bool find_beside(char *path, size_t size)
{
    char program[LONGEST_PATH];
    const ssize_t length = readlink(crank_program_file(), program, sizeof program - 1);

    if (length <= 0) {
        return false;
    }
    program[length] = '\0';
    char *slash = strrchr(program, '/');
    if (slash == NULL) {
        return false;
    }
    *slash = '\0';
    return is_there(path, size, program, CRANK_PAGE_FROM_COMMAND) ||
           is_there(path, size, program, "viewer/page.html");
}

static crank_status find(char *path, size_t size, crank_error *err)
{
    const char *given = getenv("CRANK_PAGE"); // NOLINT(concurrency-mt-unsafe)

    if (given != NULL && given[0] != '\0') {
        const int length = snprintf(path, size, "%s", given);
        struct stat info;
        if (length < 0 || (size_t)length >= size || stat(path, &info) != 0 ||
            !S_ISREG(info.st_mode)) {
            return crank_fail(err, CRANK_EFILE,
                              "the page's template, CRANK_PAGE=%s, is not a file", given);
        }
        return CRANK_OK;
    }
    if (find_beside(path, size) || is_there(path, size, CRANK_PAGE_DIRECTORY, "page.html")) {
        return CRANK_OK;
    }
    return crank_fail(
        err, CRANK_EFILE,
        "the page's template is missing: crank was built without Node.js; install "
        "nodejs and npm and build again (make page), or set CRANK_PAGE to the page.html "
        "of another installation");
}

/* The place of a mark that must be there once. */
static const char *find_mark(const char *text, const char *mark)
{
    const char *first = strstr(text, mark);

    return first != NULL && strstr(first + 1, mark) == NULL ? first : NULL;
}

crank_status crank_page_template_read(crank_page_template *t, const char *path,
                                      crank_error *err)
{
    char found[LONGEST_PATH];
    crank_error why = {0};

    if (path == NULL) {
        const crank_status missing = find(found, sizeof found, err);
        if (missing != CRANK_OK) {
            return missing;
        }
        path = found;
    }
    const crank_status status =
        crank_file_load(path, CRANK_FILE_REGULAR, largest, &t->text, &t->length, &why);
    if (status != CRANK_OK) {
        return crank_fail(err, status, "the page's template %s", why.text);
    }
    t->title = find_mark(t->text, title_mark);
    t->data = find_mark(t->text, data_mark);
    if (strlen(t->text) != t->length || t->title == NULL || t->data == NULL ||
        t->title > t->data) {
        return crank_fail(
            err, CRANK_EFILE,
            "%s: is not the template of a page: it needs %s once, and after it %s "
            "once",
            path, title_mark, data_mark);
    }
    t->after_title = t->title + strlen(title_mark);
    t->after_data = t->data + strlen(data_mark);
    return CRANK_OK;
}

crank_status crank_page_find_template(char *path, size_t size, crank_error *err)
{
    crank_page_template t = {0};
    crank_status status = find(path, size, err);

    CRANK_THEN(status, crank_page_template_read(&t, path, err));
    free(t.text);
    return status;
}
