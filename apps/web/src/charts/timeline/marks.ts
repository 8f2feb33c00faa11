/** Marks of instants under the lanes: those of a live run, flow control, VLF switches, still-waiting events, changes of roles, clock steps and servers that stood still. */
import { MARKER_KINDS, type MarkerKind } from "@aglens/ag-model/replication";
import type { MarkerWindow, Summary } from "@aglens/contract";
import { type CaptureTime, durationText, formatOffset, formatUtc } from "../../ui/words.ts";

/** Set by a person or by a rule while a live run was recorded. */
type OwnKind = "byHand" | "byRule";

/** Where a server took over: the last commit before, the first one after. */
type SwitchKind = "lastCommit" | "firstCommit";

const WORDS: Readonly<Record<MarkerKind, string>> = {
  vlfSwitch: "VLF switch",
  databaseFlowControl: "Database flow control",
  transportFlowControl: "Transport flow control",
  stillWaiting: "Still waiting",
  roleChange: "New primary",
  clockStep: "Clock step",
  pause: "Server stood still",
};
/** Marks that mean little without their server's name. */
const OF_A_SERVER: ReadonlySet<MarkerKind> = new Set(["roleChange", "clockStep", "pause"]);
const MOST = 200;
/** Room that a name takes after its mark, px: of the longest, and of one letter. */
const LETTER_PX = 6.2;
const BEFORE_NAME_PX = 12;

interface Mark {
  readonly kind: MarkerKind | OwnKind | SwitchKind;
  readonly x: number;
  readonly width: number;
  readonly words: string;
  /** Name beside the mark where there is room for it. */
  readonly name: string | null;
  /** The name is left of the mark instead of right of it. */
  readonly isNameBefore?: boolean;
}

/** What somebody or a rule marked while the capture was recorded live. */
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
        words: `${name}, marked by ${byRule ? "rule" : "hand"}, ${formatOffset(summary, at)}`,
        name,
      };
    });
}

/** Both ends of each change of roles. @param switches µs */
function switchMarks(
  summary: CaptureTime,
  switches: readonly (readonly [number, number])[],
  [from, to]: readonly [number, number],
  width: number,
): Mark[] {
  return switches.flatMap((ends) =>
    ends.flatMap((at, side): Mark[] => {
      if (at < from || at >= to) return [];
      const name = `${side === 0 ? "last" : "first"} commit ${formatUtc(summary, at, 3)}`;
      const kind = side === 0 ? "lastCommit" : "firstCommit";
      return [
        {
          kind,
          x: ((at - from) / (to - from)) * width,
          width: 0,
          words: `${side === 0 ? "Last commit before" : "First commit after"} a change of roles, ${formatUtc(summary, at, 3)} UTC`,
          name,
          isNameBefore: side === 0,
        },
      ];
    }),
  );
}

/** Marks of what is in view, left to right; a name is left out where it would reach the next mark or the edge. */
export function marksInView(
  window: MarkerWindow | null,
  summary: Pick<Summary, "replicas" | "marks"> & CaptureTime,
  [from, to]: readonly [number, number],
  width: number,
  switches: readonly (readonly [number, number])[] = [],
): Mark[] {
  const table = window?.markers;
  // First, since somebody wanted to find them again.
  const marks = [
    ...ownMarks(summary, [from, to], width),
    ...switchMarks(summary, switches, [from, to], width),
  ];
  for (let i = 0; table && i < table.length && marks.length < MOST; i++) {
    const { time, duration, kind, replica } = table;
    if (time[i] + Math.max(0, duration[i]) < from || time[i] >= to) continue;
    const name = MARKER_KINDS[kind[i]];
    // Its last and its first commit have marks of their own; this one is from block to block.
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
  return withFittingNames(marks, width);
}

const nameWidth = ({ name }: Mark): number => BEFORE_NAME_PX + (name?.length ?? 0) * LETTER_PX;

/** Names that reach neither a mark nor another name: one before its mark comes first, it has been placed on purpose. */
function withFittingNames(marks: readonly Mark[], width: number): Mark[] {
  const isFree = (mark: Mark, i: number): boolean => {
    const [last, next] = [marks[i - 1], marks[i + 1]];
    if (mark.isNameBefore === true)
      return mark.x - nameWidth(mark) > (last === undefined ? 0 : last.x + last.width);
    const limit = next === undefined ? width : next.x - (next.isNameBefore === true ? nameWidth(next) : 0);
    return mark.x + mark.width + nameWidth(mark) < limit;
  };
  return marks.map((mark, i) => (isFree(mark, i) ? mark : { ...mark, name: null }));
}

const COUNTED: readonly (readonly [Mark["kind"], string])[] = [
  ["byHand", "marked by hand"],
  ["byRule", "marked by rule"],
  ["vlfSwitch", "VLF switch"],
  ["databaseFlowControl", "database flow control"],
  ["transportFlowControl", "transport flow control"],
  ["stillWaiting", "still waiting"],
  ["roleChange", "new primary"],
  ["clockStep", "clock step"],
  ["pause", "server stood still"],
];

/** How many of each kind are in view, for where there is no room to name each: "2 database flow control, 36 still waiting". */
export function countWords(marks: readonly Pick<Mark, "kind">[]): string {
  return COUNTED.map(([kind, words]) => ({ words, n: marks.filter((mark) => mark.kind === kind).length }))
    .filter(({ n }) => n > 0)
    .map(({ words, n }) => `${n} ${words}`)
    .join(", ");
}
