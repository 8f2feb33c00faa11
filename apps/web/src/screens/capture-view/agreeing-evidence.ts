/** The sentence about a slow time from evidence files: what contradicts it, else what a server reported in it. */
import { replicaOfSlot } from "@aglens/ag-model/replication";
import type { EvidenceAgreement, EvidenceAnswer, Finding, HappenedEvent, Summary } from "@aglens/contract";
import { windowsOf } from "@aglens/ag-model/diagnosis";
import type { TimeRange } from "../../data/capture-source.ts";
import { happenedTexts as texts } from "../../messages/happened.ts";

/** A time that was slow, and why; a finding or an episode. */
interface SlowTime {
  readonly cause: Finding["cause"];
  /** Index into the summary's replicas; null where it is not about one. */
  readonly replica: number | null;
  readonly windows: readonly TimeRange[];
}

type Kind = "disk" | "network" | "scheduler";

/** Kind of events that explain a cause; other causes are explained by none. */
const KINDS: Readonly<Partial<Record<Finding["cause"], Kind>>> = {
  primary_disk: "disk",
  secondary_disk: "disk",
  network: "network",
  replica_away: "network",
  stall: "scheduler",
  server_pause: "scheduler",
  secondary_cpu: "scheduler",
};

/** Connections that timed out or were lost, by their messages; others tell of new connections. */
const LOST_CONNECTIONS: readonly (number | null)[] = [35201, 35206, 35267];

const IS_OF: Readonly<Record<Kind, (event: HappenedEvent) => boolean>> = {
  disk: ({ kind }) => kind === "slowIo",
  network: ({ kind, message }) => kind === "connectivity" && LOST_CONNECTIONS.includes(message),
  scheduler: ({ kind }) => kind === "scheduler" || kind === "memory",
};

const overlaps = (a: TimeRange, b: TimeRange): boolean => a.from < b.to && a.to > b.from;

/** A sentence of at most 20 words; null where no file has anything about it. */
export function agreeingSentence(
  { events, agreement }: Pick<EvidenceAnswer, "events" | "agreement">,
  { cause, replica, windows }: SlowTime,
  { replicas }: Pick<Summary, "replicas">,
): string | null {
  const kind = KINDS[cause];
  const server = replica === null ? null : (replicas[replica]?.name ?? null);
  // Events of an unknown server explain a slow network alone.
  if (kind === undefined || (server === null && kind !== "network")) return null;
  const isOwn = (name: string | null): boolean =>
    server === null || name?.toUpperCase() === server.toUpperCase();
  const against = agreement.find(
    ({ agrees, rule, server: own, from, to }) =>
      agrees === false &&
      (kind === "disk" ? isOwn(own) : kind === "network") &&
      texts.contradictions[kind][rule] !== undefined &&
      windows.some((window) => overlaps({ from, to }, window)),
  );
  if (against !== undefined) return contradictionOf(against, kind);
  const own = events.filter(
    (event) =>
      IS_OF[kind](event) &&
      (isOwn(event.server) || (kind === "network" && isOwn(event.replica))) &&
      windows.some((window) => isIn(event, window)),
  );
  return own.length === 0 ? null : reportOf(own, kind);
}

/** The same about the episodes of one label in a range, with the server of the finding that they belong to. */
export function episodeSentence(
  answer: Parameters<typeof agreeingSentence>[0],
  { label, cause, secondary }: Summary["verdict"]["episodes"][number],
  range: TimeRange,
  summary: Pick<Summary, "verdict" | "replicas" | "phases">,
): string | null {
  const { findings, episodes } = summary.verdict;
  const windows = episodes.filter((each) => each.label === label && overlaps(each, range));
  // The finding may be about a part of the episode that is not in the range.
  const ofCause = findings.filter(
    (each) =>
      each.cause === cause && windowsOf(each).some((own) => windows.some((window) => overlaps(own, window))),
  );
  const primaries = summary.phases
    .filter((phase) => windows.some((window) => overlaps(phase, window)))
    .map(({ primary }) => primary);
  const isSecondary = (replica: number | null): boolean =>
    primaries.some((primary) => replicaOfSlot(primary, secondary) === replica);
  // A server that was unresponsive may have delayed the path to another one.
  const isOther = (replica: number | null): boolean =>
    cause === "server_pause" || replica === null || primaries.includes(replica);
  const finding =
    ofCause.find(({ replica }) => isSecondary(replica)) ?? ofCause.find(({ replica }) => isOther(replica));
  return agreeingSentence(answer, { cause, replica: finding?.replica ?? null, windows }, summary);
}

const contradictionOf = ({ rule, server }: EvidenceAgreement, kind: Kind): string =>
  texts.contradicts(texts.contradictions[kind][rule] ?? "", kind === "disk" ? server : null);

/** Whether an event may have been in a window, by its uncertainty. */
const isIn = ({ at, from, plusMinusUs }: HappenedEvent, window: TimeRange): boolean =>
  at + plusMinusUs >= window.from && (from ?? at) - plusMinusUs <= window.to;

function reportOf(events: readonly HappenedEvent[], kind: Kind): string {
  const [first] = events;
  const servers = new Set(events.map(({ server }) => server));
  const server = servers.size === 1 ? (first?.server ?? null) : null;
  if (kind === "disk") return requestsOf(events, server);
  if (events.length > 1 || first === undefined) return texts.reportedInThisTime[kind](server, events.length);
  return server === null || first.text.includes(server) ? first.text : `${server}: ${first.text}`;
}

const LONG_REQUEST_MESSAGE = 833;

/** ERRORLOG counts each request once; a health check counts those that wait at its time, also the same ones again. */
function requestsOf(events: readonly HappenedEvent[], server: string | null): string {
  const reports = events.filter(({ message }) => message === LONG_REQUEST_MESSAGE);
  const counted = reports.length > 0 ? reports : events;
  const onLog = counted.filter(({ text }) => /\.ldf\b/iu.test(text));
  const used = onLog.length > 0 ? onLog : counted;
  const volumes = new Set(used.map(({ text }) => /\b([A-Z]:)\\/iu.exec(text)?.[1]?.toUpperCase()));
  const [volume] = volumes;
  const counts = used.map(({ count }) => count);
  return texts.reportedInThisTime.disk(
    server,
    reports.length > 0 ? counts.reduce((sum, count) => sum + count, 0) : Math.max(...counts),
    (volumes.size === 1 && volume) || null,
    onLog.length > 0 || used.every(({ text }) => !/\.[mn]df\b/iu.test(text)),
  );
}
