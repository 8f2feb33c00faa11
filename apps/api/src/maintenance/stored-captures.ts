/** The catalog as a check reads it. */
import type { CaptureRecord } from "../store/catalog.ts";
import { captureIn, linkIn } from "../store/stored-record.ts";
import { RECORD } from "../store/tables.ts";
import type { Database } from "../store/tables.ts";

interface StoredRecords {
  /** Oldest first. */
  ids(): Promise<string[]>;
  /** Null when the record does not exist, or cannot be read. */
  record(id: string): Promise<CaptureRecord | null>;
  /** Links whose capture is not there. */
  looseLinks(): Promise<number>;
}

export interface StoredCaptures extends StoredRecords {
  /** Sentences about damage in the catalog itself. */
  damage(): Promise<string[]>;
  close(): Promise<void>;
}

/** Reads columns only that all versions of the tables have: a check changes nothing, so it doesn't bring a file up to date. */
export function storedRecords(database: Database): StoredRecords {
  const ids = async (): Promise<string[]> => {
    const query = database.selectFrom("captures").select("id").orderBy("created").orderBy("id");
    return (await query.execute()).map(({ id }) => id);
  };
  return {
    ids,
    record: async (id) => {
      const query = database.selectFrom("captures").select(RECORD).where("id", "=", id);
      return readable(captureIn, (await query.executeTakeFirst())?.record);
    },
    looseLinks: async () => {
      const there = new Set<string | undefined>(await ids());
      const links = await database.selectFrom("links").select(RECORD).execute();
      return links.filter(({ record }) => !there.has(readable(linkIn, record)?.captureId)).length;
    },
  };
}

function readable<Stored>(read: (text: string) => Stored, text: string | undefined): Stored | null {
  try {
    return text === undefined ? null : read(text);
  } catch {
    return null;
  }
}
