import { MARKER_KINDS } from "@aglens/ag-model/replication";
import type { MarkerWindow } from "@aglens/contract";
import { expect, test } from "vitest";
import { countText, marksInView } from "./marks.ts";

/** Kinds 0 (VLF switch) and 1 (database flow control), s and ms. */
function markers(...rows: readonly (readonly [number, number, number])[]): MarkerWindow {
  return {
    markers: {
      length: rows.length,
      kind: Uint8Array.from(rows, ([kind]) => kind),
      replica: new Uint8Array(rows.length),
      time: Float64Array.from(rows, ([, seconds]) => seconds * 1e6),
      duration: Float64Array.from(rows, ([, , ms]) => ms * 1e3),
    },
  };
}

/** A minute from 2016-05-06 02:16:55 UTC. */
const TIME = {
  originTicks: String((BigInt(Date.UTC(2016, 4, 6, 2, 16, 55)) + 11_644_473_600_000n) * 10_000n),
  durationUs: 60e6,
};
const replicas = [{ name: "SQL1" }] as unknown as Parameters<typeof marksInView>[1]["replicas"];
const inView = (window: MarkerWindow) =>
  marksInView(window, { replicas, marks: [], ...TIME }, [0, 10e6], 1000);

test("marks of a live run are among them, with who set them", () => {
  const marks = [
    { at: 2e6, label: "backup began", byRule: false },
    { at: 6e6, label: "Slow network to SQL2", byRule: true },
    { at: 10e6, label: "past the view", byRule: false },
  ];
  const seen = marksInView(markers([0, 4, 0]), { replicas, marks, ...TIME }, [0, 10e6], 1000);
  expect(seen.map(({ kind, x, name }) => [kind, x, name])).toEqual([
    ["byHand", 200, "backup began"],
    ["vlfSwitch", 400, "VLF switch"],
    ["byRule", 600, "Slow network to SQL2"],
  ]);
  expect(seen[2].words.replaceAll("\u2009", " ")).toBe("Slow network to SQL2, marked by rule, +6.00 s");
  expect(countText(seen)).toBe("1 marked by hand, 1 marked by rule, 1 VLF switch");
});

test("a mark has its name beside it where there is room before the next one", () => {
  const marks = inView(markers([0, 1, 0], [0, 1.2, 0], [0, 9.95, 0]));
  expect(marks.map(({ x, name }) => [x, name])).toEqual([
    [100, null],
    [120, "VLF switch"],
    [995, null],
  ]);
  expect(marks[0].words.replaceAll("\u2009", " ")).toBe("VLF switch, SQL1, +1.00 s");
});

test("flow control is as long as it lasted, and stays while any of it is in view", () => {
  const [flow] = inView(markers([1, -1, 2_000]));
  expect([flow.x, flow.width]).toEqual([-100, 200]);
  expect(flow.name?.replaceAll("\u2009", " ")).toBe("Database flow control, 2.00 s");
  expect(inView(markers([1, -3, 2_000], [0, 10, 0]))).toEqual([]);
});

test("a server that was unresponsive is named, for as long as it did", () => {
  const [pause] = inView(markers([MARKER_KINDS.indexOf("pause"), 2, 2_300]));
  expect([pause.x, pause.width]).toEqual([200, 230]);
  expect(pause.name?.replaceAll("\u2009", " ")).toBe("Server unresponsive, SQL1, 2.30 s");
  expect(pause.words.replaceAll("\u2009", " ")).toBe("Server unresponsive, SQL1, +2.00 s, 2.30 s");
});

