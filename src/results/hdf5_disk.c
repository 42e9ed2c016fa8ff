/* hdf5_disk.c - how libhdf5 writes to the disk: a file driver that keeps the first failure to
 * itself.
 *
 * libhdf5 does not survive a disk that is full: what it could not write stays in its caches,
 * and closing the file, or leaving the process, ends in a crash. So the driver says that all is
 * well, remembers the reason, which the recorder asks for after every call, and writes nothing
 * more. The file then is as if the process had been killed:
 * readable up to the last flush. What libhdf5 wants written after that, until it has closed the
 * file, is kept in memory, since it may want to read it again.
 *
 * Files are claimed before they are cut, and stay so: libhdf5 gives its lock up when others may
 * read (SWMR), the driver then keeps one that it shares with them.
 *
 * A process that is killed while it writes leaves the pages that the system had copied by then.
 * So what libhdf5 reads as one piece under one checksum lies in one page where it fits: it then
 * is old or new, never half of each. Only parts of the index of results of more than about
 * 8000 chunks (half a gigabyte) are larger than a page.
 *
 * Apart from that the driver does what libhdf5's own "sec2" does. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/claim.h"
#include "results/hdf5.h"

#if H5_VERSION_GE(1, 13, 2)
#include <H5FDdevelop.h>
#endif

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096 /* bytes, no larger than the system's */ };

/* What was not written. */
typedef struct block {
    struct block *next;
    haddr_t place;
    size_t size;
    unsigned char data[];
} block;

typedef struct disk_file {
    H5FD_t public;           /* libhdf5's own, first */
    crank_hdf5_disk *report; /* the recorder's */
    int fd;
    haddr_t allocated, end; /* bytes; as libhdf5 sees the file */
    dev_t device;
    ino_t inode;
    block *first, *last; /* in the order of writing */
} disk_file;

static H5FD_t *open_file(const char *name, unsigned flags, hid_t access, haddr_t limit)
{
    crank_hdf5_disk *const *report = H5Pget_driver_info(access);
    const int mode = ((flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY) |
                     ((flags & H5F_ACC_TRUNC) != 0 ? O_TRUNC : 0) |
                     ((flags & H5F_ACC_CREAT) != 0 ? O_CREAT : 0);
    struct stat info;

    (void)limit;
    if (report == NULL || *report == NULL) {
        return NULL;
    }
    disk_file *file = calloc(1, sizeof *file);
    const int fd = file != NULL ? crank_claim_open(name, mode) : -1;
    if (fd < 0 || fstat(fd, &info) != 0) {
        (*report)->error = file != NULL ? errno : ENOMEM;
        if (fd >= 0) {
            (void)close(fd);
        }
        free(file);
        return NULL;
    }
    file->report = *report;
    *file->report =
        (crank_hdf5_disk){.fd = fd}; /* libhdf5 may have tried before, in another way */
    file->fd = fd;
    file->end = (haddr_t)info.st_size;
    file->device = info.st_dev;
    file->inode = info.st_ino;
    return &file->public;
}

static herr_t close_file(H5FD_t *data)
{
    disk_file *file = (disk_file *)data;

    if (close(file->fd) != 0 && errno != EINTR && file->report->error == 0) {
        file->report->error = errno;
    }
    file->report->fd = -1;
    while (file->first != NULL) {
        block *next = file->first->next;
        free(file->first);
        file->first = next;
    }
    free(file);
    return 0;
}

static int compare(const H5FD_t *first, const H5FD_t *second)
{
    const disk_file *a = (const disk_file *)first, *b = (const disk_file *)second;

    if (a->device != b->device) {
        return a->device < b->device ? -1 : 1;
    }
    return a->inode == b->inode ? 0 : a->inode < b->inode ? -1 : 1;
}

static herr_t query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_POSIX_COMPAT_HANDLE |
             H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t get_allocated(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const disk_file *)file)->allocated;
}

/* A place at the end for a piece of that size, within a page if it can be. */
static haddr_t allocate(H5FD_t *data, H5FD_mem_t type, hid_t transfer, hsize_t size)
{
    disk_file *file = (disk_file *)data;
    const haddr_t left = PAGE - file->allocated % PAGE;

    (void)transfer;
    if (type != H5FD_MEM_DRAW && size > left && size <= PAGE) {
        file->allocated += left;
    }
    const haddr_t place = file->allocated;
    file->allocated += size;
    return place;
}

