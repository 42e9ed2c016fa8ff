// Models of all kinds: equations without a scene, equations with declared bodies, planar and spatial mechanisms.
// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { close, launch, open, readCsv, run, scratch, template } from "./browser.mjs";

const directory = scratch(after);
const at = (name) => join(directory, name);
let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

// A model that nobody gave a view.
const EQUATIONS = `crank: equations
positions:  {x: {start: 1}, y: {start: 0}}
velocities: {vx: {of: x}, vy: {of: y}}
mass:       {diagonal: [1, 1]}
forces:     [0, -9.81]
holonomic:  {length: x^2 + y^2 - 1}
simulate:   {t_end: 2, points: 50}
`;

function make(name, text) {
    writeFileSync(at(name + ".yaml"), text);
    run("run", at(name + ".yaml"), "--out", at(name + ".csv"), "--html", at(name + ".html"));
    return at(name + ".html");
}

test("a model without bodies has plots only, and they play", async () => {
    const tab = await open(browser, make("equations", EQUATIONS));
    assert.equal(await tab.evaluate(() => window.crank.state.scene), false);
    assert.equal(await tab.locator("#scene").isVisible(), false);
    assert.ok(await tab.locator(".panel .u-over").first().isVisible());
    assert.ok((await tab.evaluate(() => window.crank.state.panels)).length > 0);
    await tab.locator("#play").click();
    await tab.waitForFunction(() => window.crank.time > 0.1);
    await tab.evaluate(() => window.crank.setFrame(25));
    assert.equal(await tab.evaluate(() => window.crank.frame), 25);
    await close(tab);
});

test("bodies declared under view: are drawn and move as the equations say", async () => {
    const path = make("declared", EQUATIONS + `view:
  bodies:
    mass: {x: x, y: y, shapes: [{sphere: 0.1}]}
`);
    const { columns } = readCsv(at("declared.csv"));
    const tab = await open(browser, path);
    assert.equal(await tab.evaluate(() => window.crank.state.scene), true);
    await tab.evaluate(() => window.crank.setFrame(20));
    const { position } = await tab.evaluate(() => window.crank.pose("mass"));
    assert.ok(Math.abs(position[0] - columns.get("x")[20]) < 1e-6);
    assert.ok(Math.abs(position[1] - columns.get("y")[20]) < 1e-6);
    await close(tab);
});

// The camera's direction after dragging over the scene.
async function drag(tab) {
    const direction = () => tab.evaluate(() => {
        const { position, target } = window.crank.state.camera;
        const d = position.map((p, i) => p - target[i]);
        return d.map((part) => part / Math.hypot(...d));
    });
    const before = await direction();
    const box = await tab.locator("#scene").boundingBox();
    const [x, y] = [box.x + 0.8 * box.width, box.y + 0.8 * box.height];
    await tab.mouse.move(x, y);
    await tab.mouse.down();
    await tab.mouse.move(x - 60, y - 40, { steps: 4 });
    await tab.mouse.up();
    await tab.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    const now = await direction();
    return Math.hypot(...now.map((part, i) => part - before[i]));
}

test("a planar model is seen from the front and does not turn", async () => {
    run("run", "models/slider-crank/mechanism.yaml", "--out", at("planar.csv"), "--html", at("planar.html"));
    const tab = await open(browser, at("planar.html"));
    const { camera } = await tab.evaluate(() => window.crank.state);
    assert.ok(Math.abs(camera.position[0] - camera.target[0]) < 1e-6 * Math.abs(camera.position[2] - camera.target[2]));
    assert.ok(Math.abs(camera.position[1] - camera.target[1]) < 1e-6 * Math.abs(camera.position[2] - camera.target[2]));
    assert.ok(await drag(tab) < 1e-6);
    await close(tab);
});

test("a spatial model turns", async () => {
    run("run", "models/bricard/bricard.yaml", "--t-end", "1", "--out", at("spatial.csv"), "--html", at("spatial.html"));
    const tab = await open(browser, at("spatial.html"));
    assert.ok(await drag(tab) > 0.1);
    await close(tab);
});

test("a result file becomes the page that its run would have written", async () => {
    run("run", "models/bricard/bricard.yaml", "--t-end", "0.5", "--out", at("result.h5"), "--html", at("run.html"));
    run("view", at("result.h5"), "-o", at("view.html"));
    const poses = [];
    for (const name of ["run.html", "view.html"]) {
        const tab = await open(browser, at(name));
        poses.push(await tab.evaluate(() => {
            window.crank.setFrame(window.crank.rows - 1);
            return ["bar1", "bar5"].map((body) => window.crank.pose(body));
        }));
        await close(tab);
    }
    assert.deepEqual(poses[0], poses[1]);
});

test("a plain table of numbers becomes a page of plots", async () => {
    writeFileSync(at("table.csv"), "s,height\n0,1\n1,4\n2,9\n3,nan\n4,25\n");
    run("view", at("table.csv"), "-o", at("table.html"));
    const tab = await open(browser, at("table.html"));
    assert.equal(await tab.evaluate(() => window.crank.state.scene), false);
    const values = await tab.evaluate(() => window.crank.values("height").then((v) => [...v]));
    assert.deepEqual(values, [1, 4, 9, NaN, 25]);
    await close(tab);
});

test("a result of one row is shown", async () => {
    writeFileSync(at("one.csv"), "time,x\n0,1\n");
    run("view", at("one.csv"), "-o", at("one.html"));
    const tab = await open(browser, at("one.html"));
    assert.equal(await tab.evaluate(() => window.crank.rows), 1);
    assert.ok(await tab.locator("#play").isDisabled());
    await close(tab);
});

// A page is opened although it has nothing to show; what it says.
async function complaint(path) {
    const tab = await open(browser, path);
    const text = await tab.locator("#message").innerText();
    assert.equal(await tab.evaluate(() => window.crank.error), text);
    await close(tab);
    return text;
}

test("pages that are damaged, of another format or empty say so", async () => {
    const text = readFileSync(at("table.html"), "utf8");
    const block = text.indexOf('id="crank-block-1"') + 40;
    writeFileSync(at("damaged.html"), text.slice(0, block) + "AAAA" + text.slice(block + 4));
    assert.match(await complaint(at("damaged.html")), /damaged/);
    writeFileSync(at("index.html"), text.replace('"format":1', '"format":99').replace('"format": 1', '"format": 99'));
    assert.match(await complaint(at("index.html")), /format 99/);
    assert.match(await complaint(template), /template/);
});
