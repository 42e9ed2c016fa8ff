"""The exact motion of bouncing-ball.yaml: writes reference.csv (times of the impacts, and state at regular times).

    python3 reference.py > reference.csv

In exact fractions: with height 5/4, grav 10 and e = 4/5 the ball meets the floor at t = 1/2 with speed 5; the n-th impact
leaves 5 (4/5)^n, and the next one comes 5 (4/5)^n / 5 later. They accumulate at 1/2 (1 + e)/(1 - e) = 9/2.
"""
# SPDX-License-Identifier: BSD-3-Clause
from fractions import Fraction

GRAVITY, RADIUS, E = Fraction(10), Fraction(1, 10), Fraction(4, 5)


def impacts():
    """Time and speed after each impact, the start being one at half a flight before t = 0."""
    time, speed = Fraction(-1, 2), Fraction(5)
    while True:
        yield time, speed
        time += 2 * speed / GRAVITY
        speed *= E


def state(t):
    flight = None
    for time, speed in impacts():
        if time > t:
            break
        flight = time, speed
    time, speed = flight
    s = t - time
    return RADIUS + speed * s - GRAVITY * s * s / 2, speed - GRAVITY * s


def main():
    print("time,y,v")
    for k in range(17):
        t = Fraction(k, 4)
        if t == Fraction(1, 2):
            continue  # the first impact
        y, v = state(t)
        print("%.17g,%.17g,%.17g" % (t, y, v))


if __name__ == "__main__":
    main()
