// Pages of --watch reload themselves when a newer one was written, and keep what the reader was looking at.
// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, unlinkSync, writeFileSync } from "node:fs";
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

// Waits until the page has asked for its version some times more.
async function asked(tab, times) {
    for (let i = 0; i < times; i++) {
        await tab.waitForRequest((request) => request.url().includes("version.svg"));
    }
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
    await asked(tab, 2);
    assert.equal(await tab.evaluate(() => window.mark), 1);
    await close(tab);
});

test("a page whose watch has ended asks ever more seldom, and at once when someone comes back to it", async () => {
    write(3, "Left alone");
    unlinkSync(image);
    const tab = await open(browser, path, { mayLoad });
    await tab.clock.install();
    await tab.reload();
    await ready(tab);
    const before = tab.loaded.length;
    const count = () => tab.loaded.slice(before).filter((url) => url.includes("version.svg")).length;
    for (let seconds = 0; seconds < 120; seconds++) {
        await tab.clock.runFor(1000);
    }
    assert.equal(count(), 5, "after 1, 2, 4, 8 and 16 s");
    write(4, "Watched again");
    await tab.evaluate(() => window.dispatchEvent(new Event("focus")));
    await tab.waitForFunction(() => document.title === "Watched again");
    // Chromium notes every image that is missing.
    assert.deepEqual(tab.faults.filter((fault) => !/ERR_FILE_NOT_FOUND/.test(fault)), []);
    await tab.context().close();
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
        await tab.evaluate(() => { window.mark = 1; });
        await asked(tab, 2);
        assert.equal(await tab.evaluate(() => window.mark), 1, "it must not reload before the model is saved");
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
