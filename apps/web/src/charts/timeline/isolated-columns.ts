/** The minimap of isolated stages: the longest of them per column, in the color of its place. */
import type { BinWindow, BlockWindow } from "@aglens/contract";
import type { MinimapColumns } from "@aglens/ag-model/minimap";
import type { Lane } from "../../lanes/lanes.ts";
import { layoutLane, type Heat } from "./layout.ts";
import { buildBuffer, NO_COMMITS } from "./spans.ts";

/** Columns over [from, to) µs of the lanes alone; null without a lane that is a stage. */
export function isolatedColumns(
  window: BlockWindow | BinWindow,
  isolated: readonly Lane[],
  width: number,
  { from, to }: { readonly from: number; readonly to: number },
): MinimapColumns | null {
  const lanes = isolated.filter(({ anchors }) => anchors !== null);
  if (lanes.length === 0) return null;
  // The minimap draws no commits.
  const buffer = buildBuffer(window, NO_COMMITS, lanes, []);
  const heats = lanes.map((lane) => layoutLane(buffer, lane, { from, to, width }, 0) as Heat);
  const slowest = new Float64Array(width).fill(Number.NaN);
  const place = Array.from({ length: width }, (): MinimapColumns["place"][number] => "none");
  for (let column = 0; column < width; column++)
    for (const [i, { max }] of heats.entries()) {
      if (!(max[column] > 0) || max[column] <= slowest[column]) continue;
      slowest[column] = max[column];
      place[column] = placeOf(lanes[i]);
    }
  return { from, to, slowest, place };
}

const placeOf = ({ place }: Lane): MinimapColumns["place"][number] => (place === "unknown" ? "none" : place);
