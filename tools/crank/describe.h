/* describe.h - methods and options as help text. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_DESCRIBE_H
#define CRANK_TOOLS_DESCRIBE_H

void print_methods(void);
void print_options(void);

#endif
