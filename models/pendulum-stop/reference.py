"""The impacts of pendulum-stop.yaml, exact: writes reference.csv.

    python3 reference.py > reference.csv

With the angle theta from below, w = sqrt(grav/L) and the amplitude theta_n after n impacts, sin(theta_n/2) = e^n sin(theta_0/2):
the speed at the lowest point is v = 2 L w sin(theta/2), and each impact leaves e times the speed. From the release to the first
impact it takes K(k_0)/w, from one impact to the next 2 K(k_n)/w, with K(k) the complete elliptic integral, by the
arithmetic-geometric mean, in 40 digits. Half way between two impacts the pendulum rests at theta_n.
"""
# SPDX-License-Identifier: BSD-3-Clause
from decimal import Decimal, getcontext

getcontext().prec = 40
L, GRAVITY, MASS, E = Decimal(1), Decimal("9.81"), Decimal(2), Decimal("0.75")
PI = Decimal("3.1415926535897932384626433832795028841972")
IMPACTS = 8


def complete(k):
    """K(k) = pi / (2 agm(1, sqrt(1 - k^2)))"""
    a, b = Decimal(1), (1 - k * k).sqrt()
    while abs(a - b) > Decimal(10) ** -38:
        a, b = (a + b) / 2, (a * b).sqrt()
    return PI / (2 * a)


def main():
    print("time,vx,kinetic,rest,y")
    w = (GRAVITY / L).sqrt()
    k = Decimal("0.5").sqrt()  # sin(theta_0/2), theta_0 = 90 degrees
    time = complete(k) / w
    for _ in range(IMPACTS):
        speed = 2 * L * w * k
        kinetic = MASS * speed * speed / 2  # before the impact
        k *= E
        quarter = complete(k) / w
        # y = -cos(theta) = 2 sin^2(theta/2) - 1
        print("%.17g,%.17g,%.17g,%.17g,%.17g" % (time, -speed, kinetic, time + quarter, L * (2 * k * k - 1)))
        time += 2 * quarter


if __name__ == "__main__":
    main()
