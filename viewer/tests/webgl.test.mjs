// A browser without WebGL: a message in place of the scene; plots work.
// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, run, scratch } from "./browser.mjs";

const directory = scratch(after);
const path = join(directory, "page.html");
let browser;
before(async () => {
    run("run", "models/slider-crank/mechanism.yaml", "--out", join(directory, "result.csv"), "--html", path);
    browser = await launch({ webgl: false });
});
after(() => browser?.close());

test("without WebGL the page says so and its plots work", async () => {
    const tab = await open(browser, path);
    assert.equal(await tab.evaluate(() => window.crank.state.webgl), false);
    assert.match(await tab.locator("#stage").innerText(), /WebGL is off or missing.*The plots work/);
    assert.ok(await tab.locator(".panel .u-over").first().isVisible());
    await tab.locator("#play").click();
    await tab.waitForFunction(() => window.crank.time > 0);
    await tab.evaluate(() => window.crank.setFrame(10));
    assert.equal(await tab.evaluate(() => window.crank.frame), 10);
    assert.deepEqual(tab.faults.filter((fault) => !/WebGL/.test(fault)), []);
    await tab.context().close();
});
