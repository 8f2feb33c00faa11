/** Names of the commits' releases in tables. */
import { Gate, replicaOfHop, type CaptureModel } from "../replication/index.ts";
import { idIndex, namesOf } from "./replica-names.ts";

/** Names of the gates, by their code. */
export const gateNames = (model: CaptureModel): string[] => ["unknown", "local_flush", ...namesOf(model)];

/**
 * For each row the place of its gate in `gateNames`, and of its replica's id in `idsOf`: -1 without one.
 * @param gates of the rows, as the model has them
 */
export function gateCodes(
  model: CaptureModel,
  gates: Uint8Array,
  blockOf: (row: number) => number,
): { readonly codes: Int32Array; readonly ids: Int32Array } {
  const codes = new Int32Array(gates.length);
  const ids = new Int32Array(gates.length).fill(-1);
  for (let row = 0; row < gates.length; row++) {
    const gate = gates[row];
    if (gate === Gate.localFlush) codes[row] = 1;
    if (gate <= Gate.localFlush) continue;
    const block = blockOf(row);
    const replica = replicaOfHop(model, block, Gate.secondaryOf(gate));
    codes[row] = 2 + replica;
    ids[row] = idIndex(model, replica, model.blocks.database[block]);
  }
  return { codes, ids };
}
