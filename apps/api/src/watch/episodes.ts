/** Episodes of one watch: from a trigger over its recording, or a refusal, to the verdict. Each step is stored as it happens. */
import { refusalOf } from "@aglens/ag-model/watch";
import type { FiredRule, PastRecording } from "@aglens/ag-model/watch";
import type { Owner, Watch, WatchDefinition, WatchEpisode, WatchRule, WatchStep } from "@aglens/contract";
import type { Logger } from "pino";
import type { Clock } from "../kernel/clock.ts";
import { NotKept } from "./recording.ts";
import type { RecordedVerdict, Recorder } from "./recording.ts";
import { episodesIn } from "./stored-watch.ts";
import type { WatchCounts } from "./watch-figures.ts";
import type { MessageWatch, NewMessage, WatchMessages } from "./watch-messages.ts";
import type { WatchStore } from "./watch-store.ts";

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** An episode with more steps counts those that may be without an end. */
const MOST_STEPS = 50;
const INTERRUPTED = "AG Lens ended during the recording.";

/** A rule that polls met, a schedule, a person or a tool. */
export type Fired = Omit<FiredRule, "rule"> & { readonly rule: WatchRule };

export interface EpisodesParts {
  readonly id: string;
  readonly definition: WatchDefinition;
  readonly owner: Owner | null;
  readonly store: WatchStore;
  readonly recorder: Pick<Recorder, "begin" | "end" | "verdictOf">;
  readonly messages: Pick<WatchMessages, "add">;
  readonly clock: Clock;
  readonly log: Pick<Logger, "error">;
  /** Resolves when recordings of an earlier process are captures. */
  readonly recovered: () => Promise<void>;
  /** Names of the replicas that should be recorded. */
  readonly names: () => readonly string[];
  readonly onChange: () => void;
  readonly counts: Pick<WatchCounts, "recordings" | "refusals">;
}

/** Replicas in the message of a start. */
type StartReplicas = Pick<NewMessage & { kind: "start" }, "recordedOn" | "missing">;

interface Running {
  readonly id: string;
  readonly rule: WatchRule;
  /** Time of the trigger. */
  readonly beganMs: number;
  /** Time from which event sessions run; null before it. */
  runsMs: number | null;
  /** Shortest length, for schedules, s; null without one. */
  forSeconds: number | null;
  /** Whether a rule was still met at the last look. */
  isMet: boolean;
}

/** Recordings, refusals and bytes of the last 7 days. */
export function weekOf(episodes: readonly WatchEpisode[], now: number): Watch["week"] {
  const week = episodes.filter(({ trigger }) => Date.parse(trigger.at) > now - WEEK_MS);
  const recordings = week.filter(({ state }) => state !== "refused");
  return {
    recordings: recordings.length,
    refused: week.length - recordings.length,
    bytes: recordings.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
  };
}

export class Episodes {
  readonly #parts: EpisodesParts;
  /** Episodes of the last 7 days and those that aren't over, by id. */
  readonly #recent = new Map<string, WatchEpisode>();
  #running: Running | null = null;
  /** A refused one whose condition still lasts. */
  #refused: string | null = null;
  /** When this process last stopped a recording, or couldn't begin one, ms since 1970; null before. */
  #stoppedMs: number | null = null;
  /** Steps of a recording, one after the other. */
  #work: Promise<void> = Promise.resolve();
  /** Waits for verdicts. */
  readonly #waiting = new Set<Promise<void>>();
  /** Why no recording begins any more, in a sentence. */
  #stopped: string | null = null;
  #isClosed = false;

  constructor(parts: EpisodesParts) {
    this.#parts = parts;
  }

  /** Reads the episodes, and continues those that an earlier process did not finish. */
  async open(): Promise<void> {
    const { store, id } = this.#parts;
    for (const episode of episodesIn(await store.rows("episode", { watch: id })))
      this.#recent.set(episode.id, episode);
    this.#forgetOld();
    for (const episode of this.list) {
      if (isUnfinished(episode) || isWithoutCapture(episode)) this.#wait(this.#continueOf(episode));
      else if (episode.state === "refused" && episode.ended === null) this.#refused = episode.id;
    }
  }

