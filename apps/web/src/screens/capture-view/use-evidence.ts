import type { EvidenceAnswer, FailoverCause, Summary } from "@aglens/contract";
import { type Answer, useAnswer } from "../../data/use-answer.ts";
import { type CaptureTime, isLocal, timesInZone, unbroken, zoneName } from "../../ui/words.ts";
import { useCapture } from "./capture-context.ts";

/** The answer about the capture's evidence files, as it was asked for. */
export function useEvidenceAnswer(): Answer<EvidenceAnswer> {
  const { source, hasEvidence = true } = useCapture();
  return useAnswer(hasEvidence ? source.evidence() : null);
}

/** Facts from the capture's evidence files; null until they are known, and where it has none. */
export function useEvidence(): EvidenceAnswer | null {
  const { value } = useEvidenceAnswer();
  return hasFacts(value) ? value : null;
}

/** Whether evidence files have any event or sample. */
export const hasFacts = (answer: EvidenceAnswer | null): answer is EvidenceAnswer =>
  answer !== null && answer.events.length + answer.metrics.length > 0;

/** Number of files that report an event or have samples. */
export function countFiles({ events, metrics }: Pick<EvidenceAnswer, "events" | "metrics">): number {
  const files = events.flatMap(({ sources }) => sources.map(({ file }) => file));
  return new Set([...files, ...metrics.map(({ file }) => file)]).size;
}

/** The sentence about a failover, with its time in the zone of the capture. */
export const failoverText = (capture: CaptureTime, { text }: Pick<FailoverCause, "text">): string =>
  unbroken(isLocal(capture) ? timesInZone(capture, text.replaceAll(" UTC", ` ${zoneName(capture)}`)) : text);

/** Time around a failover that its link shows, on both sides, µs. */
const AROUND_US = 30e6;

/** A range around a failover, inside the capture, µs. */
export function rangeOfFailover(
  { durationUs }: Pick<Summary, "durationUs">,
  { at, until }: Pick<FailoverCause, "at" | "until">,
): readonly [number, number] | null {
  const from = Math.max(0, at - AROUND_US);
  const to = Math.min(durationUs, (until ?? at) + AROUND_US);
  return to > from ? [from, to] : null;
}
