// Makes pages from synthetic scenes, as docs/develop/page.md says: a second writer beside src/report/page*.c, so that
// the contract is checked from both sides, and the cheapest way to pages that crank itself would not write.
//
//     import { writePage, spinningBodies } from "./make_page.mjs"
// SPDX-License-Identifier: BSD-3-Clause
import { readFileSync, writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";

const COLUMNS_A_BLOCK = 64;

// Numbers coded for a block: second differences of their bits, then bytes by planes, lowest first.
export function encodeColumn(values, type) {
    const bytes = type === "f64" ? 8 : 4;
    const rows = values.length;
    const coded = new Uint8Array(rows * bytes);
    const view = new DataView(new ArrayBuffer(8));
    let before = 0n;
    let differenceBefore = 0n;
    let before32 = 0;
    let differenceBefore32 = 0;
    for (let i = 0; i < rows; i++) {
        if (type === "f64") {
            view.setFloat64(0, values[i], true);
            const bits = view.getBigUint64(0, true);
            const difference = bits - before;
            view.setBigUint64(0, BigInt.asUintN(64, difference - differenceBefore), true);
            before = bits;
            differenceBefore = difference;
        } else {
            view.setFloat32(0, values[i], true);
            const bits = view.getUint32(0, true);
            const difference = (bits - before32) >>> 0;
            view.setUint32(0, (difference - differenceBefore32) >>> 0, true);
            before32 = bits;
            differenceBefore32 = difference;
        }
        for (let plane = 0; plane < bytes; plane++) {
            coded[plane * rows + i] = view.getUint8(plane);
        }
    }
    return coded;
}

// JSON that can stand in a script element.
export function safeJson(value) {
    return JSON.stringify(value).replace(
        /[<>&\u2028\u2029]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

function escapeHtml(text) {
    return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

// Names of columns that poses refer to.
function poseColumns(scene) {
    const names = new Set();
    for (const body of scene?.bodies ?? []) {
        for (const ref of Object.values(body.pose ?? {})) {
            if (typeof ref === "string") {
                names.add(ref);
            }
        }
    }
    return names;
}

// Columns in blocks: time alone, poses, the others.
function makeBlocks(columns, scene) {
    const poses = poseColumns(scene);
    const rest = columns.slice(1).map((column, i) => i + 1);
    const groups = [[0]];
    for (const wanted of [true, false]) {
        const numbers = rest.filter((i) => poses.has(columns[i].name) === wanted);
        for (let i = 0; i < numbers.length; i += COLUMNS_A_BLOCK) {
            groups.push(numbers.slice(i, i + COLUMNS_A_BLOCK));
        }
    }
    return groups.map((numbers, block) => ({ numbers, type: block === 0 ? "f64" : "f32" }));
}

// Writes a page. columns: [{name, unit, description, values}], the first is time.
export function writePage({ template, path, title, columns, scene = null, model = null, method = null, leftOut = [],
                            watch = null, resultRows = null, traveller = null }) {
    const blocks = makeBlocks(columns, scene);
    const listed = columns.map(({ name, unit = "", description = "" }) => ({ name, unit, description }));
    const elements = [];
    blocks.forEach(({ numbers, type }, block) => {
        const coded = numbers.map((number, slot) => {
            Object.assign(listed[number], { block, slot });
            return encodeColumn(columns[number].values, type);
        });
        elements.push(`<script type="application/octet-stream" id="crank-block-${block}">` +
                      deflateSync(Buffer.concat(coded), { level: 6 }).toString("base64") + "</script>");
    });
    const rows = columns[0].values.length;
    const index = {
        format: 1, title, model, method, version: "0.1.0", rows, result_rows: resultRows ?? rows, columns: listed,
        blocks: blocks.map(({ numbers, type }) => ({ columns: numbers.length, type })), left_out: leftOut, scene, traveller, watch,
    };
    elements.push(`<script type="application/json" id="crank-index">${safeJson(index)}</script>`);
    const data = elements.join("\n");
    const text = readFileSync(template, "utf8");
    for (const mark of ["<!--crank:title-->", "<!--crank:data-->"]) {
        if (text.split(mark).length !== 2) {
            throw new Error(`${template}: the mark ${mark} must be there once`);
        }
    }
    writeFileSync(path, text.replace("<!--crank:title-->", () => escapeHtml(title))
        .replace("<!--crank:data-->", () => data));
}

export function times(rows, end) {
    return Float64Array.from({ length: rows }, (_, i) => end * i / Math.max(rows - 1, 1));
}

// An empty scene to be filled.
export function emptyScene(dimension = 3) {
    return { dimension, up: dimension === 2 ? [0, 1, 0] : [0, 0, 1], size: 1, center: [0, 0, 0], bodies: [], joints: [],
             forces: [], lines: [], traces: [], plots: [], phase: [], camera: null, follow: null };
}

const SHAPES = [
    { kind: "box", size: [0.5, 0.3, 0.2] },
    { kind: "cylinder", radius: 0.2, length: 0.5 },
    { kind: "sphere", radius: 0.25 },
    { kind: "capsule", radius: 0.15, length: 0.4 },
    { kind: "cone", radius: 0.25, length: 0.5 },
    { kind: "tube", from: [-0.3, 0, 0], to: [0.3, 0, 0], radius: 0.08 },
    { kind: "ring", radius: 0.25, wire: 0.04 },
    { kind: "mesh", vertices: [0.3, 0, 0, -0.2, 0.2, 0, -0.2, -0.2, 0, 0, 0, 0.4],
      triangles: [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3] },
];

// Columns and scene of bodies on a grid that move up and down and turn, every kind of shape among them.
export function spinningBodies(count, rows, end = 10) {
    const time = times(rows, end);
    const scene = emptyScene();
    const columns = [{ name: "time", unit: "s", description: "", values: time }];
    const side = Math.ceil(Math.sqrt(count));
    scene.size = side;
    scene.center = [(side - 1) / 2, (side - 1) / 2, 0];
    for (let b = 0; b < count; b++) {
        const phase = b * 0.37;
        const half = time.map((t) => 0.5 * (0.7 * t + phase));
        const tilt = Math.SQRT1_2;
        const parts = {
            x: time.map((t) => (b % side) + 0.1 * Math.cos(t + phase)),
            y: time.map((t) => Math.floor(b / side) + 0.1 * Math.sin(1.3 * t + phase)),
            z: time.map((t) => 0.4 * Math.sin(0.9 * t + phase)),
            q0: half.map(Math.cos),
            q1: half.map((a) => tilt * Math.sin(a)),
            q2: half.map(() => 0),
            q3: half.map((a) => tilt * Math.sin(a)),
        };
        const pose = {};
        for (const [part, values] of Object.entries(parts)) {
            const name = `body.b${b}.${part}`;
            pose[part] = name;
            columns.push({ name, unit: part.startsWith("q") ? "1" : "m", description: "", values });
        }
        scene.bodies.push({ name: `b${b}`, pose, center: [0, 0, 0], color: null, shapes: [SHAPES[b % SHAPES.length]] });
    }
    return { columns, scene };
}

// A green ball in the plane with rows at uneven times: pushed by a force across, held by a reaction upwards. Its column `gap` has
// rows without numbers.
export function pushedBall() {
    const time = [0, 0.1, 0.3, 1, 2, 4, 4.5, 7, 9, 10];
    const scene = emptyScene(2);
    Object.assign(scene, { size: 8, center: [4, 0, 0], plots: [["gap"], ["body.ball.x", "body.ball.y"]], phase: [["body.ball.x", "body.ball.y"]] });
    scene.bodies.push({ name: "ball", pose: { x: "body.ball.x", y: "body.ball.y" }, center: [0, 0, 0], color: "#00a000",
                        shapes: [{ kind: "sphere", radius: 0.3 }] });
    scene.bodies.push({ name: "frame", pose: {}, center: [4, -2, 0], color: "#808080",
                        shapes: [{ kind: "box", size: [8, 0.2, 0.2], at: [4, -2, 0] }] });
    scene.joints.push({ name: "guide", type: "point_on_line", glyph: "point", bodies: [-1, 0], points: [[0, 0, 0], [0, 0, 0]], axes: null,
                        reaction: { force: [null, "joint.guide.fy", null], torque: null, on: 1, axes: "world" } });
    scene.forces.push({ name: "push", type: "force", glyph: "arrow", bodies: [-1, 0], points: [[0, 0, 0], [0, 0, 0]], value: null,
                        components: ["force.push.fx", null, null], direction: null, direction_in: "world" });
    const column = (name, unit, description, values) => ({ name, unit, description, values });
    const columns = [
        column("time", "s", "", time),
        column("body.ball.x", "m", "Place across", time.map((t) => 0.8 * t)),
        column("body.ball.y", "m", "Height", time.map((t) => Math.sin(t))),
        column("joint.guide.fy", "N", "Push of the guide", time.map((t, i) => (i % 2 ? 2.5 : 5))),
        column("force.push.fx", "N", "Push from the left", time.map((t, i) => (i % 2 ? 4 : 8))),
        column("gap", "V", "With rows missing", time.map((t, i) => ([5, 6, 7].includes(i) ? NaN : 1 + 0.1 * i))),
    ];
    return { columns, scene };
}
