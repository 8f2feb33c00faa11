/** Marks of instants under the lanes: flow control, VLF switches, still-waiting events, changes of roles, clock steps and servers that stood still. */
import { MARKER_KINDS, type MarkerKind } from "@aglens/ag-model/replication";
import type { MarkerWindow, Summary } from "@aglens/contract";
import { durationText, formatOffset } from "../../ui/words.ts";

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
  readonly kind: MarkerKind;
  readonly x: number;
  readonly width: number;
  readonly words: string;
  /** Name beside the mark where there is room for it. */
  readonly name: string | null;
}

/** Marks of what is in view, left to right; a name is left out where it would reach the next mark or the edge. */
export function marksInView(
  window: MarkerWindow | null,
  summary: Pick<Summary, "replicas">,
  [from, to]: readonly [number, number],
  width: number,
): Mark[] {
  const table = window?.markers;
  const marks: Mark[] = [];
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
      words: `${WORDS[name]}, ${server}, ${formatOffset(time[i])}${length}`,
      name: `${WORDS[name]}${OF_A_SERVER.has(name) ? `, ${server}` : ""}${length}`,
    });
  }
  marks.sort((a, b) => a.x - b.x);
  return marks.map((mark, i) => {
    const end = mark.x + mark.width + BEFORE_NAME_PX + mark.name!.length * LETTER_PX;
    return end < (marks[i + 1]?.x ?? width) ? mark : { ...mark, name: null };
  });
}

const COUNTED: Readonly<Record<MarkerKind, string>> = {
  vlfSwitch: "VLF switch",
  databaseFlowControl: "database flow control",
  transportFlowControl: "transport flow control",
  stillWaiting: "still waiting",
  roleChange: "new primary",
  clockStep: "clock step",
  pause: "server stood still",
};

/** How many of each kind are in view, for where there is no room to name each: "2 database flow control, 36 still waiting". */
export function countWords(marks: readonly Pick<Mark, "kind">[]): string {
  return MARKER_KINDS.map((kind) => ({ kind, n: marks.filter((mark) => mark.kind === kind).length }))
    .filter(({ n }) => n > 0)
    .map(({ kind, n }) => `${n} ${COUNTED[kind]}`)
    .join(", ");
}
