/** Which place took most of each block's path to a secondary, both ways over the network counted together. */
import type { BlockWindow } from "@aglens/contract";
import { type Anchor, anchorColumn, pauseOfHarden, type ServerStates } from "@aglens/ag-model/columns";
import type { TokenName } from "../../lanes/palette.ts";
import { ACK_WAITS_US } from "../block-pieces.ts";

/** Colors by index: the primary's handling, the network, the secondary, a server that was unresponsive. */
export const PATH_COLORS = [
  "--p-work",
  "--n-out",
  "--s-disk",
  "--wait",
] as const satisfies readonly TokenName[];
const SECONDARY = 2;
const STOOD_STILL = 3;

/** Anchors of the path with the place of the stage that ends there. */
const PATH: readonly (readonly [end: Anchor, place: number])[] = [
  ["sendEnd", 0],
  ["received", 1],
  ["secondaryFlushEnd", SECONDARY],
  ["ackDeparted", SECONDARY],
  ["ackSent", SECONDARY],
  ["ackReceived", 1],
  ["ackProcessed", 0],
];

/**
 * Index into the list of path colors for each block; the secondary's where its path is not known. @param standing of
 * the window's capture
 */
export function largestPlaces(window: BlockWindow, secondary: number, standing: ServerStates): Uint8Array {
  const start = anchorColumn(window, secondary, "sendStart");
  const ends = PATH.map(([anchor]) => anchorColumn(window, secondary, anchor));
  const found = new Uint8Array(window.blocks.length).fill(SECONDARY);
  const sums = new Float64Array(PATH_COLORS.length);
  for (let row = 0; row < found.length; row++) {
    sums.fill(0);
    let from = start?.[row] ?? Number.NaN;
    for (let i = 0; i < PATH.length; i++) {
      const to = ends[i]?.[row] ?? Number.NaN;
      const isWait = PATH[i][0] === "ackDeparted" && to - from > ACK_WAITS_US;
      if (!isWait) sums[PATH[i][1]] += to - from;
      from = to;
    }
    for (let place = 0; place < sums.length; place++) if (sums[place] > sums[found[row]]) found[row] = place;
    if (pauseOfHarden(window, standing, secondary, row) !== null) found[row] = STOOD_STILL;
  }
  return found;
}
