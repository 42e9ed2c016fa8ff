/* inverse_say.c - messages of the driven mechanism in the words of the user's own files: its drives
 * are joints that no file has, so that 'joint "drive_knee"' becomes '--drive knee'. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inverse.h"

#include <stdio.h>
#include <string.h>

/* every joint "drive_SAFE" in text */
static void rename_drives(const inverse *v, const char *text, char *out, size_t size)
{
    static const char before[] = "joint \"drive_";
    size_t used = 0;
    while (*text != '\0' && used + 1 < size) {
        const moved *found = NULL;
        const size_t skip = strlen(before);
        for (int i = 0; i < v->drives && strncmp(text, before, skip) == 0; i++) {
            const size_t length = strlen(v->drive[i].safe);
            if (strncmp(text + skip, v->drive[i].safe, length) == 0 &&
                text[skip + length] == '"') {
                found = &v->drive[i];
            }
        }
        if (found != NULL) {
            const int count = snprintf(out + used, size - used, "--drive \"%s\"", found->name);
            used += (size_t)count < size - used ? (size_t)count : size - used - 1;
            text += skip + strlen(found->safe) + 1;
        } else {
            out[used++] = *text++;
        }
    }
    out[used] = '\0';
}

static void write_renamed(crank_level level, const char *text, void *user)
{
    const inverse *v = user;
    const crank_log log = message_log(v->m);
    char renamed[4000];
    rename_drives(v, text, renamed, sizeof renamed);
    log.write(level, renamed, log.user);
}

crank_log inverse_log(inverse *v)
{
    return (crank_log){.write = write_renamed, .user = v};
}

void inverse_rename(const inverse *v, crank_error *err)
{
    char renamed[sizeof err->text];
    rename_drives(v, err->text, renamed, sizeof renamed);
    memcpy(err->text, renamed, sizeof renamed);
}
