/** A file as recognition reads it, and how it does. */
import type { EventColumns } from "@aglens/ag-model/events";
import type { GiveBack, PreparedEvents } from "@aglens/ag-model/replication";
import type { DecodeOptions, FileBytes } from "xel-parser/format";

/** A file that can be read from its beginning, as often as needed. */
export interface ReadableFile {
  readonly name: string;
  /** All folders and zips of the file, separated by "/"; they may name its server. */
  readonly path?: string;
  readonly size: number;
  /** Bytes of the complete file, where only its beginning was sent because it isn't used. */
  readonly completeBytes?: number | undefined;
  /** All its bytes in order, for a caller that reads nothing else meanwhile. */
  bytes(): FileBytes;
  /** All its bytes in order, between which others may work. */
  chunks(): AsyncIterable<Uint8Array>;
  /** The first bytes; fewer where the file is shorter. */
  head(length: number): Promise<Uint8Array>;
  /** The last bytes; fewer where the file is shorter. */
  tail(length: number): Promise<Uint8Array>;
}

export interface RecognizeOptions {
  /**
   * Replaces the content of the file: events that were saved as text are rewritten as a .xel file, so that all readers
   * of captures read that file. Facts replace the file that they are from.
   * @returns the replaced file
   */
  readonly replace: (bytes: AsyncIterable<Uint8Array>) => Promise<ReadableFile>;
  /** Statements, logins and computers stay in the facts of other files. */
  readonly keepSensitive?: boolean | undefined;
  /** Called with the events of a file that is kept unchanged, unless these were prepared. */
  readonly onColumns?: ((columns: EventColumns) => void) | undefined;
  /**
   * Prepares the events of such a file while it is read, where they are in order: its columns are then never completely
   * in memory.
   */
  readonly preparing?: Preparing | undefined;
  /** Called with the progress of reading such a file; starts over where the file is read a second time. */
  readonly onProgress?: NonNullable<DecodeOptions["onProgress"]> | undefined;
}

/** Receivers of events that are prepared while they are read. */
export interface Preparing {
  readonly onPrepared: (prepared: PreparedEvents) => void;
  /** Frees the memory of columns. */
  readonly giveBack: GiveBack;
}
