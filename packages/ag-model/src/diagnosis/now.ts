/**
 * Verdict of a running picture: commits' waits at present; a slow time that is over is reported as past, with its end.
 */
import { firstAtOrAfter } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { formatTimeOfDay } from "../words/words.ts";
import { diagnose } from "./diagnose.ts";
import { plainFinding } from "./plain-finding.ts";
import { windowsOf, type Finding, type Severity, type Verdict, type Window } from "./verdict.ts";

const SECOND = 1_000_000;
/** A verdict compares the last seconds, and at least this many blocks where they contain few. */
export const JUDGED_US = 15 * SECOND;
const FEWEST_JUDGED = 200;
/** Events that a session delivers at once may cover a longer time. */
const LONGEST_JUDGED_US = 60 * SECOND;
/** An aspect that is slow throughout has to be slow in these last seconds too, else it is over. */
const NOW_US = 3.5 * SECOND;
const FEWEST_NOW = 20;
/** A slow period is over when this much time and this many blocks followed it. */
const OVER_US = 2.5 * SECOND;
const OVER_BLOCKS = 3;
/** Without a log block for this long the verdict does not report what commits wait for. */
const IDLE_US = 10 * SECOND;

/** A verdict and the blocks that it is about. */
export interface Judgement {
  readonly verdict: Verdict;
  /** The blocks that the headline is about, µs of the run; null without blocks. */
  readonly judged: Readonly<Window> | null;
  /** The blocks that were compared with each other to find slow periods, µs of the run; null without blocks. */
  readonly compared: Readonly<Window> | null;
  /** The newest slow period that was reported, with its time; empty before the first. */
  readonly past: string;
}

/** Returns the blocks of a range of the run, µs, or the last `fewest` before its end where the range has fewer. */
export type BlocksOf = (from: number, to: number, fewest: number) => CaptureModel;

/**
 * The verdict at a time up to which the events of all awaited servers were received.
 * @param covered range that all servers cover whose events are judged, µs of the run: only some blocks before it have
 * been read
 * @param before the last verdict: no block that arrived since then is skipped
 */
export function judgeNow(
  allBlocksOf: BlocksOf,
  covered: Readonly<Window>,
  before: Judgement | null,
): Judgement {
  const { to } = covered;
  const blocksOf = within(allBlocksOf, covered.from);
  const since = Math.max(Math.min(to - JUDGED_US, before?.judged?.to ?? to), to - LONGEST_JUDGED_US);
  const model = blocksOf(since, to, FEWEST_JUDGED);
  const verdict = diagnose(model);
  const { time, length } = model.blocks;
  const compared = { from: time[0] ?? to, to };
  const headline = headlineOf(verdict);
  const past = headline === null ? "" : pastOf(headline, model);
  if (length > 0 && to - time[length - 1] > IDLE_US) {
    const idle = `No log block since ${formatTimeOfDay(model.origin, time[length - 1])}.`;
    return { verdict: withoutCause(idle, past, "none"), judged: compared, compared, past };
  }
  const over = headline === null ? null : overSince(headline, model, to, blocksOf);
  if (over === null) return { verdict, judged: compared, compared, past };
  const now = diagnose(blocksOf(over, to, 0));
  return {
    verdict: { ...now, sentence: joined(now.sentence, past), episodes: verdict.episodes },
    judged: { from: over, to },
    compared,
    past,
  };
}

/**
 * The verdict while the primary sends no events: unknown is not well.
 * @param model of the blocks until then
 * @param heardTo time up to which events of the primary were received, µs of the run
 * @param before the last verdict
 */
export function silentPrimary(model: CaptureModel, heardTo: number, before: Judgement | null): Judgement {
  const when = Number.isNaN(heardTo) ? "yet" : `since ${formatTimeOfDay(model.origin, heardTo)}`;
  const sentence = `Can't determine what commits wait for now because ${model.replicas[0].name} has sent no events ${when}.`;
  const past = before?.past ?? "";
  return { verdict: withoutCause(sentence, past, "notice"), judged: null, compared: null, past };
}

/** Blocks from an instant on, however few they are. */
function within(blocksOf: BlocksOf, first: number): BlocksOf {
  return (from, to, fewest) => {
    const model = blocksOf(Math.max(from, first), to, fewest);
    return model.blocks.time[0] < first ? blocksOf(first, to, 0) : model;
  };
}

const joined = (...sentences: readonly string[]): string => sentences.filter((each) => each !== "").join(" ");

const headlineOf = ({ severity, findings }: Verdict): Finding | null =>
  severity === "none" ? null : (findings.find((finding) => finding.severity !== "none") ?? null);

/** Whether a finding is about one period of blocks and not about all that were judged. */
const isOfPeriod = ({ window }: Finding, { duration }: CaptureModel): boolean =>
  window !== null && window.to < duration;

const pastOf = (finding: Finding, model: CaptureModel): string =>
  isOfPeriod(finding, model) && (windowsOf(finding).length > 1 || finding.sentence.startsWith("Between "))
    ? finding.sentence
    : "";

/** Time since which the headline's cause is over, µs of the run; null when it lasts. */
function overSince(headline: Finding, model: CaptureModel, to: number, blocksOf: BlocksOf): number | null {
  if (headline.window === null) return null;
  if (isOfPeriod(headline, model)) {
    // It may have recurred since the window that costs most.
    const end = windowsOf(headline).at(-1)?.to ?? headline.window.to;
    const { time, length } = model.blocks;
    const isOver = to - end > OVER_US && length - firstAtOrAfter(time, end) >= OVER_BLOCKS;
    return isOver ? end : null;
  }
  const isSame = ({ cause, replica, severity }: Finding): boolean =>
    cause === headline.cause && replica === headline.replica && severity !== "none";
  const last = blocksOf(to - NOW_US, to, FEWEST_NOW);
  return diagnose(last).findings.some(isSame) ? null : (last.blocks.time[0] ?? to);
}

/** A verdict that names no cause. */
function withoutCause(sentence: string, past: string, severity: Severity): Verdict {
  const all = joined(sentence, past);
  return {
    sentence: all,
    severity,
    cause: "none",
    place: "none",
    stage: null,
    replica: null,
    window: null,
    windows: [],
    evidence: [],
    checkNext: [],
    findings: [plainFinding("D0", "none", "none", all)],
    episodes: [],
  };
}
