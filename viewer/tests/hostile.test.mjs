// Names, titles and texts of models are shown as they are and never executed, whatever they contain.
// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { close, crank, indexOf, launch, open, openObjects, run, scratch, template } from "./browser.mjs";
import { emptyScene, times, writePage } from "./make_page.mjs";
import { spawnSync } from "node:child_process";

const directory = scratch(after);
let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

// Each sets window.trap, asks for something or opens a dialog if it is taken for more than text.
const HOSTILE = [
    "</script><script>window.trap=1</script>",
    "<img src=x onerror=window.trap=1>",
    "\"><svg onload=window.trap=1>",
    "'-(window.trap=1)-'",
    "javascript:window.trap=1",
    "</title><script>window.trap=1</script>",
    "</style><script>window.trap=1</script>",
    "--><script>window.trap=1</script><!--",
    "<!--<script>",
    "]]><script>window.trap=1</script>",
    "a\u2028window.trap=1\u2029b",
    "__proto__",
    "constructor",
    "toString",
    "${window.trap=1}",
    "{{window.trap=1}}",
    "url(https://example.org/x)",
    "<iframe srcdoc='<script>parent.trap=1</script>'>",
    "<a href=javascript:window.trap=1>a</a>",
    "\\u003cscript>window.trap=1\\u003c/script>",
    "&lt;script&gt;window.trap=1&lt;/script&gt;",
    "\u202ereversed <b>bold</b>",
    "$& $1 $` $'",
];

// Opens every part of the page that shows texts.
async function lookAround(tab) {
    await tab.evaluate(() => window.crank.setFrame(3));
    await openObjects(tab);
    const count = await tab.evaluate(async () => {
        const number = document.querySelectorAll("#objects [role=option]").length;
        for (let i = 0; i < number; i++) {
            document.querySelectorAll("#objects [role=option]")[i].click();
            await new Promise((resolve) => setTimeout(resolve));
        }
        return number;
    });
    assert.equal(count, 3 * HOSTILE.length);
    await tab.evaluate(() => { document.querySelector("#add-panel").click(); });
    await tab.locator("#chooser-search").fill("trap");
    await tab.locator("#chooser [role=option]").first().click();
    await tab.locator("#chooser-search").fill("<");
    await tab.locator("#chooser [role=option]").first().click();
    await tab.keyboard.press("Escape");
    await tab.evaluate(() => window.crank.play());
    await tab.waitForFunction((drawn) => window.crank.framesDrawn > drawn + 3, await tab.evaluate(() => window.crank.framesDrawn));
    await tab.evaluate(() => window.crank.pause());
}

async function onlyOwnElements(tab) {
    const foreign = await tab.evaluate(() => ({
        images: document.querySelectorAll("img").length,
        frames: document.querySelectorAll("iframe, object, embed").length,
        scripts: [...document.querySelectorAll("script")].filter(
            (script) => !/^crank-(index|block-\d+)$/.test(script.id)).length,
        handlers: [...document.querySelectorAll("*")].filter(
            (element) => element.getAttributeNames().some((name) => name.startsWith("on"))).length,
        links: [...document.querySelectorAll("a[href]")].map((a) => a.href).filter((href) => /script:/.test(href)).length,
        polluted: ({}).x !== undefined || ({}).name !== undefined,
    }));
    assert.deepEqual(foreign, { images: 0, frames: 0, scripts: 1, handlers: 0, links: 0, polluted: false });
}

function hostilePage(path, title) {
    const time = times(11, 1);
    const scene = emptyScene();
    const columns = [{ name: "time", unit: "s", description: "", values: time }];
    HOSTILE.forEach((text, i) => {
        const name = `${text} x`;
        columns.push({ name, unit: text, description: text, values: time.map((t) => i + t) });
        columns.push({ name: text, unit: text, description: text, values: time.map((t) => i * t) });
        scene.bodies.push({ name: text, pose: { x: name, y: i % 5 }, center: [0, 0, 0], color: text,
                            shapes: [{ kind: "box", size: [0.5, 0.5, 0.5], color: text }] });
        scene.joints.push({ name: text, type: text, glyph: i % 2 ? "hinge" : text, bodies: [-1, i], axes: null,
                            points: [[i, 0, 0], [0, 0, 0]],
                            reaction: { force: [text, null, name], torque: null, on: 1, axes: "world" } });
        scene.forces.push({ name: text, type: text, glyph: i % 2 ? "spring" : text, bodies: [-1, i],
                            points: [[0, 0, 0], [0, 0, 0]], value: text, direction: null, direction_in: "world" });
        scene.lines.push({ name: text, points: [[name, 0, 0], [0, text, 1]], color: text, width: null, spring: false });
        scene.traces.push({ name: text, body: i, point: [0, 0, 0], color: text });
    });
    scene.plots = [[HOSTILE[0], HOSTILE[1]], ["__proto__", "constructor"]];
    scene.phase = [[HOSTILE[2], HOSTILE[3]]];
    scene.camera = { preset: HOSTILE[0] };
    scene.size = 5;
    writePage({ template, path, title, columns, scene, model: HOSTILE[1], method: HOSTILE[2], leftOut: HOSTILE });
}

