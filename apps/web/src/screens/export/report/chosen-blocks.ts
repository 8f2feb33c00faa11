/** Blocks that a report draws as sequences, and the reasons. */
import type { BinWindow, BlockWindow, SlowBlock } from "@aglens/contract";
import { reportTexts as texts } from "../../../messages/report.ts";

export interface ChosenBlock {
  readonly row: number;
  readonly why: string;
}

/** Share of remote harden from which a block was slow on the network alone. */
const NETWORK_ALONE = 0.9;

/** The slowest block, and the slowest one with nearly all of its time on the network. @param rows slowest first */
export function worstRows(rows: readonly SlowBlock[]): ChosenBlock[] {
  const [slowest] = rows;
  const network = rows.find((block) => networkShare(block) > NETWORK_ALONE);
  return [
    ...(slowest === undefined ? [] : [{ row: slowest.row, why: texts.slowestBlock }]),
    ...(network === undefined ? [] : [{ row: network.row, why: texts.slowestOnTheNetwork }]),
  ];
}

/** Network share without time in which a server was unresponsive; NaN where the parts are not known. */
function networkShare({ stages, paused }: SlowBlock): number {
  const ofNetwork = (id: "wireOut" | "wireBack"): number =>
    (stages[id] ?? Number.NaN) - (paused?.stages[id] ?? 0);
  return (ofNetwork("wireOut") + ofNetwork("wireBack")) / (stages.remoteHarden ?? Number.NaN);
}

/**
 * The block of a window whose remote harden is nearest to the median; null for bins, and where no remote harden is
 * known.
 */
export function typicalRow(window: BlockWindow | BinWindow, secondary: number): ChosenBlock | null {
  const hop = window.detail === "blocks" ? window.hops[secondary] : undefined;
  if (window.detail !== "blocks" || hop === undefined) return null;
  const known = Array.from(window.row.keys())
    .map((i) => ({ row: window.row[i] ?? 0, us: (hop.ackProcessed[i] ?? 0) - (hop.sendStart[i] ?? 0) }))
    .filter(({ us }) => us > 0)
    .toSorted((a, b) => a.us - b.us);
  const middle = known[Math.floor((known.length - 1) / 2)];
  return middle === undefined ? null : { row: middle.row, why: texts.typicalBlock };
}
