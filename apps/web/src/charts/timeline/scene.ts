/** Scene that the painters share, position of a bar, and text. */
import type { Tokens, TokenName } from "../../lanes/palette.ts";
import type { UnknownTime } from "../hatch.ts";
import type { LaneBox } from "./heights.ts";
import { logHeight } from "../duration-scale.ts";
import type { Bars, LaneLayout, Level } from "./layout.ts";
import type { LostEvents } from "./lost-places.ts";
import type { TimeScale } from "../time-scale.ts";
import type { Buffer, LaneSpans } from "./spans.ts";

/** Start and end (µs) of a block's bars by lane key. */
export type ChosenBars = ReadonlyMap<string, readonly (readonly [number, number])[]>;

/** The blocks of a filter, which are painted over the others. */
export interface Hits {
  readonly buffer: Buffer;
  readonly layouts: ReadonlyMap<string, LaneLayout>;
  /** Value that the filter compares a stage with, µs, and the lanes of that stage; null where it compares no stage. */
  readonly threshold: { readonly us: number; readonly lanes: readonly string[] } | null;
}

export interface Scene {
  readonly boxes: readonly LaneBox[];
  readonly layouts: ReadonlyMap<string, LaneLayout>;
  readonly buffer: Buffer;
  readonly scale: TimeScale;
  readonly level: Level;
  readonly tokens: Tokens;
  /** x of the axis' ticks, px. */
  readonly ticks: readonly number[];
  /** Position of the selected block in the buffered window; -1 without one. */
  readonly selected: number;
  /** Entries of the commits lane that wait for the selected block. */
  readonly waiting: readonly number[];
  /** The selected block's bars by lane key, when its path is known; the block may be outside of the window. */
  readonly chosen: ChosenBars | null;
  /** Bars of the other selected blocks. */
  readonly kept: readonly ChosenBars[];
  /** Half width of the clock's band per secondary, µs. */
  readonly uncertainty: readonly number[];
  /** Color commits by their releaser. */
  readonly gates: boolean;
  /** Periods without events of a replica: from, to (µs), replica index. */
  readonly uncovered: readonly (readonly [
    from: number,
    to: number,
    role: number,
    replica?: number,
    state?: UnknownTime,
  ])[];
  /** Times in which blocks that were sent to a replica had not arrived: from, to (µs), role of the replica. */
  readonly underWay: Scene["uncovered"];
  /** Single lost events, by anchor. */
  readonly lost: LostEvents;
  /** Changes of roles, from the last commit before to the first one after each, µs. */
  readonly switches: readonly (readonly [number, number])[];
  /** No block is in view: the ground shows that the lane is empty on purpose. */
  readonly idle: boolean;
  /** Colors are forced: patterns show the places. */
  readonly patterns: boolean;
  /** High contrast is wanted: soft colors get an edge. */
  readonly edges: boolean;
  /** Lane and position in the window of the block that the keyboard is on. */
  readonly focus: { readonly key: string; readonly block: number } | null;
  /** Blocks of a filter, over all others; null without a filter, or where the others are hidden. */
  readonly hits: Hits | null;
  /** Keys of lanes that stand out while the others are set back; empty where all are equal. */
  readonly isolated: readonly string[];
  /** The scene is painted as background: it has no figures. */
  readonly isSetBack: boolean;
  /** Lane and interval (µs) of the keyboard focus where no single blocks are loaded. */
  readonly slot: { readonly key: string; readonly from: number; readonly to: number } | null;
}

/** Share of their color that blocks other than the selected one keep. */
export const DIMMED = 0.5;
export const CAP_PX = 2.5;

export type Context = CanvasRenderingContext2D;

/** Top edge of a skyline bar. */
export function skylineTop(box: LaneBox, us: number): number {
  return box.tall ? box.top + box.height - Math.max(2, logHeight(us) * (box.height - 4)) : box.top;
}

/** Color of the releaser of a commit. */
export const released = (gate: number): TokenName =>
  gate === 1 ? "--p-disk" : gate >= 2 ? "--s-disk" : "--wait";

export function gateOf(scene: Scene, spans: LaneSpans, entry: number): number {
  const block = spans.block[entry];
  return block < 0 ? 0 : scene.buffer.blocks!.blocks.gate[block];
}

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function rectOf(box: LaneBox, layout: Bars, i: number): Rect {
  const track = Math.min(layout.track[i], layout.tracks - 1);
  const height = box.height / layout.tracks;
  const gap = layout.tracks > 1 ? 1 : 0;
  return {
    x: layout.x[i],
    y: box.top + track * height,
    width: layout.width[i],
    height: Math.max(1, height - gap),
  };
}

/** Bars of handling are in their own labeled lane; strong ones dim when another block is selected. */
export const barAlpha = (scene: Scene, chosen: boolean, box: LaneBox): number =>
  chosen ? 1 : scene.selected >= 0 ? DIMMED : box.lane.shape === "commits" ? 0.75 : 0.92;

/** Width of a figure or remark as `text` writes it, px. */
export function textWidth(context: Context, scene: Scene, words: string, weight = 400): number {
  context.font = `${weight} 11px ${scene.tokens["--font"]}`;
  return context.measureText(words).width;
}

/** Writes a figure or remark with its baseline at y. */
export function text(
  context: Context,
  scene: Scene,
  words: string,
  [x, y]: readonly [x: number, y: number],
  { color, weight = 500 }: { readonly color: TokenName; readonly weight?: number },
): void {
  context.font = `${weight} 11px ${scene.tokens["--font"]}`;
  context.fillStyle = scene.tokens[color];
  context.fillText(words, x, y);
}
