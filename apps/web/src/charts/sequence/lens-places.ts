/** Positions of the lenses above the primary's bars and below the secondary's: pure geometry in CSS pixels. */
import { LEFT, RIGHT, type Frame } from "./frame.ts";
import { placeLenses } from "./layout.ts";
import { lensesOf, type Lens } from "./lens-events.ts";

export const LENS_WIDTH = 372;
export const LENS_HEAD = 22;
export const LENS_ROW = 12.2;

const ROWS = { primary: ["send", "release", "ack"], secondary: ["receive", "acknowledge"] } as const;

/** Lenses of one replica with the left edge of each box, px, from left to right. */
export function placedLenses(
  { sequence, secondary, x, range, width, lenses }: Frame,
  place: keyof typeof ROWS,
): readonly { readonly lens: Lens; readonly left: number }[] {
  if (!lenses) return [];
  const keys: readonly Lens["key"][] = ROWS[place];
  const shown = lensesOf(sequence, secondary).filter((lens) => keys.includes(lens.key));
  const centers = shown.map(
    (lens) => (x(Math.max(lens.from, range[0])) + x(Math.min(lens.to, range[1]))) / 2,
  );
  const lefts = placeLenses(centers, LENS_WIDTH, LEFT - 4, width - RIGHT + 10);
  return shown.map((lens, i) => ({ lens, left: lefts[i] }));
}
