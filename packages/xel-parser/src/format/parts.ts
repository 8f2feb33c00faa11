/** Reading a file in several parts at once, each by its own worker. */
import type { FileBytes } from "./byte-source.ts";
import { ColumnDecoder, decodeWalk, type DecodeOptions, type EventBatch } from "./columns/columns.ts";
import { joinNumbers } from "./columns/event-numbers.ts";
import { joinShapes } from "./columns/file-shape.ts";
import { BUFFER_HEADER_BYTES, BufferType, FILE_HEADER_BYTES } from "./constants.ts";
import { joinUnclaimed } from "./events/payload-claims.ts";
import { canBeBuffer, firstBufferOffset, readBufferHeader } from "./walk/header.ts";
import { limitsOf } from "./limits.ts";
import type { ColumnRequest } from "./columns/plan.ts";
import type { ReadAt } from "./random-access.ts";
import type { FileReport } from "./reader.ts";
import { BufferWalk, type MetadataBytes } from "./walk/walk.ts";

/** A part of a file: the buffers from `from` to before `to`, and the metadata before them. */
export interface FilePart {
  readonly from: number;
  readonly to: number;
  readonly metadata: readonly MetadataBytes[];
}

/** Bytes read at a time to look for the next header, so that small buffers do not cost a read each. */
const HEADERS_READ = 4096;

/**
 * Divides a file into `count` parts of about the same length, or fewer, by walking over its buffers' headers. From
 * damage on, the rest belongs to the last part, whose reader handles the damage. Throws XelFormatError when the input
 * is no .xel file.
 */
export async function splitXel(
  read: ReadAt,
  fileSize: number,
  count: number,
  { limits: changed, force = false }: Pick<DecodeOptions, "limits" | "force"> = {},
): Promise<FilePart[]> {
  const limits = limitsOf(changed);
  const cuts = [0];
  const places: { offset: number; length: number }[] = [];
  let block = new DataView(new ArrayBuffer(0));
  let blockAt = 0;
  let at = firstBufferOffset(await read(0, Math.min(FILE_HEADER_BYTES, fileSize)), force);
  while (cuts.length < count && at + BUFFER_HEADER_BYTES <= fileSize) {
    if (at < blockAt || at + BUFFER_HEADER_BYTES > blockAt + block.byteLength) {
      const bytes = await read(at, Math.min(HEADERS_READ, fileSize - at));
      block = new DataView(bytes.slice().buffer);
      blockAt = at;
    }
    // A file that is shorter than the given size ends here.
    if (at - blockAt + BUFFER_HEADER_BYTES > block.byteLength) break;
    if (!canBeBuffer(block, at - blockAt, limits, force)) break;
    const { type, paddedLength } = readBufferHeader(block, at - blockAt);
    if (at >= (fileSize * cuts.length) / count) cuts.push(at);
    if (type === BufferType.metadata) places.push({ offset: at, length: paddedLength });
    at += paddedLength;
  }
  const metadata: MetadataBytes[] = [];
  for (const { offset, length } of places) metadata.push({ offset, bytes: await read(offset, length) });
  return cuts.map((from, index) => ({
    from,
    to: cuts[index + 1] ?? fileSize,
    metadata: metadata.filter(({ offset }) => offset < from),
  }));
}

/**
 * Reads one part into columns; `chunks` are the file's bytes from `part.from` to `part.to`. Offsets count from the
 * file's start. Each part has its own dictionaries. See `decodeColumns`.
 */
export async function decodePart(
  chunks: FileBytes,
  part: FilePart,
  request: ColumnRequest,
  options: DecodeOptions = {},
): Promise<{ columns: EventBatch; report: FileReport }> {
  const walk = new BufferWalk(options.limits, options.force);
  const steps = part.from === 0 ? walk.buffers() : walk.buffersFrom(part.from, part.metadata);
  const decoder = new ColumnDecoder(walk.schema, request, part);
  return await decodeWalk(walk, steps, chunks, decoder, options);
}

/** The report of a complete file from the reports of its parts, in the file's order. */
export function joinReports(reports: readonly FileReport[]): FileReport {
  const unlisted = reports.reduce((sum, { unlistedGaps = 0 }) => sum + unlistedGaps, 0);
  const shape = joinShapes(reports.map((report) => report.shape));
  const numbers = joinNumbers(reports.map((report) => report.numbers));
  const unclaimed = joinUnclaimed(reports.map((report) => report.unclaimed ?? []));
  return {
    fileSize: reports.at(-1)?.fileSize ?? 0,
    events: reports.reduce((sum, { events }) => sum + events, 0),
    gaps: reports.flatMap(({ gaps }) => gaps),
    ...(unlisted === 0 ? {} : { unlistedGaps: unlisted }),
    ...(unclaimed.length === 0 ? {} : { unclaimed }),
    ...(shape === undefined ? {} : { shape }),
    ...(numbers === undefined ? {} : { numbers }),
    clean: reports.every(({ clean }) => clean),
    ...(reports.at(-1)?.unfinished ? { unfinished: true } : {}),
    metadata: reports.flatMap(({ metadata }) => metadata),
  };
}

/** The memory of a batch, for handing it to another thread without a copy. */
export function transferablesOf({ kind, ticks, offset, columns }: EventBatch): ArrayBuffer[] {
  return [kind, ticks, offset, ...Object.values(columns)].map(({ buffer }) => buffer as ArrayBuffer);
}
