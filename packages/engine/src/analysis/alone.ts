/**
 * The analysis of a capture whose files have no data-movement events: its servers, its time and its last failover. No
 * figure of a stage is computed from such files.
 */
import type { EvidenceEvent, FolderEvidence } from "@aglens/evidence";
import { diagnose } from "@aglens/ag-model/diagnosis";
import type { Verdict } from "@aglens/ag-model/diagnosis";
import { modelWithoutBlocks } from "@aglens/ag-model/replication";
import type { CaptureModel, ServersAlone } from "@aglens/ag-model/replication";
import { filetimeOfUnixUs } from "xel-parser/format";
import { decodeEvidence, mergeEvidence, withoutReferences, type EncodedEvidence } from "../evidence/index.ts";
import { AnalysisError } from "./analysis-error.ts";

export interface AnalyzedAlone {
  readonly model: CaptureModel;
  readonly verdict: Verdict;
}

/**
 * @param files all files of evidence; one whose facts are damaged is skipped
 * @throws AnalysisError where no file has an event or a sample with a time
 */
export function analyzeAlone(files: readonly EncodedEvidence[]): AnalyzedAlone {
  return analyzeEvidence(mergeEvidence(files.flatMap((file) => decodeEvidence(file) ?? [])));
}

/** The same from what the files show together. @throws AnalysisError as `analyzeAlone` */
export function analyzeEvidence(evidence: FolderEvidence): AnalyzedAlone {
  const [fromUs, toUs] = rangeOf(evidence);
  if (fromUs > toUs)
    throw new AnalysisError(
      "nothing-to-analyse",
      "The files have no event with a known time. Choose their time zones, or add other files.",
    );
  const model = modelWithoutBlocks({
    servers: serversOf(evidence),
    databases: [],
    originTicks: filetimeOfUnixUs(BigInt(fromUs)),
    durationUs: toUs - fromUs,
  });
  return { model, verdict: verdictOf(evidence, model, fromUs) };
}

/** From the first to the last event or sample, µs since 1970; the first is after the last without any. */
function rangeOf({ events, series }: FolderEvidence): [number, number] {
  let [from, to] = [Infinity, -Infinity];
  const add = (us = Number.NaN): void => {
    if (us < from) from = us;
    if (us > to) to = us;
  };
  for (const { fromUs, atUs } of events) {
    add(fromUs ?? atUs);
    add(atUs);
  }
  for (const { atUs } of withoutReferences(series, events)) {
    add(atUs.at(0));
    add(atUs.at(-1));
  }
  return [Math.floor(from), Math.ceil(to)];
}

/** Servers that a file is from or that have a known replica id: the primary replica at the beginning is the first. */
function serversOf({ names, files, events, offsets }: FolderEvidence): ServersAlone["servers"] {
  const ids = new Map<string, string>();
  for (const { server, replicaId } of names) if (!ids.has(server)) ids.set(server, replicaId);
  for (const { server, state } of files)
    if (server !== null && state === "used" && !isNamed(ids, server)) ids.set(server, "");
  if (ids.size === 0) ids.set("Server", "");
  const primary = firstPrimary(events)?.toUpperCase();
  return Array.from(ids, ([name, id]) => ({
    id,
    name,
    utcOffsetMinutes: offsets.find(({ server }) => server.toUpperCase() === name.toUpperCase())
      ?.utcOffsetMinutes,
  })).sort((a, b) => Number(b.name.toUpperCase() === primary) - Number(a.name.toUpperCase() === primary));
}

const isNamed = (ids: ReadonlyMap<string, string>, server: string): boolean =>
  [...ids.keys()].some((name) => name.toUpperCase() === server.toUpperCase());

/** Server that left the primary role first, else the one that took it first. */
function firstPrimary(events: readonly EvidenceEvent[]): string | null {
  const roles = events.filter(
    ({ kind, database, states }) => kind === "role" && database === null && states !== null,
  );
  const hasLeft = roles.find(({ states }) => isPrimary(states?.[0]));
  return (hasLeft ?? roles.find(({ states }) => isPrimary(states?.[1])))?.server ?? null;
}

const isPrimary = (state: string | null | undefined): boolean => /^PRIMARY/iu.test(state ?? "");

const NO_FAILOVER = "These files don't show a failover.";
const CHECK_NEXT = "Record data-movement events on all replicas to see where commits wait";

function verdictOf({ cause }: FolderEvidence, model: CaptureModel, originUs: number): Verdict {
  const verdict: Verdict = { ...diagnose(model), findings: [], checkNext: [CHECK_NEXT] };
  if (cause === null) return { ...verdict, sentence: NO_FAILOVER, severity: "none", cause: "none" };
  const window = { from: cause.atUs - originUs, to: (cause.untilUs ?? cause.atUs) - originUs };
  return {
    ...verdict,
    sentence: cause.text,
    severity: "notice",
    cause: "role_change",
    window,
    windows: [window],
  };
}
