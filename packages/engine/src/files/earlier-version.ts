/**
 * Files that an earlier version of AG Lens read or changed. Up to November 2026 it took the 16 bytes at a GUID's column for its
 * value, where SQL Server writes a descriptor, and dropping sensitive values overwrote the value itself, as no column claimed it.
 */
import { isOverwrittenGuid } from "@aglens/ag-model/check";
import type { CaptureFile } from "@aglens/contract";
import { unreadable } from "./recognised.ts";
import type { Recognized } from "./recognised.ts";

type FileIds = Pick<CaptureFile, "replicaId" | "partnerIds" | "identity">;

function idsOf({ replicaId, partnerIds, identity }: FileIds): string[] {
  const { ownIds = [], partnerIds: partners = [], groupIds = [], databases = [] } = identity ?? {};
  const own = replicaId === null ? [] : [replicaId];
  return [...own, ...partnerIds, ...ownIds, ...partners, ...groupIds, ...databases.map(({ id }) => id)];
}

/** A descriptor that was read as an id: 32 bits of an offset, then the length 16. No id that Windows or SQL Server creates is of this form. */
const DESCRIPTOR = /^[\da-f]{8}-0010-0000-/u;

/** Whether an earlier version recognized the file and took descriptors for ids: its servers and databases are wrong. */
export const isMisread = (file: FileIds): boolean => idsOf(file).some((id) => DESCRIPTOR.test(id));

/** Whether the ids in a misread file were overwritten when it was received: reading it again does not help. */
export const isMisreadAndOverwritten = (file: CaptureFile): boolean =>
  isMisread(file) && (file.dropped?.bytes ?? 0) > 0;

/** The recognized file, or an unused one where an earlier version overwrote its ids. */
export const unlessOverwritten = (name: string, found: Recognized): Recognized =>
  idsOf(found).some(isOverwrittenGuid) ? overwritten(name) : found;

/** A file whose ids an earlier version overwrote. */
export const overwritten = (name: string): Recognized =>
  unreadable(
    `${name}: An earlier version of AG Lens overwrote replica and database ids in this file. Upload the original file again.`,
  );

/** A file with the result of reading it again, in place of an earlier version's. */
export function withRecognized(before: CaptureFile, found: Recognized): CaptureFile {
  const { unclaimed: _, ...file } = before;
  const { kind, message, gaps, events, from, to, detectedRole, evidence, unclaimed } = found;
  const { replicaId, partnerIds, replicaNames, databaseNames, groupNames, identity } = found;
  return {
    ...file,
    kind,
    message,
    gaps,
    events,
    from,
    to,
    detectedRole,
    evidence,
    replicaId,
    partnerIds,
    replicaNames,
    databaseNames,
    groupNames,
    identity,
    ...(unclaimed === undefined ? {} : { unclaimed }),
  };
}
