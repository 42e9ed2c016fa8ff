// Animation: what is drawn, when, and where bodies stand.
// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { close, colours, indexOf, launch, near, nearRotation, open, readCsv, run, scratch, template } from "./browser.mjs";
import { spinningBodies, writePage } from "./make_page.mjs";

const directory = scratch(after);
const page = (name) => join(directory, name + ".html");
const result = (name) => join(directory, name + ".csv");
let browser;

before(async () => {
    run("run", "models/bricard/bricard.yaml", "--t-end", "2", "--points", "100", "--out", result("bricard"), "--html",
        page("bricard"));
    run("run", "models/slider-crank/mechanism.yaml", "--out", result("slider"), "--html", page("slider"));
    run("linearize", "models/truck/truck.yaml", "--equilibrium", "--quiet", "--motion", result("modes"), "--html", page("modes"));
    const { columns, scene } = spinningBodies(14, 201);
    writePage({ template, path: page("shapes"), title: "Every shape", columns, scene });
    browser = await launch();
});
after(() => browser?.close());

// Where the result says that a body stands in a row.
function recorded(body, columns, row) {
    const at = (ref, missing) => (typeof ref === "string" ? columns.get(ref)[row] : ref ?? missing);
    const { x, y, z, angle, q0, q1, q2, q3 } = body.pose;
    const half = at(angle, 0) / 2;
    const quaternion = angle === undefined ? [at(q0, 1), at(q1, 0), at(q2, 0), at(q3, 0)]
        : [Math.cos(half), 0, 0, Math.sin(half)];
    const norm = Math.hypot(...quaternion);
    return { position: [at(x, 0), at(y, 0), at(z, 0)], quaternion: quaternion.map((q) => q / norm) };
}

async function comparePoses(tab, bodies, columns, row) {
    for (const body of bodies) {
        const drawn = await tab.evaluate((name) => window.crank.pose(name), body.name);
        const expected = recorded(body, columns, row);
        const scale = 1 + Math.max(...expected.position.map(Math.abs));
        drawn.position.forEach((value, i) => {
            near(value, expected.position[i], scale, `frame ${row}, ${body.name}, position ${i}`);
        });
        nearRotation(drawn.quaternion, expected.quaternion, `frame ${row}, ${body.name}`);
    }
}

for (const name of ["bricard", "slider"]) {
    test(`scrubbing moves every body of the ${name} to its recorded position and orientation`, async () => {
        const { columns, rows } = readCsv(result(name));
        const { scene } = indexOf(page(name));
        assert.ok(scene.bodies.length > 1);
        const tab = await open(browser, page(name));
        assert.equal(await tab.evaluate(() => window.crank.rows), rows);
        for (const row of [0, 1, Math.floor(rows / 3), rows - 2, rows - 1, 7]) {
            await tab.evaluate((i) => window.crank.setFrame(i), row);
            assert.equal(await tab.evaluate(() => window.crank.frame), row);
            near(await tab.evaluate(() => window.crank.time), columns.get("time")[row], 1, "time", 1e-12);
            await comparePoses(tab, scene.bodies, columns, row);
        }
        await close(tab);
    });
}

test("the slider below the scene moves bodies to the recorded positions", async () => {
    const { columns, rows } = readCsv(result("bricard"));
    const { scene } = indexOf(page("bricard"));
    const tab = await open(browser, page("bricard"));
    const scrub = tab.locator("#scrub");
    await scrub.focus();
    await tab.keyboard.press("End");
    assert.equal(await tab.evaluate(() => window.crank.frame), rows - 1);
    await comparePoses(tab, scene.bodies, columns, rows - 1);
    const box = await scrub.boundingBox();
    await tab.mouse.click(box.x + 0.4 * box.width, box.y + box.height / 2);
    const row = await tab.evaluate(() => window.crank.frame);
    assert.ok(Math.abs(row - 0.4 * (rows - 1)) < 0.03 * rows, `frame ${row} of ${rows}`);
    assert.equal(await tab.evaluate(() => window.crank.playing), false);
    await close(tab);
});

