/** What takes long of reading files: done here, or in threads (`event-threads.ts`). */
import type { EventColumns } from "../src/events/index.ts";
import { identityOf, type FileIdentity } from "../src/grouping/index.ts";
import type { ServerInput } from "../src/replication/index.ts";
import { columnsIn } from "./source.ts";

/** A file, or standard input. */
export interface FileToRead {
  /** Where its bytes are; - is standard input. */
  readonly path: string;
  /** What it is called. */
  readonly name: string;
  /** Files of other format versions are tried. */
  readonly force: boolean;
}

/** The events of a file and what they say of who wrote it. */
export interface FileEvents {
  readonly columns: EventColumns;
  readonly identity: FileIdentity;
}

/** The events of a server as the model takes them. */
export type ServerEvents = Pick<ServerInput, "columns" | "prepared">;

/** Whoever does the work. */
export interface EventWork {
  /** Whether work goes on beside this thread, on several files at once. */
  readonly isBeside: boolean;
  /** @throws XelFormatError for what is no event file, and the system's error for a file that cannot be read */
  read(file: FileToRead): Promise<FileEvents>;
  /** Prepares the events of one server. @param parts of a file each; used up, nobody may look at them afterwards */
  prepare(parts: readonly EventColumns[]): Promise<ServerEvents>;
  /** Nothing more will be asked. What is still under way is left. */
  end(): Promise<void>;
}

export async function readFileEvents({ path, name, force }: FileToRead): Promise<FileEvents> {
  const columns = await columnsIn(path, { force }, name);
  return { columns, identity: identityOf(columns) };
}
