// reactions.ts - arrows of the joints' reactions. Their columns are loaded when first shown.
// SPDX-License-Identifier: BSD-3-Clause
import type { Joint, Quat, Reaction, Vec3 } from "../data/format";
import { arrowLength, createArrow, createTurn, referenceMagnitude, turnWidth } from "./arrow";
import type { Drawn, SceneContext } from "./context";
import type { Layer } from "./layer";
import { glyphColors } from "./palette";
import type { Owner } from "./batch";
import { namesOf, rotationOf, sample, sourceOf } from "./poses";

type Names = (string | null)[];

/** The vector in world axes. */
function toWorld(context: SceneContext, joint: Joint, reaction: Reaction, v: Vec3): void {
    if (reaction.axes !== "joint") {
        return;
    }
    const r = new Array<number>(9).fill(0);
    rotationOf(reaction.frame ?? ([1, 0, 0, 0] as Quat), 0, r, 0);
    const inBody = [0, 1, 2].map((k) => r[k] * v[0] + r[3 + k] * v[1] + r[6 + k] * v[2]);
    context.poses.direction(joint.bodies[reaction.on], inBody, v);
}

function addVector(
    layer: Layer,
    context: SceneContext,
    joint: Joint,
    owner: Owner,
    names: Names,
    turn: boolean,
): (frame: number, fraction: number, reference: number) => void {
    const reaction = joint.reaction as Reaction;
    const color = turn ? glyphColors.torque : glyphColors.reaction;
    const create = turn ? createTurn : createArrow;
    const arrow = create(layer, color, 0.35 * context.glyph, owner);
    const at: Vec3 = [0, 0, 0];
    return (frame, fraction, reference) => {
        const v = [0, 1, 2].map((k) =>
            sample(sourceOf(context.store, names[k], 0), frame, fraction),
        ) as Vec3;
        const magnitude = Math.hypot(...v);
        if (!(magnitude > 0)) {
            arrow.hide();
            return;
        }
        toWorld(context, joint, reaction, v);
        context.poses.point(joint.bodies[reaction.on], joint.points[reaction.on], at);
        const length = (turn ? turnWidth : arrowLength)(magnitude, reference, context.size);
        const scale = (length * context.state.arrowScale.value) / magnitude;
        arrow.place(at, [v[0] * scale, v[1] * scale, v[2] * scale]);
    };
}

export function addReactions(layer: Layer, context: SceneContext): Drawn {
    const { scene, store, state } = context;
    const forces: ReturnType<typeof addVector>[] = [];
    const torques: ReturnType<typeof addVector>[] = [];
    const forceNames: Names[] = [];
    const torqueNames: Names[] = [];
    scene.joints.forEach((joint, number) => {
        const { reaction } = joint;
        if (!reaction || !joint.points[reaction.on]) {
            return;
        }
        const owner: Owner = { kind: "joint", number };
        if (namesOf(reaction.force ?? []).length) {
            forceNames.push(reaction.force);
            forces.push(addVector(layer, context, joint, owner, reaction.force, false));
        }
        if (reaction.torque && namesOf(reaction.torque).length) {
            torqueNames.push(reaction.torque);
            torques.push(addVector(layer, context, joint, owner, reaction.torque, true));
        }
    });
    let references: [number, number] | null = null;
    let loading = false;
    const load = async () => {
        loading = true;
        await store.load(namesOf([...forceNames, ...torqueNames].flat()));
        const columns = (lists: Names[]) =>
            lists.map((names) => names.map((name) => (name ? store.get(name) : null)));
        references = [
            referenceMagnitude(columns(forceNames)),
            referenceMagnitude(columns(torqueNames)),
        ];
        context.redraw();
    };
    return (frame, fraction) => {
        if (!state.groups.reactions.value || !(forces.length + torques.length)) {
            return;
        }
        if (!references) {
            if (!loading) {
                void load();
            }
            return;
        }
        for (const force of forces) {
            force(frame, fraction, references[0]);
        }
        for (const torque of torques) {
            torque(frame, fraction, references[1]);
        }
    };
}
