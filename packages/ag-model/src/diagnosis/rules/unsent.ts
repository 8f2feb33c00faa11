/** Log blocks that the primary never sent to a replica until the end of the capture: that is no loss of events. */
import { perModel } from "../../columns/index.ts";
import { LOCAL_ANCHORS, Obtained, obtainedIn, type CaptureModel } from "../../replication/shapes/tables.ts";

/** Fewer blocks in a row without any event of their way may have lost the events. */
const LEAST_BLOCKS = 20;
const LOCAL_FLUSH_END = LOCAL_ANCHORS.indexOf("localFlushEnd");

/**
 * Marks blocks without any server's event of their way to a secondary, many of one database in a row, though the
 * primary has the events of their log write: a server that lost the events of sending would have lost those too.
 * @param secondary index into the model's hops @returns 1 per block row that was not sent; null where all were
 */
export const unsentBlocks = perModel((model: CaptureModel, secondary: number): Uint8Array | null => {
  const runs = longRuns(model, model.hops[secondary].obtained);
  if (runs.length === 0) return null;
  const marks = new Uint8Array(model.blocks.length);
  for (const run of runs) for (const row of run) marks[row] = 1;
  return marks;
}, "question");

/** Rows without any event of their way, in order, by database. @param obtained of that way */
function longRuns({ blocks, databases }: CaptureModel, obtained: Uint32Array): number[][] {
  const found: number[][] = [];
  const runs = databases.map((): number[] => []);
  const end = (database: number): void => {
    if (runs[database].length >= LEAST_BLOCKS) found.push(runs[database]);
    if (runs[database].length > 0) runs[database] = [];
  };
  for (let row = 0; row < blocks.length; row++) {
    if (obtained[row] !== 0) end(blocks.database[row]);
    else if (obtainedIn(blocks.obtained[row], LOCAL_FLUSH_END) === Obtained.measured)
      runs[blocks.database[row]].push(row);
  }
  for (const database of runs.keys()) end(database);
  return found;
}
