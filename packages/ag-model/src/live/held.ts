/** Memory that the columns of a run take. */
import type { CaptureModel } from "../replication/shapes/tables.ts";

/** Bytes of the buffers of all columns of tables; a buffer that several columns share counts once. */
export function bytesOf(...tables: readonly object[]): number {
  const buffers = new Set<ArrayBufferLike>();
  for (const table of tables)
    for (const column of Object.values(table) as unknown[])
      if (ArrayBuffer.isView(column)) buffers.add(column.buffer);
  let bytes = 0;
  for (const { byteLength } of buffers) bytes += byteLength;
  return bytes;
}

/** Bytes of a model's blocks, commits and markers. */
export const bytesOfModel = ({ blocks, hops, commits, markers }: CaptureModel): number =>
  bytesOf(blocks, ...hops, commits, markers);
