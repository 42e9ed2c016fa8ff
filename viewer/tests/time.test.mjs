// Time and what is not a number: loop, speed, rows at uneven times, gaps, and the axes of the plots.
// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { bundled, close, launch, near, open, scratch, template } from "./browser.mjs";
import { pushedBall, writePage } from "./make_page.mjs";

const path = join(scratch(after), "ball.html");
const { columns, scene } = pushedBall();
const [{ values: time }] = columns;
let browser;
let tab;

before(async () => {
    writePage({ template, path, title: "A ball", columns, scene });
    browser = await launch();
    tab = await open(browser, path);
});
after(async () => {
    await close(tab);
    await browser.close();
});

const get = (part) => tab.evaluate((name) => window.crank[name], part);
const setTime = (t) => tab.evaluate((to) => window.crank.setTime(to), t);

test("with loop it begins again at the end, without it stops there", async () => {
    assert.equal((await get("state")).loop, true);
    await tab.locator("#speed").selectOption("20");
    await setTime(9.5);
    await tab.evaluate(() => window.crank.play());
    await tab.waitForFunction(() => window.crank.time < 9);
    assert.equal(await get("playing"), true);
    await tab.locator("#loop").click();
    assert.equal((await get("state")).loop, false);
    await tab.waitForFunction(() => !window.crank.playing);
    assert.equal(await get("time"), 10);
    assert.equal(await get("frame"), 9);
    await tab.locator("#loop").click();
});

test("the speed chosen is simulated seconds per second", async () => {
    await tab.locator("#speed").selectOption("0.01");
    assert.equal((await get("state")).speed, 0.01);
    const { shown, wall } = await tab.evaluate(async () => {
        window.crank.setTime(1);
        const [start, drawn] = [performance.now(), window.crank.framesDrawn];
        window.crank.play();
        while (window.crank.framesDrawn < drawn + 8) {
            await new Promise((resolve) => requestAnimationFrame(resolve));
        }
        window.crank.pause();
        return { shown: window.crank.time - 1, wall: (performance.now() - start) / 1000 };
    });
    // A frame may count from up to a frame before.
    assert.ok(shown > 0 && shown <= 0.01 * (wall + 0.25), `${shown} s shown in ${wall} s`);
    await tab.locator("#speed").selectOption("1");
});

test("between rows at uneven times values and bodies are where time says", async () => {
    await setTime(5.75); // in the middle of rows 6 and 7
    assert.equal(await get("frame"), 6);
    const { position } = await tab.evaluate(() => window.crank.pose("ball"));
    near(position[0], 0.8 * 5.75, 1, "x", 1e-6);
    near(position[1], 0.5 * (Math.sin(4.5) + Math.sin(7)), 1, "y", 1e-6);
    const { over, line } = await tab.evaluate(() => {
        const box = (name) => document.querySelector(`.panel ${name}`).getBoundingClientRect();
        return { over: box(".u-over"), line: box(".now-line") };
    });
    near((line.x + line.width / 2 - over.x) / over.width, 0.575, 1, "cursor", 0.01);
    await tab.mouse.click(over.x + 0.68 * over.width, over.y + over.height / 2);
    assert.equal(await get("frame"), 7, "a click goes to the nearest row");
    assert.equal(await get("time"), time[7]);
});

test("rows without numbers are gaps in the curve, and the legend says so", async () => {
    // The colour of the curve in parts of the plot's width.
    const inked = await tab.evaluate((parts) => {
        const panel = document.querySelector(".panel");
        const canvas = panel.querySelector("canvas");
        const [over, whole] = [panel.querySelector(".u-over"), panel.querySelector(".uplot")].map((e) => e.getBoundingClientRect());
        const ratio = canvas.width / whole.width;
        const pen = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
        pen.drawImage(canvas, 0, 0);
        return parts.map(([from, to]) => {
            const left = Math.round((over.x - whole.x + from * over.width) * ratio);
            const width = Math.round((to - from) * over.width * ratio);
            const pixels = pen.getImageData(left, (over.y - whole.y) * ratio, width, over.height * ratio).data;
            let count = 0;
            for (let i = 0; i < pixels.length; i += 4) {
                count += pixels[i + 3] > 128 && pixels[i + 2] > pixels[i] + 60 ? 1 : 0;
            }
            return count;
        });
    }, [[0.05, 0.19], [0.22, 0.88], [0.91, 0.99]]);
    assert.ok(inked[0] > 20 && inked[2] > 10, `pixels of the curve: ${inked}`);
    assert.equal(inked[1], 0, "from t = 2 to t = 9 there is no curve");
    const legend = (frame) => tab.evaluate((row) => {
        window.crank.setFrame(row);
        const shown = document.querySelector(".panel .now-dot").style.display !== "none";
        return [document.querySelector(".panel .legend-value").textContent, shown];
    }, frame);
    assert.deepEqual(await legend(4), ["1.4 V", true]);
    assert.deepEqual(await legend(6), ["NaN V", false]);
});

