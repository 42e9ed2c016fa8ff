// What the scene shows on request: arrows, paths, names, groups, the camera that follows; and the panel of what is selected.
// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { close, launch, near, open, openObjects, painted, scratch, template } from "./browser.mjs";
import { pushedBall, writePage } from "./make_page.mjs";

const path = join(scratch(after), "ball.html");
const { columns, scene } = pushedBall();
const valueOf = (name, row) => columns.find((column) => column.name === name).values[row];
let browser;
let tab;

before(async () => {
    writePage({ template, path, title: "A ball", columns, scene });
    browser = await launch();
});
beforeEach(async () => { tab = await open(browser, path); });
after(() => browser?.close());

// Hues: force arrows are red, reactions violet, the ball green.
const red = (frame) => painted(tab, frame, 350, 10);
const violet = (frame) => painted(tab, frame, 255, 285);
const green = (frame) => painted(tab, frame, 110, 130);
const group = async (name, on) => {
    if (!await tab.locator("#view-menu").isVisible()) {
        await tab.locator("#view-menu-button").click();
    }
    await tab.locator(`#view-menu [data-group=${name}]`).setChecked(on);
};
const setArrowScale = (decades) => tab.evaluate((value) => {
    const slider = document.querySelector("#arrow-scale");
    slider.value = String(value);
    slider.dispatchEvent(new Event("input"));
}, decades);
const select = async (name) => {
    await openObjects(tab);
    await tab.locator("#objects [role=option]").filter({ hasText: name }).first().click();
};

test("force arrows are as long as their forces, follow the slider and go with their group", async () => {
    const [long, short] = [await red(0), await red(1)];
    near(short.width / long.width, valueOf("force.push.fx", 1) / valueOf("force.push.fx", 0), 1, "ratio of lengths", 0.05);
    await setArrowScale(0.3);
    near((await red(1)).width / short.width, 10 ** 0.3, 1, "ratio after the slider", 0.1);
    assert.equal((await tab.evaluate(() => window.crank.state)).reactionScale, 10 ** 0.3);
    await group("forces", false);
    assert.equal((await red(0)).count, 0);
    await close(tab);
});

