/** The slow part of reading files: done here, or in threads (`event-threads.ts`). */
import { countKinds, ImpossibleIds, type EventColumns, type EventFile } from "../src/events/index.ts";
import { identityOf, IdentityOfParts, type FileIdentity } from "../src/grouping/index.ts";
import {
  prepareInOrder,
  prepareInTurn,
  type GiveBack,
  type PreparedEvents,
  type PreparedInput,
  type ServerInput,
} from "../src/replication/index.ts";
import { columnsIn, piecesIn } from "./source.ts";

/** A file, or standard input. */
export interface FileToRead {
  /** Path of its bytes; - is standard input. */
  readonly path: string;
  /** Name of the file. */
  readonly name: string;
  /** Files of other format versions are tried. */
  readonly force: boolean;
}

/** Evidence in the events of a file about the server that wrote it. */
export interface FileEvents {
  readonly identity: FileIdentity;
  /** Events by kind. */
  readonly kinds: Uint32Array;
  readonly file: EventFile;
  /** The events themselves, if they were requested. */
  readonly columns: EventColumns | null;
}

/** Files that one server wrote one after the other, judging by their names. */
export interface FilesRead {
  /** In their order. */
  readonly files: readonly FileEvents[];
  /** All their events. */
  readonly prepared: PreparedEvents;
}

/** The events of a server in the form that the model needs. */
export type ServerEvents = Pick<ServerInput, "columns" | "prepared"> | Pick<PreparedInput, "prepared">;

/** Work on events, in this thread or in others. */
export interface EventWork {
  /** Whether the work runs in parallel to this thread, on several files at once. */
  readonly isParallel: boolean;
  /**
   * @throws XelFormatError for a file of another kind, ImpossibleIds for events of no availability group, and the
   * system's error for an unreadable file
   */
  read(file: FileToRead, keepsColumns: boolean): Promise<FileEvents>;
  /**
   * Reads files of one server and prepares their events on the way, piece by piece.
   * @param events approximate number of their events
   * @returns null where they are not one after the other; files of several servers may have the same names
   * @throws as `read`
   */
  readInTurn(files: readonly FileToRead[], events: number): Promise<FilesRead | null>;
  /**
   * Prepares the events of one server. @param parts of a file each; used up, so the caller must not read them
   * afterwards
   */
  prepare(parts: readonly EventColumns[]): Promise<ServerEvents>;
  /** The same, of files that are read again for it, piece by piece. @param files in the order of their first events */
  prepareFiles(files: readonly FileToRead[], events: number): Promise<PreparedEvents>;
  /** Ends the work: no more calls follow, and pending work is abandoned. */
  end(): Promise<void>;
}

export async function readFileEvents(
  { path, name, force }: FileToRead,
  keepsColumns: boolean,
): Promise<FileEvents> {
  const columns = await columnsIn(path, { force }, name);
  return {
    identity: identityIn(columns, name),
    kinds: countKinds(columns),
    file: columns.files[0],
    columns: keepsColumns ? columns : null,
  };
}

/** @throws ImpossibleIds with the file's name and the remedy */
function identityIn(columns: EventColumns, name: string): FileIdentity {
  try {
    return identityOf(columns);
  } catch (error) {
    if (!(error instanceof ImpossibleIds)) throw error;
    throw new ImpossibleIds(
      `${name}: ${error.message} Copy the file from the server again, or leave it out.`,
    );
  }
}

/** The memory of the events becomes free at once. */
export const giveBack: GiveBack = (memory) => memory.forEach((buffer) => buffer.transfer(0));

/** A list of events needs their columns (`ReadingOptions.keepsEvents`); here, pieces are needed one at a time. */
const IN_PIECES = { kept: { ofEach: false }, reusesMemory: true };

export const prepareFiles: EventWork["prepareFiles"] = (files, events) =>
  prepareInTurn({ ...IN_PIECES, files: files.map((file) => () => piecesOf(file)), events });

const piecesOf = ({ path, name, force }: FileToRead): AsyncGenerator<EventColumns> =>
  piecesIn(path, { force, reusesMemory: true }, name);

export async function readInTurn(files: readonly FileToRead[], events: number): Promise<FilesRead | null> {
  const read: FileEvents[] = [];
  const reading = files.map((file, i) => () => identified(file, (found) => (read[i] = found)));
  const prepared = await prepareInOrder({ ...IN_PIECES, files: reading, events });
  return prepared === null ? null : { files: read, prepared };
}

/** Yields the pieces of a file, and finds meanwhile which server wrote it. */
async function* identified(
  file: FileToRead,
  onRead: (found: FileEvents) => void,
): AsyncGenerator<EventColumns> {
  const parts = new IdentityOfParts();
  const kinds = new Uint32Array(256);
  let files: readonly EventFile[] = [];
  for await (const piece of piecesOf(file)) {
    parts.add(piece);
    countKinds(piece, kinds);
    files = piece.files;
    yield piece;
  }
  onRead({ identity: parts.identity(), kinds, file: files[0], columns: null });
}
