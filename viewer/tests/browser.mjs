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

const SOFTWARE = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const ALONE = ["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
               "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND"];

// A browser; drawing by software, or not at all with webgl: false.
export async function launch({ webgl = true } = {}) {
    const { chromium: engine } = createRequire(join(packages, "package.json"))("playwright-core");
    const drawing = webgl ? SOFTWARE : ["--disable-gpu", "--disable-3d-apis", "--disable-webgl"];
    return engine.launch({ executablePath: chromium, args: ["--no-sandbox", ...ALONE, ...drawing] });
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
        if (["error", "warning", "assert"].includes(message.type())) {
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

// The colours in a picture of an element, as "r,g,b" with the number of their pixels, most frequent first.
export async function colours(page, selector) {
    const image = (await page.locator(selector).screenshot()).toString("base64");
    const helper = await page.context().browser().newPage();
    const counts = await helper.evaluate(async (data) => {
        const picture = new Image();
        picture.src = "data:image/png;base64," + data;
        await picture.decode();
        const canvas = new OffscreenCanvas(picture.width, picture.height);
        const context = canvas.getContext("2d");
        context.drawImage(picture, 0, 0);
        const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data;
        const found = new Map();
        for (let i = 0; i < pixels.length; i += 4) {
            const key = `${pixels[i]},${pixels[i + 1]},${pixels[i + 2]}`;
            found.set(key, (found.get(key) ?? 0) + 1);
        }
        return [...found].sort((a, b) => b[1] - a[1]);
    }, image);
    await helper.context().close();
    return counts;
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
