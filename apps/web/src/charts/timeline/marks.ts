/** Marks of instants under the lanes: those of a live run, flow control, VLF switches, still-waiting events, changes of roles, clock steps and servers that stood still. */
import { MARKER_KINDS, type MarkerKind } from "@aglens/ag-model/replication";
import type { MarkerWindow, Summary } from "@aglens/contract";
import { durationText, formatOffset } from "../../ui/words.ts";

/** Set by a person or by a rule while a live run was recorded. */
type OwnKind = "byHand" | "byRule";

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
  readonly kind: MarkerKind | OwnKind;
  readonly x: number;
  readonly width: number;
  readonly words: string;
  /** Name beside the mark where there is room for it. */
  readonly name: string | null;
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

/** Marks of what is in view, left to right; a name is left out where it would reach the next mark or the edge. */
export function marksInView(
  window: MarkerWindow | null,
  summary: Pick<Summary, "replicas" | "marks" | "durationUs">,
  [from, to]: readonly [number, number],
  width: number,
): Mark[] {
  const table = window?.markers;
  // First, since somebody wanted to find them again.
  const marks = ownMarks(summary, [from, to], width);
  for (let i = 0; table && i < table.length && marks.length < MOST; i++) {
    const { time, duration, kind, replica } = table;
    if (time[i] + Math.max(0, duration[i]) < from || time[i] >= to) continue;
    const name = MARKER_KINDS[kind[i]];
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
  return marks.map((mark, i) => {
    const end = mark.x + mark.width + BEFORE_NAME_PX + mark.name!.length * LETTER_PX;
    return end < (marks[i + 1]?.x ?? width) ? mark : { ...mark, name: null };
  });
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
