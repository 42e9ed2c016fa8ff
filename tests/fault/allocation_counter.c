/* allocation_counter.c - see allocation_counter.h.
 *
 * The executable's definitions of malloc, ... take precedence over those of the C library for
 * every shared library too. What is allocated comes from the usual allocator, so free need not
 * be replaced. State is atomic, since libraries may have threads. */
// SPDX-License-Identifier: BSD-3-Clause
#include "fault/allocation_counter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

/* the allocator behind: the sanitizer's, or glibc's. SANITIZED comes from the build, since this
 * file itself must not be instrumented: it runs before the sanitizer has begun. */
#if defined(SANITIZED)
#define BEHIND(name) __interceptor_##name
#else
#define BEHIND(name) __libc_##name
#endif

extern void *BEHIND(malloc)(size_t size);
extern void *BEHIND(calloc)(size_t count, size_t size);
extern void *BEHIND(realloc)(void *old, size_t size);
extern void *BEHIND(memalign)(size_t alignment, size_t size);

/* functions of the C library that its headers declare only under other feature macros */
void *memalign(size_t alignment, size_t size);

#define EXPORTED __attribute__((visibility("default")))

static atomic_bool armed;
static atomic_int_least64_t count;
static atomic_int_least64_t until_failure =
    -1; /* allocations left before the failing one; -1: off */
static atomic_bool failure_reached;

void allocation_counter_arm(void)
{
    atomic_store(&count, 0);
    atomic_store(&armed, true);
}

int64_t allocation_counter_disarm(void)
{
    atomic_store(&armed, false);
    return atomic_load(&count);
}

void allocation_counter_fail(int64_t n)
{
    atomic_store(&failure_reached, false);
    atomic_store(&until_failure, n);
}

bool allocation_counter_failed(void)
{
    atomic_store(&until_failure, -1);
    return atomic_load(&failure_reached);
}

__attribute__((noinline)) void allocation_counter_seen(size_t bytes)
{
    (void)bytes;
    atomic_fetch_add(&count, 1);
}

/* counts one allocation; false: it shall fail */
static bool admit(size_t bytes)
{
    if (atomic_load(&armed)) {
        allocation_counter_seen(bytes);
    }
    int_least64_t left = atomic_load(&until_failure);
    while (left >= 0 && !atomic_compare_exchange_weak(&until_failure, &left, left - 1)) {
    }
    if (left == 0) {
        atomic_store(&failure_reached, true);
        errno = ENOMEM;
        return false;
    }
    return true;
}

EXPORTED void *malloc(size_t size)
{
    return admit(size) ? BEHIND(malloc)(size) : NULL;
}

EXPORTED void *calloc(size_t number, size_t size)
{
    return admit(number * size) ? BEHIND(calloc)(number, size) : NULL;
}

EXPORTED void *realloc(void *old, size_t size)
{
    return admit(size) ? BEHIND(realloc)(old, size) : NULL;
}

EXPORTED void *memalign(size_t alignment, size_t size)
{
    return admit(size) ? BEHIND(memalign)(alignment, size) : NULL;
}

EXPORTED void *aligned_alloc(size_t alignment, size_t size)
{
    return admit(size) ? BEHIND(memalign)(alignment, size) : NULL;
}

EXPORTED int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) {
        return EINVAL;
    }
    void *piece = admit(size) ? BEHIND(memalign)(alignment, size) : NULL;
    if (piece == NULL) {
        return ENOMEM;
    }
    *out = piece;
    return 0;
}
