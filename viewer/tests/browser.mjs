// What the tests of the page share: Chromium, pages made by crank or by make_page.mjs, and a page opened from the disk
// with everything watched that must not happen: messages on the console, errors, requests, dialogs, violations of the
// Content-Security-Policy.
//
// Environment: CRANK the command (build/crank), CRANK_PAGE the page's template (viewer/page.html beside it),
// CHROMIUM the browser (/usr/bin/chromium), PLAYWRIGHT the directory with node_modules/playwright-core (viewer/work beside the
// command, or viewer/).
// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const crank = resolve(process.env.CRANK ?? join(root, "build/crank"));
export const template = resolve(process.env.CRANK_PAGE ?? join(dirname(crank), "viewer/page.html"));
const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
const packages = [process.env.PLAYWRIGHT, join(dirname(crank), "viewer/work"), join(root, "viewer")]
    .find((place) => place && existsSync(join(place, "node_modules/playwright-core"))) ?? join(dirname(crank), "viewer/work");

for (const [path, remedy] of [[crank, "make"], [template, "make (needs Node.js and npm: scripts/setup)"],
                              [chromium, "scripts/setup, or apt-get install chromium"],
                              [join(packages, "node_modules/playwright-core"), "make page"]]) {
    if (!existsSync(path)) {
        throw new Error(`${path} is missing; remedy: ${remedy}`);
    }
}

// WebGL by SwiftShader, the page itself by the software compositor: with --use-angle=swiftshader, SwiftShader would compose the
// page as well, which takes three times as long.
const SOFTWARE = ["--disable-gpu", "--enable-unsafe-swiftshader"];
// What Chromium says of drawing so; it is no fault of the page.
const HARMLESS = /GL Driver Message \(OpenGL, Performance.*GPU stall due to ReadPixels/;
const ALONE = ["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
               "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND"];

// A browser; drawing by software, or not at all with webgl: false.
export async function launch({ webgl = true } = {}) {
    const { chromium: engine } = createRequire(join(packages, "package.json"))("playwright-core");
    const drawing = webgl ? SOFTWARE : ["--disable-gpu", "--disable-3d-apis", "--disable-webgl"];
    return engine.launch({ executablePath: chromium, args: ["--no-sandbox", ...ALONE, ...drawing] });
}

// A module of the viewer, for tests of what needs no browser.
export async function bundled(module) {
    const text = execFileSync(join(packages, "node_modules/esbuild/bin/esbuild"), [join(root, "viewer", module), "--bundle", "--format=esm"],
                              { encoding: "utf8" });
    return import("data:text/javascript," + encodeURIComponent(text));
}

// A directory that is removed at the end of the test file.
export function scratch(after) {
    const directory = mkdtempSync(join(tmpdir(), "crank-page-"));
    after(() => rmSync(directory, { recursive: true, force: true }));
    return directory;
}

// Runs crank; what it said on standard error.
export function run(...words) {
    return execFileSync(crank, words, { cwd: root, env: { ...process.env, CRANK_PAGE: template }, encoding: "utf8",
                                        stdio: ["ignore", "pipe", "pipe"] });
}

// A result as {names, columns: Map of arrays}.
export function readCsv(path) {
    const [head, ...lines] = readFileSync(path, "utf8").trimEnd().split("\n");
    const names = head.split(",").map((name) => name.replace(/^"(.*)"$/, "$1").replaceAll('""', '"'));
    const rows = lines.map((line) => line.split(",").map(Number));
    return { names, rows: rows.length, columns: new Map(names.map((name, j) => [name, rows.map((row) => row[j])])) };
}

// The index of a page's data.
export function indexOf(path) {
    const text = readFileSync(path, "utf8");
    return JSON.parse(/<script type="application\/json" id="crank-index">(.*?)<\/script>/s.exec(text)[1]);
}

// Opens a page from the disk and waits until it is ready. Its `faults` lists what must not happen.
export async function open(browser, path, { width = 1280, height = 720, colorScheme = "light", mayLoad, ...rest } = {}) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme, offline: true, ...rest });
    const page = await context.newPage();
    page.setDefaultTimeout(10000);
    const address = pathToFileURL(path).href;
    page.faults = [];
    page.loaded = [];
    page.on("console", (message) => {
        if (["error", "warning", "assert"].includes(message.type()) && !HARMLESS.test(message.text())) {
            page.faults.push(`console ${message.type()}: ${message.text()}`);
        }
    });
    page.on("pageerror", (error) => page.faults.push(`error: ${error.message}`));
    page.on("dialog", (dialog) => {
        page.faults.push(`dialog: ${dialog.message()}`);
        dialog.dismiss();
    });
    page.on("popup", () => page.faults.push("popup"));
    page.on("download", () => page.faults.push("download"));
    page.on("request", (request) => {
        const url = request.url();
        page.loaded.push(url);
        if (url.split("#")[0] !== address && !/^(data|blob):/.test(url) && !mayLoad?.(url)) {
            page.faults.push(`request: ${url}`);
        }
    });
    await page.exposeFunction("reportViolation", (text) => page.faults.push(`Content-Security-Policy: ${text}`));
    await page.addInitScript(() => {
        addEventListener("securitypolicyviolation", (event) => {
            window.reportViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
        });
    });
    await page.goto(address);
    await ready(page);
    return page;
}

