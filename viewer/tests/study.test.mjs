// The page of a study: members as points, lines and rows, courses behind a click, failures with their reasons.
// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { close, launch, open, run, scratch } from "./browser.mjs";

const directory = scratch(after);
const path = join(directory, "study.html");
const mixed = join(directory, "mixed.html");
let browser;

// done, failed, stopped by an event
const MIXED = `crank: equations
parameters: {kind: 0}
positions:  {x: {start: 0}}
velocities: {vx: {of: x, start: 1}}
mass: [[1]]
forces: [0]
dynamic: {r: {start: 1, rate: "if(kind > 0.5, r^2, 0)"}}
events: {far: {when: "x - 1.5 - kind*100", direction: rising, actions: [stop]}}
simulate: {t_end: 2, method: ode-dopri5}
`;

before(async () => {
    run("sweep", "models/pendulum/pendulum.yaml", "--sweep", "grav=5:15:40", "--sweep", "m=1:2:50", "--t-end", "0.2", "--points", "10", "--final", "x",
        "--columns", "y", "--quiet", "-o", join(directory, "study.nc"), "--html", path);
    writeFileSync(join(directory, "mixed.yaml"), MIXED);
    run("sweep", join(directory, "mixed.yaml"), "--sweep", "kind=0.1,1,0", "--final", "x", "--columns", "x", "--points", "4", "--quiet", "-o",
        join(directory, "mixed.nc"));
    run("view", join(directory, "mixed.nc"), "-o", mixed);
    browser = await launch();
});
after(() => browser?.close());

for (const [width, height] of [[360, 640], [1280, 720]]) {
    test(`two thousand members at ${width} x ${height}: a click shows what a member did, nothing is cut off`, async () => {
        const tab = await open(browser, path, { width, height });
        assert.equal(await tab.evaluate(() => window.crank.rows), 2000);
        const wide = await tab.evaluate(() => document.scrollingElement.scrollWidth);
        assert.ok(wide <= width, `the page is ${wide} pixels wide`);
        const sheet = tab.locator("#scatter");
        await sheet.scrollIntoViewIfNeeded();
        await tab.waitForTimeout(300);
        const [x, y] = await tab.evaluate(() => window.crank.study.place(777));
        await sheet.click({ position: { x, y } });
        const [chosen] = await tab.evaluate(() => window.crank.study.chosen);
        await tab.waitForFunction(() => window.crank.study.courses[0]?.[0]);
        const place = await tab.evaluate((row) => window.crank.study.place(row), chosen);
        assert.ok(Math.hypot(place[0] - x, place[1] - y) <= 1, "another member than the one clicked on");
        const factors = await tab.evaluate(async (i) => [(await window.crank.values("grav"))[i], (await window.crank.values("m"))[i]], chosen);
        const rows = run("run", "models/pendulum/pendulum.yaml", "--set", `grav=${factors[0]}`, "--set", `m=${factors[1]}`, "--t-end", "0.2",
                         "--points", "10", "--only", "y", "--quiet").trim().split("\n").slice(1).map((line) => Number(line.split(",")[1]));
        const course = await tab.evaluate(() => window.crank.study.courses[0][0]);
        rows.forEach((value, i) => assert.ok(Math.abs(course[i] - value) <= 1e-6, `${course[i]}, expected ${value}`));
        const command = await tab.locator(".chosen code").textContent();
        assert.ok(command.includes(`--set grav=${factors[0]} --set m=${factors[1]}`), command);
        assert.ok(await tab.locator(".course .uplot").isVisible());
        await close(tab);
    });
}

test("names of axes with long names are not cut at 360 pixels", async () => {
    const long = join(directory, "long.html");
    run("sweep", "models/quarter-car/quarter-car.yaml", "--sweep", "k=20000:24000:2", "--sweep", "d=1500:1600:2", "--t-end", "0.1", "--points", "2", "--final",
        "body.body.y", "--maximum", "body.body.y", "--quiet", "-o", join(directory, "long.nc"), "--html", long);
    const tab = await open(browser, long, { width: 360, height: 640 });
    const sheet = tab.locator("#parallel");
    await sheet.scrollIntoViewIfNeeded();
    await tab.waitForTimeout(300);
    const ink = await sheet.evaluate((canvas) => {
        const pen = canvas.getContext("2d");
        const rows = Math.round(28 * canvas.height / canvas.clientHeight);
        const { data } = pen.getImageData(0, 0, canvas.width, rows);
        const count = (x) => Array.from({ length: rows }, (_, y) => data[4 * (y * canvas.width + x) + 3]).filter((alpha) => alpha > 100).length;
        return [count(0), count(canvas.width - 1), Math.max(...Array.from({ length: canvas.width }, (_, x) => count(x)))];
    });
    assert.ok(ink[0] === 0 && ink[1] === 0 && ink[2] > 0, `${ink}`);
    await close(tab);
});

test("keys walk through members, shift compares, escape chooses none", async () => {
    const tab = await open(browser, path);
    await tab.keyboard.press("ArrowRight");
    await tab.keyboard.press("ArrowRight");
    assert.deepEqual(await tab.evaluate(() => window.crank.study.chosen), [1]);
    await tab.getByRole("button", { name: "Member 5", exact: true }).click({ modifiers: ["Shift"] });
    assert.deepEqual(await tab.evaluate(() => window.crank.study.chosen), [1, 5]);
    await tab.keyboard.press("Escape");
    assert.deepEqual(await tab.evaluate(() => window.crank.study.chosen), []);
    await tab.getByRole("button", { name: "Sort by m", exact: true }).click();
    assert.equal(await tab.locator("th[aria-sort=ascending]").count(), 1);
    await close(tab);
});

test("failed members are told with their reasons", async () => {
    const tab = await open(browser, mixed);
    await tab.locator("#only-lost").click();
    assert.equal(await tab.locator("#members tbody tr").count(), 1);
    assert.match(await tab.locator("#members .why").textContent(), /^failed: .*step size/);
    await tab.getByRole("button", { name: "Member 1", exact: true }).click();
    assert.match(await tab.locator("#courses .danger").textContent(), /^failed: /);
    assert.deepEqual(await tab.evaluate(() => window.crank.study.courses[0][0].map((v) => Number.isFinite(v))), [true, true, true, false, false]);
    await tab.locator("#only-lost").click();
    assert.match(await tab.locator("#members .why").nth(2).textContent(), /^stopped by an event/);
    await close(tab);
});
