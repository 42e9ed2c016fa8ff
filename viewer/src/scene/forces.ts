// forces.ts - springs that stretch, dampers, arrows, torques and contact points.
// SPDX-License-Identifier: BSD-3-Clause
import type { Force, Vec3 } from "../data/format";
import { arrowLength, createArrow, createTurn, referenceMagnitude, turnWidth } from "./arrow";
import { createCoilInstance } from "./coil";
import type { Drawn, SceneContext } from "./context";
import type { Layer } from "./layer";
import { glyphColors } from "./palette";
import type { Owner } from "./batch";
import { sample, sourceOf } from "./poses";
import { alongAxis, between, distance, plus, subtract } from "./transform";

/** Planar layer between bodies and joints. */
const springLayer = 50000;

function ends(context: SceneContext, force: Force): (a: Vec3, b: Vec3) => boolean {
    const { bodies, points } = force;
    return (a, b) => {
        if (points.length < 2 || bodies.length < 2) {
            return false;
        }
        context.poses.point(bodies[0], points[0], a);
        context.poses.point(bodies[1], points[1], b);
        return distance(a, b) > 0;
    };
}

function addSpring(layer: Layer, context: SceneContext, force: Force, owner: Owner): Drawn {
    const find = ends(context, force);
    const a: Vec3 = [0, 0, 0];
    const b: Vec3 = [0, 0, 0];
    context.poses.update(0, 0);
    const rest = find(a, b) ? distance(a, b) : context.size;
    const width = Math.min(0.24 * rest, 0.1 * context.size, 4 * context.glyph);
    const coil = createCoilInstance(layer, glyphColors.spring, springLayer, owner, width);
    return () => {
        find(a, b);
        coil.place(a, b);
    };
}

/** A cylinder fixed to the first end and a thinner rod fixed to the second. */
function addDamper(layer: Layer, context: SceneContext, force: Force, owner: Owner): Drawn {
    const find = ends(context, force);
    const a: Vec3 = [0, 0, 0];
    const b: Vec3 = [0, 0, 0];
    const color = force.glyph === "actuator" ? glyphColors.actuator : glyphColors.damper;
    const tube = layer.addFree("cylinder", color, springLayer, owner);
    const rod = layer.addFree("cylinder", glyphColors.pin, springLayer - 1, owner);
    context.poses.update(0, 0);
    const rest = find(a, b) ? distance(a, b) : context.size;
    const radius = Math.min(0.07 * rest, 0.8 * context.glyph);
    return () => {
        if (!find(a, b)) {
            tube(null);
            rod(null);
            return;
        }
        const axis = subtract(b, a);
        const part = Math.min((0.55 * rest) / Math.hypot(...axis), 1);
        tube(between(a, plus(a, axis, part), radius));
        rod(between(a, b, 0.4 * radius));
    };
}

/** A thin line from end to end. */
function addRope(layer: Layer, context: SceneContext, force: Force, owner: Owner): Drawn {
    const find = ends(context, force);
    const a: Vec3 = [0, 0, 0];
    const b: Vec3 = [0, 0, 0];
    const line = layer.addFree("cylinder", glyphColors.damper, springLayer, owner);
    const radius = Math.min(0.15 * context.glyph, 0.02 * context.size);
    return () => line(find(a, b) ? between(a, b, radius) : null);
}

function addBushing(layer: Layer, context: SceneContext, force: Force, owner: Owner): Drawn {
    const side = force.points.length - 1;
    const g = context.glyph;
    const axis: Vec3 = [0, 0, 1];
    const local = alongAxis(force.points[side], axis, [1.1 * g, 1.1 * g, 1.1 * g]);
    layer.add("sphere", force.bodies[side], local, glyphColors.spring, springLayer, owner);
    return () => undefined;
}

type VectorAt = (frame: number, fraction: number, out: Vec3) => void;

/** The force or torque in world axes: by components, or a value along a direction. */
function vectorOf(context: SceneContext, force: Force): VectorAt {
    const { store, poses } = context;
    const body = force.direction_in === "body" ? force.bodies[force.bodies.length - 1] : -1;
    const components = force.components?.map((name) => sourceOf(store, name, 0));
    const value = sourceOf(store, force.value, 0);
    const { direction } = force;
    const local: Vec3 = [0, 0, 0];
    return (frame, fraction, out) => {
        for (let k = 0; k < 3; k++) {
            local[k] = components
                ? sample(components[k] ?? 0, frame, fraction)
                : direction
                  ? direction[k] * sample(value, frame, fraction)
                  : 0;
        }
        poses.direction(body, local, out);
    };
}

