// Plots: the result's values, the cursor tied to the animation, variables by search, phase portraits.
// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { close, launch, near, open, readCsv, run, scratch } from "./browser.mjs";

const directory = scratch(after);
const path = join(directory, "pendulum.html");
let browser;
let tab;
let csv;

before(async () => {
    run("run", "models/slider-crank/mechanism.yaml", "--out", join(directory, "result.csv"), "--html", path);
    csv = readCsv(join(directory, "result.csv"));
    browser = await launch();
    tab = await open(browser, path);
});
after(async () => {
    await close(tab);
    await browser.close();
});

const panels = (tab) => tab.evaluate(() => window.crank.state.panels);

// The legend of a panel as {name: value}.
async function legend(tab, panel) {
    const items = tab.locator(".panel").nth(panel).locator(".legend-item");
    const shown = {};
    for (let i = 0; i < await items.count(); i++) {
        const value = await items.nth(i).locator(".legend-value").innerText();
        shown[(await items.nth(i).locator(".legend-name").innerText()).trim()] =
            parseFloat(value.replace("\u2212", "-"));
    }
    return shown;
}

// Adds variables to the panel whose chooser is open.
async function choose(tab, search) {
    await tab.locator("#chooser-search").fill(search);
    await tab.locator("#chooser [role=option]").first().click();
}

async function closeChooser(tab) {
    if (await tab.locator("#chooser").isVisible()) {
        await tab.keyboard.press("Escape");
    }
    await tab.locator("#chooser").waitFor({ state: "hidden" });
}

test("the page holds the values of the result, to single precision", async () => {
    assert.deepEqual(await tab.evaluate(() => [...window.crank.names]), csv.names);
    for (const name of csv.names) {
        const values = await tab.evaluate((column) => window.crank.values(column).then((v) => [...v]), name);
        assert.equal(values.length, csv.rows);
        const digits = name === "time" ? 0 : 2 ** -23;
        csv.columns.get(name).forEach((expected, i) => {
            near(values[i], expected, digits * Math.abs(expected) + 1e-37, `${name} in row ${i}`, 1);
        });
    }
});

test("a column that is not there is refused", async () => {
    assert.equal(await tab.evaluate(() => window.crank.values("nosuch").then(() => "found", () => "refused")), "refused");
    assert.equal(await tab.evaluate(() => window.crank.values("__proto__").then(() => "found", () => "refused")), "refused");
});

test("legends show the values of the frame that is shown", async () => {
    assert.ok((await panels(tab)).length > 0, "a mechanism's page opens with plots");
    for (const row of [0, 100, csv.rows - 1]) {
        await tab.evaluate((i) => window.crank.setFrame(i), row);
        const [{ names }] = await panels(tab);
        const shown = await legend(tab, 0);
        for (const name of names) {
            const values = csv.columns.get(name);
            const largest = Math.max(...values.map(Math.abs));
            near(shown[name], values[row], largest, `${name} in row ${row}`, 1e-3);
        }
    }
});

test("a click into a plot moves the animation there", async () => {
    const plot = tab.locator(".panel").first().locator(".u-over");
    const box = await plot.boundingBox();
    const times = csv.columns.get("time");
    for (const part of [0.25, 0.75]) {
        await tab.mouse.click(box.x + part * box.width, box.y + box.height / 2);
        const time = await tab.evaluate(() => window.crank.time);
        near(time, part * times.at(-1), times.at(-1), "time", 0.02);
        assert.equal(await tab.evaluate(() => window.crank.playing), false);
    }
});

test("the cursor of a plot follows the animation", async () => {
    const cursor = async () => {
        const over = await tab.locator(".panel").first().locator(".u-over").boundingBox();
        const line = await tab.locator(".panel").first().locator(".now-line").boundingBox();
        return (line.x + line.width / 2 - over.x) / over.width;
    };
    await tab.mouse.move(1, 1);
    for (const part of [0.2, 0.6]) {
        await tab.evaluate((row) => window.crank.setFrame(row), Math.round(part * (csv.rows - 1)));
        near(await cursor(), part, 1, "cursor", 0.02);
    }
});

test("a variable found by search is added to a panel and can be removed with it", async () => {
    const count = (await panels(tab)).length;
    const name = csv.names.find((column) => /^body\..*\.omega/.test(column)) ?? csv.names.at(-1);
    await tab.locator("#add-panel").click();
    await choose(tab, name);
    await closeChooser(tab);
    const now = await panels(tab);
    assert.equal(now.length, count + 1);
    assert.deepEqual(now.at(-1).names, [name]);
    assert.ok(name in await legend(tab, count));
    await tab.locator(".panel").nth(count).locator(".panel-add").click();
    await choose(tab, csv.names[1]);
    await closeChooser(tab);
    assert.deepEqual((await panels(tab)).at(-1).names, [name, csv.names[1]]);
    await tab.locator(".panel").nth(count).locator(".panel-remove").click();
    assert.equal((await panels(tab)).length, count);
});

test("searching for what is not there offers nothing", async () => {
    await tab.locator("#add-panel").click();
    await tab.locator("#chooser-search").fill("no such variable");
    assert.equal(await tab.locator("#chooser [role=option]").count(), 0);
    await tab.keyboard.press("Escape");
});

test("a phase portrait shows one variable against another", async () => {
    const count = (await panels(tab)).length;
    await tab.locator("#add-phase").click();
    const [a, b] = csv.names.slice(1, 3);
    await choose(tab, a);
    await choose(tab, b);
    await closeChooser(tab);
    const now = await panels(tab);
    assert.equal(now.length, count + 1);
    assert.equal(now.at(-1).kind, "phase");
    assert.deepEqual(now.at(-1).names, [a, b]);
});

test("a logarithmic axis can be switched on and off", async () => {
    const button = tab.locator(".panel").first().locator(".panel-log");
    await button.click();
    assert.equal((await panels(tab))[0].log, true);
    await button.click();
    assert.equal((await panels(tab))[0].log, false);
});
