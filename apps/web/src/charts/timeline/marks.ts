/**
 * Marks of instants under the lanes: marks of a live run, flow control, VLF switches, still-waiting events, changes of
 * roles and of availability modes, clock steps and servers that were unresponsive.
 */
import { MARKER_KINDS, type MarkerKind } from "@aglens/ag-model/replication";
import type { Finding, MarkerWindow, Summary } from "@aglens/contract";
import { chartsTexts as texts } from "../../messages/charts.ts";
import { type CaptureTime, durationText, formatOffset, formatInstant, formatTime } from "../../ui/words.ts";
import { type NamedMark, withFittingNames } from "./mark-names.ts";

/** Set by a person or by a rule while a live run was recorded. */
type OwnKind = "byHand" | "byRule";

/** Where a server took over: the last commit before, the first one after. */
type SwitchKind = "lastCommit" | "firstCommit";

const WORDS: Readonly<Record<MarkerKind, string>> = {
  vlfSwitch: texts.vlfSwitch,
  databaseFlowControl: texts.databaseFlowControl,
  transportFlowControl: texts.transportFlowControl,
  stillWaiting: texts.stillWaiting,
  roleChange: texts.newPrimary,
  clockStep: texts.clockStep,
  pause: texts.serverUnresponsive,
  modeChange: texts.availabilityModeChanged,
};
/** Marks that mean little without their server's name. */
const OF_A_SERVER: ReadonlySet<MarkerKind> = new Set(["roleChange", "clockStep", "pause", "modeChange"]);
const MOST = 200;
/** Largest width of a letter of a name, px. */
const LETTER_PX = 6.2;

interface Mark extends NamedMark {
  readonly kind: MarkerKind | OwnKind | SwitchKind;
  readonly words: string;
}

/** Marks that a person or a rule set while the capture was recorded live. */
function ownMarks(
  summary: Pick<Summary, "marks" | "durationUs">,
  [from, to]: readonly [number, number],
  width: number,
): Mark[] {
  return summary.marks
    .filter(({ at }) => at >= from && at < to)
    .slice(0, MOST)
    .map(({ at, label, byRule }) => {
      const name = label === "" ? "Mark" : label;
      return {
        kind: byRule ? "byRule" : "byHand",
        x: ((at - from) / (to - from)) * width,
        width: 0,
        words: texts.markedBy(name, byRule, formatOffset(summary, at)),
        name,
      };
    });
}

/** A change of roles, µs. */
interface SwitchEnds {
  readonly from: number;
  readonly to: number;
  /** Where the commit of a side is unknown, its end is that of a log block. */
  readonly known: NonNullable<Finding["commitsKnown"]>;
}

/** Both ends of each change of roles. */
function switchMarks(
  summary: CaptureTime,
  switches: readonly SwitchEnds[],
  [from, to]: readonly [number, number],
  width: number,
): Mark[] {
  return switches.flatMap((change) =>
    [change.from, change.to].flatMap((at, side): Mark[] => {
      if (at < from || at >= to) return [];
      const what = (side === 0 ? change.known.before : change.known.after) ? texts.commit : texts.logBlock;
      const name = `${side === 0 ? "last" : "first"} ${what} ${formatTime(summary, at, 3)}`;
      const kind = side === 0 ? "lastCommit" : "firstCommit";
      return [
        {
          kind,
          x: ((at - from) / (to - from)) * width,
          width: 0,
          words: texts.changeOfRoles(side, what, formatInstant(summary, at, 3)),
          name,
          isNameBefore: side === 0,
        },
      ];
    }),
  );
}

/** Marks in view, left to right; a name is skipped where it would touch a mark, another name or the edge. */
export function marksInView(
  window: MarkerWindow | null,
  summary: Pick<Summary, "replicas" | "marks"> & CaptureTime,
  [from, to]: readonly [number, number],
  width: number,
  switches: readonly SwitchEnds[] = [],
): Mark[] {
  const table = window?.markers;
  // Own marks are placed first, because a person wanted to find them again.
  const marks = [
    ...ownMarks(summary, [from, to], width),
    ...switchMarks(summary, switches, [from, to], width),
  ];
  for (let i = 0; table && i < table.length && marks.length < MOST; i++) {
    const { time, duration, kind, replica } = table;
    if (time[i] + Math.max(0, duration[i]) < from || time[i] >= to) continue;
    const name = MARKER_KINDS[kind[i]];
    // The last and the first commit around it have separate marks; this one is from block to block.
    if (name === "roleChange" && switches.length > 0) continue;
    const server = summary.replicas[replica[i]]?.name ?? "";
    const length = duration[i] > 0 ? `, ${durationText(duration[i])}` : "";
    marks.push({
      kind: name,
      x: ((time[i] - from) / (to - from)) * width,
      width: (Math.max(0, duration[i]) / (to - from)) * width,
      words: `${WORDS[name]}, ${server}, ${formatOffset(summary, time[i])}${length}`,
      name: `${WORDS[name]}${OF_A_SERVER.has(name) ? `, ${server}` : ""}${length}`,
    });
  }
  marks.sort((a, b) => a.x - b.x);
  return named(marks, width);
}

/** Kinds by the worth of their names: the first ones get room first, and are counted first. */
const BY_WORTH = [
  "byHand",
  "byRule",
  "lastCommit",
  "firstCommit",
  "pause",
  "roleChange",
  "modeChange",
  "clockStep",
  "databaseFlowControl",
  "transportFlowControl",
  "stillWaiting",
  "vlfSwitch",
] as const satisfies readonly Mark["kind"][];

/**
 * The marks with the names that have room: names of the most important kinds first, and the last one of several next to
 * each other.
 */
function named(marks: readonly Mark[], width: number): Mark[] {
  const byWorth = BY_WORTH.flatMap((kind) => marks.filter((mark) => mark.kind === kind).toReversed());
  // Only pauses have names before their marks: with other kinds it would be unclear which mark such a name belongs to.
  return withFittingNames(marks, byWorth, width, LETTER_PX, ({ kind }) => kind === "pause");
}

/** Marks of a kind with their number; the ends of a change of roles are named, not counted. */
const COUNTED: Readonly<Partial<Record<Mark["kind"], (count: number) => string>>> = {
  byHand: (count) => texts.markedByHand(count),
  byRule: (count) => texts.markedByRule(count),
  pause: (count) => texts.pause(count),
  roleChange: (count) => texts.newPrimaries(count),
  modeChange: (count) => texts.changesOfAvailabilityMode(count),
  clockStep: (count) => texts.clockStepPart(count),
  databaseFlowControl: (count) => texts.databaseFlowControlPart(count),
  transportFlowControl: (count) => texts.transportFlowControlPart(count),
  stillWaiting: (count) => texts.stillWaitingPart(count),
  vlfSwitch: (count) => texts.vlfSwitches(count),
};

/** Number of each kind in view, for a strip without room to name each mark: "2 pauses, 36 still waiting". */
export function countText(marks: readonly Pick<Mark, "kind">[]): string {
  const counts = BY_WORTH.flatMap((kind) => {
    const n = marks.filter((mark) => mark.kind === kind).length;
    return n === 0 ? [] : (COUNTED[kind]?.(n) ?? []);
  });
  // Said once of both kinds: the gutter has two lines.
  return counts
    .map((words, i) => (FLOW_CONTROL.test(counts[i + 1] ?? "") ? words.replace(FLOW_CONTROL, "") : words))
    .join(", ");
}

const FLOW_CONTROL = / flow controls?$/u;
