// The page's layout: narrow windows, dark and light, labels, focus.
// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { close, launch, open, openObjects, run, scratch } from "./browser.mjs";

const directory = scratch(after);
const path = join(directory, "page.html");
let browser;

before(async () => {
    run("run", "models/slider-crank/mechanism.yaml", "--out", join(directory, "result.csv"), "--html", path);
    browser = await launch();
});
after(() => browser?.close());

const CONTROLS = ["#play", "#scrub", "#speed", "#previous", "#next", "#loop", "#theme", "#help-button", "#search",
                  "#add-panel", "#add-phase"];

for (const [width, height] of [[360, 640], [640, 360], [1280, 720], [2560, 1440]]) {
    test(`at ${width} x ${height} nothing is cut off and every control can be reached`, async () => {
        const tab = await open(browser, path, { width, height });
        const wide = await tab.evaluate(() => {
            const element = document.scrollingElement;
            return [element.scrollWidth, element.clientWidth, document.body.scrollWidth];
        });
        assert.ok(wide[0] <= width && wide[2] <= width, `the page is ${wide} pixels wide`);
        const canvas = await tab.locator("#scene").boundingBox();
        assert.ok(canvas.width >= 200 && canvas.height >= 120, `the scene is ${canvas.width} x ${canvas.height}`);
        for (const selector of CONTROLS) {
            const control = tab.locator(selector);
            if (selector === "#search") {
                await openObjects(tab);
            }
            await control.scrollIntoViewIfNeeded();
            const box = await control.boundingBox();
            assert.ok(box && box.x >= -0.5 && box.x + box.width <= width + 0.5, `${selector}: ${JSON.stringify(box)}`);
            await control.click({ trial: true, timeout: 5000 });
            if (selector === "#search") { // on narrow windows the list lies over the rest
                await tab.locator("#drawer").getByRole("button", { name: "Close" }).click();
            }
        }
        await close(tab);
    });
}

// Contrast of each visible text with what is behind it, as [ratio, text].
const contrasts = () => {
    const parse = (colour) => {
        const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
        return colour.startsWith("color(srgb") ? [r * 255, g * 255, b * 255, a] : [r, g, b, a];
    };
    const luminance = ([r, g, b]) => {
        const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const over = (front, back) => front.slice(0, 3).map((c, i) => front[3] * c + (1 - front[3]) * back[i]);
    const behind = (element) => {
        const layers = [];
        for (let at = element; at; at = at.parentElement) {
            layers.push(parse(getComputedStyle(at).backgroundColor));
        }
        return layers.reverse().reduce((back, layer) => over(layer, back), [255, 255, 255]);
    };
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement;
        const text = node.textContent.trim();
        if (!text || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
            element.closest("script, style, :disabled") || !element.getClientRects().length) {
            continue;
        }
        const back = behind(element);
        const front = over(parse(getComputedStyle(element).color), back);
        const [low, high] = [luminance(front), luminance(back)].sort((a, b) => a - b);
        found.push([(high + 0.05) / (low + 0.05), text.slice(0, 40)]);
    }
    return found;
};

for (const colorScheme of ["light", "dark"]) {
    test(`texts stand out from their background in ${colorScheme} (contrast 4.5 at least)`, async () => {
        const tab = await open(browser, path, { colorScheme });
        assert.equal(await tab.evaluate(() => window.crank.state.theme), colorScheme);
        await openObjects(tab);
        await tab.locator("#objects [role=option]").first().click();
        for (const view of ["page", "help"]) {
            if (view === "help") {
                await tab.locator("#help-button").click();
                await tab.locator("#help").waitFor();
            }
            const found = await tab.evaluate(contrasts);
            assert.ok(found.length > 10, `${found.length} texts`);
            assert.deepEqual(found.filter(([ratio]) => ratio < 4.5), []);
        }
        await close(tab);
    });
}

test("the button for dark and light changes the page, and the choice is the page's own", async () => {
    const tab = await open(browser, path, { colorScheme: "light" });
    const background = () => tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const first = await background();
    await tab.locator("#theme").click();
    assert.equal(await tab.evaluate(() => window.crank.state.theme), "dark");
    assert.notEqual(await background(), first);
    assert.deepEqual((await tab.evaluate(contrasts)).filter(([ratio]) => ratio < 4.5), []);
    await tab.locator("#theme").click();
    assert.equal(await background(), first);
    await close(tab);
});

test("every control has a name", async () => {
    const tab = await open(browser, path);
    const nameless = await tab.evaluate(() => [...document.querySelectorAll("button, input, select, #scene, [role=button], [role=separator]")]
        .filter((element) => element.checkVisibility())
        .filter((element) => !(element.getAttribute("aria-label") || element.labels?.length || element.title ||
                               element.getAttribute("aria-labelledby") || element.textContent.trim()))
        .map((element) => element.outerHTML.slice(0, 80)));
    assert.deepEqual(nameless, []);
    assert.ok(await tab.evaluate(() => document.documentElement.lang));
    await close(tab);
});

test("every control that the tabulator key reaches shows that it has the focus", async () => {
    const tab = await open(browser, path);
    const seen = new Set();
    for (let i = 0; i < 40; i++) {
        await tab.keyboard.press("Tab");
        const focus = await tab.evaluate(() => {
            const element = document.activeElement;
            const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
            return { id: element.id, marked: (outlineStyle !== "none" && parseFloat(outlineWidth) >= 1) || boxShadow !== "none",
                     body: element === document.body, text: element.outerHTML.slice(0, 60) };
        });
        if (!focus.body) {
            assert.ok(focus.marked, `the focus is not seen on ${focus.text}`);
            seen.add(focus.id);
        }
    }
    for (const id of ["play", "scrub", "speed", "theme"]) {
        assert.ok(seen.has(id), `#${id} is not reached; reached: ${[...seen].join(" ")}`);
    }
    await close(tab);
});
