/** Handles files that a start finds on the disk but not in the catalog: uploaded files are never deleted. */
import type { Logger } from "pino";
import type { Blobs } from "../../store/blobs.ts";
import { storedFiles, storedIn } from "../../store/capture-state.ts";
import type { CaptureRecord } from "../../store/catalog.ts";
import type { LostAndFound } from "../../store/lost-and-found.ts";
import type { OtherServers } from "../../store/other-servers.ts";
import { isDerived } from "../derived/derived-things.ts";
import { derivedFilesOf } from "../derived/validity.ts";
import { RECORD_COPY_FILE } from "../kept/record-copy-file.ts";

export interface SweepParts {
  readonly blobs: Blobs;
  readonly lost: LostAndFound;
  /** Also of captures in the trash. */
  readonly recordOf: (id: string) => Promise<CaptureRecord | null>;
  readonly alone: OtherServers["alone"];
  readonly log: Pick<Logger, "error" | "warn">;
}

/**
 * Name of the lock for work that only one server does at a time: setting files of a capture aside, object by object, or
 * restoring them.
 */
export const lostFilesOf = (captureId: string): string => `lost files of ${captureId}`;

/**
 * Moves files of captures without a record to `lost-and-found`. Moves files that the record of their capture does not
 * name there too, such as an upload that was interrupted before it was confirmed. Deletes results of analyses.
 * @param writtenBefore ms since 1970: later files may belong to an upload in progress, and stay; undefined where no
 * other process writes
 */
export async function sweepBlobs(parts: SweepParts, writtenBefore?: number): Promise<void> {
  const { blobs, recordOf } = parts;
  for (const id of await blobs.captures()) {
    const record = await recordOf(id);
    const isYoung = await youngOf(blobs, id, writtenBefore);
    if (record === null) {
      const keys = await blobs.keys(id);
      // Another server has just deleted it.
      const isGone = writtenBefore !== undefined && keys.length === 0;
      if (!isGone && !keys.some(isYoung)) await setAside(id, parts);
      continue;
    }
    await sweepCapture(record, parts, isYoung);
    if (writtenBefore !== undefined) await blobs.removeOthers(id, storedFiles(record), writtenBefore);
  }
}

/** Unless another server is at it, which may be taking them back. */
async function setAside(id: string, { lost, recordOf, alone, log }: SweepParts): Promise<void> {
  await alone(lostFilesOf(id), async () => {
    if ((await recordOf(id)) !== null) return;
    const place = await lost.setAside(id);
    log.error({ place }, "files of a capture that the catalogue does not have were set aside");
  });
}

/** Returns a test for keys of a capture that were written since. */
async function youngOf(
  blobs: Blobs,
  id: string,
  writtenBefore: number | undefined,
): Promise<(key: string) => boolean> {
  if (writtenBefore === undefined) return () => false;
  const written = await blobs.written(id);
  return (key) => (written[key] ?? Number.POSITIVE_INFINITY) >= writtenBefore;
}

async function sweepCapture(
  record: CaptureRecord,
  { blobs, lost, alone, log }: SweepParts,
  isYoung: (key: string) => boolean,
): Promise<void> {
  const { id, files, isOne } = record;
  const named = new Set([
    ...files.map((file) => file.id),
    ...derivedFilesOf({ stored: storedIn(record) }),
    RECORD_COPY_FILE,
  ]);
  const others = (await blobs.keys(id)).filter((key) => !named.has(key) && !isYoung(key));
  for (const key of others.filter(isDerived)) await blobs.remove(id, key);
  const sources = others.filter((key) => !isDerived(key));
  // Files of a live run may belong to a plan that is continued after this.
  if (sources.length === 0 || isOne === true) return;
  await alone(lostFilesOf(id), async () => {
    const place = await lost.setFilesAside(id, sources);
    log.warn({ place }, "files that their capture does not name were set aside");
  });
}
