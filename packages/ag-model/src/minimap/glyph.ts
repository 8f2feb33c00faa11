/** A minimap as small text, for lists: two characters a column, the place and the level of its slowest block. */
import type { VerdictPlace } from "../diagnosis/verdict.ts";
import type { MinimapColumns } from "./minimap-columns.ts";

/** Columns of the glyph in lists. */
export const GLYPH_COLUMNS = 120;
/** Levels from 1, 0.1 ms and less, to this one, 1 s and more, by the logarithm; 0 is a column without a block. */
export const GLYPH_LEVELS = 35;

const LEAST_US = 100;
/** 0.1 ms to 1 s. */
const DECADES = 4;

const LETTERS: Readonly<Record<VerdictPlace, string>> = {
  primary: "p",
  network: "n",
  secondary: "s",
  none: "-",
};
const PLACES: ReadonlyMap<string, VerdictPlace> = new Map(
  Object.entries(LETTERS).map(([place, letter]) => [letter, place as VerdictPlace]),
);

/** One entry per column. */
export interface Glyph {
  /** 0 to GLYPH_LEVELS. */
  readonly level: Uint8Array;
  readonly place: readonly VerdictPlace[];
}

export function encodeGlyph({ slowest, place }: Pick<MinimapColumns, "slowest" | "place">): string {
  return place.map((each, i) => LETTERS[each] + levelOf(slowest[i]).toString(36)).join("");
}

/** Reads the result of `encodeGlyph`; null for any other text. */
export function decodeGlyph(text: string): Glyph | null {
  if (!/^(?:[pns-][0-9a-z])*$/u.test(text)) return null;
  const columns = text.match(/../gu) ?? [];
  return {
    level: Uint8Array.from(columns, (column) => Number.parseInt(column[1], 36)),
    place: columns.map((column) => PLACES.get(column[0]) ?? "none"),
  };
}

function levelOf(us: number): number {
  if (!(us > 0)) return 0;
  const share = Math.log10(us / LEAST_US) / DECADES;
  return Math.round(1 + Math.min(1, Math.max(0, share)) * (GLYPH_LEVELS - 1));
}
