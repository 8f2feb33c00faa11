import { createReadStream } from "node:fs";
import { readXel } from "xel-parser/format";

/** Bytes of log that a primary captured for its secondaries. Other events are skipped by their length. */
export async function capturedBytes(path: string): Promise<number> {
  const only = new Set(["hadr_capture_log_block"]);
  let bytes = 0;
  for await (const { fields } of readXel(createReadStream(path), { only })) {
    // In sectors of 512 bytes.
    bytes += Number(fields["log_block_size"]) * 512;
  }
  return bytes;
}
