// Large pages: synthetic ones of 10,000 frames of 100 bodies and 1,000 frames of 1,000 bodies, and the chain of models/chain-100 with
// 100 links over 10,000 frames and 1,000 links over 1,000 frames, through a result file and `crank view`. The number of frames drawn a
// second is printed, and asserted loosely, since it depends on the machine and its load. Takes a minute; label long.
// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { close, indexOf, launch, open, playRate, run, scratch, template } from "./browser.mjs";
import { spinningBodies, writePage } from "./make_page.mjs";

const directory = scratch(after);
let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

// Opens a page and plays it; says how long that takes.
async function measure(path, what) {
    const megabytes = statSync(path).size / 1e6;
    assert.ok(megabytes < 60, `${megabytes} MB`);
    const start = Date.now();
    const tab = await open(browser, path);
    const seconds = (Date.now() - start) / 1000;
    const rate = await playRate(tab);
    console.log(`${what}: ${megabytes.toFixed(1)} MB, ready after ${seconds.toFixed(1)} s, ${rate.toFixed(1)} frames a second at 1280 x 720`);
    assert.ok(rate > 5, `${rate} frames a second`);
    await close(tab);
}

for (const [frames, bodies] of [[10000, 100], [1000, 1000]]) {
    test(`${frames} frames of ${bodies} bodies of all shapes in space open, play and stay below 60 MB`, async () => {
        const path = join(directory, `${bodies}.html`);
        const { columns, scene } = spinningBodies(bodies, frames, 100);
        writePage({ template, path, title: `${bodies} bodies`, columns, scene });
        await measure(path, `${frames} frames x ${bodies} bodies`);
    });
}

for (const [frames, bodies, end] of [[10000, 100, "5"], [1000, 1000, "1"]]) {
    test(`a chain of ${bodies} links over ${frames} frames opens, plays and stays below 60 MB`, async () => {
        const result = join(directory, `chain-${bodies}.h5`);
        const path = join(directory, `chain-${bodies}.html`);
        run("run", "models/chain-100/chain-100.yaml", "--set", `N=${bodies}`, "--points", `${frames - 1}`, "--t-end", end,
            "--out", result);
        run("view", result, "-o", path);
        const index = indexOf(path);
        assert.equal(index.rows, frames);
        assert.equal(index.scene.bodies.length, bodies);
        await measure(path, `chain of ${bodies} links, ${frames} frames, ${index.left_out.length} columns left out`);
    });
}
