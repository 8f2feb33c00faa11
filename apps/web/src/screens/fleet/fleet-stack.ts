/** Rows of the fleet's picture, top to bottom: glyphs of both groups, then a lane per stage and replica. */
import type { FleetLane, FleetSide } from "@aglens/contract";
import { haveSameCaptures } from "./fleet-figures.ts";
import type { ShownFleet } from "./fleet-view.ts";

/** Where a row is, px from the top of the picture. */
export interface FleetRow {
  readonly top: number;
  readonly height: number;
}

/** Glyphs of a group's captures. */
export interface GlyphsRow extends FleetRow {
  readonly side: FleetSide;
}

/** One lane of the filled group. */
export interface LaneRow extends FleetRow {
  readonly lane: FleetLane;
}

export interface FleetStack {
  /** The filled group first. */
  readonly glyphs: readonly GlyphsRow[];
  readonly lanes: readonly LaneRow[];
  readonly height: number;
}

const MARGIN = 4;
const GLYPH = 20;
const GLYPH_GAP = 4;
const LANE_GAP = 9;
/** A lane with a change is tall, one that commits do not wait for is low. */
const CHANGED = 132;
const USUAL = 86;
const ASYNCHRONOUS = 62;
/** Lanes grow with the window up to this factor. */
const MOST_GROWTH = 1.6;

/**
 * @param room available height, px; the picture is higher than its window where this is too low
 * @param isBrief draws glyphs only
 */
export function fleetStack({ a, b }: ShownFleet, room: number, isBrief: boolean): FleetStack {
  const glyphs = (b === null || haveSameCaptures(a, b) ? [a] : [a, b]).map((side, i) => ({
    side,
    top: MARGIN + i * (GLYPH + GLYPH_GAP),
    height: GLYPH,
  }));
  const start = MARGIN + glyphs.length * (GLYPH + GLYPH_GAP);
  const shown = isBrief ? [] : a.lanes;
  const usual = shown.reduce((sum, lane) => sum + usualHeight(lane), 0);
  const growth = (room - start - LANE_GAP * shown.length) / Math.max(1, usual);
  const factor = Math.min(MOST_GROWTH, Math.max(1, growth));
  let top = start;
  const lanes = shown.map((lane) => {
    const row = { lane, top, height: Math.floor(usualHeight(lane) * factor) };
    top += row.height + LANE_GAP;
    return row;
  });
  return { glyphs, lanes, height: top };
}

function usualHeight({ change, isAsynchronous }: FleetLane): number {
  if (change !== null) return CHANGED;
  return isAsynchronous ? ASYNCHRONOUS : USUAL;
}
