// Keyboard control: what each key does, and when it does nothing.
// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { close, launch, near, open, run, scratch } from "./browser.mjs";

const directory = scratch(after);
const path = join(directory, "page.html");
let browser;
let tab;

before(async () => {
    run("run", "models/bricard/bricard.yaml", "--t-end", "2", "--points", "100", "--out", join(directory, "result.csv"),
        "--html", path);
    browser = await launch();
    tab = await open(browser, path);
});
after(async () => {
    await close(tab);
    await browser.close();
});

const state = () => tab.evaluate(() => window.crank.state);
const frame = () => tab.evaluate(() => window.crank.frame);
const press = (key) => tab.keyboard.press(key);
const reset = () => tab.evaluate(() => {
    document.activeElement.blur();
    window.crank.setFrame(50);
});

test("space plays and pauses", async () => {
    await reset();
    await press("Space");
    assert.equal((await state()).playing, true);
    await press("Space");
    assert.equal((await state()).playing, false);
});

test("arrows go one frame on or back, with shift ten", async () => {
    for (const [key, expected] of [["ArrowRight", 51], ["ArrowLeft", 49], ["Shift+ArrowRight", 60], ["Shift+ArrowLeft", 40]]) {
        await reset();
        await press(key);
        assert.equal(await frame(), expected, key);
    }
});

test("home and end go to the first and last frame, and arrows stop there", async () => {
    await reset();
    await press("End");
    assert.equal(await frame(), 100);
    await press("Home");
    assert.equal(await frame(), 0);
    await press("Shift+ArrowLeft");
    const at = await frame();
    assert.ok(at >= 0 && at <= 100);
});

test("arrows up and down, plus and minus change the speed", async () => {
    await reset();
    const { speed } = await state();
    await press("ArrowUp");
    const faster = (await state()).speed;
    assert.ok(faster > speed);
    await press("ArrowDown");
    assert.equal((await state()).speed, speed);
    await press("+");
    assert.equal((await state()).speed, faster);
    await press("-");
    await press("-");
    assert.ok((await state()).speed < speed);
    await press("+");
});

test("1 to 4 look from the corner, the front, the top and the side", async () => {
    await reset();
    const direction = async () => {
        const { position, target } = (await state()).camera;
        const d = position.map((p, i) => p - target[i]);
        return d.map((part) => part / Math.hypot(...d));
    };
    const seen = [];
    for (const key of ["1", "2", "3", "4"]) {
        await press(key);
        seen.push(await direction());
    }
    for (let i = 0; i < 4; i++) {
        for (let j = 0; j < i; j++) {
            const cosine = seen[i].reduce((sum, part, k) => sum + part * seen[j][k], 0);
            assert.ok(cosine < 0.95, `keys ${j + 1} and ${i + 1} look from the same side`);
            if (i > 0 && j > 0) {
                near(cosine, 0, 1, `keys ${j + 1} and ${i + 1}: angle`, 0.02);
            }
        }
    }
});

test("p changes the projection and f fits all into the view", async () => {
    await reset();
    const { projection } = await state();
    await press("p");
    assert.notEqual((await state()).projection, projection);
    await press("p");
    assert.equal((await state()).projection, projection);
    const box = await tab.locator("#scene").boundingBox();
    await tab.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const distance = async () => {
        const { position, target } = (await state()).camera;
        return Math.hypot(...position.map((p, i) => p - target[i]));
    };
    const start = await distance();
    await tab.mouse.wheel(0, 2000);
    await tab.waitForFunction((least) => {
        const { position, target } = window.crank.state.camera;
        return Math.hypot(...position.map((p, i) => p - target[i])) > 1.05 * least;
    }, start);
    const far = await distance();
    await press("f");
    assert.ok(await distance() < far);
});

test("g, r, t and l show and hide grid, reactions, traces and names", async () => {
    await reset();
    for (const [key, group] of [["g", "grid"], ["r", "reactions"], ["t", "traces"], ["l", "labels"]]) {
        const shown = (await state()).groups[group];
        await press(key);
        assert.equal((await state()).groups[group], !shown, key);
        await press(key);
        assert.equal((await state()).groups[group], shown, key);
    }
});

test("d changes between dark and light", async () => {
    await reset();
    assert.equal((await state()).theme, "light");
    await press("d");
    assert.equal((await state()).theme, "dark");
    await press("d");
    assert.equal((await state()).theme, "light");
});

test("the question mark and h open the help, which lists every key, and escape closes it", async () => {
    for (const key of ["?", "h"]) {
        await reset();
        await press(key);
        await tab.locator("#help").waitFor();
        const text = (await tab.locator("#help").innerText()).toLowerCase();
        for (const word of ["space", "home", "end", "shift", "esc", "/", "reactions", "grid", "traces"]) {
            assert.ok(text.includes(word), `the help does not tell of ${word}`);
        }
        await press("Escape");
        await tab.locator("#help").waitFor({ state: "hidden" });
    }
});

test("the stroke goes to the search, where letters are letters, and escape closes and deselects", async () => {
    await reset();
    await press("/");
    assert.equal(await tab.evaluate(() => document.activeElement.id), "search");
    const { theme, groups } = await state();
    await tab.keyboard.type("bar3");
    await tab.keyboard.type(" d");
    assert.deepEqual([(await state()).theme, (await state()).groups], [theme, groups]);
    await tab.locator("#search").fill("bar3");
    await press("Enter");
    assert.deepEqual((await state()).selection, { kind: "body", name: "bar3" });
    await press("Escape");
    await press("Escape");
    await press("Escape");
    assert.equal((await state()).selection, null);
    assert.equal(await tab.locator("#search").isVisible(), false);
});

test("keys with control, alt or meta belong to the browser", async () => {
    await reset();
    const before = await state();
    for (const key of ["Alt+d", "Control+g"]) {
        await press(key);
    }
    const now = await state();
    assert.deepEqual([now.theme, now.groups], [before.theme, before.groups]);
});
