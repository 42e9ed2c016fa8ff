/* consumer.c - the smallest user of the installed library. */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/base.h>
#include <crank/options.h>

#include <stdio.h>

int main(void)
{
    crank_options options = crank_options_default();
    crank_error err = {0};
    if (crank_options_set(&options, "rtol", "1e-9", &err) != CRANK_OK) {
        (void)fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    (void)printf("crank %s, rtol %g\n", crank_version(), options.rtol);
    return options.rtol == 1e-9 ? 0 : 1;
}
