/** Rows of the table `hops`: a block and a replica each. */
import { Obtained, type CaptureModel } from "../replication/index.ts";

/** The row of the block and the slot of each hop. */
export interface HopPlaces {
  readonly block: Int32Array;
  readonly slot: Int32Array;
}

/** Hops in the order of their blocks: to each replica that a block was sent to, or at which it arrived. */
export function hopPlaces({ blocks, hops }: CaptureModel): HopPlaces {
  const block = new Int32Array(blocks.length * hops.length);
  const slot = new Int32Array(block.length);
  let length = 0;
  for (let row = 0; row < blocks.length; row++) {
    for (let each = 0; each < hops.length; each++) {
      if (hops[each].obtained[row] === Obtained.missing) continue;
      block[length] = row;
      slot[length++] = each;
    }
  }
  return { block: block.subarray(0, length), slot: slot.subarray(0, length) };
}

/** A value per hop. @param columnOf values of a slot, one per block */
export function hopValues(
  { hops }: CaptureModel,
  { block, slot }: HopPlaces,
  columnOf: (slot: number) => Float64Array,
): Float64Array {
  const columns = hops.map((_, each) => columnOf(each));
  const values = new Float64Array(block.length);
  for (let i = 0; i < values.length; i++) values[i] = columns[slot[i]][block[i]];
  return values;
}
