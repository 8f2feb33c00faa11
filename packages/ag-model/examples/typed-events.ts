import { createReadStream } from "node:fs";
import { isAgEvent } from "@aglens/ag-model/events";
import { readXel } from "xel-parser/format";

/** Bytes of log that a primary captured for its secondaries. */
export async function capturedBytes(path: string): Promise<number> {
  let bytes = 0;
  for await (const event of readXel(createReadStream(path))) {
    // The name gives the fields their types: log_block_size is a number here, in sectors of 512 bytes.
    if (isAgEvent(event, "hadr_capture_log_block")) bytes += (event.fields.log_block_size ?? 0) * 512;
  }
  return bytes;
}
