/** Distances that were measured on the timeline, as the address has them. */

/** Where a ruler begins or ends: an instant, µs from the capture's origin with clocks aligned, and the edge it is snapped to. */
export interface RulerEnd {
  readonly at: number;
  readonly edge: BarEdge | null;
}

/** Start or end of a block's bar in a lane. */
export interface BarEdge {
  readonly side: "start" | "end";
  /** Row of the block in the capture. */
  readonly row: number;
  /** Key of the lane. */
  readonly lane: string;
}

export type Ruler = readonly [from: RulerEnd, to: RulerEnd];

/** More rulers would hide the measured bars. */
export const MOST_RULERS = 8;

const END = /^(-?\d{1,15}(?:\.\d)?)(?:([se])(\d{1,10})-([A-Za-z][A-Za-z0-9.:-]{0,63}))?$/u;

/** `1204.5s17-hop0.secondaryFlush_5000`, several separated by `*`: instant, s or e for start or end, row, lane. */
export const rulersText = (rulers: readonly Ruler[]): string =>
  rulers.map((ruler) => ruler.map(endText).join("_")).join("*");

function endText({ at, edge }: RulerEnd): string {
  const instant = String(Math.round(at * 10) / 10);
  return edge === null ? instant : `${instant}${edge.side.charAt(0)}${edge.row}-${edge.lane}`;
}

/** The rulers of a text; invalid parts are skipped. */
export function parseRulers(text: string): readonly Ruler[] {
  return text
    .split("*")
    .flatMap((part): Ruler[] => {
      const [from, to, ...others] = part.split("_").map(parseEnd);
      return from && to && others.length === 0 ? [[from, to]] : [];
    })
    .slice(0, MOST_RULERS);
}

function parseEnd(text: string): RulerEnd | null {
  const [, at, side, row, lane] = END.exec(text) ?? [];
  if (at === undefined) return null;
  if (row === undefined || lane === undefined) return { at: Number(at), edge: null };
  return { at: Number(at), edge: { side: side === "s" ? "start" : "end", row: Number(row), lane } };
}
