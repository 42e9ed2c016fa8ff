"""A study as a job array of Slurm: munged, slurmctld and slurmd of our own, on loopback, run three shards.

    python3 test_slurm.py CRANK        skipped unless root, with slurmctld, slurmd and munged (Debian: slurmctld slurmd munge)
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
import unittest

from command import DONE, CommandTest, main

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models")
TOOLS = ("munged", "slurmctld", "slurmd", "sbatch", "sinfo")
CONF = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ctld}
SlurmdPort={d}
AuthType=auth/munge
AuthInfo=socket={place}/munge.socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation={place}/state
SlurmdSpoolDir={place}/spool
SlurmctldPidFile={place}/ctld.pid
SlurmdPidFile={place}/d.pid
SlurmctldLogFile={place}/ctld.log
SlurmdLogFile={place}/d.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SwitchType=switch/none
NodeName={host} NodeAddr=127.0.0.1 CPUs=1 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP OverSubscribe=FORCE:3
"""


def tool(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@unittest.skipUnless(os.geteuid() == 0 and all(map(tool, TOOLS)), "needs root, slurmctld, slurmd and munged")
class Slurm(CommandTest):
    def setUp(self):
        super().setUp()
        self.daemons = []
        self.addCleanup(self.stop)
        os.chmod(self.place, 0o755)
        for name in ("state", "spool"):
            os.mkdir(self.path(name))
        with open(self.path("key"), "wb") as file:
            file.write(os.urandom(128))
        os.chmod(self.path("key"), 0o600)
        with open(self.path("slurm.conf"), "w", encoding="utf-8") as file:
            file.write(CONF.format(host=socket.gethostname().split(".")[0], place=self.place, ctld=free_port(), d=free_port()))
        self.daemon("munged", "--foreground", "--force", "--key-file", self.path("key"), "--socket", self.path("munge.socket"), "--pid-file",
                    self.path("munge.pid"), "--log-file", self.path("munge.log"), "--seed-file", self.path("munge.seed"))
        self.wait(lambda: os.path.exists(self.path("munge.socket")))
        self.daemon("slurmctld", "-D")
        self.daemon("slurmd", "-D")
        self.wait(lambda: "idle" in self.ask("sinfo", "-h", "-o", "%T"))

    def environment(self):
        return dict(super().environment(), SLURM_CONF=self.path("slurm.conf"))

    def daemon(self, name, *arguments):
        self.daemons.append(subprocess.Popen([tool(name), *arguments], env=self.environment(), stdin=subprocess.DEVNULL,
                                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def stop(self):
        for process in reversed(self.daemons):
            process.send_signal(signal.SIGTERM)
            process.wait(30)

    def ask(self, name, *arguments):
        return subprocess.run([tool(name), *arguments], env=self.environment(), capture_output=True, text=True, check=False).stdout

    def wait(self, done):
        for _ in range(600):
            if done():
                return
            time.sleep(0.1)
        self.fail("Slurm does not start")

    def test_job_array_runs_the_shards_of_a_study_and_the_last_one_merges(self):
        self.assertEqual(pwd.getpwuid(os.getuid()).pw_name, "root")
        study = ["sweep", os.path.join(MODELS, "quarter-car", "quarter-car.yaml"), "--sweep", "k=15000:30000:30", "--maximum", "body.body.y",
                 "--t-end", "1", "--points", "10"]
        with open(self.path("job.sh"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexec '%s' %s -o '%s'\n" % (self.crank, " ".join("'%s'" % a for a in study), self.path("array.nc")))
        done = self.ask("sbatch", "--wait", "--array=5-7", "-D", self.place, "-o", self.path("out-%a.txt"), self.path("job.sh"))
        self.assertIn("Submitted batch job", done)
        self.assertIn("10 members", self.read("out-6.txt"))
        self.expect(DONE, *study, "-o", "one.nc")
        with open(self.path("one.nc"), "rb") as one, open(self.path("array.nc"), "rb") as array:
            self.assertEqual(one.read(), array.read())


if __name__ == "__main__":
    main()
