/* page_version.c - the image beside a page by which it learns that there is a later version of
 * it.
 *
 * A page opened as file:// may not fetch anything, but it may show images; the size of an image
 * without content says the version. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/page.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

static const char ending[] = ".version.svg";

crank_page_image crank_page_version_image(int64_t version)
{
    enum { LARGEST = 1024 };
    return (crank_page_image){1 + (int)(version % LARGEST),
                              1 + (int)(version / LARGEST % LARGEST)};
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
    const crank_page_image image = crank_page_version_image(version);
    char *path = crank_path_extend(page, ending);
    crank_page_file file = {0};

    if (path == NULL) {
        return crank_fail(err, CRANK_EMEM, "%s", page);
    }
    crank_status status = crank_page_file_open(&file, path, err);
    if (status == CRANK_OK) {
        (void)fprintf(file.file,
                      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
                      "height=\"%d\"/>\n",
                      image.width, image.height);
        status = crank_page_file_finish(&file, err);
    }
    crank_page_file_drop(&file);
    free(path);
    return status;
}
