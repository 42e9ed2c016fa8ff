/* page_version.c - the image beside a page by which it learns that there is a later version of it.
 *
 * A page opened as file:// may not fetch anything, but it may show images; the size of an image without content says
 * the version. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/page.h"

#include <stdlib.h>
#include <string.h>

static const char ending[] = ".version.svg";

char *crank_page_version_path(const char *page)
{
    const size_t size = strlen(page) + sizeof ending;
    char *path = malloc(size);

    if (path != NULL) {
        (void)snprintf(path, size, "%s%s", page, ending);
    }
    return path;
}

char *crank_page_version_address(const char *page)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    const char *slash = strrchr(page, '/');
    const char *name = slash != NULL ? slash + 1 : page;
    char *address = malloc(3 * strlen(name) + sizeof ending + 2);
    char *out = address;

    if (address == NULL) {
        return NULL;
    }
    *out++ = '.';
    *out++ = '/';
    for (; *name != '\0'; name++) {
        if (strchr(plain, *name) != NULL) {
            *out++ = *name;
        } else {
            (void)snprintf(out, 4, "%%%02X", (unsigned)(unsigned char)*name);
            out += 3;
        }
    }
    memcpy(out, ending, sizeof ending);
    return address;
}

crank_status crank_page_version_write(const char *page, int64_t version, crank_error *err)
{
    char *path = crank_page_version_path(page);
    crank_page_file file = {0};

    if (path == NULL) {
        return crank_fail(err, CRANK_EMEM, "%s", page);
    }
    crank_status status = crank_page_file_open(&file, path, err);
    if (status == CRANK_OK) {
        (void)fprintf(file.file,
                      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
                      "height=\"%d\"/>\n",
                      1 + (int)(version % 1024), 1 + (int)(version / 1024 % 1024));
        status = crank_page_file_finish(&file, err);
    }
    crank_page_file_drop(&file);
    free(path);
    return status;
}
