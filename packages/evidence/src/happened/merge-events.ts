import type { EvidenceEvent } from "../shapes.ts";

/** Files of one server report the same thing within this time of each other, in addition to their uncertainty. In µs. */
const TOLERANCE_US = 1_000_000;

/** Reports of a flood of equal events that are compared with one; further ones stay separate. */
const MOST_COMPARED = 1_000;

/** An event with all reports of it so far. */
interface Cluster {
  event: EvidenceEvent;
  readonly reporters: Set<string>;
}

/**
 * Puts the events of several files together so that each thing is there once, with all its sources, by time. Its time is
 * that of the source with the smallest uncertainty. Two events of one file are two things, also at the same time, unless one
 * of them is a message. Events of
 * different servers are never one.
 * @param perFile events of each file
 */
export function mergeEvents(perFile: readonly (readonly EvidenceEvent[])[]): EvidenceEvent[] {
  const clusters = new Map<string, Cluster[]>();
  for (const events of perFile) {
    for (const event of [...events].sort(byTime)) addTo(clusters, event);
    // The search in a list needs it by time; the files before may have events of later times.
    for (const list of clusters.values()) list.sort((a, b) => byTime(a.event, b.event));
  }
  return [...clusters.values()]
    .flat()
    .map(({ event }) => event)
    .sort(byTime);
}

const byTime = (a: EvidenceEvent, b: EvidenceEvent): number => a.atUs - b.atUs;

function addTo(clusters: Map<string, Cluster[]>, event: EvidenceEvent): void {
  const key = keyOf(event);
  const same = clusters.get(key);
  const reporter = reporterOf(event);
  const known = same === undefined ? undefined : nearest(same, event);
  if (known !== undefined) {
    known.event = joined(known.event, event);
    known.reporters.add(reporter);
    return;
  }
  const cluster = { event, reporters: new Set([reporter]) };
  if (same === undefined) clusters.set(key, [cluster]);
  else same.push(cluster);
}

/** A session may record a thing as an event of its own and as a message. */
function reporterOf({ sources }: EvidenceEvent): string {
  const { file, text } = sources[0]!;
  return `${text === null ? "event" : "message"} ${file}`;
}

/** An event without its time. Messages of one thing may name it with a number or without, so texts count. */
function keyOf({
  kind,
  server,
  group,
  database,
  replica,
  message,
  states,
  text,
  sources,
}: EvidenceEvent): string {
  const what = states === null ? (message ?? text) : states.join(" to ").toUpperCase();
  // Files of unknown servers may be of two.
  const where = fold(server) ?? sources[0]!.file;
  return JSON.stringify([kind, what, where, fold(group), fold(database), fold(replica)]);
}

/** Names in SQL Server are usually equal without regard to case. */
const fold = (name: string | null): string | null => name?.toUpperCase() ?? null;

/** The cluster that the event belongs to: the nearest one in time that has no report of the same file. */
function nearest(clusters: readonly Cluster[], event: EvidenceEvent): Cluster | undefined {
  const reporter = reporterOf(event);
  const { plusMinusUs } = event.sources[0]!;
  let best: Cluster | undefined;
  let bestDistance = Infinity;
  const from = lowerBound(clusters, event.atUs - 2 * TOLERANCE_US);
  const to = Math.min(clusters.length, from + MOST_COMPARED);
  for (let i = from; i < to; i++) {
    const cluster = clusters[i]!;
    const distance = Math.abs(cluster.event.atUs - event.atUs);
    if (cluster.event.atUs > event.atUs + 2 * TOLERANCE_US) break;
    const allowed = TOLERANCE_US + plusMinusUs + cluster.event.sources[0]!.plusMinusUs;
    if (distance > allowed || distance >= bestDistance || cluster.reporters.has(reporter)) continue;
    best = cluster;
    bestDistance = distance;
  }
  return best;
}

/** First cluster that is not before a time, as far as clusters are by time. */
function lowerBound(clusters: readonly Cluster[], atUs: number): number {
  let low = 0;
  let high = clusters.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (clusters[middle]!.event.atUs < atUs) low = middle + 1;
    else high = middle;
  }
  return low;
}

function joined(a: EvidenceEvent, b: EvidenceEvent): EvidenceEvent {
  const [exact, other] = a.sources[0]!.plusMinusUs <= b.sources[0]!.plusMinusUs ? [a, b] : [b, a];
  return {
    ...exact,
    fromUs: exact.fromUs ?? other.fromUs,
    message: exact.message ?? other.message,
    lsn: exact.lsn ?? other.lsn,
    states:
      exact.states === null ? other.states : [exact.states[0] ?? other.states?.[0] ?? null, exact.states[1]],
    sources: [...exact.sources, ...other.sources].sort((x, y) => x.plusMinusUs - y.plusMinusUs),
  };
}
