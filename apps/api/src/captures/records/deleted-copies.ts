/**
 * A server's copies of captures' files, where several have the files in a bucket: they are removed with their
 * originals.
 */
import type { Logger } from "pino";
import { hasEnded } from "../../store/capture-state.ts";
import type { Records } from "./records.ts";

/** On the disk of this server. */
export interface Copies {
  /** Ids of captures with copies. */
  captures(): Promise<string[]>;
  /** Removes those of one capture. */
  remove(captureId: string): Promise<void>;
}

/**
 * Removes copies of captures that another server deleted permanently: at once after that server's message, else now, at
 * a start, or after missed messages.
 * @returns resolves when the copies of earlier deletions are gone; never rejects
 */
export function removeDeletedCopies(
  records: Records,
  copies: Copies,
  log: Pick<Logger, "warn">,
): Promise<void> {
  const failed = (error: unknown): void => {
    log.warn({ err: error }, "copies of deleted captures may be on this server's disk until its next start");
  };
  const lookAt = async (id: string): Promise<void> => {
    const record = await records.stored(id);
    if (record === null || hasEnded(record)) await copies.remove(id);
  };
  const lookAtAll = async (): Promise<void> => {
    for (const id of await copies.captures()) await lookAt(id);
  };
  records.onOutdated((id) => void lookAt(id).catch(failed));
  records.others.onMissed(() => void lookAtAll().catch(failed));
  return lookAtAll().catch(failed);
}