/** Arrow or turn at the last point, as long as the force or torque. */
function addArrow(layer: Layer, context: SceneContext, force: Force, owner: Owner, reference: number): Drawn {
    const turn = force.glyph === "torque";
    const create = turn ? createTurn : createArrow;
    const color = turn ? glyphColors.torque : glyphColors.force;
    const arrow = create(layer, color, 0.4 * context.glyph, owner);
    const side = force.points.length - 1;
    const at: Vec3 = [0, 0, 0];
    const v: Vec3 = [0, 0, 0];
    const find = vectorOf(context, force);
    return (frame, fraction) => {
        find(frame, fraction, v);
        contactPoint(context, force, side, at);
        const magnitude = Math.hypot(...v);
        const length = (turn ? turnWidth : arrowLength)(magnitude, reference, context.size);
        const scale = magnitude > 0 ? (length * context.state.arrowScale.value) / magnitude : 0;
        arrow.place(at, [scale * v[0], scale * v[1], scale * v[2]]);
    };
}

/** Where the force acts: the point itself, or for a tyre the foot below its centre. */
function contactPoint(context: SceneContext, force: Force, side: number, out: Vec3): void {
    context.poses.point(force.bodies[side], force.points[side], out);
    if (force.radius && force.direction) {
        const down: Vec3 = [0, 0, 0];
        const body = force.direction_in === "body" ? force.bodies[side] : -1;
        context.poses.direction(body, force.direction, down);
        plus(out, down, -force.radius).forEach((x, k) => (out[k] = x));
    }
}

/** A dot, larger while the contact carries a load, and the load as an arrow. */
function addContact(layer: Layer, context: SceneContext, force: Force, owner: Owner, reference: number): Drawn {
    const g = context.glyph;
    const dot = layer.addFree("sphere", glyphColors.contact, springLayer, owner);
    const value = force.value ? sourceOf(context.store, force.value, 1) : 1;
    const side = force.points.length - 1;
    const at: Vec3 = [0, 0, 0];
    const arrow = addArrow(layer, context, force, owner, reference);
    return (frame, fraction) => {
        contactPoint(context, force, side, at);
        const loaded = Math.abs(sample(value, frame, fraction)) > 0;
        const r = (loaded ? 0.7 : 0.35) * g;
        dot(alongAxis(at, [0, 0, 1], [r, r, r]));
        arrow(frame, fraction);
    };
}

function addForce(layer: Layer, context: SceneContext, force: Force, number: number, reference: number): Drawn | null {
    const owner: Owner = { kind: "force", number };
    if (!force.points.length || force.points.length > force.bodies.length) {
        return null;
    }
    switch (force.glyph) {
        case "spring":
            return addSpring(layer, context, force, owner);
        case "damper":
        case "actuator":
            return addDamper(layer, context, force, owner);
        case "rope":
            return addRope(layer, context, force, owner);
        case "bushing":
            return addBushing(layer, context, force, owner);
        case "arrow":
        case "torque":
            return addArrow(layer, context, force, owner, reference);
        case "contact":
            return addContact(layer, context, force, owner, reference);
        default:
            return null;
    }
}

/** Beside the largest load, what is smaller is an error of the run that should be zero. */
const nothing = 1e-6;

/** References of arrows, torques and contacts; 0 where these are nothing beside other loads (a torque counts as a force at
 *  the mechanism's size). */
function findReferences(context: SceneContext): Map<string, number> {
    const reference = (counts: (force: Force) => boolean) =>
        referenceMagnitude(
            context.scene.forces
                .filter(counts)
                .map((force) => force.components ?? [force.value])
                .map((names) => names.map((name) => (name ? context.store.get(name) : null))),
        );
    const references = new Map(
        ["arrow", "torque", "contact"].map((g) => [g, reference((force) => force.glyph === g)]),
    );
    const arm = (glyph: string) => (glyph === "torque" ? context.size : 1);
    const loads = [...references].map(([glyph, size]) => size / arm(glyph));
    const largest = Math.max(reference((force) => force.glyph !== "torque"), ...loads);
    return new Map([...references].map(([g, size]) => [g, size > nothing * largest * arm(g) ? size : 0]));
}

export function addForces(layer: Layer, context: SceneContext): Drawn {
    const { forces } = context.scene;
    const references = findReferences(context);
    const drawers = forces
        .map((force, i) => addForce(layer, context, force, i, references.get(force.glyph) ?? 0))
        .filter((drawer) => drawer !== null);
    return (frame, fraction) => {
        if (context.state.groups.forces.value) {
            for (const drawer of drawers) {
                drawer(frame, fraction);
            }
        }
    };
}
