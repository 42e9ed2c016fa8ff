// build.mjs - makes the page template: one HTML file without a reference to anything outside.
//
//     node build.mjs OUT.html
//
// esbuild bundles and minifies the script and the style; both are put into src/page.html. The
// Content-Security-Policy allows this one script, by its SHA-256, and nothing else that runs.
// SPDX-License-Identifier: BSD-3-Clause
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const home = dirname(fileURLToPath(import.meta.url));
const marks = ["<!--crank:title-->", "<!--crank:data-->"];

/** Bundles one entry file and returns its text. */
async function bundle(entry) {
    const result = await build({
        absWorkingDir: home,
        entryPoints: [entry],
        bundle: true,
        minify: true,
        write: false,
        format: "iife",
        target: "es2022",
        charset: "ascii",
        legalComments: "none",
        logLevel: "warning",
    });
    return result.outputFiles[0].text.trim();
}

/** Puts text in the place of a mark that must occur exactly once. */
function replaceOnce(page, mark, text) {
    const parts = page.split(mark);
    if (parts.length !== 2) {
        throw new Error(`src/page.html holds ${mark} ${parts.length - 1} times instead of once`);
    }
    return parts.join(text);
}

/** What would end the script element early, or look like a mark to the writer of pages. */
function checkInline(text, what, forbidden) {
    for (const pattern of forbidden) {
        if (pattern.test(text)) {
            throw new Error(`the bundled ${what} contains ${pattern}`);
        }
    }
}

const out = process.argv[2];
if (!out || process.argv.length > 3) {
    console.error("usage: node build.mjs OUT.html");
    process.exit(2);
}

const script = await bundle("src/main.ts");
const style = await bundle("src/style/all.css");
checkInline(script, "script", [/<\/script/i, /<script/i, /<!--/, /crank:(title|data)/]);
checkInline(style, "style", [/<\/style/i, /<!--/, /url\(\s*["']?https?:/i, /@import/]);

const hash = createHash("sha256").update(script, "utf8").digest("base64");
const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    "img-src 'self' file: data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
].join("; ");

let page = readFileSync(join(home, "src/page.html"), "utf8");
page = replaceOnce(page, "%POLICY%", policy);
page = replaceOnce(page, "%STYLE%", style);
page = replaceOnce(page, "%SCRIPT%", script);
for (const mark of marks) {
    replaceOnce(page, mark, "");
}
mkdirSync(dirname(resolve(out)), { recursive: true });
writeFileSync(out, page);
console.log(`${out}: ${(page.length / 1024).toFixed(0)} KiB`);
