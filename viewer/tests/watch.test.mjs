// Pages of --watch reload themselves when a newer one was written, and keep what the reader was looking at.
// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { close, crank, launch, open, openObjects, ready, scratch, template } from "./browser.mjs";
import { spinningBodies, writePage } from "./make_page.mjs";

const directory = scratch(after);
const path = join(directory, "page.html");
const image = path + ".version.svg";
let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

const mayLoad = (url) => /\.version\.svg\?/.test(url) && url.startsWith(pathToFileURL(directory).href);

function write(version, title) {
    const { columns, scene } = spinningBodies(3, 101);
    scene.plots = [["body.b0.z"]];
    writePage({ template, path, title, columns, scene, watch: { version, image: basename(image), width: version, height: 1 } });
    writeFileSync(image, `<svg xmlns="http://www.w3.org/2000/svg" width="${version}" height="1"/>\n`);
}

test("a page reloads when its version changes and keeps time, panels, selection and theme", async () => {
    write(1, "First");
    const tab = await open(browser, path, { mayLoad });
    await tab.evaluate(() => window.crank.setFrame(40));
    await openObjects(tab);
    await tab.locator("#objects [role=option]").filter({ hasText: "b1" }).first().click();
    await tab.locator("#theme").click();
    await tab.locator("#add-panel").click();
    await tab.locator("#chooser-search").fill("body.b2.x");
    await tab.locator("#chooser [role=option]").first().click();
    await tab.keyboard.press("Escape");
    const state = () => tab.evaluate(() => {
        const { panels, theme, selection } = window.crank.state;
        return { panels, theme, selection, time: window.crank.time };
    });
    const kept = await state();
    assert.equal(kept.theme, "dark");
    assert.equal(kept.panels.length, 2);
    write(2, "Second");
    await tab.waitForFunction(() => document.title === "Second", null, { timeout: 10000 });
    await ready(tab);
    assert.deepEqual(await state(), kept);
    await close(tab);
});

test("a page whose version stays does not reload", async () => {
    write(7, "Same");
    const tab = await open(browser, path, { mayLoad });
    await tab.evaluate(() => { window.mark = 1; });
    await tab.waitForTimeout(2500);
    assert.equal(await tab.evaluate(() => window.mark), 1);
    assert.ok(tab.loaded.filter((url) => url.includes("version.svg")).length >= 2, "it asks once a second");
    await close(tab);
});

test("crank run --watch renews the page in the browser when the model is saved, and survives mistakes", async () => {
    const model = join(directory, "model.yaml");
    const watched = join(directory, "watched.html");
    const save = (rows, shape = "sphere") => writeFileSync(model, `crank: mechanism
bodies:
  ball: {mass: 1, shape: {${shape}: 0.1}, velocity: [1, 0, 0]}
simulate: {t_end: 1, points: ${rows - 1}}
`);
    save(11);
    const said = [];
    const child = spawn(crank, ["run", model, "--html", watched, "--watch"],
                        { env: { ...process.env, CRANK_PAGE: template }, stdio: ["ignore", "ignore", "pipe"] });
    const ended = new Promise((resolve) => child.on("exit", (code, signal) => resolve(code ?? signal)));
    child.stderr.on("data", (data) => said.push(String(data)));
    try {
        for (let i = 0; i < 200 && !existsSync(watched); i++) {
            await wait(50);
        }
        const tab = await open(browser, watched, { mayLoad });
        assert.equal(await tab.evaluate(() => window.crank.rows), 11);
        save(21);
        await tab.waitForFunction(() => window.crank?.ready && window.crank.rows === 21, null, { timeout: 20000 });
        save(31, "spere");
        for (let i = 0; i < 200 && !said.join("").includes("spere"); i++) {
            await wait(50);
        }
        assert.match(said.join(""), /model\.yaml:3:.*spere/);
        save(41);
        await tab.waitForFunction(() => window.crank?.ready && window.crank.rows === 41, null, { timeout: 20000 });
        await close(tab);
    } finally {
        child.kill("SIGINT");
    }
    assert.ok([0, 1].includes(await ended));
});