export async function ready(page) {
    await page.waitForFunction(() => window.crank?.ready, null, { timeout: 60000 });
}

// Opens the list of objects, as a reader would.
export async function openObjects(page) {
    if (!await page.locator("#objects").isVisible()) {
        await page.locator("#objects-button").click();
    }
}

// Nothing happened that must not, then the page is closed.
export async function close(page) {
    const trap = await page.evaluate(() => window.trap);
    const faults = [...page.faults];
    await page.context().close();
    assert.equal(trap, undefined, "a name of the model was executed");
    assert.deepEqual(faults, []);
}

// The colours of the scene in a frame, as "r,g,b" with the number of their pixels, most frequent first. The frame is drawn and read
// in one go, since the browser may clear the canvas afterwards.
export async function colours(page, frame) {
    return page.evaluate((row) => {
        window.crank.setFrame(row);
        const canvas = document.querySelector("#scene");
        const copy = new OffscreenCanvas(canvas.width, canvas.height);
        const context = copy.getContext("2d");
        context.drawImage(canvas, 0, 0);
        const pixels = context.getImageData(0, 0, copy.width, copy.height).data;
        const found = new Map();
        for (let i = 0; i < pixels.length; i += 4) {
            const key = `${pixels[i]},${pixels[i + 1]},${pixels[i + 2]}`;
            found.set(key, (found.get(key) ?? 0) + 1);
        }
        return [...found].sort((a, b) => b[1] - a[1]);
    }, frame);
}

// Where a colour is in the scene in a frame: number of pixels, width and height in pixels of the page. `low` and `high` are bounds
// of hue in degrees.
export async function painted(page, frame, low, high) {
    return page.evaluate(([row, least, most]) => {
        window.crank.setFrame(row);
        const canvas = document.querySelector("#scene");
        const copy = new OffscreenCanvas(canvas.width, canvas.height);
        const context = copy.getContext("2d");
        context.drawImage(canvas, 0, 0);
        const pixels = context.getImageData(0, 0, copy.width, copy.height).data;
        const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity, count: 0 };
        for (let i = 0; i < pixels.length; i += 4) {
            const [r, g, b] = [pixels[i], pixels[i + 1], pixels[i + 2]];
            const span = Math.max(r, g, b) - Math.min(r, g, b);
            if (span < 60) {
                continue;
            }
            const sector = r >= g && r >= b ? (g - b) / span : g >= b ? 2 + (b - r) / span : 4 + (r - g) / span;
            const hue = (60 * sector + 360) % 360;
            if ((hue - least + 360) % 360 <= (most - least + 360) % 360) {
                const [x, y] = [(i / 4) % copy.width, Math.floor(i / 4 / copy.width)];
                Object.assign(box, { left: Math.min(box.left, x), right: Math.max(box.right, x), top: Math.min(box.top, y),
                                     bottom: Math.max(box.bottom, y), count: box.count + 1 });
            }
        }
        const ratio = canvas.width / canvas.clientWidth;
        return box.count ? { count: box.count / ratio ** 2, width: (box.right - box.left + 1) / ratio,
                             height: (box.bottom - box.top + 1) / ratio } : { count: 0, width: 0, height: 0 };
    }, [frame, low, high]);
}

// Frames drawn a second while it plays, over four seconds.
export async function playRate(tab) {
    return tab.evaluate(async () => {
        const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
        window.crank.play();
        await wait(1000);
        const [drawn, from] = [window.crank.framesDrawn, performance.now()];
        await wait(4000);
        const rate = 1000 * (window.crank.framesDrawn - drawn) / (performance.now() - from);
        window.crank.pause();
        return rate;
    });
}

export function near(actual, expected, scale, what, tolerance = 1e-6) {
    assert.ok(Math.abs(actual - expected) <= tolerance * scale, `${what}: ${actual}, expected ${expected}`);
}

// Quaternions of the same orientation differ by sign.
export function nearRotation(actual, expected, what, tolerance = 1e-6) {
    const sign = Math.sign(actual.reduce((sum, q, i) => sum + q * expected[i], 0)) || 1;
    actual.forEach((q, i) => near(sign * q, expected[i], 1, `${what} q${i}`, tolerance));
}
