/** Log blocks that the primary never sent to a replica, as far as the capture goes: that is no loss of events. */
import { oncePerModel } from "../columns/index.ts";
import { LOCAL_ANCHORS, Obtained, obtainedIn, type CaptureModel } from "../replication/tables.ts";

import { COLUMN_KEYS } from "./waiting.ts";

/** Fewer blocks in a row without any event of their way may have lost them. */
const LEAST_BLOCKS = 20;
const LOCAL_FLUSH_END = LOCAL_ANCHORS.indexOf("localFlushEnd");

/**
 * Marks the blocks of which no server has an event of their way to a secondary, many of one database in a row, though the primary has those
 * of their log write: one that lost the events of sending would have lost those too.
 * @param secondary index into the model's hops @returns 1 per block row that was not sent
 */
export const unsentBlocks = (model: CaptureModel, secondary: number): Uint8Array =>
  oncePerModel(model, `${COLUMN_KEYS}${secondary}/unsent`, () => {
    const { blocks, databases } = model;
    const { obtained } = model.hops[secondary];
    const marks = new Uint8Array(blocks.length);
    const runs = databases.map((): number[] => []);
    const end = (run: number[]): void => {
      if (run.length >= LEAST_BLOCKS) for (const row of run) marks[row] = 1;
      run.length = 0;
    };
    for (let row = 0; row < blocks.length; row++) {
      const run = runs[blocks.database[row]];
      if (obtained[row] !== 0) end(run);
      else if (obtainedIn(blocks.obtained[row], LOCAL_FLUSH_END) === Obtained.measured) run.push(row);
    }
    for (const run of runs) end(run);
    return marks;
  });