test("what is too dense to be named is counted by kind", () => {
  const dense = inView(markers([0, 1, 0], [1, 1.1, 20], [1, 1.2, 20]));
  expect(dense.filter(({ name }) => name !== null)).toHaveLength(1);
  expect(countText(dense)).toBe("2 database flow controls, 1 VLF switch");
  expect(countText([])).toBe("");
  const both = ["databaseFlowControl", "transportFlowControl", "transportFlowControl", "vlfSwitch"] as const;
  expect(countText(both.map((kind) => ({ kind })))).toBe(
    "1 database, 2 transport flow controls, 1 VLF switch",
  );
  const kinds = ["vlfSwitch", "stillWaiting", "stillWaiting", "clockStep", "clockStep", "pause"] as const;
  expect(countText(kinds.map((kind) => ({ kind })))).toBe(
    "1 pause, 2 clock steps, 2 still waiting, 1 VLF switch",
  );
  expect(countText([{ kind: "pause" }, { kind: "pause" }])).toBe("2 pauses");
});

const SWITCH = { from: 4e6, to: 6e6, known: { before: true, after: true } } as const;

test("where no commit is known a change of roles lies between log blocks", () => {
  const known = { before: true, after: false };
  const summary = { replicas, marks: [], ...TIME };
  const seen = marksInView(null, summary, [0, 10e6], 1000, [{ ...SWITCH, known }]);
  expect(seen.map(({ name }) => name)).toEqual(["last commit 02:16:59.000", "first log block 02:17:01.000"]);
  expect(seen[1].words).toBe("First log block after a change of roles, 02:17:01.000 UTC");
});

test("a change of roles has a mark at its last and its first commit, named on the outside", () => {
  const summary = { replicas, marks: [], ...TIME };
  const seen = marksInView(markers([0, 4.5, 0]), summary, [0, 10e6], 1000, [SWITCH]);
  expect(seen.map(({ kind, x, name, isNameBefore }) => [kind, x, name, isNameBefore])).toEqual([
    ["lastCommit", 400, "last commit 02:16:59.000", true],
    // Up to the next mark are 150 px, and its name is on the other side.
    ["vlfSwitch", 450, "VLF switch", undefined],
    ["firstCommit", 600, "first commit 02:17:01.000", false],
  ]);
  // The marker of the model, from block to block, would be a second one of the same.
  const roleChange = markers([MARKER_KINDS.indexOf("roleChange"), 4.1, 1_800]);
  expect(marksInView(roleChange, summary, [0, 10e6], 1000, [SWITCH])).toHaveLength(2);
  expect(marksInView(roleChange, summary, [0, 10e6], 1000).map(({ kind }) => kind)).toEqual(["roleChange"]);
  // Left of it are 100 px, which are too few.
  expect(marksInView(null, summary, [3e6, 13e6], 1000, [SWITCH]).map(({ name }) => name)).toEqual([
    null,
    "first commit 02:17:01.000",
  ]);
  expect(marksInView(null, summary, [4.1e6, 5.9e6], 1000, [SWITCH])).toEqual([]);
});

test("no name lies over a mark or another name: of marks at one place the one worth most is named", () => {
  const [pause, step, waiting] = (["pause", "clockStep", "stillWaiting"] as const).map((kind) =>
    MARKER_KINDS.indexOf(kind),
  );
  const named = (window: MarkerWindow): (string | undefined)[] =>
    inView(window)
      .filter(({ name }) => name !== null)
      .map(({ name }) => name?.replaceAll("\u2009", " "));
  // The clock steps where the pause begins, commits still wait when it ends at 330 px.
  expect(named(markers([pause, 3, 300], [step, 3.01, 0], [waiting, 3.2, 0], [waiting, 3.3, 0]))).toEqual([
    "Server unresponsive, SQL1, 300 ms",
  ]);
  // 16 letters of the step from 308 px on end at 407: there is the first of the waits.
  expect(named(markers([step, 3, 0], [waiting, 4, 0]))).toEqual(["Still waiting"]);
  expect(named(markers([step, 3, 0], [waiting, 4.11, 0]))).toEqual(["Clock step, SQL1", "Still waiting"]);
  // A pause at the right edge is named at its left.
  const [late] = inView(markers([pause, 9.5, 400]));
  expect([late.name?.replaceAll("\u2009", " "), late.isNameBefore]).toEqual([
    "Server unresponsive, SQL1, 400 ms",
    true,
  ]);
});