test("reactions are hidden first, then arrows as long as they are", async () => {
    assert.equal((await violet(0)).count, 0);
    await tab.keyboard.press("r");
    // Their columns are unpacked when first shown.
    for (let tries = 0; tries < 100 && !(await violet(0)).count; tries++) {
        await tab.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
    const [long, short] = [await violet(0), await violet(1)];
    assert.ok(long.height > 50, `${long.height} pixels`);
    near(short.height / long.height, valueOf("joint.guide.fy", 1) / valueOf("joint.guide.fy", 0), 1, "ratio of lengths", 0.05);
    await setArrowScale(-0.3);
    near((await violet(0)).height / long.height, 10 ** -0.3, 1, "ratio after the slider", 0.1);
    await tab.keyboard.press("r");
    assert.equal((await violet(0)).count, 0);
    await close(tab);
});

test("the camera follows a body when asked to", async () => {
    const place = (frame) => tab.evaluate((row) => {
        window.crank.setFrame(row);
        return window.crank.screen("ball");
    }, frame);
    const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
    assert.ok(apart(await place(0), await place(9)) > 200, "without that it moves over the screen");
    await select("ball");
    await tab.locator("#follow").click();
    assert.equal(await tab.evaluate(() => window.crank.state.follow), "ball");
    assert.ok(apart(await place(0), await place(9)) < 1, "it stays where it is on the screen");
    await tab.locator("#follow").click();
    assert.equal(await tab.evaluate(() => window.crank.state.follow), null);
    assert.ok(apart(await place(0), await place(9)) > 200);
    await close(tab);
});

test("the path of a body is drawn when asked for and goes with the group of traces", async () => {
    await select("ball");
    await tab.keyboard.press("Escape");
    const alone = (await green(9)).width;
    await select("ball");
    await tab.locator("#trace").click();
    await tab.keyboard.press("Escape");
    const traced = (await green(9)).width;
    assert.ok(traced > 5 * alone, `${traced} pixels wide, ${alone} without the path`);
    await tab.keyboard.press("t");
    near((await green(9)).width, alone, alone, "width without traces", 0.05);
    await close(tab);
});

test("dragging the divider, or arrow keys on it, share the width between scene and plots", async () => {
    const widths = () => tab.evaluate(() => [...["#stage", "#side", "#scene"].map((one) => document.querySelector(one).clientWidth)]);
    const [stage, side] = await widths();
    const box = await tab.locator("#divider").boundingBox();
    await tab.mouse.move(box.x + 3, box.y + 100);
    await tab.mouse.down();
    await tab.mouse.move(box.x - 197, box.y + 100, { steps: 3 });
    await tab.mouse.up();
    const [narrow, wide, canvas] = await widths();
    near(narrow, stage - 200, 1, "width of the scene", 12);
    near(wide, side + 200, 1, "width of the plots", 12);
    assert.equal(canvas, narrow);
    const plot = await tab.locator(".panel .uplot").first().boundingBox();
    await tab.waitForFunction((least) => document.querySelector(".panel .uplot").clientWidth > least, plot.width - 1);
    await tab.locator("#divider").press("ArrowRight");
    assert.ok((await widths())[0] > narrow);
    await tab.keyboard.press("f");
    const [x] = await tab.evaluate(() => window.crank.screen("ball"));
    assert.ok(x >= 0 && x <= narrow, "the ball fits into the picture");
    await close(tab);
});

test("names stand beside the bodies when asked for", async () => {
    const names = () => tab.locator(".labels span").allInnerTexts();
    assert.deepEqual(await names(), []);
    await tab.keyboard.press("l");
    await tab.locator(".labels span").first().waitFor();
    assert.deepEqual((await names()).sort(), ["ball", "frame"]);
    const [x, y] = await tab.evaluate(() => window.crank.screen("ball"));
    const box = await tab.locator(".labels span", { hasText: "ball" }).boundingBox();
    assert.ok(Math.abs(box.x - x) < 30 && Math.abs(box.y + box.height / 2 - y) < 30, `${JSON.stringify(box)}, body at ${x}, ${y}`);
    await tab.keyboard.press("l");
    await tab.locator(".labels span").first().waitFor({ state: "detached" });
    await close(tab);
});

test("groups are hidden and shown by the menu", async () => {
    const ball = (await green(3)).count;
    assert.ok(ball > 100, `${ball} green pixels`);
    await group("bodies", false);
    assert.equal((await green(3)).count, 0);
    assert.ok((await red(3)).count > 0, "forces stay");
    await group("bodies", true);
    assert.equal((await green(3)).count, ball);
    await group("axes", false);
    await tab.locator(".gizmo").waitFor({ state: "hidden" });
    await close(tab);
});

test("the panel of what is selected shows the recorded values with units and descriptions", async () => {
    await select("ball");
    for (const row of [2, 6]) {
        await tab.evaluate((i) => window.crank.setFrame(i), row);
        await tab.waitForFunction(() => !document.querySelector("#details").innerText.includes("\u2026"));
        for (const [part, unit, about] of [["x", "m", "Place across"], ["y", "m", "Height"]]) {
            const line = tab.locator("#details .value").filter({ hasText: about });
            assert.equal(await line.locator(".name").innerText(), part);
            const [number, shown] = (await line.locator(".number").innerText()).replace("\u2212", "-").split(" ");
            near(Number(number), valueOf(`body.ball.${part}`, row), 1, `${part} in row ${row}`, 5e-5);
            assert.equal(shown, unit);
        }
    }
    await select("guide");
    assert.match(await tab.locator("#details").innerText(), /fy\s+5 N\s+Push of the guide/);
    await select("push");
    assert.match(await tab.locator("#details").innerText(), /fx\s+8 N\s+Push from the left/);
    await close(tab);
});