test("plots begin at the same place in all panels, whatever their numbers", async () => {
    const lefts = await tab.evaluate(() => [...document.querySelectorAll(".panel .u-over")].map((e) => e.getBoundingClientRect().left));
    assert.ok(lefts.length >= 3);
    assert.equal(new Set(lefts.map(Math.round)).size, 1, `${lefts}`);
});

test("numbers along axes are short and tell neighbours apart", async () => {
    const { linearTicks, logTicks } = await bundled("src/plots/ticks.ts");
    for (const [splits, texts, factor] of [
        [[0, 0.5, 1], ["0", "0.5", "1"], ""],
        [[50000, 75000, 100000, 125000], ["50", "75", "100", "125"], "\u00d710\u00b3"],
        [[-2500, 0, 2500], ["\u22122500", "0", "2500"], ""],
        [[4.6002, 4.6004, 4.6006], ["4.6002", "4.6004", "4.6006"], ""],
        [[-2e-17, 0, 2e-17], ["\u221220", "0", "20"], "\u00d710\u207b\u00b9\u2078"],
        [[2.5e-4, 5e-4], ["250", "500"], "\u00d710\u207b\u2076"],
        [[0.1, 0.2, 0.30000000000000004], ["0.1", "0.2", "0.3"], ""],
        [[null, 3], ["", "3"], ""],
        [[0], ["0"], ""],
        [[], [], ""],
    ]) {
        assert.deepEqual(linearTicks(splits), { texts, factor });
    }
    assert.deepEqual(logTicks([1e-12, 2e-5, 0.001, 1, 20, 1e7, null]).texts,
                     ["10\u207b\u00b9\u00b2", "2\u00b710\u207b\u2075", "0.001", "1", "20", "10\u2077", ""]);
});

test("a phase portrait is zoomed by dragging with shift and by the wheel, and shown in full again by a double click", async () => {
    const panel = tab.locator(".panel.phase");
    await panel.scrollIntoViewIfNeeded();
    const over = await panel.locator(".u-over").boundingBox();
    // Where the dot is tells the scale.
    const dot = (frame) => tab.evaluate((row) => {
        window.crank.setFrame(row);
        const mark = document.querySelector(".panel.phase .now-dot");
        return mark.style.display === "none" ? null : new DOMMatrix(mark.style.transform).m41;
    }, frame);
    const first = await dot(3);
    const distance = await dot(4) - first;
    const isFar = (factor) => tab.waitForFunction(async ([least, from, far]) => {
        const place = (row) => {
            window.crank.setFrame(row);
            const mark = document.querySelector(".panel.phase .now-dot");
            return mark.style.display === "none" ? NaN : new DOMMatrix(mark.style.transform).m41;
        };
        return Math.abs((place(4) - place(3)) / far - least) < 0.1 * least;
    }, [factor, first, distance]);
    await tab.keyboard.down("Shift");
    await tab.mouse.move(over.x, over.y);
    await tab.mouse.down();
    await tab.mouse.move(over.x + over.width / 2, over.y + over.height - 1, { steps: 3 });
    await tab.mouse.up();
    await isFar(2);
    assert.equal(await dot(9), null, "what is outside has no dot");
    await tab.mouse.move(over.x + 10, over.y + over.height / 2);
    await tab.mouse.wheel(0, -100);
    await isFar(2.5);
    await tab.keyboard.up("Shift");
    await tab.mouse.dblclick(over.x + over.width / 2, over.y + over.height / 2);
    await isFar(1);
});
