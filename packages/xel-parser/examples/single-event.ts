import { open } from "node:fs/promises";
import { openXel, type XelEvent } from "xel-parser/format";

/** One event by the offset that `readXel` or `decodeColumns` gave it, without reading the file through. */
export async function eventAt(path: string, offset: number): Promise<XelEvent> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const read = async (from: number, length: number) => {
      const { bytesRead, buffer } = await handle.read(new Uint8Array(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    };
    const file = await openXel(read, size);
    return await file.eventAt(offset);
  } finally {
    await handle.close();
  }
}
