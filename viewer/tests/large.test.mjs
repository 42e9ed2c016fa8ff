// A large page from a synthetic result: 10,000 frames of 100 bodies open and play. Frames a second: large_run.test.mjs.
// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { close, launch, open, scratch, template } from "./browser.mjs";
import { spinningBodies, writePage } from "./make_page.mjs";

const directory = scratch(after);
let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

test("10000 frames of 100 bodies of all shapes in space open, play and stay below 60 MB", async () => {
    const [frames, bodies] = [10000, 100];
    const path = join(directory, "large.html");
    const { columns, scene } = spinningBodies(bodies, frames, 100);
    writePage({ template, path, title: `${bodies} bodies`, columns, scene });
    const megabytes = statSync(path).size / 1e6;
    assert.ok(megabytes < 60, `${megabytes} MB`);
    const tab = await open(browser, path);
    await tab.evaluate(() => window.crank.play());
    await tab.waitForFunction((drawn) => window.crank.framesDrawn > drawn + 10, await tab.evaluate(() => window.crank.framesDrawn));
    for (const row of [0, frames >> 1, frames - 1]) {
        const { position } = await tab.evaluate((i) => {
            window.crank.setFrame(i);
            return window.crank.pose("b99");
        }, row);
        ["x", "y", "z"].forEach((part, i) => {
            const { values } = columns.find((column) => column.name === `body.b99.${part}`);
            assert.ok(Math.abs(position[i] - values[row]) < 1e-5, `row ${row}: ${position}`);
        });
    }
    await close(tab);
});
