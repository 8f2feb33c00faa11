/** Servers that stood still (docs/model.md 3.7). */
import type { Span } from "./event-spans.ts";
import { primaryOfBlock, replicaOfHop } from "./slots.ts";
import { HOP_ANCHORS, Obtained, obtainedIn, type CaptureModel } from "./tables.ts";

/** A server without an event for at least this long, while something waited for it, stood still, µs. */
export const PAUSE_US = 500_000;
/** Part of a silence at either end in which instants may be off: clocks are not certain there. */
const END_PART = 0.1;
/** What left before the middle of a silence and is answered near its end takes at least this long, µs. */
const LEAST_WAIT_US = (0.5 - END_PART) * PAUSE_US;

/** A stretch in which a server stood still, µs. */
export interface ServerPause {
  readonly replica: number;
  readonly from: number;
  readonly to: number;
}

/** What left for a server, and its answer, µs. */
interface Exchange {
  readonly left: number;
  readonly answered: number;
}

/**
 * Servers that stood still: no event of any kind for a while, and then an answer to what had come before. A silence in which
 * nobody waited is an idle server, and one in which answers went on arriving elsewhere is a loss of events.
 */
export function serverPauses(model: Omit<CaptureModel, "warnings" | "markers">): ServerPause[] {
  const silent = model.events.spans?.silences ?? silencesOf(model);
  if (silent.every((silences) => silences.length === 0)) return [];
  const { ofSecondary, ofPrimary } = slowExchanges(model);
  const waitedFor = (exchanges: readonly (readonly Exchange[])[]): ServerPause[] =>
    silent.flatMap((silences, replica) =>
      silences
        .filter((silence) => exchanges[replica].some((exchange) => spans(exchange, silence)))
        .map((silence) => ({ replica, ...silence })),
    );
  const secondaries = waitedFor(ofSecondary);
  // A primary whose commits all wait for a secondary that stands still is silent as well.
  const primaries = waitedFor(ofPrimary).filter((pause) => !secondaries.some((each) => overlap(each, pause)));
  return [...secondaries, ...primaries].sort((a, b) => a.from - b.from);
}

const overlap = (a: Span, b: Span): boolean => Math.min(a.to, b.to) > Math.max(a.from, b.from);

/** Whether it left before the middle of a silence and was answered only at its end. */
function spans({ left, answered }: Exchange, { from, to }: Span): boolean {
  const part = (to - from) * END_PART;
  return left >= from - part && left <= (from + to) / 2 && answered >= to - part;
}

/** By replica: blocks that took long from their departure to the acknowledgement, and acknowledgements that took long to arrive. */
function slowExchanges(model: Pick<CaptureModel, "replicas" | "phases" | "blocks" | "hops">): {
  readonly ofSecondary: readonly Exchange[][];
  readonly ofPrimary: readonly Exchange[][];
} {
  const ofSecondary = model.replicas.map((): Exchange[] => []);
  const ofPrimary = model.replicas.map((): Exchange[] => []);
  for (const [slot, { sendEnd, ackSent, ackReceived, obtained }] of model.hops.entries()) {
    for (let row = 0; row < model.blocks.length; row++) {
      const answered = ackReceived[row];
      // Where an instant is missing neither difference is a number, and no comparison holds.
      if (!hasOwnAnswer(obtained[row])) continue;
      if (answered - sendEnd[row] >= LEAST_WAIT_US)
        ofSecondary[replicaOfHop(model, row, slot)].push({ left: sendEnd[row], answered });
      if (answered - ackSent[row] >= LEAST_WAIT_US)
        ofPrimary[primaryOfBlock(model, row)].push({ left: ackSent[row], answered });
    }
  }
  return { ofSecondary, ofPrimary };
}

const ANSWER = HOP_ANCHORS.indexOf("ackReceived");

/**
 * Whether the acknowledgement that came back is the block's own. An asynchronous replica acknowledges several blocks at once, and in
 * quiet times waits long for the block that makes it do so: it stood still no more than its primary did. Nor did a primary whose events of the own
 * one were lost.
 */
const hasOwnAnswer = (obtained: number): boolean => obtainedIn(obtained, ANSWER) !== Obtained.derived;

/** Events that are passed over together where they are close to each other. */
const LOOKED_OVER = 100;

/** By replica: stretches of PAUSE_US or more without an event. */
function silencesOf({ replicas, events }: Pick<CaptureModel, "replicas" | "events">): readonly Span[][] {
  const silences = replicas.map((): Span[] => []);
  for (const run of events.runs) {
    const { known } = run;
    for (let end = 1; end < known; end += LOOKED_OVER) {
      // Where so many events take less than a pause, none of them is far from the next.
      const last = Math.min(known, end + LOOKED_OVER);
      if (run.fireAt(last - 1) - run.fireAt(end - 1) < PAUSE_US) continue;
      for (let row = end; row < last; row++) {
        const [from, to] = [run.fireAt(row - 1), run.fireAt(row)];
        if (to - from >= PAUSE_US) silences[run.replica].push({ from, to });
      }
    }
  }
  return silences;
}