test("a time between rows is drawn between their poses", async () => {
    const { columns } = readCsv(result("bricard"));
    const { scene } = indexOf(page("bricard"));
    const tab = await open(browser, page("bricard"));
    const time = columns.get("time");
    await tab.evaluate((t) => window.crank.setTime(t), 0.5 * (time[20] + time[21]));
    assert.equal(await tab.evaluate(() => window.crank.frame), 20);
    for (const body of scene.bodies) {
        const drawn = await tab.evaluate((name) => window.crank.pose(name), body.name);
        const before = recorded(body, columns, 20).position;
        const next = recorded(body, columns, 21).position;
        drawn.position.forEach((value, i) => near(value, 0.5 * (before[i] + next[i]), 1, `${body.name} ${i}`, 1e-5));
        near(Math.hypot(...drawn.quaternion), 1, 1, "norm of the quaternion");
    }
    await close(tab);
});

test("frames are drawn one after another while it plays and time goes on", async () => {
    const tab = await open(browser, page("bricard"));
    const state = () => tab.evaluate(() => ({ drawn: window.crank.framesDrawn, time: window.crank.time }));
    assert.equal(await tab.evaluate(() => window.crank.playing), false);
    const first = await state();
    await tab.locator("#play").click();
    assert.equal(await tab.evaluate(() => window.crank.playing), true);
    await tab.waitForFunction((drawn) => window.crank.framesDrawn > drawn + 5, first.drawn);
    const later = await state();
    assert.notEqual(later.time, first.time);
    await tab.locator("#play").click();
    assert.equal(await tab.evaluate(() => window.crank.playing), false);
    const stopped = await tab.evaluate(() => window.crank.time);
    await tab.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    assert.equal(await tab.evaluate(() => window.crank.time), stopped);
    await close(tab);
});

test("every kind of shape is drawn on a background, in light and in dark", async () => {
    const backgrounds = [];
    for (const colorScheme of ["light", "dark"]) {
        const tab = await open(browser, page("shapes"), { colorScheme });
        const found = await colours(tab, 30);
        const all = found.reduce((sum, [, count]) => sum + count, 0);
        assert.ok(found.length > 100, `${found.length} colours: shaded bodies have many`);
        assert.ok(found[0][1] < 0.97 * all, "something else than the background must be seen");
        backgrounds.push(found[0][0]);
        await close(tab);
    }
    assert.notEqual(backgrounds[0], backgrounds[1]);
});

test("the picture changes when time does", async () => {
    const tab = await open(browser, page("shapes"));
    const first = await colours(tab, 0);
    assert.notDeepEqual(await colours(tab, 60), first, "frames 0 and 60 look the same");
    assert.deepEqual(await colours(tab, 0), first, "frame 0 looks different the second time");
    await close(tab);
});

test("a click on a body selects it and shows its values", async () => {
    const { columns } = readCsv(result("bricard"));
    const tab = await open(browser, page("bricard"));
    await tab.evaluate(() => window.crank.setFrame(30));
    const [x, y] = await tab.evaluate(() => window.crank.screen("bar3"));
    await tab.mouse.click(x, y);
    assert.deepEqual(await tab.evaluate(() => window.crank.state.selection), { kind: "body", name: "bar3" });
    // Columns that nothing needed so far are unpacked now.
    await tab.waitForFunction(() => !document.querySelector("#details").innerText.includes("\u2026"));
    const details = await tab.locator("#details").innerText();
    assert.match(details, /bar3/);
    const shown = (details.match(/[-\u2212]?\d+(\.\d+)?(e[-+]?\d+)?/g) ?? []).map((text) => Number(text.replace("\u2212", "-")));
    const expected = columns.get("body.bar3.x")[30];
    assert.ok(shown.some((value) => Math.abs(value - expected) < 1e-3 * Math.abs(expected)), `${expected} in ${details}`);
    await close(tab);
});

test("modes are chosen by their frequency, and each plays on its own", async () => {
    const { columns } = readCsv(result("modes"));
    for (const width of [1280, 360]) {
        const tab = await open(browser, page("modes"), { width, height: 740 });
        const list = await tab.$$eval("#mode option", (options) => options.map((option) => option.textContent));
        assert.equal(list.length, new Set(columns.get("time").map(Math.floor)).size);
        assert.match(list[0], /^1: 0\.7773 Hz, damping 0\.547$/);
        await tab.selectOption("#mode", "3");
        assert.equal(await tab.evaluate(() => window.crank.time), 3);
        await tab.click("#play");
        await tab.waitForFunction(() => window.crank.time > 3.5);
        await tab.waitForFunction(() => window.crank.time < 3.4); // from the beginning of the same one
        assert.equal(await tab.evaluate(() => Math.floor(window.crank.time)), 3);
        assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
        await close(tab);
    }
});
