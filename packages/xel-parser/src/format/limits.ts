/**
 * Limits for plausible files. Files of SQL Server stay far below them; a damaged or forged length, count or reference
 * must not cost memory or time out of proportion to the file. A part that exceeds a limit is damage, reported as a gap.
 */
export interface ReadLimits {
  /** Bytes of a buffer. Session buffers are about 1.4 MB; one event larger than that gets a separate buffer. */
  readonly bufferBytes: number;
  /** UTF-16 units of a name, a description or a map's text in the metadata. */
  readonly nameUnits: number;
  /** Columns of an event type. */
  readonly columns: number;
  /** Actions of one event. */
  readonly actions: number;
  /** Packages of a file; the format has room for 1024 (docs/reference/xel-format.md 1). */
  readonly packages: number;
  /** Events, actions and maps described in a file, together. */
  readonly objects: number;
  /**
   * Bytes of metadata read per byte of the file. Valid metadata buffers follow one another and are read once; forged
   * ones may be inside each other and must not be read over and over.
   */
  readonly metadataReads: number;
  /** Bytes of one string or binary value. */
  readonly valueBytes: number;
  /**
   * Bytes of values an event may have per byte of its record. Values may overlap (docs/reference/xel-format.md 4.1), so a small record
   * could otherwise name one long run of bytes a thousand times.
   */
  readonly overlap: number;
  /** Bytes of the different texts that the columns of one reading keep, together; see `EventBatch.fullDictionaries`. */
  readonly dictionaryBytes: number;
  /** UTF-16 units of the texts that one event's bit masks mean. */
  readonly mapUnits: number;
  /** Gaps reported one by one; later ones are only counted, in `FileReport.unlistedGaps`. */
  readonly gaps: number;
}

/** Limits far above the values of sessions. */
export const DEFAULT_LIMITS: ReadLimits = {
  bufferBytes: 64 * 1024 * 1024,
  nameUnits: 16_384,
  columns: 1024,
  actions: 256,
  packages: 1024,
  objects: 100_000,
  metadataReads: 16,
  valueBytes: 64 * 1024 * 1024,
  overlap: 8,
  dictionaryBytes: 64 * 1024 * 1024,
  mapUnits: 16_384,
  gaps: 1000,
};

/** The defaults with the given changes. */
export function limitsOf(changed: Partial<ReadLimits> | undefined): ReadLimits {
  return changed === undefined ? DEFAULT_LIMITS : { ...DEFAULT_LIMITS, ...changed };
}
