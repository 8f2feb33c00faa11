import { Dictionary, makeVector, Table, Uint16, Utf8, vectorFromArray } from "apache-arrow";
import { createReadStream } from "node:fs";
import { decodeColumns } from "xel-parser/format";

/** Log writes as an Arrow table: a row per event, no object per event. */
export async function flushes(path: string): Promise<Table> {
  const { columns: batch } = await decodeColumns(createReadStream(path), {
    events: [
      {
        name: "hadr_send_harden_lsn_message",
        kind: 0,
        fields: [
          { field: "log_block_id", column: "block" },
          { field: "processing_time", column: "microseconds" },
          { field: "availability_replica_id", column: "replica" },
        ],
      },
    ],
    columns: [
      { name: "block", type: "u64" },
      { name: "microseconds", type: "f64" },
      { name: "replica", type: "guid" },
    ],
  });
  const { block, microseconds, replica } = batch.columns;
  return new Table({
    ticks: makeVector(batch.ticks),
    block: makeVector(block as BigUint64Array),
    microseconds: makeVector(microseconds as Float64Array),
    replica: makeVector({
      type: new Dictionary(new Utf8(), new Uint16()),
      // Indices of a small dictionary are bytes.
      data: Uint16Array.from(replica as Uint8Array | Uint16Array),
      dictionary: vectorFromArray([...batch.dictionaries["replica"]], new Utf8()),
    }),
  });
}
