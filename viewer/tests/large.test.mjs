// Large pages from synthetic results: 10,000 frames of 100 bodies and 1,000 frames of 1,000 bodies open and play. The number
// of frames drawn a second is printed, and asserted loosely, since it depends on the machine and its load.
// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { close, launch, open, playRate, scratch, template } from "./browser.mjs";
import { spinningBodies, writePage } from "./make_page.mjs";

const directory = scratch(after);
let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

for (const [frames, bodies] of [[10000, 100], [1000, 1000]]) {
    test(`${frames} frames of ${bodies} bodies of all shapes in space open, play and stay below 60 MB`, async () => {
        const path = join(directory, `${bodies}.html`);
        const { columns, scene } = spinningBodies(bodies, frames, 100);
        writePage({ template, path, title: `${bodies} bodies`, columns, scene });
        const megabytes = statSync(path).size / 1e6;
        assert.ok(megabytes < 60, `${megabytes} MB`);
        const start = Date.now();
        const tab = await open(browser, path);
        const seconds = (Date.now() - start) / 1000;
        const rate = await playRate(tab);
        console.log(`${frames} frames x ${bodies} bodies: ${megabytes.toFixed(1)} MB, ready after ${seconds.toFixed(1)} s, ` +
                    `${rate.toFixed(1)} frames a second at 1280 x 720`);
        assert.ok(rate > 5, `${rate} frames a second`);
        const name = `b${bodies - 1}`;
        for (const row of [0, frames >> 1, frames - 1]) {
            const { position } = await tab.evaluate(([i, body]) => {
                window.crank.setFrame(i);
                return window.crank.pose(body);
            }, [row, name]);
            ["x", "y", "z"].forEach((part, i) => {
                const { values } = columns.find((column) => column.name === `body.${name}.${part}`);
                assert.ok(Math.abs(position[i] - values[row]) < 1e-5, `row ${row}: ${position}`);
            });
        }
        await close(tab);
    });
}
