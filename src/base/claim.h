/* claim.h - a file has one writer at a time.
 *
 * Results are claimed by flock(2) as long as they are written: two runs that write the same
 * file, or a run that is resumed while it is still going on, would spoil it. The lock ends with
 * the process, however that ends. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_CLAIM_H
#define CRANK_SRC_CLAIM_H

#include <stdbool.h>

/* open(2) of a file to write, which is cut (O_TRUNC) only once it is claimed. -1: errno tells,
 * EWOULDBLOCK stands for a file that another process has claimed. Pipes and devices are opened
 * without a claim, and so are files where the file system has no locks. */
int crank_claim_open(const char *path, int flags);
/* Claims an open file: alone, or together with others that only read it. false: another process
 * has claimed it. */
bool crank_claim(int fd, bool alone);
/* The sentence for errno of crank_claim_open. */
const char *crank_claim_reason(int error);

#endif
