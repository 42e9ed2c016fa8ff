# solve_dae and solve_eom: ordinary equations as solve_ivp solves them, DAEs of index 1 to 3, equations of motion, mistakes of functions.
# SPDX-License-Identifier: BSD-3-Clause
import os
import signal
import threading
import unittest
import warnings

try:
    import numpy as np
    import scipy.integrate
    import scipy.optimize
    import scipy.sparse
except ImportError:
    raise unittest.SkipTest("numpy and scipy are not installed (Debian: python3-scipy)")

import crankmbs
from crankmbs import solve_dae, solve_eom

G = 10.0
FIVE = np.diag([1.0, 1, 1, 1, 0])


def pendulum(level):
    def equations(t, y):
        x, z, vx, vz, force = y
        ax, az = -force * x, -force * z - G
        row = [x * x + z * z - 1, x * vx + z * vz, vx * vx + vz * vz + x * ax + z * az][level]
        return [vx, vz, ax, az, row]
    return equations


def swing(t, y):
    """the pendulum by its angle"""
    return [y[1], -G * np.sin(y[0])]


def robertson(t, y):
    return [-0.04 * y[0] + 1e4 * y[1] * y[2], 0.04 * y[0] - 1e4 * y[1] * y[2] - 3e7 * y[1] ** 2, y[0] + y[1] + y[2] - 1]


def robertson_ode(t, y):
    return [-0.04 * y[0] + 1e4 * y[1] * y[2], 0.04 * y[0] - 1e4 * y[1] * y[2] - 3e7 * y[1] ** 2, 3e7 * y[1] ** 2]


def amplifier(t, y):
    """the one-transistor amplifier of Hairer and Wanner"""
    supply, r0, r, alpha, beta, thermal = 6.0, 1000.0, 9000.0, 0.99, 1e-6, 0.026
    current = beta * (np.exp((y[1] - y[2]) / thermal) - 1)
    entry = 0.4 * np.sin(200 * np.pi * t)
    return [(y[0] - entry) / r0, y[1] * 2 / r - supply / r + (1 - alpha) * current, y[2] / r - current,
            (y[3] - supply) / r + alpha * current, y[4] / r]


def amplifier_ode(t, z):
    """z = (y1 - y2, y3, y4 - y5), for which E is regular; the rest from the rows that E leaves out: sums of the first and of the last two"""
    u = scipy.optimize.brentq(lambda b: sum(amplifier(t, [z[0] + b, b, z[1], 0, 0])[:2]), -10, z[1] + 0.9, xtol=1e-15, rtol=1e-15)
    f = amplifier(t, [z[0] + u, u, z[1], 0, 0])
    e = -(f[3] + z[2] / 9000.0) / (2 / 9000.0)
    f = amplifier(t, [z[0] + u, u, z[1], z[2] + e, e])
    return [-f[0] / 1e-6, -f[2] / 2e-6, -f[3] / 3e-6], [z[0] + u, u, z[1], z[2] + e, e]


def amplifier_mass():
    c1, c2, c3 = 1e-6, 2e-6, 3e-6
    return np.array([[-c1, c1, 0, 0, 0], [c1, -c1, 0, 0, 0], [0, 0, -c2, 0, 0], [0, 0, 0, -c3, c3], [0, 0, 0, c3, -c3]])


