// joints.ts - joints drawn as what they are: pins, rails, balls, crosses, wheels.
//
// A glyph belongs to one of the joint's bodies and moves with it; ropes and links span both.
// Joints with the ground get a small support below them.
// SPDX-License-Identifier: BSD-3-Clause
import type { Joint, Vec3 } from "../data/format";
import type { Drawn, SceneContext } from "./context";
import type { UnitKind } from "./geometry";
import type { Layer } from "./layer";
import { glyphColors } from "./palette";
import type { Owner, Rgb } from "./batch";
import { alongAxis, between, distance, plus, subtract } from "./transform";

/** Planar layers: joints lie above all bodies, pins above joints. */
const onTop = 100000;
/** Where there are more joints, supports would hide the mechanism, and pins are not seen. */
const mostSupports = 150;
/** Frames that tell how far a slider goes. */
const mostFrames = 60;

class JointDrawer {
    private readonly owner: Owner;
    readonly drawers: Drawn[] = [];

    constructor(
        private readonly layer: Layer,
        private readonly context: SceneContext,
        private readonly joint: Joint,
        number: number,
    ) {
        this.owner = { kind: "joint", number };
    }

    /** Side whose body carries the glyph: the last that is no ground. */
    private get side(): number {
        const sides = this.joint.bodies.map((_, i) => i).reverse();
        return sides.find((i) => this.joint.bodies[i] >= 0 && this.joint.points[i]) ?? 0;
    }

    private axis(side: number): Vec3 {
        const axis = this.joint.axes?.[side];
        return axis && Math.hypot(...axis) > 0 ? axis : [0, 0, 1];
    }

    private put(kind: UnitKind, side: number, offset: number, axis: Vec3, scale: Vec3, color: Rgb, top = 0): void {
        const at = this.joint.points[side];
        if (at) {
            const local = alongAxis(plus(at, axis, offset), axis, scale);
            this.layer.add(kind, this.joint.bodies[side], local, color, onTop + top, this.owner);
        }
    }

    draw(): void {
        const g = this.context.glyph;
        const side = this.side;
        if ((this.joint.glyph === "slider" || this.joint.glyph === "cylinder") && this.strut()) {
            return;
        }
        const other = this.joint.bodies.length > 1 ? 1 - side : side;
        const axis = this.axis(side);
        const { metal, pin } = glyphColors;
        switch (this.joint.glyph) {
            case "hinge":
                this.put("cylinder", side, 0, axis, [0.62 * g, 0.62 * g, 1.5 * g], metal);
                if (this.context.scene.joints.length <= mostSupports) {
                    this.put("cylinder", side, 0, axis, [0.34 * g, 0.34 * g, 1.6 * g], pin, 1);
                }
                this.support();
                break;
            case "slider":
                this.slider(side, other);
                break;
            case "cylinder":
                this.rail("cylinder", side, other, 0.3, 7, metal);
                this.put("cylinder", side, 0, axis, [0.7 * g, 0.7 * g, 1.8 * g], pin, -1);
                break;
            case "screw": {
                const middle = this.rail("cylinder", side, other, 0.3, 7, metal);
                for (let i = -5; i <= 5; i++) {
                    const scale: Vec3 = [0.5 * g, 0.5 * g, 0.18 * g];
                    this.put("cylinder", other, middle + 0.6 * i * g, this.axis(other), scale, metal);
                }
                this.put("cylinder", side, 0, axis, [0.75 * g, 0.75 * g, 1.2 * g], pin, -1);
                break;
            }
            case "ball":
                this.put("sphere", side, 0, axis, [0.75 * g, 0.75 * g, 0.75 * g], metal);
                this.support();
                break;
            case "universal":
                this.put("cylinder", side, 0, axis, [0.3 * g, 0.3 * g, 2.2 * g], metal);
                this.put("cylinder", other, 0, this.axis(other), [0.3 * g, 0.3 * g, 2.2 * g], metal);
                this.put("sphere", side, 0, axis, [0.55 * g, 0.55 * g, 0.55 * g], pin, 1);
                this.support();
                break;
            case "weld":
                this.put("box", side, 0, axis, [0.9 * g, 0.9 * g, 0.9 * g], metal);
                this.support();
                break;
            case "plane":
                this.put("box", other, 0, this.axis(other), [5 * g, 5 * g, 0.1 * g], metal, -2 * onTop);
                this.put("sphere", side, 0, axis, [0.4 * g, 0.4 * g, 0.4 * g], pin);
                break;
            case "point":
                this.put("sphere", side, 0, axis, [0.4 * g, 0.4 * g, 0.4 * g], metal);
                break;
            case "gear":
                this.gears();
                break;
            case "wheel":
                this.wheel(side, axis);
                break;
            case "link":
                this.span(0.35 * g, metal);
                break;
        }
    }