test("hostile texts in every place of the data are shown as texts and not executed", async () => {
    const path = join(directory, "hostile.html");
    hostilePage(path, HOSTILE[0]);
    const tab = await open(browser, path);
    assert.equal(await tab.evaluate(() => window.crank.error), null);
    assert.equal(await tab.title(), HOSTILE[0]);
    const names = await tab.evaluate(() => [...window.crank.names]);
    assert.deepEqual(names.filter((name) => HOSTILE.includes(name)), HOSTILE);
    await lookAround(tab);
    const text = await tab.evaluate(() => document.body.innerText);
    assert.ok(text.includes("<img src=x onerror=window.trap=1>"), "names are shown as they are");
    for (const name of ["__proto__", "constructor", HOSTILE[0]]) {
        const i = HOSTILE.indexOf(name);
        const values = await tab.evaluate((column) => window.crank.values(column).then((v) => [...v]), name);
        assert.equal(values[10], i);
        const pose = await tab.evaluate((body) => { window.crank.setFrame(10); return window.crank.pose(body); }, name);
        assert.equal(pose.position[0], i + 1);
    }
    await onlyOwnElements(tab);
    await close(tab);
});

test("a model with hostile title and names goes through crank and into the page as text", async () => {
    for (const [i, text] of HOSTILE.entries()) {
        const quoted = JSON.stringify(text);
        const model = join(directory, `model${i}.yaml`);
        const path = join(directory, `model${i}.html`);
        writeFileSync(model, `crank: mechanism
title: ${quoted}
gravity: [0, 0, -9.81]
bodies:
  b: {mass: 1, shape: {box: [0.1, 0.1, 1]}, position: [0, 0, -0.5]}
joints:
  a: {type: revolute, between: [ground, b], at: [0, 0, 0], axis: [0, 1, 0]}
simulate: {t_end: 0.1}
`);
        const done = spawnSync(crank, ["run", model, "--out", join(directory, "model.csv"), "--html", path],
                               { env: { ...process.env, CRANK_PAGE: template }, encoding: "utf8" });
        assert.equal(done.status, 0, done.stderr);
        assert.equal(indexOf(path).title, text);
    }
    for (const i of [0, 1, 5, 10]) {
        const tab = await open(browser, join(directory, `model${i}.html`));
        assert.equal(await tab.title(), HOSTILE[i].replace(/[ \t\n\f\r]+/g, " "));
        await onlyOwnElements(tab);
        await close(tab);
    }
});

test("names of bodies that crank does not admit are refused with exit status 3, others are shown as text", async () => {
    let shown = 0;
    for (const [i, text] of HOSTILE.entries()) {
        const model = join(directory, `names${i}.yaml`);
        const path = join(directory, `names${i}.html`);
        writeFileSync(model, `crank: mechanism
bodies:
  ${JSON.stringify(text)}: {mass: 1, shape: {sphere: 0.1}}
simulate: {t_end: 0.1}
`);
        const done = spawnSync(crank, ["run", model, "--out", join(directory, "names.csv"), "--html", path],
                               { env: { ...process.env, CRANK_PAGE: template }, encoding: "utf8" });
        assert.ok([0, 3].includes(done.status), `${text}: exit ${done.status}\n${done.stderr}`);
        if (done.status === 0) {
            shown++;
            const tab = await open(browser, path);
            assert.ok((await tab.evaluate(() => window.crank.pose(window.crank.names[1].split(".")[1]))) !== undefined);
            await onlyOwnElements(tab);
            await close(tab);
        }
    }
    assert.ok(shown < HOSTILE.length, "names with < are not names");
});

test("a result with hostile columns becomes a page that shows them as text", async () => {
    const csv = join(directory, "columns.csv");
    const names = HOSTILE.filter((text) => !/[\n",\u2028\u2029]/.test(text));
    writeFileSync(csv, ["time", ...names].join(",") + "\n" +
                  [0, 1, 2].map((t) => [t, ...names.map((_, i) => t * i)].join(",")).join("\n") + "\n");
    const path = join(directory, "columns.html");
    run("view", csv, "-o", path);
    const tab = await open(browser, path);
    assert.deepEqual(await tab.evaluate(() => [...window.crank.names]), ["time", ...names]);
    await onlyOwnElements(tab);
    await close(tab);
});

test("the data of a page cannot end its element", () => {
    const path = join(directory, "hostile.html");
    hostilePage(path, HOSTILE[0]);
    const text = readFileSync(path, "utf8");
    const index = text.indexOf('id="crank-index"');
    const element = text.slice(index, text.indexOf("</script>", index));
    assert.equal(JSON.parse(element.slice(element.indexOf(">") + 1)).title, HOSTILE[0]);
});
