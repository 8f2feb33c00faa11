import { BUFFER_HEADER_BYTES, BufferType, FILE_HEADER_BYTES } from "./constants.ts";
import { asDamage, XelFormatError } from "./errors.ts";
import { decodeEvent, type XelEvent } from "./events/event.ts";
import { canBeBuffer, firstBufferOffset, readBufferHeader } from "./walk/header.ts";
import { limitsOf, type ReadLimits } from "./limits.ts";
import { Schema } from "./metadata.ts";
import { recordPlansOf } from "./events/record-plan.ts";

/** Reads `length` bytes of a file at an offset; fewer only at the file's end. */
export type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;

/** Where a metadata buffer is in its file. */
export interface MetadataPlace {
  readonly offset: number;
  readonly length: number;
  /** Another file begins with it: earlier metadata does not count any more. */
  readonly restart?: true;
}

/** How a file is opened. */
export interface OpenOptions {
  /**
   * `report.metadata` of an earlier reading: saves the walk over the buffers' headers and reaches events after damage.
   */
  readonly metadata?: readonly MetadataPlace[];
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<ReadLimits>;
  /** See `ReadOptions.force`. */
  readonly force?: boolean;
}

/** A file whose events can be read one by one. */
export interface OpenXel {
  /** The event whose record begins at a file offset. Throws XelFormatError when none does. */
  eventAt(offset: number): Promise<XelEvent>;
}

const FIRST_READ = 64 * 1024;
/** Repeated metadata must not be kept once for each place in the file. */
const KEPT_SCHEMAS = 4;

/**
 * Opens a file for reading single events by the offset that `readXel` and `decodeColumns` return for them. Reads the
 * metadata only. Throws XelFormatError when the input is no .xel file or one of another version, and `bad-metadata`
 * when the given metadata is not there: the file has changed since.
 */
export async function openXel(
  read: ReadAt,
  fileSize: number,
  { metadata, limits: changed, force = false }: OpenOptions = {},
): Promise<OpenXel> {
  const limits = limitsOf(changed);
  const places = metadata ?? (await findMetadata(read, fileSize, limits, force));
  const buffers: (MetadataPlace & { bytes: Uint8Array })[] = [];
  for (const place of places) buffers.push({ ...place, bytes: await readMetadata(read, place, limits) });
  const schemas = new Map<number, Schema>();

  // Later metadata may redefine an event, so a record is read by the metadata before it.
  function schemaAt(offset: number): Schema {
    const before = buffers.filter((buffer) => buffer.offset < offset);
    const known = schemas.get(before.length);
    if (known !== undefined) return known;
    const schema = new Schema(limits, force);
    for (const { bytes, restart } of before) {
      if (restart) schema.restart();
      addMetadata(schema, bytes);
    }
    if (schemas.size === KEPT_SCHEMAS) schemas.delete(schemas.keys().next().value!);
    schemas.set(before.length, schema);
    return schema;
  }

  return { eventAt: (offset) => readEvent(read, fileSize, offset, schemaAt(offset)) };
}

/** Reads more and more of the file until the record is complete: its length is known only when its actions are. */
async function readEvent(read: ReadAt, fileSize: number, offset: number, schema: Schema): Promise<XelEvent> {
  if (!Number.isInteger(offset) || offset < 0 || offset >= fileSize) {
    throw new XelFormatError(
      "bad-event",
      offset,
      `The file has no byte ${offset}: it has ${fileSize} bytes.`,
    );
  }
  for (let length = FIRST_READ; ; length *= 4) {
    const bytes = await read(offset, Math.min(length, fileSize - offset));
    try {
      return decodeEvent(viewOf(bytes), 0, offset, recordPlansOf(schema)).event;
    } catch (error) {
      const more =
        error instanceof RangeError && length < schema.limits.bufferBytes && offset + length < fileSize;
      if (more) continue;
      const damage = asDamage(error, "bad-event");
      throw new XelFormatError(
        damage.code,
        offset,
        `No event can be read at byte ${offset} of the file: ${damage.message}.`,
      );
    }
  }
}

/** Walks the buffer headers by their lengths and collects the metadata buffers, up to the end or the first damage. */
async function findMetadata(
  read: ReadAt,
  fileSize: number,
  limits: ReadLimits,
  force: boolean,
): Promise<MetadataPlace[]> {
  const places: MetadataPlace[] = [];
  let at = firstBufferOffset(await read(0, Math.min(FILE_HEADER_BYTES, fileSize)), force);
  while (at + BUFFER_HEADER_BYTES <= fileSize) {
    const head = viewOf(await read(at, BUFFER_HEADER_BYTES));
    // A file that is shorter than the given size ends here.
    if (head.byteLength < BUFFER_HEADER_BYTES || !canBeBuffer(head, 0, limits, force)) break;
    const { type, paddedLength } = readBufferHeader(head, 0);
    if (type === BufferType.metadata)
      places.push({ offset: at, length: Math.min(paddedLength, fileSize - at) });
    at += paddedLength;
  }
  return places;
}

/** The metadata buffer at a place. It was found there before, so its version can be read. */
async function readMetadata(
  read: ReadAt,
  { offset, length }: MetadataPlace,
  limits: ReadLimits,
): Promise<Uint8Array> {
  const bytes = await read(offset, length);
  const view = viewOf(bytes);
  const isThere = bytes.length >= BUFFER_HEADER_BYTES && canBeBuffer(view, 0, limits, true);
  if (isThere && readBufferHeader(view, 0).type === BufferType.metadata) return bytes;
  const message = `The file has no metadata at byte ${offset} any more: it has changed since it was read. Read it again.`;
  throw new XelFormatError("bad-metadata", offset, message);
}

/** Adds a metadata buffer; its part before damage counts, as it does when the file is read from start to end. */
function addMetadata(schema: Schema, bytes: Uint8Array): void {
  const view = viewOf(bytes);
  const { dataOffset, dataLength, paddedLength } = readBufferHeader(view, 0);
  schema.addBuffer(view, dataOffset, Math.min(dataOffset + dataLength, paddedLength));
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
