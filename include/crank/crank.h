/* crank.h - all public headers of libcrank. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_CRANK_H
#define CRANK_CRANK_H

#include <crank/base.h>
#include <crank/dae.h>
#include <crank/draft.h>
#include <crank/eom.h>
#include <crank/events.h>
#include <crank/integrate.h>
#include <crank/model.h>
#include <crank/motion.h>
#include <crank/options.h>
#include <crank/report.h>
#include <crank/results.h>
#include <crank/run.h>
#include <crank/statistics.h>
#include <crank/study.h>

#endif