static herr_t set_allocated(H5FD_t *file, H5FD_mem_t type, haddr_t size)
{
    (void)type;
    ((disk_file *)file)->allocated = size;
    return 0;
}

static haddr_t get_end(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const disk_file *)file)->end;
}

/* ---- reading and writing ---- */

static void keep(disk_file *file, haddr_t place, size_t size, const void *data)
{
    block *b = malloc(sizeof *b + size);

    if (b == NULL) {
        return; /* libhdf5 may stumble, but then it is too late for everything anyway */
    }
    b->next = NULL;
    b->place = place;
    b->size = size;
    memcpy(b->data, data, size);
    if (file->last != NULL) {
        file->last->next = b;
    } else {
        file->first = b;
    }
    file->last = b;
}

static void recall(const disk_file *file, haddr_t place, size_t size, unsigned char *to)
{
    for (const block *b = file->first; b != NULL; b = b->next) {
        const haddr_t begin = b->place > place ? b->place : place;
        const haddr_t b_end = b->place + b->size, end = place + size;
        const haddr_t stop = b_end < end ? b_end : end;
        if (begin < stop) {
            memcpy(to + (begin - place), b->data + (begin - b->place), (size_t)(stop - begin));
        }
    }
}

/* Behind the end there are zeros. */
static herr_t get(H5FD_t *data, H5FD_mem_t type, hid_t transfer, haddr_t from, size_t size,
                  void *to)
{
    const disk_file *file = (const disk_file *)data;
    size_t done = 0;

    (void)type;
    (void)transfer;
    while (done < size) {
        const ssize_t count =
            pread(file->fd, (char *)to + done, size - done, (off_t)(from + done));
        if (count < 0 && errno != EINTR) {
            return -1;
        }
        if (count == 0) {
            memset((char *)to + done, 0, size - done);
            break;
        }
        done += count > 0 ? (size_t)count : 0;
    }
    recall(file, from, size, to);
    return 0;
}

static herr_t put(H5FD_t *data, H5FD_mem_t type, hid_t transfer, haddr_t to, size_t size,
                  const void *from)
{
    disk_file *file = (disk_file *)data;
    size_t done = 0;

    (void)type;
    (void)transfer;
    while (done < size && file->report->error == 0) {
        const ssize_t count =
            pwrite(file->fd, (const char *)from + done, size - done, (off_t)(to + done));
        if (count > 0) {
            done += (size_t)count;
        } else if (count == 0 || errno != EINTR) {
            file->report->error = count == 0 ? EIO : errno;
        }
    }
    if (done < size) {
        keep(file, to + done, size - done, (const char *)from + done);
    }
    file->end = to + size > file->end ? to + size : file->end;
    return 0;
}

/* The file gets the length that libhdf5 has allocated. */
static herr_t cut(H5FD_t *data, hid_t transfer, hbool_t closing)
{
    disk_file *file = (disk_file *)data;

    (void)transfer;
    (void)closing;
    if (file->allocated == file->end) {
        return 0;
    }
    if (file->report->error == 0 && ftruncate(file->fd, (off_t)file->allocated) != 0) {
        file->report->error = errno;
    }
    file->end = file->allocated;
    return 0;
}

static herr_t lock(H5FD_t *file, hbool_t writing)
{
    return crank_claim(((const disk_file *)file)->fd, writing) ? 0 : -1;
}

/* From now on others may read. */
static herr_t unlock(H5FD_t *file)
{
    (void)crank_claim(((const disk_file *)file)->fd, false);
    return 0;
}

static const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 13, 2)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)300, /* of the range for tests and private use */
#endif
    .name = "crank",
    .maxaddr = ((haddr_t)1 << 62) - 1,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(crank_hdf5_disk *),
    .open = open_file,
    .close = close_file,
    .cmp = compare,
    .query = query,
    .alloc = allocate,
    .get_eoa = get_allocated,
    .set_eoa = set_allocated,
    .get_eof = get_end,
    .read = get,
    .write = put,
    .truncate = cut,
    .lock = lock, /* without it libhdf5 does not mark the file as being written */
    .unlock = unlock,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

bool crank_hdf5_set_disk(hid_t access, crank_hdf5_disk *report)
{
    const hid_t id = H5FDregister(&driver);

    *report = (crank_hdf5_disk){.fd = -1};
    if (id < 0) {
        return false;
    }
    const bool good = H5Pset_driver(access, id, &report) >= 0;
    return H5FDunregister(id) >= 0 && good;
}
