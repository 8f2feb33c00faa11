/** The catalogue as another process may read it, while AG Lens runs and while it does not. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "../start-error.ts";
import type { CaptureRecord } from "../store/catalogue.ts";

const BUSY_MS = 5_000;

export interface StoredCaptures {
  readonly database: DatabaseSync;
  ids(): string[];
  /** Null when there is none, or none that can be read. */
  record(id: string): CaptureRecord | null;
  close(): void;
}

/** @throws StartError `directory-unusable` when there is no catalogue, `catalogue-damaged` when it cannot be read */
export function openStoredCaptures(directory: string): StoredCaptures {
  const path = join(directory, "catalogue.sqlite");
  if (!existsSync(path)) {
    throw new StartError(
      "directory-unusable",
      `${directory} is no data directory of AG Lens: it has no catalogue.sqlite.`,
    );
  }
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
  try {
    const ids = database.prepare("SELECT id FROM captures ORDER BY created, id");
    const one = database.prepare("SELECT record FROM captures WHERE id = ?");
    return {
      database,
      ids: () => ids.all().map((row) => String(row["id"])),
      record: (id) => recordIn(one.get(id)?.["record"]),
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw new StartError(
      "catalogue-damaged",
      `The catalogue ${path} cannot be read: ${(error as Error).message}.`,
    );
  }
}

function recordIn(text: unknown): CaptureRecord | null {
  try {
    return typeof text === "string" ? (JSON.parse(text) as CaptureRecord) : null;
  } catch {
    return null;
  }
}

/** Names of the files that a capture has by its record. */
export function filesOf({ files, stored }: CaptureRecord): string[] {
  return [...files.map(({ id }) => id), ...Object.keys(stored?.files ?? {})];
}
