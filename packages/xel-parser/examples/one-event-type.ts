import { createReadStream } from "node:fs";
import { isAgEvent } from "xel-parser/events";
import { readXel } from "xel-parser/format";

/** Bytes of log that a primary captured for its secondaries. Other events are passed over by their length. */
export async function capturedBytes(path: string): Promise<number> {
  const only = new Set(["hadr_capture_log_block"]);
  let bytes = 0;
  for await (const event of readXel(createReadStream(path), { only })) {
    // The name gives the fields their types: log_block_size is a number here, in sectors of 512 bytes.
    if (isAgEvent(event, "hadr_capture_log_block")) bytes += (event.fields.log_block_size ?? 0) * 512;
  }
  return bytes;
}
