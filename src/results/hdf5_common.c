/* hdf5_common.c - libhdf5's errors as messages, and how files are opened. */
// SPDX-License-Identifier: BSD-3-Clause
#include "results/hdf5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void crank_hdf5_quiet_begin(crank_hdf5_quiet *quiet)
{
    if (H5Eget_auto2(H5E_DEFAULT, &quiet->print, &quiet->user) < 0) {
        *quiet = (crank_hdf5_quiet){0};
    }
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void crank_hdf5_quiet_end(const crank_hdf5_quiet *quiet, crank_status status)
{
    if (status == CRANK_OK) {
        (void)H5Eset_auto2(H5E_DEFAULT, quiet->print, quiet->user);
    }
}

typedef struct reason {
    int number; /* errno, 0: not known */
    char text[160];
} reason;

/* The innermost entry has the cause; the system's errors appear as "errno = 28, ...". */
static herr_t look(unsigned n, const H5E_error2_t *entry, void *user)
{
    reason *why = user;
    const char *number = entry->desc != NULL ? strstr(entry->desc, "errno = ") : NULL;

    if (n == 0 && entry->desc != NULL) {
        (void)snprintf(why->text, sizeof why->text, "%s", entry->desc);
    }
    if (number != NULL && why->number == 0) {
        why->number = (int)strtol(number + 8, NULL, 10);
    }
    return 0;
}

crank_status crank_hdf5_fail(const char *path, const char *doing, crank_error *err)
{
    reason why = {.text = "libhdf5 gives no reason"};

    (void)H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look, &why);
    return crank_fail(err, CRANK_EFILE, "%.200s: cannot %s: %s", path, doing,
                      why.number != 0 ? strerror(why.number) : why.text);
}

hid_t crank_hdf5_access(void)
{
    const hid_t list = H5Pcreate(H5P_FILE_ACCESS);

    if (list < 0) {
        return list;
    }
    bool good = H5Pset_libver_bounds(list, H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0 &&
                H5Pset_fclose_degree(list, H5F_CLOSE_STRONG) >= 0;
#if H5_VERSION_GE(1, 10, 7) && !(H5_VERS_MINOR == 12 && H5_VERS_RELEASE == 0)
    good = good && H5Pset_file_locking(list, true, true) >= 0;
#endif
    if (!good) {
        (void)H5Pclose(list);
        return H5I_INVALID_HID;
    }
    return list;
}
