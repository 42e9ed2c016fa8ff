/* runtime_text.h - runtime_types.inc, runtime_solver.inc and runtime_interface.inc as texts; made
 * by CMake. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_INLINE_RUNTIME_TEXT_H
#define CRANK_SRC_INLINE_RUNTIME_TEXT_H

extern const char crank_runtime_types[], crank_runtime_solver[], crank_runtime_interface[];

#endif