  get isRecording(): boolean {
    return this.#running !== null;
  }
  get week(): Watch["week"] {
    return weekOf(this.list, this.#parts.clock.now());
  }
  get list(): readonly WatchEpisode[] {
    return [...this.#recent.values()];
  }

  /** Begins a recording, or refuses one. @param forSeconds of a schedule @returns its episode */
  fire(fired: Fired, forSeconds: number | null = null): WatchEpisode {
    const { clock, definition } = this.#parts;
    const now = clock.now();
    const running = this.#running;
    const going = running === null ? null : this.#recent.get(running.id);
    if (running !== null && going) {
      // A schedule has its complete length also where a recording runs already.
      const since = running.runsMs === null ? 0 : (now - running.runsMs) / 1_000;
      if (forSeconds !== null)
        running.forSeconds = Math.max(running.forSeconds ?? 0, Math.ceil(since + forSeconds));
      return this.#addTrigger(going, fired);
    }
    const refusal = this.#stopped ?? refusalOf(fired.rule, now, this.#past(now), definition.recording);
    if (refusal !== null) return this.#refuse(fired, refusal);
    const episode = this.#new(fired, { state: "recording", refusal: null });
    this.#running = {
      id: episode.id,
      rule: fired.rule,
      beganMs: now,
      runsMs: null,
      forSeconds,
      isMet: isPolled(fired.rule),
    };
    this.#queue(() => this.#begin(episode.id, fired.text));
    return episode;
  }

  /**
   * Ends what has been quiet for long enough.
   * @param quietSeconds of polls without a rule over its limit @param isMet whether a rule is met
   */
  look(quietSeconds: number, isMet: boolean): void {
    const { definition, clock } = this.#parts;
    const { quietSeconds: enough, mostSeconds } = definition.recording;
    if (this.#refused !== null && !isMet && quietSeconds >= enough)
      this.#endRefused(this.#refused, quietSeconds);
    const running = this.#running;
    if (running === null) return;
    this.#noteReturn(running, isMet);
    if (running.runsMs === null) return;
    const secondsSince = (ms: number): number => (clock.now() - ms) / 1_000;
    const seconds = secondsSince(running.runsMs);
    const quiet = Math.min(quietSeconds, secondsSince(running.beganMs));
    const least = running.forSeconds ?? 0;
    const most = Math.max(mostSeconds, least);
    if (seconds < least) return;
    if (running.rule === "schedule") this.#end(running, `Recorded for ${least} s`, 0);
    else if (quiet >= enough && seconds >= enough) {
      // A recording by hand or by a tool has no condition that ended earlier.
      const since = least === 0 ? quiet : Math.min(quiet, seconds - least);
      const endedFor = isPolled(running.rule) ? since : 0;
      this.#end(running, `Quiet for ${Math.round(quiet)} s`, endedFor);
    } else if (seconds >= most) this.#end(running, `Recorded for ${most} s, the limit`, 0);
  }

  /** Ends the recording, because the watch is paused, changed or deleted. */
  async stop(reason: string): Promise<void> {
    this.#stopped = `${reason}.`;
    if (this.#running !== null) this.#end(this.#running, reason, 0);
    await this.#work;
  }

  /** Adds a step that happened elsewhere, such as a message that was sent. */
  noteStep(id: string, step: WatchStep): void {
    const episode = this.#recent.get(id);
    if (episode === undefined) return;
    this.#put({ ...episode, steps: [...episode.steps, step] });
    this.#queue(() => this.#save(id));
  }

  /** Waits for steps that were begun. Recordings and verdicts are continued by the next process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#work;
  }

  /** After `close` of the recorder: verdicts no longer arrive. */
  async closed(): Promise<void> {
    await Promise.all(this.#waiting);
  }

  async #begin(id: string, label: string): Promise<void> {
    const { recorder } = this.#parts;
    await this.#trySave(id);
    // The next process continues it.
    if (this.#isClosed) return;
    let start: StartReplicas;
    try {
      const { recordedOn, problems } = await recorder.begin(label, (captureId) => {
        this.#change(id, { captureId });
        this.#wait(this.#save(id));
      });
      if (recordedOn.length === 0) throw new Error(problems.join(" ") || "No replica could be recorded.");
      if (this.#running?.id === id) this.#running.runsMs = this.#parts.clock.now();
      this.#count(this.#recent.get(id)?.trigger.rule ?? "hand", "recordings");
      this.#step(id, `Event sessions run on ${recordedOn.join(", ")}`);
      for (const problem of problems) this.#step(id, problem, true);
      const missing = this.#parts.names().filter((name) => !recordedOn.includes(name));
      start = { recordedOn, missing };
    } catch (error) {
      if (!this.#isClosed) await this.#refuseBegun(id, error);
      return;
    }
    // A message that isn't stored ends no recording.
    await this.#tell(id, { kind: "start", ...start });
  }

  /** Nothing is recorded. Sessions that some replicas have are dropped. */
  async #refuseBegun(id: string, error: unknown): Promise<void> {
    const refusal = error instanceof Error ? error.message : "The recording failed.";
    const rule = this.#recent.get(id)?.trigger.rule ?? "hand";
    const isKnown = this.#refusedBefore(rule, refusal) !== null;
    if (this.#running?.id === id) this.#running = null;
    this.#stoppedMs = this.#parts.clock.now();
    this.#count(rule, "refusals");
    this.#change(id, { state: "refused", refusal, captureId: null });
    this.#endUnlessLasting(id, rule);
    this.#step(id, refusal, true);
    await this.#parts.recorder.end().catch((failure: unknown) => this.#failed(failure));
    await (isKnown ? this.#save(id) : this.#tell(id, { kind: "refused" }));
  }

  #end(running: Running, reason: string, quietSeconds: number): void {
    const { id } = running;
    this.#running = null;
    this.#stoppedMs = this.#parts.clock.now();
    const ended = new Date(this.#stoppedMs - quietSeconds * 1_000).toISOString();
    this.#queue(async () => {
      // Its begin may have failed meanwhile.
      if (this.#recent.get(id)?.state !== "recording") return;
      this.#change(id, { state: "analyzing", ended });
      this.#step(id, `${reason}: stopped, event sessions dropped`);
      await this.#trySave(id);
      try {
        const captureId = await this.#parts.recorder.end();
        if (captureId !== null) return this.#wait(this.#finish(id, captureId));
        this.#fail(id, "No events arrived.", { captureId: null });
      } catch (error) {
        const isKnown = error instanceof NotKept;
        if (!isKnown) this.#failed(error);
        const reason = isKnown ? error.message : "The recording failed.";
        this.#fail(id, reason, isKnown && !error.isOnDisk ? { captureId: null } : {});
      }
      await this.#tell(id, { kind: "end" });
    });
    this.#parts.onChange();
  }

  /** Waits for the analysis. */
  async #finish(id: string, captureId: string): Promise<void> {
    const recorded = await this.#parts.recorder.verdictOf(captureId);
    if (this.#isClosed) return;
    this.#change(id, resultOf(captureId, recorded));
    const problem = recorded === null ? "The recording is lost." : recorded.problem;
    if (problem === null) this.#step(id, "Analyzed, in Fleet");
    else this.#step(id, problem, true);
    await this.#tell(id, { kind: "end" });
  }

  /** Continues an episode of an earlier process: its recording may be a capture by now. */
  async #continueOf(episode: WatchEpisode): Promise<void> {
    const { id, state, captureId } = episode;
    if (state === "recording") {
      this.#change(id, { state: "analyzing", ...this.#endOf(id) });
      this.#step(id, INTERRUPTED, true);
      await this.#trySave(id);
    }
    await this.#parts.recovered();
    if (this.#isClosed) return;
    const recorded = captureId === null ? null : await this.#parts.recorder.verdictOf(captureId);
    const wasOver = !isUnfinished(episode);
    if (this.#isClosed || (wasOver && recorded === null)) return;
    this.#change(id, resultOf(captureId, recorded));
    const isInterrupted = this.#recent.get(id)?.steps.some(({ text }) => text === INTERRUPTED);
    if (isInterrupted && recorded !== null && recorded.to !== null) this.#change(id, { ended: recorded.to });
    if (recorded === null) this.#step(id, "The recording is lost.", true);
    else this.#step(id, recorded.problem ?? "Analyzed, in Fleet", recorded.problem !== null);
    if (wasOver) await this.#save(id);
    else await this.#tell(id, { kind: "end" });
  }

  #refuse(fired: Fired, refusal: string): WatchEpisode {
    this.#count(fired.rule, "refusals");
    const before = this.#refusedBefore(fired.rule, refusal);
    if (before !== null) return this.#addTrigger(before, fired);
    const episode = this.#new(fired, { state: "refused", refusal });
    this.#endUnlessLasting(episode.id, fired.rule);
    // A person who asked for it, or stopped the watch, has the answer.
    const isTold = fired.rule !== "hand" && this.#stopped === null;
    this.#queue(() => (isTold ? this.#tell(episode.id, { kind: "refused" }) : this.#save(episode.id)));
    return this.#recent.get(episode.id) ?? episode;
  }

  /** The refused episode of the same condition; of requests and schedules, one with the same reason in a day. */
  #refusedBefore(rule: WatchRule, refusal: string): WatchEpisode | null {
    if (isPolled(rule)) return this.#refused === null ? null : (this.#recent.get(this.#refused) ?? null);
    const oldest = this.#parts.clock.now() - DAY_MS;
    const isBefore = ({ trigger, ...episode }: WatchEpisode): boolean =>
      trigger.rule === rule && episode.refusal === refusal && Date.parse(trigger.at) > oldest;
    return this.list.findLast(isBefore) ?? null;
  }

  /** Only the condition of a rule that polls met can last. */
  #endUnlessLasting(id: string, rule: WatchRule): void {
    if (isPolled(rule) && this.#stopped === null) this.#refused ??= id;
    if (this.#refused !== id) this.#change(id, this.#endOf(id));
  }

  #endRefused(id: string, quietSeconds: number): void {
    this.#refused = null;
    const ended = new Date(this.#parts.clock.now() - quietSeconds * 1_000).toISOString();
    this.#change(id, { ended });
    this.#queue(() => this.#tell(id, { kind: "end" }));
  }

  #count(rule: WatchRule, outcome: "recordings" | "refusals"): void {
    this.#parts.counts[outcome][rule] += 1;
  }

  #noteReturn(running: Running, isMet: boolean): void {
    if (running.isMet && !isMet) this.#stepOften(running.id, "Back under the limit");
    running.isMet = isMet;
  }

  #new(
    { rule, at, text, value, limit, usual }: Fired,
    more: Pick<WatchEpisode, "state" | "refusal">,
  ): WatchEpisode {
    const time = new Date(at).toISOString();
    const episode: WatchEpisode = {
      id: this.#freeId(`${time}-${rule}`),
      trigger: { rule, at: time, text, value, limit, usual },
      ended: null,
      recordedFrom: null,
      recordedTo: null,
      captureId: null,
      bytes: null,
      verdict: null,
      place: null,
      p95Us: null,
      steps: [{ at: time, text: `Trigger: ${text}`, isProblem: false }],
      ...more,
    };
    this.#forgetOld();
    this.#put(episode);
    return episode;
  }

  /** Two requests in one millisecond are two episodes. */
  #freeId(id: string): string {
    for (let free = id, count = 2; ; free = `${id}-${count++}`) if (!this.#recent.has(free)) return free;
  }

  #past(now: number): PastRecording[] {
    const past = this.list
      .filter(({ state, trigger }) => state !== "refused" && Date.parse(trigger.at) > now - WEEK_MS)
      .map(({ trigger, ended, bytes }) => ({
        began: Date.parse(trigger.at),
        ended: Date.parse(ended ?? trigger.at),
        bytes,
      }));
    // An episode ends before its recording stops. Such a one, without begin and bytes, counts for the hold-off only.
    return this.#stoppedMs === null ? past : [...past, { began: 0, ended: this.#stoppedMs, bytes: null }];
  }

  #endOf(id: string): Pick<WatchEpisode, "ended"> {
    const ended = this.#recent.get(id)?.ended ?? null;
    return { ended: ended ?? new Date(this.#parts.clock.now()).toISOString() };
  }

  #addTrigger(episode: WatchEpisode, { text }: Fired): WatchEpisode {
    this.#stepOften(episode.id, `Also: ${text}`);
    this.#queue(() => this.#save(episode.id));
    return this.#recent.get(episode.id) ?? episode;
  }

  /** A step that may come without an end: after the first ones, one step has the number of the others. */
  #stepOften(id: string, text: string): void {
    const steps = this.#recent.get(id)?.steps ?? [];
    if (steps.length < MOST_STEPS) return this.#step(id, text);
    const more = Number(/^Also: (\d+) more$/u.exec(steps.at(-1)?.text ?? "")?.[1] ?? 0);
    if (more > 0) this.#change(id, { steps: steps.slice(0, -1) });
    this.#step(id, `Also: ${more + 1} more`);
  }

  #step(id: string, text: string, isProblem = false): void {
    const at = new Date(this.#parts.clock.now()).toISOString();
    this.#change(id, { steps: [...(this.#recent.get(id)?.steps ?? []), { at, text, isProblem }] });
  }

  #fail(id: string, refusal: string, change: Partial<WatchEpisode>): void {
    this.#change(id, { state: "failed", refusal, ...change });
    this.#step(id, refusal, true);
  }

