/* build_led.c - bodies that a joint leads in time (crank_build_led): their place and heading
 * with two derivatives, for coordinates in which they have no unknowns. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"

void crank_build_led(crank_builder *b, crank_owner owner, int body, const crank_ex place[2],
                     const crank_ex tangent[2], double height)
{
    crank_led led = {.joint = owner.index, .body = body, .height = height};
    led.ex[0] = place[0];
    led.ex[1] = place[1];
    led.ex[2] = crank_ex_call(b->pool, CRANK_EX_ATAN2, tangent[1], tangent[0], 0);
    for (int i = 3; i < CRANK_LED_NUMBERS; i++) {
        led.ex[i] = crank_ex_derivative(b->pool, led.ex[i - 3], b->mechanism->t);
    }
    (void)CRANK_BUILD_PUSH(b, b->led, led);
}
