/**
 * The rest of a capture after it expired: no file, no table and no link, only the figures that the fleet page follows.
 */
import type { CaptureFile } from "@aglens/contract";
import { end, hasEnded } from "../../store/capture-state.ts";
import type { Ended } from "../../store/capture-state.ts";
import type { CaptureRecord } from "../../store/catalog.ts";
import { groupOf } from "../kept/group-name.ts";

/** The range of a fleet page: two years. */
const KEPT_MS = 732 * 24 * 3_600_000;

/** Time of the first event of the files that the analysis uses; null without one. */
export function firstEvent(files: readonly CaptureFile[]): string | null {
  const used = files.filter(({ role, from }) => role !== "ignored" && from !== null);
  return used.map(({ from }) => from ?? "").toSorted()[0] ?? null;
}

/**
 * Record of a capture whose files are deleted permanently; null when nothing is kept: a user deleted it, or it has no
 * figures.
 */
export function endedRecord(record: CaptureRecord): (CaptureRecord & Ended) | null {
  const { id, name, created, expires, life, analysis, files, owner, shared, tags } = record;
  if (analysis.is !== "ready") return null;
  const { stored: _, digest, ...verdict } = analysis;
  if (digest?.fleet === undefined || digest.fleet === null) return null;
  const left = {
    id,
    name,
    created,
    expires,
    ...(owner === undefined ? {} : { owner }),
    ...(shared === undefined ? {} : { shared }),
    ...(tags === undefined ? {} : { tags }),
    files: [],
    life,
    analysis: { ...verdict, digest: { ...digest, glyph: "" } },
  };
  const ended = end(left, { group: groupOf(files), from: firstEvent(files) });
  return hasEnded(ended) ? ended : null;
}

/** Whether its figures are too old for any fleet page. @param now ms since 1970 */
export const isForgotten = ({ life, created }: CaptureRecord & Ended, now: number): boolean =>
  now - Date.parse(life.from ?? created) > KEPT_MS;
