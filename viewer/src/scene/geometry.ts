// geometry.ts - unit shapes that instances scale; coarse ones where there are many.
//
// box: edges 1; cylinder and cone: radius 1, length 1 along z; sphere: radius 1; ring: radius 1
// about z; gear: radius 1, length 1 along z; coil: radius 1, from z = 0 to z = 1.
// SPDX-License-Identifier: BSD-3-Clause
import {
    BoxGeometry,
    BufferAttribute,
    BufferGeometry,
    ExtrudeGeometry,
    IcosahedronGeometry,
    Shape,
    SphereGeometry,
} from "three";
import { wireRadius } from "./batch";
import { mergeVertices } from "three/examples/jsm/utils/BufferGeometryUtils.js";

export type UnitKind = "box" | "cylinder" | "cone" | "sphere" | "ring" | "arc" | "gear" | "coil";

const coilTurns = 8;

/** How finely round shapes are cut. */
export type Detail = 0 | 1 | 2 | 3;

/** By how many there are; software draws fewer triangles in the same time. */
export function detailFor(count: number, software: boolean): Detail {
    const limits = software ? [40, 90, 400] : [400, 1500, 5000];
    const place = limits.findIndex((limit) => count <= limit);
    return (place < 0 ? 0 : 3 - place) as Detail;
}

const around = [6, 9, 14, 32];

export function createUnit(kind: UnitKind, detail: Detail): BufferGeometry {
    const coarse = detail < 3;
    switch (kind) {
        case "box":
            return new BoxGeometry(1, 1, 1);
        case "cylinder":
            return createPrism(around[detail], 1);
        case "cone":
            return createPrism(around[detail], 0);
        case "sphere":
            return detail < 2
                ? createBall(detail)
                : new SphereGeometry(1, detail === 2 ? 12 : 28, detail === 2 ? 8 : 18).rotateX(Math.PI / 2);
        case "ring":
            return createWire(1, 0, [16, 20, 28, 56][detail], coarse ? 4 : 8, 0.06);
        case "arc":
            return createWire(0.75, 0, coarse ? 12 : 32, coarse ? 4 : 8, 0.07);
        case "gear":
            return createGear(coarse ? 12 : 24);
        case "coil":
            return createWire(coilTurns, 1, coilTurns * [8, 10, 12, 20][detail], [3, 3, 4, 6][detail], wireRadius);
    }
}

/** A ball of 20 or 80 triangles that share their corners; its volume is about that of the sphere. */
function createBall(detail: number): BufferGeometry {
    const radius = detail ? 1.02 : 1.05;
    const flat = new IcosahedronGeometry(radius, detail);
    flat.deleteAttribute("uv");
    flat.deleteAttribute("normal");
    const ball = mergeVertices(flat);
    const normal = ball.getAttribute("position").clone();
    for (let i = 0; i < normal.array.length; i++) {
        normal.array[i] /= radius;
    }
    ball.setAttribute("normal", normal);
    return ball;
}

/** A cylinder (top 1) or cone (top 0) along z, with as few corners as edges allow. */
function createPrism(sides: number, top: number): BufferGeometry {
    const position: number[] = [];
    const normal: number[] = [];
    const triangles: number[] = [];
    // A cone of radius 1 and length 1 slopes by 45 degrees.
    const slope = top ? 0 : Math.SQRT1_2;
    const flank = top ? 1 : Math.SQRT1_2;
    const cornersAt = (i: number) => [Math.cos((2 * Math.PI * i) / sides), Math.sin((2 * Math.PI * i) / sides)];
    for (let i = 0; i < sides; i++) {
        const [x, y] = cornersAt(i);
        const next = (i + 1) % sides;
        position.push(x, y, -0.5, top * x, top * y, 0.5);
        normal.push(flank * x, flank * y, slope, flank * x, flank * y, slope);
        triangles.push(2 * i, 2 * next, 2 * next + 1);
        if (top) {
            triangles.push(2 * i, 2 * next + 1, 2 * i + 1);
        }
    }
    for (const end of top ? [-0.5, 0.5] : [-0.5]) {
        const start = position.length / 3;
        for (let i = 0; i < sides; i++) {
            const [x, y] = cornersAt(i);
            position.push(x, y, end);
            normal.push(0, 0, 2 * end);
            if (i >= 2) {
                triangles.push(start, ...(end > 0 ? [start + i - 1, start + i] : [start + i, start + i - 1]));
            }
        }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
    geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normal), 3));
    geometry.setIndex(triangles);
    return geometry;
}

/** A wheel with teeth: between 0.9 and 1.0 of its radius. */
function createGear(teeth: number): BufferGeometry {
    const outline = new Shape();
    for (let i = 0; i < teeth; i++) {
        const corners = [
            [0, 0.9],
            [0.25, 0.9],
            [0.4, 1.0],
            [0.7, 1.0],
            [0.85, 0.9],
        ];
        for (const [part, radius] of corners) {
            const angle = (2 * Math.PI * (i + part)) / teeth;
            const x = radius * Math.cos(angle);
            const y = radius * Math.sin(angle);
            if (i === 0 && part === 0) {
                outline.moveTo(x, y);
            } else {
                outline.lineTo(x, y);
            }
        }
    }
    outline.closePath();
    return new ExtrudeGeometry(outline, { depth: 1, bevelEnabled: false }).translate(0, 0, -0.5);
}

/** Turns about z that rise to `rise`: centre line in `position`, direction of the wire's surface from it in
 *  `wire`; `thickness` as part of the radius. */
function createWire(turns: number, rise: number, steps: number, sides: number, thickness: number): BufferGeometry {
    const position: number[] = [];
    const wire: number[] = [];
    const triangles: number[] = [];
    for (let i = 0; i <= steps; i++) {
        const t = i / steps;
        const angle = 2 * Math.PI * turns * t;
        // The first and last half turns of a coil wind from the middle out.
        const radius = rise ? Math.min(1, 2 * turns * Math.min(t, 1 - t)) : 1;
        for (let j = 0; j < sides; j++) {
            const around = (2 * Math.PI * j) / sides;
            position.push(radius * Math.cos(angle), radius * Math.sin(angle), rise * t);
            wire.push(
                Math.cos(angle) * Math.cos(around),
                Math.sin(angle) * Math.cos(around),
                Math.sin(around),
            );
            if (i < steps) {
                const a = i * sides + j;
                const b = i * sides + ((j + 1) % sides);
                triangles.push(a, a + sides, b, b, a + sides, b + sides);
            }
        }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
    geometry.setAttribute("wire", new BufferAttribute(new Float32Array(wire), 3));
    geometry.setIndex(triangles);
    geometry.userData["thickness"] = thickness;
    return geometry;
}

/** The user's triangles with flat faces; triangles that name no vertex are left out. */
export function createMesh(vertices: number[], triangles: number[]): BufferGeometry {
    const count = Math.floor(vertices.length / 3);
    const position: number[] = [];
    for (let t = 0; t + 2 < triangles.length; t += 3) {
        const corners = [triangles[t], triangles[t + 1], triangles[t + 2]];
        if (corners.every((corner) => corner >= 0 && corner < count)) {
            for (const corner of corners) {
                position.push(...vertices.slice(3 * corner, 3 * corner + 3));
            }
        }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
    geometry.computeVertexNormals();
    return geometry;
}
