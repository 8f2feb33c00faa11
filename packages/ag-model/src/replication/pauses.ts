/** Servers that stood still (docs/model.md 3.7). */
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

type Silence = Omit<ServerPause, "replica">;

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
  const silent = silencesOf(model);
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

const overlap = (a: Silence, b: Silence): boolean => Math.min(a.to, b.to) > Math.max(a.from, b.from);

/** Whether it left before the middle of a silence and was answered only at its end. */
function spans({ left, answered }: Exchange, { from, to }: Silence): boolean {
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
      if (answered - sendEnd[row] >= LEAST_WAIT_US && hasOwnAnswer(obtained[row]))
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
 * quiet times waits long for the block that makes it do so: it stood still no more than its primary did.
 */
const hasOwnAnswer = (obtained: number): boolean => obtainedIn(obtained, ANSWER) !== Obtained.derived;

/** First and last event of a replica in each bin of PAUSE_US; Infinity and -Infinity in a bin without any. */
class BinEnds {
  readonly first: Float64Array;
  readonly last: Float64Array;
  #bin = 0;
  #from = 0;
  #to = PAUSE_US;

  constructor(bins: number) {
    this.first = new Float64Array(bins).fill(Infinity);
    this.last = new Float64Array(bins).fill(-Infinity);
  }

  /** Takes an event by when it fired, which is nearly always in the bin of the one before. NaN has no bin. */
  add(fire: number): void {
    if (!(fire >= this.#from && fire < this.#to)) this.#enter(Math.floor(fire / PAUSE_US));
    // Outside of the capture there is no bin: a typed array keeps nothing there.
    if (fire < this.first[this.#bin]) this.first[this.#bin] = fire;
    if (fire > this.last[this.#bin]) this.last[this.#bin] = fire;
  }

  #enter(bin: number): void {
    this.#bin = bin;
    this.#from = bin * PAUSE_US;
    this.#to = this.#from + PAUSE_US;
  }
}

/** By replica: stretches of PAUSE_US or more without an event. No such stretch lies inside one bin of that width. */
function silencesOf({
  replicas,
  events,
  files,
  duration,
}: Pick<CaptureModel, "replicas" | "events" | "files" | "duration">): readonly Silence[][] {
  const bins = Math.floor(duration / PAUSE_US) + 1;
  const endsOfReplica = replicas.map(() => new BinEnds(bins));
  const endsOfFile = files.map(({ replica }) => endsOfReplica[replica]);
  const { fire, file, length } = events;
  for (let i = 0; i < length; i++) endsOfFile[file[i]].add(fire[i]);
  return endsOfReplica.map(silencesBetween);
}

function silencesBetween({ first, last }: Pick<BinEnds, "first" | "last">): Silence[] {
  const silences: Silence[] = [];
  let from = Infinity;
  for (const [bin, to] of first.entries()) {
    if (to === Infinity) continue;
    if (to - from >= PAUSE_US) silences.push({ from, to });
    from = last[bin];
  }
  return silences;
}
