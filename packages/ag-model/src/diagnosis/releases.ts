import { oncePerModel } from "../columns/index.ts";
import { Gate, type CaptureModel } from "../replication/tables.ts";
import { isRowOf, keyOf, primariesOf, type PrimaryRole } from "./paths.ts";

/** What released the commits of one primary. */
export interface Releases {
  /** [0] by the local log write, [s + 1] by the acknowledgement of the secondary in slot s. */
  readonly gates: readonly number[];
  /** Commits whose release is known. */
  readonly known: number;
  /** Index in `gates` of what released most; 0 when nothing is known. */
  readonly most: number;
}

export const releasesOf = (model: CaptureModel, primary: PrimaryRole): Releases =>
  oncePerModel(model, `diagnosis/releases/${keyOf(primary)}`, () => {
    const gates = Array.from({ length: model.hops.length + 1 }, () => 0);
    const { block, gate, length } = model.commits;
    for (let row = 0; row < length; row++) {
      const isKnown = gate[row] !== Gate.unknown && block[row] >= 0;
      if (isKnown && isRowOf(model, primary, block[row])) gates[gate[row] - Gate.localFlush]++;
    }
    return {
      gates,
      known: gates.reduce((sum, n) => sum + n, 0),
      most: gates.indexOf(Math.max(...gates)),
    };
  });

/** The primary with most commits whose release is known; the first one when none is. */
export const mainPrimary = (model: CaptureModel): PrimaryRole =>
  primariesOf(model).reduce((a, b) => (releasesOf(model, b).known > releasesOf(model, a).known ? b : a));