    /** The pin of a body on the axis of the joint, the farthest: where a cylinder is held. */
    private pin(side: number): Vec3 | null {
        const { points, bodies } = this.joint;
        const axis = this.axis(side);
        let found: Vec3 | null = null;
        let reach = -1;
        for (const other of this.context.scene.joints) {
            if (!["hinge", "ball", "universal"].includes(other.glyph)) {
                continue;
            }
            other.points.forEach((point, k) => {
                const way = subtract(point, points[side]);
                const along = way.reduce((sum, x, i) => sum + x * axis[i], 0);
                const beside = Math.hypot(...plus(way, axis, -along));
                if (other.bodies[k] === bodies[side] && Math.abs(along) > reach && beside <= 0.02 * this.context.size) {
                    reach = Math.abs(along);
                    found = point;
                }
            });
        }
        return found;
    }

    /** Two bodies that slide along each other and are held by pins on the axis: barrel and rod of a cylinder. The barrel is
     *  as long as the shortest length of the motion lets it be. */
    private strut(): boolean {
        const { bodies, points } = this.joint;
        const { poses, scene, store } = this.context;
        const given = bodies.some((body) => body < 0 || scene.bodies[body]?.shapes?.some((shape) => !shape.guessed));
        const pins = given || bodies.length < 2 || points.length < 2 ? [null, null] : [this.pin(0), this.pin(1)];
        const [first, second] = pins;
        if (!first || !second) {
            return false;
        }
        const a: Vec3 = [0, 0, 0];
        const b: Vec3 = [0, 0, 0];
        const find = () => {
            poses.point(bodies[0], first, a);
            poses.point(bodies[1], second, b);
            return distance(a, b);
        };
        let [low, high] = [Infinity, 0];
        for (let i = 0; i < mostFrames; i++) {
            const frame = Math.round((i * (store.rows - 1)) / (mostFrames - 1));
            bodies.forEach((body) => poses.updateBody(body, frame, 0));
            const length = find();
            [low, high] = [Math.min(low, length), Math.max(high, length)];
        }
        const barrel = Math.min(0.9 * low, 0.6 * high);
        if (!(barrel > 0)) {
            return false;
        }
        const radius = Math.min(0.07 * high, 0.8 * this.context.glyph);
        const tube = this.layer.addFree("cylinder", glyphColors.metal, onTop - 2, this.owner);
        const rod = this.layer.addFree("cylinder", glyphColors.pin, onTop - 3, this.owner);
        this.drawers.push(() => {
            const length = find();
            tube(length > 0 ? between(a, plus(a, subtract(b, a), barrel / length), radius) : null);
            rod(length > 0 ? between(a, b, 0.4 * radius) : null);
        });
        return true;
    }

    /** A rail with a carriage on it. A body that the file gives a shape is the carriage itself: its
     *  rail stays behind it. A rail of a hidden body is hidden, too. */
    private slider(side: number, other: number): void {
        const g = this.context.glyph;
        const shapes = (one: number) => this.context.scene.bodies[this.joint.bodies[one]]?.shapes;
        if (shapes(side)?.length === 0 || shapes(other)?.length === 0) {
            return;
        }
        const { metal, pin, ground } = glyphColors;
        if (shapes(side)?.some((shape) => !shape.guessed)) {
            this.rail("box", side, other, 0.3, 5, ground, -2 * onTop);
            return;
        }
        this.rail("box", side, other, 0.5, 7, metal);
        this.put("box", side, 0, this.axis(side), [1.3 * g, 1.3 * g, 1.8 * g], pin, -1);
    }

    /** A rail as long as the travel and so much more, in glyph sizes; returns its middle. */
    private rail(kind: UnitKind, side: number, other: number, across: number, more: number, color: Rgb, top = 0): number {
        const g = this.context.glyph;
        const [low, high] = this.travel(side, other);
        const middle = 0.5 * (low + high);
        const scale: Vec3 = [across * g, across * g, high - low + more * g];
        this.put(kind, other, middle, this.axis(other), scale, color, top);
        return middle;
    }

    /** From where to where a carriage goes along its rail; where it is at the start if that is beyond the scene. */
    private travel(side: number, other: number): [number, number] {
        const { poses, store, scene } = this.context;
        const { bodies, points } = this.joint;
        const at: Vec3 = [0, 0, 0];
        const from: Vec3 = [0, 0, 0];
        const axis: Vec3 = [0, 0, 0];
        let [low, high, start] = [Infinity, -Infinity, 0];
        for (let i = 0; i < mostFrames && points[side] && points[other]; i++) {
            const frame = Math.round((i * (store.rows - 1)) / (mostFrames - 1));
            bodies.filter((body) => body >= 0).forEach((body) => poses.updateBody(body, frame, 0));
            poses.point(bodies[side], points[side], at);
            poses.point(bodies[other], points[other], from);
            poses.direction(bodies[other], this.axis(other), axis);
            const along = at.reduce((sum, x, k) => sum + (x - from[k]) * axis[k], 0);
            start = i === 0 && Number.isFinite(along) ? along : start;
            [low, high] = [Math.min(low, along), Math.max(high, along)];
        }
        return high - low < scene.size ? [low, high] : [start, start];
    }

