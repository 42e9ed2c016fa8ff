// light.ts - the light of the scene and the one cheap material: colours come lit.
//
// Planar scenes are flattened after lighting: each instance gets a layer, so that bodies in one
// plane do not fight for depth.
// SPDX-License-Identifier: BSD-3-Clause
import { type Camera, DoubleSide, FrontSide, ShaderMaterial, Vector3 } from "three";

export interface Light {
    /** Direction of the key light. */
    key: Vector3;
    up: Vector3;
    /** Part of the light from everywhere, and from the key light. */
    ambient: number;
    direct: number;
    planar: boolean;
    /** Distance of layers in planar scenes. */
    layerStep: number;
    /** Least scale of a solid: most of a pixel, so that thin bars can be seen. */
    leastScale: number;
}

export function createLight(up: Vector3, planar: boolean, size: number): Light {
    return {
        key: new Vector3(0, 0, 1),
        up: up.clone(),
        ambient: planar ? 0.72 : 0.58,
        direct: planar ? 0.28 : 0.42,
        planar,
        layerStep: 1e-3 * size,
        leastScale: 0,
    };
}

/** The key light comes from above the viewer's left shoulder. */
export function turnLight(light: Light, camera: Camera): void {
    const right = new Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
    const above = new Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
    light.key
        .setFromMatrixColumn(camera.matrixWorld, 2)
        .addScaledVector(right, -0.35)
        .addScaledVector(above, 0.55)
        .normalize();
}

/** `clear`: with the opacity of its corners. */
export function createMaterial(twoSided: boolean, clear = false): ShaderMaterial {
    return new ShaderMaterial({
        vertexShader: `attribute vec4 color;
            varying vec4 shade;
            void main() {
                shade = color;
                gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
            }`,
        fragmentShader: `varying vec4 shade;
            void main() { gl_FragColor = shade; }`,
        side: twoSided ? DoubleSide : FrontSide,
        transparent: clear,
        depthWrite: !clear,
    });
}
