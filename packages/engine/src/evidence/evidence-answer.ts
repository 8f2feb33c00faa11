import type { EvidenceAnswer, EvidenceMetric, FailoverCause, HappenedEvent } from "@aglens/contract";
import { agreementOf } from "@aglens/ag-model/evidence";
import type { CaptureModel } from "@aglens/ag-model/replication";
import type { TabledEvidence } from "@aglens/ag-model/tables";
import type { EvidenceEvent, EvidenceSeries } from "@aglens/evidence";
import { captureEvidence, type CaptureEvidence, type EvidenceFile } from "./capture-evidence.ts";

/** Events of an answer: a folder has some hundreds, a month of ERRORLOG may have more than a screen can show. */
export const MOST_EVENTS = 20_000;

/** Everything that the files of evidence show, except for samples; times in µs from the capture's origin. */
export function evidenceAnswer(model: CaptureModel, files: readonly EvidenceFile[]): EvidenceAnswer {
  return answerOf(captureEvidence(model, files));
}

/** @param evidence of the capture, which samples are answered from too */
export function answerOf(evidence: CaptureEvidence): EvidenceAnswer {
  const { model, originUs, servers, withoutClock } = evidence;
  const shown = shownEvents(evidence);
  const places = new Map(shown.map((event, index) => [event, index]));
  return {
    range: rangeOf(evidence),
    events: shown.map((event) => happened(evidence, event)),
    eventsLeftOut: evidence.events.length - shown.length,
    failovers: evidence.failovers.map(({ kind, text, isProven, atUs, untilUs, group, from, to, events }) => ({
      kind,
      text,
      isProven,
      at: timeOf(atUs, originUs),
      until: untilUs === null ? null : timeOf(untilUs, originUs),
      group,
      fromServer: from,
      toServer: to,
      events: events.flatMap((event) => places.get(event) ?? []),
    })) satisfies FailoverCause[],
    agreement: agreementOf(model, evidence, servers).map(({ rule, agrees, server, text, sources, phase }) => {
      const { from, to } = model.phases[phase]!;
      return { rule, agrees, server, text, sources: [...sources], from, to };
    }),
    metrics: shownSeries(evidence).map(metricOf),
    withoutClock: [...withoutClock],
  };
}

/** Whole µs: the files have no finer times. */
const timeOf = (us: number, originUs: number): number => Math.round(us - originUs);

/** All events, or those of failovers and then those nearest to the capture, by time. */
function shownEvents({ events, failovers, originUs, model }: CaptureEvidence): readonly EvidenceEvent[] {
  if (events.length <= MOST_EVENTS) return events;
  const ofFailovers = new Set(failovers.flatMap((failover) => failover.events));
  const distance = ({ atUs }: EvidenceEvent): number =>
    Math.max(0, originUs - atUs, atUs - originUs - model.duration);
  const others = events
    .filter((event) => !ofFailovers.has(event))
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, Math.max(0, MOST_EVENTS - ofFailovers.size));
  return [...ofFailovers, ...others].sort((a, b) => a.atUs - b.atUs);
}

function happened({ originUs, errorAt }: CaptureEvidence, event: EvidenceEvent): HappenedEvent {
  const { kind, atUs, fromUs, server, group, database, replica, message, states, count, text, lsn } = event;
  const error = errorAt(server, atUs);
  const sources = event.sources.map((source) => ({
    file: source.file,
    place: source.place,
    text: source.text,
    plusMinusUs: Math.ceil(source.plusMinusUs + error),
  }));
  return {
    kind,
    at: timeOf(atUs, originUs),
    from: fromUs === null ? null : timeOf(fromUs, originUs),
    plusMinusUs: sources[0]!.plusMinusUs,
    server,
    group,
    database,
    replica,
    message,
    states: states === null ? null : [states[0], states[1]],
    count,
    text,
    sources,
    block: lsn === null ? null : String(lsn),
  };
}

/** Series of the answer: a script lists all types of waits, most of which had none. */
export const shownSeries = ({ series }: CaptureEvidence): EvidenceSeries[] =>
  series.filter(
    ({ form, values }) => form !== "delta" || values.some((value) => value !== 0 && !Number.isNaN(value)),
  );

/** The evidence as tables have it. @param evidence without sensitive texts */
export const asTabled = (evidence: CaptureEvidence): TabledEvidence => ({
  ...evidence,
  series: shownSeries(evidence),
});

const metricOf = ({ metric, unit, server, of, form, values, source }: EvidenceSeries): EvidenceMetric => ({
  metric,
  unit,
  server,
  of,
  form,
  samples: values.length,
  file: source.file,
  column: source.column,
});

/** The series that a range has: references may be of another day, so that they count only where there is nothing else. */
export function withoutReferences(
  series: readonly EvidenceSeries[],
  events: readonly EvidenceEvent[],
): readonly EvidenceSeries[] {
  const others = series.filter(({ form }) => form !== "reference");
  return others.length + events.length > 0 ? others : series;
}

function rangeOf({ events, series, originUs }: CaptureEvidence): [number, number] | null {
  let from = Infinity;
  let to = -Infinity;
  const take = (us: number): void => {
    if (us < from) from = us;
    if (us > to) to = us;
  };
  for (const { atUs, fromUs } of events) {
    take(atUs);
    if (fromUs !== null) take(fromUs);
  }
  for (const { atUs } of withoutReferences(series, events)) for (const us of atUs) take(us);
  return from <= to ? [timeOf(from, originUs), timeOf(to, originUs)] : null;
}
