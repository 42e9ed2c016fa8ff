/* block.h - a mechanism file as a class of Modelica models. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_RUN_BLOCK_H
#define CRANK_SRC_RUN_BLOCK_H

#include "modelica/package.h"

crank_mo_block_fn crank_block_write;

#endif
