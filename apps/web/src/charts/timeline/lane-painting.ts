/** One lane of a scene while it is painted: the data that all parts of its painting need. */
import type { LaneBox } from "./heights.ts";
import type { Bars } from "./layout.ts";
import type { Context, Scene } from "./scene.ts";
import type { LaneSpans } from "./spans.ts";

export interface LanePainting {
  readonly context: Context;
  readonly scene: Scene;
  readonly box: LaneBox;
  readonly layout: Bars;
  readonly spans: LaneSpans;
}

/** Track of a bar without a free track. */
export const NO_TRACK = 255;

/** Whether the i-th bar of a lane is the selected block's. */
export const isChosen = ({ scene, layout, spans }: LanePainting, i: number): boolean =>
  scene.selected >= 0 && spans.block[layout.entry[i]] === scene.selected;

/** True for the lanes that are drawn as slopes: the network's. */
export const isSlope = ({ lane }: LaneBox): boolean =>
  lane.shape === "slopeOut" || lane.shape === "slopeBack";
