// How the scene looks: what shines through, rings, shadows, colours of parts, curves that go with bodies, the body that is
// followed, and that the list of objects hides nothing.
// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { close, colours, launch, near, open, openObjects, painted, scratch, template } from "./browser.mjs";
import { emptyScene, times, writePage } from "./make_page.mjs";

const directory = scratch(after);
let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

const time = { name: "time", unit: "s", values: times(3, 2) };
const x = { name: "x", unit: "m", values: [0, 1, 2] };
const body = (name, color, shape, rest = {}) => ({ name, pose: {}, center: [0, 0, 0], color, shapes: [shape], ...rest });

// Opens a page with these bodies; more goes into the scene, the rest to the page.
async function show(name, dimension, bodies, more = {}, rest = {}) {
    const path = join(directory, `${name}.html`);
    const scene = Object.assign(emptyScene(dimension), { bodies, ...more });
    writePage({ template, path, title: name, columns: [time, x], scene, ...rest });
    return open(browser, path);
}

// The colour of the pixel where a body's centre is, as [r, g, b].
const colourAt = (tab, name, frame = 0) => tab.evaluate(([object, row]) => {
    window.crank.setFrame(row);
    const canvas = document.querySelector("#scene");
    const [left, top] = window.crank.screen(object);
    const rectangle = canvas.getBoundingClientRect();
    const copy = new OffscreenCanvas(canvas.width, canvas.height);
    const context = copy.getContext("2d");
    context.drawImage(canvas, 0, 0);
    const ratio = canvas.width / rectangle.width;
    return [...context.getImageData((left - rectangle.left) * ratio, (top - rectangle.top) * ratio, 1, 1).data].slice(0, 3);
}, [name, frame]);

test("what is behind a transparent shape shines through, in the plane and in space", async () => {
    for (const dimension of [2, 3]) {
        const tab = await show(`clear-${dimension}`, dimension, [
            body("solid", "#ff0000", { kind: "sphere", radius: 0.3 }),
            body("glass", "#0000ff", { kind: "sphere", radius: 0.5, opacity: 0.5 })]);
        const [r, g, b] = await colourAt(tab, "solid");
        assert.ok(r > 70 && b > 70 && g < 40, `${r}, ${g}, ${b}`);
        await close(tab);
    }
});

test("a body's opacity is that of its shapes which have none", async () => {
    const tab = await show("whole", 2, [
        body("solid", "#ff0000", { kind: "box", size: [1, 1, 1] }),
        body("glass", "#0000ff", { kind: "box", size: [1, 1, 1] }, { opacity: 0.25 })]);
    const [r, , b] = await colourAt(tab, "solid");
    near(b / (r + b), 0.25, 1, "share of the glass", 0.05);
    await close(tab);
});

test("a ring is as large and as thick as it says, and open in the middle", async () => {
    const tab = await show("ring", 2, [
        body("ring", "#00c000", { kind: "ring", radius: 1, wire: 0.1 }),
        body("dot", "#c00000", { kind: "sphere", radius: 0.1 })]);
    const green = await painted(tab, 0, 100, 140);
    const red = await painted(tab, 0, 350, 10);
    near(green.width / red.width, 2.2 / 0.2, 1, "ratio of widths", 0.6);
    near(green.count / red.count, (1.1 ** 2 - 0.9 ** 2) / 0.1 ** 2, 1, "ratio of areas", 3);
    assert.ok((await colourAt(tab, "dot"))[0] > 100);
    await close(tab);
});

