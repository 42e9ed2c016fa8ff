// format.ts - the data in a page as TypeScript types; docs/develop/page.md is the contract.
// SPDX-License-Identifier: BSD-3-Clause

export type Vec3 = [number, number, number];
/** Quaternion as [w, x, y, z]. */
export type Quat = [number, number, number, number];
/** Name of a column, or a number. */
export type Ref = string | number;

export interface Column {
    name: string;
    unit: string;
    description: string;
    block: number;
    slot: number;
}

export interface Block {
    columns: number;
    type: "f64" | "f32";
}

/** Of a study: rows of the page are its members. */
export interface StudyIndex {
    /** Columns behind the first that are varied. */
    factors: number;
    /** Runs a member once its factors are set. */
    command: string | null;
    times: number[];
    time_unit: string;
    /** The first members, of which columns over time were read. */
    members_kept: number;
    columns: { name: string; unit: string; description: string }[];
    blocks: { courses: number; type: "f64" | "f32" }[];
    /** Why members ended, by their number. */
    reasons: Record<string, string>;
}

export interface PageIndex {
    format: number;
    title: string;
    model: string | null;
    method: string | null;
    version: string;
    rows: number;
    result_rows: number;
    columns: Column[];
    blocks: Block[];
    left_out: string[];
    scene: Scene | null;
    study?: StudyIndex;
    /** The body to follow if the scene names none: the mechanism leaves its place. */
    traveller?: number | null;
    /** The size in pixels that the image beside the page has while the page is the latest. */
    watch: { version: number; image: string; width: number; height: number } | null;
}

export type PoseKey = "x" | "y" | "z" | "angle" | "q0" | "q1" | "q2" | "q3";

interface Placed {
    at?: Vec3;
    orientation?: Quat;
    color?: string | null;
    /** Missing: the body's. */
    opacity?: number;
    guessed?: boolean;
}

export type Shape = Placed &
    (
        | { kind: "box"; size: Vec3 }
        | { kind: "cylinder"; radius: number; length: number }
        | { kind: "cone"; radius: number; length: number }
        | { kind: "capsule"; radius: number; length: number }
        | { kind: "sphere"; radius: number }
        | { kind: "ring"; radius: number; wire: number }
        | { kind: "tube"; from: Vec3; to: Vec3; radius: number }
        | { kind: "mesh"; vertices: number[]; triangles: number[] }
    );

export interface Body {
    name: string;
    pose: Partial<Record<PoseKey, Ref>>;
    center?: Vec3;
    color?: string | null;
    /** Number of its colour, the same for one part in all copies of an assembly; missing: its own number. */
    part?: number;
    /** 1, where missing: nothing shines through. */
    opacity?: number;
    shapes: Shape[];
}

export interface Reaction {
    force: (string | null)[];
    torque?: (string | null)[] | null;
    on: number;
    axes: "world" | "joint";
    frame?: Quat;
}

export interface Joint {
    name: string;
    type: string;
    glyph: string;
    bodies: number[];
    points: Vec3[];
    axes: Vec3[] | null;
    radius?: number | null;
    /** Of the pitch circles of gears; below 0: internal. */
    radii?: number[] | null;
    reaction: Reaction | null;
}

export interface Force {
    name: string;
    type: string;
    glyph: string;
    bodies: number[];
    points: Vec3[];
    value: string | null;
    components?: (string | null)[] | null;
    direction: Vec3 | null;
    direction_in?: "world" | "body";
    radius?: number | null;
}

export interface Line {
    name: string;
    points: [Ref, Ref, Ref][];
    /** The body in whose axes the points are; missing: in the world. */
    body?: number;
    color?: string | null;
    width?: number | null;
    spring?: boolean;
    /** It does not count for what the camera is to hold: a road. */
    around?: boolean;
}

export interface Trace {
    name: string;
    body?: number;
    point: [Ref, Ref, Ref];
    color?: string | null;
}

export type Preset = "iso" | "front" | "top" | "side";

export interface Scene {
    dimension: 2 | 3;
    up: Vec3;
    size: number;
    /** Length to scale glyphs and arrows by; missing: size. */
    scale?: number;
    center: Vec3;
    bodies: Body[];
    joints: Joint[];
    forces: Force[];
    lines: Line[];
    traces: Trace[];
    plots: string[][];
    phase: [string, string][];
    camera: { preset: Preset } | { from: Vec3; to: Vec3 } | null;
    follow: number | null;
}