  #change(id: string, change: Partial<WatchEpisode>): void {
    const episode = this.#recent.get(id);
    if (episode !== undefined) this.#put({ ...episode, ...change });
  }

  #put(episode: WatchEpisode): void {
    this.#recent.set(episode.id, episode);
    this.#parts.onChange();
  }

  #forgetOld(): void {
    const oldest = this.#parts.clock.now() - WEEK_MS;
    for (const [id, episode] of this.#recent) {
      const isOver = episode.ended !== null && !isUnfinished(episode);
      if (isOver && Date.parse(episode.trigger.at) < oldest) this.#recent.delete(id);
    }
  }

  async #save(id: string): Promise<void> {
    const record = this.#recent.get(id);
    if (record !== undefined)
      await this.#parts.store.save("episode", [{ watch: this.#parts.id, key: id, record }]);
  }

  /** A row that can't be written decides nothing: the next step writes it again. */
  async #trySave(id: string): Promise<void> {
    await this.#save(id).catch((error: unknown) => this.#failed(error));
  }

  /** Stores the episode with its message, in one step. */
  async #tell(
    id: string,
    message: { readonly kind: "start" | "refused" | "end" } & StartReplicas,
  ): Promise<void> {
    const episode = this.#recent.get(id);
    if (episode === undefined) return;
    const row = { watch: this.#parts.id, key: id, record: episode };
    await this.#parts.messages.add(this.#toTell, { ...message, episode }, [row]);
  }

  get #toTell(): MessageWatch {
    const { id, definition, owner } = this.#parts;
    return { id, definition, owner, week: this.week };
  }

  #queue(step: () => Promise<void> | void): void {
    this.#work = this.#work.then(step).catch((error: unknown) => this.#failed(error));
  }

  #wait(work: Promise<void>): void {
    const waiting = work
      .catch((error: unknown) => this.#failed(error))
      .finally(() => this.#waiting.delete(waiting));
    this.#waiting.add(waiting);
  }

  #failed(error: unknown): void {
    this.#parts.log.error({ err: error, watch: this.#parts.id }, "a step of a watch's episode failed");
  }
}

const POLLED: readonly WatchRule[] = ["commitDelay", "timesUsual", "sendQueue", "rpo", "state"];
const isPolled = (rule: WatchRule): boolean => POLLED.includes(rule);

const isUnfinished = ({ state }: WatchEpisode): boolean => state === "recording" || state === "analyzing";

/** Its recording may have become a capture since. */
const isWithoutCapture = ({ state, captureId, bytes }: WatchEpisode): boolean =>
  state === "lost" || (state === "failed" && captureId !== null && bytes === null);

function resultOf(captureId: string | null, recorded: RecordedVerdict | null): Partial<WatchEpisode> {
  if (recorded === null) return { state: "lost", captureId };
  const { verdict, place, p95Us, bytes, from, to, problem } = recorded;
  return {
    state: problem === null ? "recorded" : "failed",
    refusal: problem,
    captureId,
    verdict,
    place,
    p95Us,
    bytes,
    recordedFrom: from,
    recordedTo: to,
  };
}
