// Pictures of pages: opens pages that crank wrote in Chromium and saves what they show at a moment.
//
//     node scripts/pictures.mjs LIST.json
//
// LIST.json is a list of {page, picture, moment, what, width, height, theme}: paths of the page and of the picture (.png or
// .webp), the moment as a part of the run (0 to 1), what to show ("scene": the scene alone, or plots where there is
// none; "page": everything), the picture's size in pixels and "light" or "dark". Drawing is by software, so the same pages
// give the same pictures. Environment: CHROMIUM the browser (/usr/bin/chromium), PLAYWRIGHT the directory with
// node_modules/playwright-core (build/viewer/work).
// SPDX-License-Identifier: BSD-3-Clause
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const viewer = [process.env.PLAYWRIGHT, join(root, "build/viewer/work"), join(root, "viewer")]
    .find((place) => place && existsSync(join(place, "node_modules/playwright-core")));
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
if (!existsSync(executablePath) || !viewer) {
    console.error(`scripts/pictures.mjs: ${viewer ? executablePath : "playwright-core"} is missing; remedy: scripts/setup, make page`);
    process.exit(1);
}
const { chromium } = createRequire(join(viewer, "package.json"))("playwright-core");

// The scene alone: it covers the window.
const SCENE_ALONE = `#holder { position: fixed !important; inset: 0 !important; width: 100vw !important;
    height: 100vh !important; z-index: 1000 !important; border: 0 !important; border-radius: 0 !important; }`;

// Adds a style to the page before it is read.
function addStyle(text) {
    new MutationObserver((_, observer) => {
        if (document.head) {
            observer.disconnect();
            document.head.append(Object.assign(document.createElement("style"), { textContent: text }));
        }
    }).observe(document, { childList: true, subtree: true });
}

async function take(browser, { page, picture, moment = 0.3, what = "scene", width = 480, height = 300, theme = "light" }) {
    let scale = what === "scene" ? 2 : 1; // plots alone need more room than a small picture has
    const context = await browser.newContext({ viewport: { width: scale * width, height: scale * height },
                                               colorScheme: theme, offline: true });
    const tab = await context.newPage();
    const faults = [];
    tab.on("pageerror", (error) => faults.push(error.message));
    tab.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    if (what === "scene") {
        await tab.addInitScript(addStyle, SCENE_ALONE);
    }
    await tab.goto(pathToFileURL(resolve(page)).href);
    await tab.waitForFunction(() => window.crank?.ready, null, { timeout: 60000 });
    const drawn = await tab.evaluate(() => window.crank.state.scene);
    if (what === "scene" && drawn) { // at rest it has four points for each pixel, which are averaged
        scale = 1;
        await tab.setViewportSize({ width, height });
        await tab.waitForTimeout(300);
    }
    await tab.evaluate((part) => window.crank.setFrame(Math.round(part * (window.crank.rows - 1))), moment);
    await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const area = what === "scene" && !drawn ? await tab.locator("#panels").boundingBox() : null;
    const clip = area ? { x: area.x, y: area.y, width: area.width, height: Math.min(area.height, area.width * height / width) }
        : { x: 0, y: 0, width: scale * width, height: scale * height };
    const session = await context.newCDPSession(tab);
    const { data } = await session.send("Page.captureScreenshot", {
        format: picture.endsWith(".webp") ? "webp" : "png", quality: picture.endsWith(".webp") ? 80 : undefined,
        clip: { ...clip, scale: width / clip.width },
    });
    writeFileSync(picture, Buffer.from(data, "base64"));
    await context.close();
    if (faults.length > 0) {
        throw new Error(`${page}: ${faults.join("; ")}`);
    }
}

const list = JSON.parse(readFileSync(process.argv[2], "utf8"));
const browser = await chromium.launch({ executablePath, args: [
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
try {
    for (const entry of list) {
        await take(browser, entry);
    }
} finally {
    await browser.close();
}