class Ordinary(unittest.TestCase):
    def test_results_have_the_shapes_of_scipy(self):
        def event(t, y):
            return y[0]
        event.direction = -1
        last = lambda t, y: t - 7.5  # noqa: E731
        last.terminal = True
        mine = solve_dae(swing, (0, 10), [1, 0], events=[event, last], rtol=1e-9, atol=1e-9, dense_output=True)
        other = scipy.integrate.solve_ivp(swing, (0, 10), [1, 0], events=[event, last], rtol=1e-9, atol=1e-9,
                                          dense_output=True, method="DOP853")
        self.assertEqual((mine.status, mine.success), (other.status, other.success))
        self.assertEqual(mine.y.shape, (2, len(mine.t)))
        self.assertAlmostEqual(mine.t[-1], other.t[-1], 7)
        for i in range(2):
            self.assertEqual(mine.t_events[i].shape, other.t_events[i].shape)
            self.assertEqual(mine.y_events[i].shape, other.y_events[i].shape)
            np.testing.assert_allclose(mine.t_events[i], other.t_events[i], atol=1e-6)
            np.testing.assert_allclose(mine.y_events[i], other.y_events[i], atol=1e-6)
        times = np.linspace(0, 7.5, 50)
        self.assertEqual(mine.sol(times).shape, other.sol(times).shape)
        self.assertEqual(mine.sol(1.0).shape, (2,))
        np.testing.assert_allclose(mine.sol(times), other.sol(times), atol=1e-6)
        for name in ("nfev", "njev", "nlu", "message"):
            self.assertIn(name, mine)

    def test_chosen_times_arguments_and_backwards(self):
        for span in ((0, 3), (3, 0)):
            times = np.linspace(*span, 7)
            mine = solve_dae(lambda t, y, a: [a * y[0] + t], span, [1], t_eval=times, args=(-0.5,), rtol=1e-9, atol=1e-9)
            other = scipy.integrate.solve_ivp(lambda t, y, a: [a * y[0] + t], span, [1], t_eval=times, args=(-0.5,),
                                              rtol=1e-10, atol=1e-10)
            np.testing.assert_array_equal(mine.t, times)
            np.testing.assert_allclose(mine.y, other.y, atol=1e-7)

    def test_sparse_matrices_are_taken(self):
        mass = scipy.sparse.csc_matrix(np.array([[2, 0.5], [1, 1]]))
        jac = lambda t, y: mass @ scipy.sparse.csr_matrix([[0, 1], [-G * np.cos(y[0]), 0]])  # noqa: E731
        given = dict(rtol=1e-6, atol=1e-6, method="psf-radau")
        mine = solve_dae(lambda t, y: mass @ swing(t, y), (0, 1), [1, 0], mass, jac=jac, **given)
        full = solve_dae(lambda t, y: mass @ swing(t, y), (0, 1), [1, 0], mass.toarray(), jac=lambda t, y: jac(t, y).toarray(), **given)
        np.testing.assert_array_equal(mine.y, full.y)

    def test_unknowns_are_called_as_the_caller_numbers_them(self):
        mine = solve_dae(lambda t, y: [1, y[1] ** 2], (0, 2), [0, 1.0])
        self.assertFalse(mine.success)
        self.assertIn("y2 has no bound", mine.message)

    def test_a_regular_mass_matrix(self):
        mass = np.array([[2, 0.5], [1, 1]])
        mine = solve_dae(lambda t, y: mass @ swing(t, y), (0, 4), [1, 0], mass, rtol=1e-9, atol=1e-9)
        other = scipy.integrate.solve_ivp(swing, (0, 4), [1, 0], rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(mine.y[:, -1], other.y[:, -1], atol=1e-6)


class Algebraic(unittest.TestCase):
    """Ten DAEs: the first three by the angle of the pendulum, others by exact solutions or as ordinary equations."""

    def pendulum(self, level):
        mine = solve_dae(pendulum(level), (0, 2), [0.6, -0.8, 0, 0, 0], FIVE, t_eval=np.linspace(0, 2, 9), rtol=1e-8, atol=1e-8)
        self.assertTrue(mine.success, mine.message)
        angle = scipy.integrate.solve_ivp(swing, (0, 2), [np.arcsin(0.6), 0], t_eval=mine.t, rtol=1e-11, atol=1e-11).y
        self.assertEqual(mine.index, 3 - level)
        np.testing.assert_allclose(mine.y[0], np.sin(angle[0]), atol=1e-6)
        np.testing.assert_allclose(mine.y[1], -np.cos(angle[0]), atol=1e-6)
        np.testing.assert_allclose(mine.y[2], angle[1] * np.cos(angle[0]), atol=1e-5)
        np.testing.assert_allclose(mine.y[4], angle[1] ** 2 + G * np.cos(angle[0]), atol=1e-4)

    def test_pendulum_of_index_3(self):
        self.pendulum(0)

    def test_pendulum_of_index_2(self):
        self.pendulum(1)

    def test_pendulum_of_index_1(self):
        self.pendulum(2)

    def test_robertson(self):
        atol = [1e-8, 1e-12, 1e-8]
        mine = solve_dae(robertson, (0, 1e4), [1, 0, 0], np.diag([1.0, 1, 0]), t_eval=[1, 1e2, 1e4], rtol=1e-7, atol=atol)
        other = scipy.integrate.solve_ivp(robertson_ode, (0, 1e4), [1, 0, 0], t_eval=mine.t, rtol=1e-10, atol=1e-14,
                                          method="Radau")
        self.assertEqual(mine.index, 1)
        np.testing.assert_allclose(mine.y, other.y, rtol=1e-5)

    def test_points_between_steps_are_as_accurate_as_steps(self):
        mine = solve_dae(pendulum(0), (0, 1), [0.6, -0.8, 0, 0, 0], FIVE, rtol=1e-8, atol=1e-8, dense_output=True)
        times = np.linspace(0, 1, 57)
        rows = solve_dae(pendulum(0), (0, 1), [0.6, -0.8, 0, 0, 0], FIVE, rtol=1e-8, atol=1e-8, t_eval=times)
        np.testing.assert_allclose(mine.sol(times)[:2], rows.y[:2], atol=1e-7)

    def test_transistor_amplifier(self):
        y0 = [0, 3, 3, 6, 0]
        mass = amplifier_mass()
        mine = solve_dae(amplifier, (0, 0.02), y0, mass, t_eval=[0.005, 0.01, 0.02], rtol=1e-8, atol=1e-8)
        other = scipy.integrate.solve_ivp(lambda t, z: amplifier_ode(t, z)[0], (0, 0.02), [-3, 3, 6], t_eval=mine.t, rtol=1e-9, atol=1e-9,
                                          method="Radau")
        self.assertEqual(mine.index, 1)
        self.assertTrue(mine.success, mine.message)
        np.testing.assert_allclose(mine.y, np.array([amplifier_ode(t, z)[1] for t, z in zip(other.t, other.y.T)]).T, atol=1e-5)

    def test_limit_of_van_der_pol(self):
        # y' = z, 0 = (1 - y^2) z - y: t = ln y - y^2/2 + constant
        mine = solve_dae(lambda t, y: [y[1], (1 - y[0] ** 2) * y[1] - y[0]], (0, 0.5), [2, 0], np.diag([1.0, 0]), rtol=1e-9,
                         atol=1e-9)
        t = np.log(mine.y[0] / 2) - (mine.y[0] ** 2 - 4) / 2
        self.assertFalse(mine.consistent)
        np.testing.assert_allclose(t, mine.t, atol=1e-7)

    def test_linear_chains_of_index_1_to_3(self):
        for n in (1, 2, 3):
            mass = np.diag([1.0] * (n - 1) + [0.0])
            mine = solve_dae(lambda t, y: [*y[1:], y[0] - np.sin(t)], (0, 2), [0, 1, 0][:n], mass, rtol=1e-8, atol=1e-8)
            self.assertEqual(mine.index, n)
            exact = [np.sin(mine.t), np.cos(mine.t), -np.sin(mine.t)][:n]
            for j, limit in enumerate([1e-7, 2e-4, 1e-6][:n]):  # of index 2: counts h times, and is not found at rows
                np.testing.assert_allclose(mine.y[j], exact[j], atol=limit)

    def test_a_mass_matrix_that_varies(self):
        # (1 + y1^2) y1' = -y2, y2 = (1 + y1^2) y1: y1 = exp(-t)
        mine = solve_dae(lambda t, y: [-y[1], y[1] - (1 + y[0] ** 2) * y[0]], (0, 2), [1, 2],
                         lambda t, y: [[1 + y[0] ** 2, 0], [0, 0]], rtol=1e-8, atol=1e-8)
        self.assertEqual(mine.index, 1)
        np.testing.assert_allclose(mine.y[0], np.exp(-mine.t), atol=1e-6)


class Motion(unittest.TestCase):
    """solve_eom on the pendulum, against its angle"""

    def check(self, **given):
        mine = solve_eom(lambda t, p, v: [0, -2 * G], (0, 2), [0.6, -0.8], [0, 0], M=given.pop("M", 2 * np.eye(2)),
                         g=lambda t, p: p @ p - 1, t_eval=np.linspace(0, 2, 9), rtol=1e-8, atol=1e-8, **given)
        self.assertTrue(mine.success, mine.message)
        angle = scipy.integrate.solve_ivp(swing, (0, 2), [np.arcsin(0.6), 0], t_eval=mine.t, rtol=1e-11, atol=1e-11).y
        np.testing.assert_allclose(mine.p[0], np.sin(angle[0]), atol=1e-6)
        np.testing.assert_allclose(mine.v[1], angle[1] * np.sin(angle[0]), atol=1e-6)
        # 2 m lambda = m (omega^2 + G cos)
        np.testing.assert_allclose(2 * mine.multipliers[0], 2 * (angle[1] ** 2 + G * np.cos(angle[0])), atol=1e-5)
        np.testing.assert_allclose((mine.p**2).sum(axis=0), 1, atol=1e-12)
        return mine

    def test_a_pendulum_with_and_without_formulas(self):
        mine = self.check(G=lambda t, p: [2 * p])
        self.assertEqual((mine.y.shape, mine.p.shape, mine.multipliers.shape), ((4, 9), (2, 9), (1, 9)))
        self.check(M=lambda t, p, v: 2 * np.eye(2), method="psf-radau")

    def test_events_and_points_between(self):
        lowest = lambda t, p, v: p[0]  # noqa: E731
        lowest.terminal = 2
        mine = solve_eom(lambda t, p, v: [0, -G], (0, 5), [0.6, -0.8], [0, 0], g=lambda t, p: [p @ p - 1], G=lambda t, p: [2 * p],
                         events=lowest, dense_output=True, rtol=1e-8, atol=1e-8)
        other = scipy.integrate.solve_ivp(swing, (0, 5), [np.arcsin(0.6), 0], events=lambda t, y: y[0], rtol=1e-11, atol=1e-11,
                                          dense_output=True)
        self.assertEqual((mine.status, mine.y_events[0].shape[0]), (1, 2))
        np.testing.assert_allclose(mine.t_events[0], other.t_events[0][:2], atol=1e-6)
        times = np.linspace(0, mine.t[-1], 40)
        np.testing.assert_allclose(mine.sol(times)[0], np.sin(other.sol(times)[0]), atol=1e-6)

    def test_mistakes(self):
        for text, given in (("p0 has 2 values and v0 has 1", dict(v0=[0])), ("M is of shape", dict(M=np.eye(3))),
                            ("f returned", dict(f=lambda t, p, v: [1])), ("G returned", dict(G=lambda t, p: np.eye(2))),
                            ("M returned", dict(M=lambda t, p, v: [1]))):
            whole = {"f": lambda t, p, v: [0, -G], "v0": [0, 0], "g": lambda t, p: [p @ p - 1], **given}
            with self.assertRaisesRegex(ValueError, text):
                solve_eom(whole.pop("f"), (0, 1), [0.6, -0.8], whole.pop("v0"), **whole)
        with self.assertRaises(ZeroDivisionError):
            solve_eom(lambda t, p, v: [1 / 0], (0, 1), [1], [0])
        with self.assertRaisesRegex(crankmbs.Error, "before"):
            solve_eom(lambda t, p, v: -p, (1, 0), [1], [0])
        with self.assertWarnsRegex(crankmbs.CrankWarning, "not consistent: the largest change is that of p1, from 1.1 to 1"):
            solve_eom(lambda t, p, v: [0, -G], (0, 0.1), [1.1, 0], [0, 0], g=lambda t, p: [p @ p - 1])
        self.assertTrue(solve_eom(lambda t, p, v: -p, (0, 1), [1], [0]).success)


class Mistakes(unittest.TestCase):
    def test_exceptions_of_functions_come_back_as_themselves(self):
        class Own(Exception):
            pass

        def raises(t, y):
            if t > 0.5:
                raise Own("here")
            return -y
        with self.assertRaisesRegex(Own, "here"):
            solve_dae(raises, (0, 1), [1.0])
        with self.assertRaisesRegex(ValueError, r"fun returned an array of shape \(2,\)"):
            solve_dae(lambda t, y: [1, 2], (0, 1), [1.0])
        with self.assertRaisesRegex(ValueError, "mass is of shape"):
            solve_dae(lambda t, y: y, (0, 1), [1.0], np.eye(2))
        with self.assertRaisesRegex(ValueError, "mass returned"):
            solve_dae(lambda t, y: y, (0, 1), [1.0], lambda t, y: np.eye(2))
        with self.assertRaisesRegex(ValueError, "t_eval"):
            solve_dae(lambda t, y: y, (0, 1), [1.0], t_eval=[0, 2])
        with self.assertRaisesRegex(ValueError, "jac is of shape"):
            solve_dae(lambda t, y: y, (0, 1), [1.0], jac=np.eye(2))
        with self.assertRaisesRegex(ValueError, "jac returned"):
            solve_dae(lambda t, y: y, (0, 1), [1.0], np.zeros((1, 1)), jac=lambda t, y: np.eye(2))
        for y0 in ([], [[1.0]], 1.0):
            with self.assertRaisesRegex(ValueError, "y0 must be"):
                solve_dae(lambda t, y: y, (0, 1), y0)
        with self.assertRaisesRegex(ValueError, "t_span is"):
            solve_dae(lambda t, y: y, (0, 1, 2), [1.0])
        with self.assertRaisesRegex(ValueError, "rtol is one number"):
            solve_dae(lambda t, y: y, (0, 1), [1.0], rtol=[1e-3])
        with self.assertRaisesRegex(TypeError, "y0 has complex"):
            solve_dae(lambda t, y: y, (0, 1), [1j])
        with self.assertRaisesRegex(crankmbs.Error, "mass matrix is not finite in row 1, column 2"):
            solve_dae(lambda t, y: y, (0, 1), [1.0, 2.0], [[1, np.nan], [0, 1]])
        for wrong in (dict(atol=[1, 2]), dict(index=[1, 2]), dict(events=lambda t, y: [1, 2])):
            with self.assertRaises((ValueError, TypeError)):
                solve_dae(lambda t, y: y, (0, 1), [1.0], **wrong)
        with self.assertRaisesRegex(crankmbs.Error, "rtol"):
            solve_dae(lambda t, y: y, (0, 1), [1.0], rtol=-1)
        self.assertTrue(solve_dae(lambda t, y: -y, (0, 1), [1.0]).success)

    def test_what_cannot_be_solved_is_refused_by_name(self):
        four = np.diag([1.0, 1, 1, 0])
        with self.assertRaisesRegex(crankmbs.Error, "index above 3"):
            solve_dae(lambda t, y: [y[1], y[2], y[3], y[0] - np.sin(t)], (0, 1), [0, 1, 0, -1], four)
        with self.assertRaisesRegex(crankmbs.Error, "index"):
            solve_dae(pendulum(0), (0, 1), [0.6, -0.8, 0, 0, 0], FIVE, index=1)
        with self.assertWarnsRegex(crankmbs.CrankWarning, "not consistent"):
            solve_dae(pendulum(0), (0, 0.1), [0.63, -0.8, 0, 0, 0], FIVE)

    def test_two_threads_wait_for_each_other_in_their_functions(self):
        meeting, good = threading.Barrier(2, timeout=60), []

        def work():
            met = []

            def fun(t, y):
                if not met:
                    met.append(meeting.wait())
                return -y
            good.append(solve_dae(fun, (0, 1), [1.0]).success)
        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(good, [True, True])

    def test_ctrl_c_ends_a_solution(self):
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            solve_dae(lambda t, y: [y[1], -y[0]], (0, 1e9), [0, 1], t_eval=[1e9])
        timer.cancel()
        self.assertTrue(solve_dae(lambda t, y: -y, (0, 1), [1.0]).success)


if __name__ == "__main__":
    unittest.main()
