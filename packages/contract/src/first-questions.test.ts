import { MINIMAP_BINS } from "@aglens/ag-model/minimap";
import { expect, test } from "vitest";
import {
  addressesAtOnce,
  baseWidth,
  firstAddresses,
  hasNoPrimaryFile,
  hasReplicaMatrix,
  keptAddresses,
  primaryMoved,
  questionAddress,
  releasingSecondary,
  fullBins,
} from "./first-questions.ts";

type Asked = Parameters<typeof releasingSecondary>[0];

/** Releases out of 100: the local log write, then SQL2 and so on with the mode of each. */
const asked = (
  local: number,
  ...secondaries: readonly (readonly [number, "sync" | "async" | "undetermined"])[]
) =>
  ({
    commits: { gates: [local, ...secondaries.map(([released]) => released)] },
    replicas: [null, ...secondaries].map((each, i) => ({
      name: `SQL${i + 1}`,
      commitMode: each?.[1] ?? "sync",
    })),
  }) as unknown as Asked;

test("a view is about the secondary that released most commits, the first of equals, and the first where none did", () => {
  expect(releasingSecondary(asked(90, [3, "sync"], [7, "sync"]))).toBe(1);
  expect(releasingSecondary(asked(80, [0, "sync"], [10, "sync"], [10, "sync"]))).toBe(1);
  expect(releasingSecondary(asked(100, [0, "sync"], [0, "sync"]))).toBe(0);
  expect(releasingSecondary(asked(100))).toBe(0);
});

test("a bin is a round time, 1 s for up to two minutes, and the range is widened to bins", () => {
  // The base width is 1, 2 or 5 times a power of ten, the nearest to a 120th of the range.
  expect([92e6, 600e6, 36e8, 1e6, 10, 0].map(baseWidth)).toEqual([1e6, 5e6, 2e7, 1e4, 1, 1]);
  expect(fullBins({ from: 1_500_000, to: 93_400_000 })).toEqual({
    range: { from: 1_000_000, to: 94_000_000 },
    bins: 93,
  });
  expect(fullBins({ from: 7, to: 7 })).toEqual({ range: { from: 7, to: 8 }, bins: 1 });
});

test("an address repeats a parameter of several values, and has no question mark without one", () => {
  expect(questionAddress("waiting")).toBe("waiting");
  expect(questionAddress("hit-counts", { where: ["db=1", "db=2"], phase: 3 })).toBe(
    "hit-counts?where=db%3D1&where=db%3D2&phase=3",
  );
});

type Whole = Parameters<typeof firstAddresses>[0];

/** A capture of 100 s of which each replica has files for 10 to 90 s. @param phases their primaries */
const capture = (of: Asked, phases: readonly number[] = [0], changed: object = {}): Whole =>
  ({
    durationUs: 1e8,
    commits: of.commits,
    replicas: of.replicas.map((replica) => ({
      ...replica,
      hasCapture: true,
      from: 1e7,
      to: 9e7,
      ...changed,
    })),
    phases: phases.map((primary, index) => ({
      primary,
      databases: [0],
      from: (index * 1e8) / phases.length,
      to: ((index + 1) * 1e8) / phases.length,
      commitModes: of.replicas.slice(1).map(() => "sync"),
    })),
  }) as unknown as Whole;

const shown = "from=10000000&to=90000000";
const page = "limit=25&offset=0";

test("the overview of two replicas asks for the slowest blocks of the common time, and for the secondary that most waited for", () => {
  expect(firstAddresses(capture(asked(40, [60, "sync"])))).toEqual([
    // A 120th of 80 s is 0.67 s: half a second is the closest round time.
    `overview?${shown}&bins=160&secondary=0`,
    `commits?${shown}&limit=20000`,
    `window?from=0&to=100000000&limit=20000&bins=${MINIMAP_BINS}`,
    `statistics?${shown}`,
    `slowest?${shown}&sort=remoteHarden&descending=true&secondary=0&${page}`,
  ]);
});

test("of more replicas it asks for slow commits and a row of each", () => {
  expect(firstAddresses(capture(asked(40, [20, "sync"], [40, "sync"]))).slice(4)).toEqual([
    `slow-commits?${shown}&order=waited&secondary=1&${page}`,
    `replicas?${shown}&bins=60&columns=540`,
  ]);
});

test("after a change of roles no replica is one place's", () => {
  const moved = capture(asked(40, [20, "sync"], [40, "sync"]), [0, 1]);
  expect(firstAddresses(moved).slice(4)).toEqual([
    `slowest?${shown}&sort=remoteHarden&descending=true&secondary=1&${page}`,
  ]);
  expect([primaryMoved(moved), primaryMoved(moved, 1), primaryMoved(capture(asked(1), [0, 0]))]).toEqual([
    true,
    false,
    false,
  ]);
  expect([hasReplicaMatrix(moved), hasReplicaMatrix(capture(asked(1, [1, "sync"])))]).toEqual([false, false]);
  expect(hasReplicaMatrix(capture(asked(1, [1, "sync"], [1, "async"])))).toBe(true);
});

test("without any primary's file blocks are in the order of the secondary's log write", () => {
  const none = capture(asked(100, [0, "sync"]), [0], { hasCapture: false });
  expect(firstAddresses(none)[4]).toContain("sort=secondaryFlush");
  const { replicas, phases } = capture(asked(100, [0, "sync"]), [0, 1]);
  const [first, second] = replicas.map((replica) => ({ ...replica, hasCapture: false }));
  expect(hasNoPrimaryFile({ replicas: [first!, replicas[1]!], phases })).toBe(false);
  expect(hasNoPrimaryFile({ replicas: [replicas[0]!, second!], phases })).toBe(false);
  expect(hasNoPrimaryFile({ replicas: [first!, second!], phases })).toBe(true);
  expect(hasNoPrimaryFile({ replicas: [first!, replicas[1]!], phases: [] })).toBe(true);
});

test("a server keeps these answers, waiting and all predictions; of a capture without a length none", () => {
  const of = capture(asked(40, [60, "sync"]));
  expect(keptAddresses(of)).toEqual([...firstAddresses(of), "waiting", "what-if"]);
  expect(keptAddresses({ ...of, durationUs: 0.5 })).toEqual([]);
  expect(keptAddresses({ ...of, durationUs: 1 })).not.toEqual([]);
});

test("at once are asked all of them, and nothing in a view of a part", () => {
  const of = capture(asked(40, [60, "sync"]));
  const all = firstAddresses(of);
  for (const view of ["", "v=4", "v=4&theme=dark&time=utc&clock=24"])
    expect(addressesAtOnce(of, view)).toEqual(all);
  for (const view of ["phase=1", "v=4&range=1_2"]) expect(addressesAtOnce(of, view)).toEqual([]);
});