    /** A small stand under a joint with the ground: tip at the joint, against up. */
    private support(): void {
        const side = this.joint.bodies.indexOf(-1);
        const at = this.joint.points[side];
        if (side < 0 || !at || this.context.scene.joints.length > mostSupports) {
            return;
        }
        const { glyph: g, scene } = this.context;
        const cone: Vec3 = [1.15 * g, 1.15 * g, 2 * g];
        const plate: Vec3 = [1.7 * g, 1.7 * g, 0.3 * g];
        const { ground } = glyphColors;
        const kind = this.context.planar ? "box" : "cylinder";
        const wide: Vec3 = this.context.planar ? [3.2 * g, 3.2 * g, 0.35 * g] : plate;
        const low = -0.5 * onTop;
        this.layer.add("cone", -1, alongAxis(plus(at, scene.up, -g), scene.up, cone), ground, low, this.owner);
        this.layer.add(kind, -1, alongAxis(plus(at, scene.up, -2.1 * g), scene.up, wide), ground, low, this.owner);
    }

    /** A toothed wheel on each axis; where radii are known, small ones and the pitch circles. */
    private gears(): void {
        const g = this.context.glyph;
        const { radius, radii, type, axes, points } = this.joint;
        const r = radius && radius > 0 ? radius : 2.5 * g;
        this.joint.bodies.forEach((body, side) => {
            const rack = type === "rack_and_pinion" && side === 1;
            const pitch = radii?.[side] ?? 0;
            const hub = pitch > 0 ? Math.min(r, 0.4 * pitch) : r;
            const axis = this.axis(side);
            if (pitch !== 0 && points[side] && axes) {
                const size = Math.abs(pitch);
                const local = alongAxis(points[side], axis, [size, size, size]);
                this.layer.add("ring", body, local, glyphColors.metal, onTop, this.owner, { opacity: 1, wire: 0.1 * g });
            }
            if (body >= 0 && points[side] && axes && !rack && !(pitch < 0)) {
                this.put("gear", side, 0, axis, [hub, hub, 0.7 * g], glyphColors.metal, -onTop / 2);
            }
        });
    }

    /** A rim with spokes, so that its turning is seen. */
    private wheel(side: number, axis: Vec3): void {
        const g = this.context.glyph;
        const r = this.joint.radius && this.joint.radius > 0 ? this.joint.radius : 3 * g;
        const at = this.joint.points[side];
        if (!at) {
            return;
        }
        const { metal, pin } = glyphColors;
        if (!this.joint.axes) {
            // A ball that rolls: three circles show how it turns.
            const axes: Vec3[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
            axes.forEach((one) => this.put("ring", side, 0, one, [r, r, r], pin));
            return;
        }
        this.put("ring", side, 0, axis, [r, r, r], metal);
        this.put("cylinder", side, 0, axis, [0.12 * r, 0.12 * r, 0.2 * r], pin, 1);
        const frame = alongAxis([0, 0, 0], axis, [1, 1, 1]);
        for (let i = 0; i < 3; i++) {
            const angle = (Math.PI * i) / 3;
            const [c, s] = [Math.cos(angle), Math.sin(angle)];
            const spoke: Vec3 = [0, 1, 2].map((k) => c * frame[k] + s * frame[3 + k]) as Vec3;
            const bar = between(plus(at, spoke, -r), plus(at, spoke, r), 0.025 * r);
            this.layer.add("cylinder", this.joint.bodies[side], bar, metal, onTop, this.owner);
        }
    }

    /** A bar between the two points. */
    private span(radius: number, color: Rgb): void {
        const { joint } = this;
        if (joint.points.length < 2 || joint.bodies.length < 2) {
            return;
        }
        const bar = this.layer.addFree("cylinder", color, onTop, this.owner);
        const a: Vec3 = [0, 0, 0];
        const b: Vec3 = [0, 0, 0];
        this.drawers.push(() => {
            this.context.poses.point(joint.bodies[0], joint.points[0], a);
            this.context.poses.point(joint.bodies[1], joint.points[1], b);
            bar(distance(a, b) > 0 ? between(a, b, radius) : null);
        });
    }
}

export function addJoints(layer: Layer, context: SceneContext): Drawn {
    const drawers: Drawn[] = [];
    context.scene.joints.forEach((joint, number) => {
        const drawer = new JointDrawer(layer, context, joint, number);
        drawer.draw();
        drawers.push(...drawer.drawers);
    });
    return (frame, fraction) => {
        for (const drawer of drawers) {
            drawer(frame, fraction);
        }
    };
}