test("solids throw shadows in space, not in the plane, until they are switched off", async () => {
    const ball = [body("ball", "#00a000", { kind: "sphere", radius: 0.3, at: [0, 0, 0.6] })];
    const shade = async (tab) => (await colours(tab, 0)).find(([key]) => key === "214,219,226")?.[1] ?? 0;
    const tab = await show("shadow", 3, ball);
    const green = await painted(tab, 0, 110, 130);
    assert.ok(await shade(tab) > 0.1 * green.count, `${await shade(tab)} of ${green.count}`);
    await tab.locator("#view-menu-button").click();
    await tab.locator("#view-menu [data-group=shadows]").setChecked(false);
    assert.equal(await shade(tab), 0);
    await tab.locator("#view-menu [data-group=shadows]").setChecked(true);
    assert.ok(await shade(tab) > 0);
    await tab.locator("#view-menu [data-group=bodies]").setChecked(false);
    assert.equal(await shade(tab), 0, "what is hidden throws none");
    await close(tab);
    const flat = await show("flat", 2, ball);
    assert.equal(await shade(flat), 0);
    await close(flat);
});

test("bodies of one part have one colour, others their own", async () => {
    const at = (place) => ({ kind: "box", size: [0.5, 0.5, 0.5], at: [place, 0, 0] });
    const one = (name, place, rest) => ({ ...body(name, null, at(place), rest), center: [place, 0, 0] });
    const tab = await show("parts", 2, [one("left.rod", 0), one("left.bob", 1), one("right.rod", 2, { part: 0 })]);
    const [rod, bob, copy] = [await colourAt(tab, "left.rod"), await colourAt(tab, "left.bob"), await colourAt(tab, "right.rod")];
    assert.deepEqual(copy, rod);
    assert.notDeepEqual(bob, rod);
    await close(tab);
});

test("a curve of a body goes with it, and one around the mechanism does not count for the view", async () => {
    const moving = body("car", "#0000ff", { kind: "box", size: [0.2, 0.2, 0.2] }, { pose: { x: "x" } });
    const curve = { name: "cam", points: [[0, 0.4, 0], [0.4, 0.4, 0]], body: 0, color: "#00c000", width: 0.05 };
    const road = { name: "road", points: [[-100, 0, 0], [100, 0, 0]], color: "#c00000", width: 0.05, around: true };
    const tab = await show("curve", 2, [moving], { lines: [curve, road], size: 2 });
    const [before, then] = [await painted(tab, 0, 100, 140), await painted(tab, 2, 100, 140)];
    assert.ok(before.count > 0 && Math.abs(before.count - then.count) < 0.05 * before.count);
    assert.ok((await painted(tab, 0, 220, 260)).width > 40, "the view is as near as the car allows");
    await close(tab);
});

test("a mechanism that leaves its place is followed, unless the scene follows another body", async () => {
    const bodies = [body("car", "#0000ff", { kind: "box", size: [1, 1, 1] }, { pose: { x: "x" } }),
                    body("bob", "#00c000", { kind: "box", size: [1, 1, 1] }, { pose: { x: "x" } })];
    const tab = await show("travel", 3, bodies, {}, { traveller: 0 });
    assert.equal(await tab.evaluate(() => window.crank.state.follow), "car");
    await close(tab);
    const other = await show("other", 3, bodies, { follow: 1 }, { traveller: 0 });
    assert.equal(await other.evaluate(() => window.crank.state.follow), "bob");
    await close(other);
});

test("the list of objects stands beside the scene, which shows as much across as before", async () => {
    const tab = await show("list", 3, [body("bar", "#00c000", { kind: "box", size: [2, 0.2, 0.2] })], { camera: { preset: "front" } });
    const wide = await painted(tab, 0, 100, 140);
    const canvas = () => tab.locator("#scene").boundingBox();
    const before = await canvas();
    await openObjects(tab);
    const drawer = await tab.locator("#drawer").boundingBox();
    await tab.waitForFunction((width) => document.querySelector("#scene").clientWidth < width - 1, before.width);
    const now = await canvas();
    assert.ok(now.x >= drawer.x + drawer.width - 1, `${now.x} after ${drawer.x + drawer.width}`);
    near((await painted(tab, 0, 100, 140)).width / now.width, wide.width / before.width, 1, "share of the width", 0.03);
    await tab.locator("#objects-button").click();
    await tab.waitForFunction((width) => document.querySelector("#scene").clientWidth > width - 1, before.width);
    near((await painted(tab, 0, 100, 140)).width, wide.width, wide.width, "as before", 0.02);
    await close(tab);
});
