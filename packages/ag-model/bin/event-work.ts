/** What takes long of reading files: done here, or in threads (`event-threads.ts`). */
import { countKinds, type EventColumns, type EventFile } from "../src/events/index.ts";
import { identityOf, type FileIdentity } from "../src/grouping/index.ts";
import {
  buffersOfEvents,
  prepareEvents,
  prepareInTurn,
  type GiveBack,
  type PreparedEvents,
  type PreparedInput,
  type ServerInput,
} from "../src/replication/index.ts";
import { columnsIn, piecesIn } from "./source.ts";

/** A file, or standard input. */
export interface FileToRead {
  /** Where its bytes are; - is standard input. */
  readonly path: string;
  /** What it is called. */
  readonly name: string;
  /** Files of other format versions are tried. */
  readonly force: boolean;
}

/** What reading a file gives of its events: these themselves, what was prepared of them as its server's only file, or nothing. */
export type Wanted = "columns" | "prepared" | "nothing";

/** What the events of a file say of who wrote it, and what was wanted of them. */
export interface FileEvents {
  readonly identity: FileIdentity;
  /** Events by kind. */
  readonly kinds: Uint32Array;
  readonly file: EventFile;
  readonly columns: EventColumns | null;
  readonly prepared: PreparedEvents | null;
}

/** The events of a server as the model takes them. */
export type ServerEvents = Pick<ServerInput, "columns" | "prepared"> | Pick<PreparedInput, "prepared">;

/** Whoever does the work. */
export interface EventWork {
  /** Whether work goes on beside this thread, on several files at once. */
  readonly isBeside: boolean;
  /** @throws XelFormatError for what is no event file, and the system's error for a file that cannot be read */
  read(file: FileToRead, wanted: Wanted): Promise<FileEvents>;
  /** Prepares the events of one server. @param parts of a file each; used up, nobody may look at them afterwards */
  prepare(parts: readonly EventColumns[]): Promise<ServerEvents>;
  /** The same, of files that are read again for it, piece by piece. @param files in the order of their first events */
  prepareFiles(files: readonly FileToRead[], events: number): Promise<PreparedEvents>;
  /** Nothing more will be asked. What is still under way is left. */
  end(): Promise<void>;
}

/** Who lists events wants their columns (`ReadingOptions.keepsEvents`). */
const UNLISTED = { ofEach: false };

export async function readFileEvents({ path, name, force }: FileToRead, wanted: Wanted): Promise<FileEvents> {
  const columns = await columnsIn(path, { force }, name);
  return {
    identity: identityOf(columns),
    kinds: countKinds(columns),
    file: columns.files[0],
    columns: wanted === "columns" ? columns : null,
    prepared: wanted === "prepared" ? prepareEvents(columns, UNLISTED) : null,
  };
}

/** Memory that events had is there for others at once. */
export const giveBack: GiveBack = (memory) => memory.forEach((buffer) => buffer.transfer(0));

export const prepareFiles: EventWork["prepareFiles"] = (files, events) =>
  prepareInTurn({
    files: files.map(
      ({ path, name, force }) =>
        () =>
          piecesIn(path, { force }, name),
    ),
    events,
    kept: UNLISTED,
    release: (columns) => giveBack(buffersOfEvents({ columns })),
  });
