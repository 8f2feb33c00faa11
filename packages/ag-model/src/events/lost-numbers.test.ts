/** Holes in the numbers of a server's files: what continues a session, and why events are missing. */
import { describe, expect, it } from "vitest";
import { join } from "node:path";
import { describeReference } from "@aglens/reference-data";
import { openAsBlob } from "node:fs";
import type { NumberRun } from "xel-parser/format";
import type { EventFile, EventFileGap } from "./columns.ts";
import { lostNumbers } from "./lost-numbers.ts";
import { readEvents } from "./read.ts";
import { FileReadingOfParts } from "./reading-of-parts.ts";

const SECOND = 10_000_000;
/** Bytes of a record, so that number n of a file begins at (n - first) * 100. */
const RECORD_BYTES = 100;

/** Numbers from first to last, one per second. @param second of the first one */
function run(first: number, last: number, second: number, offset = 0): NumberRun {
  const [fromTicks, toTicks] = [second * SECOND, (second + last - first) * SECOND];
  const toOffset = offset + (last - first) * RECORD_BYTES;
  return { first, last, count: last - first + 1, fromTicks, toTicks, fromOffset: offset, toOffset };
}

interface Parts {
  readonly name?: string;
  readonly gaps?: readonly Pick<EventFileGap, "offset" | "bytes">[];
  /** Events without a number, and with one that damage made. */
  readonly unnumbered?: number;
  readonly odd?: number;
}

/** A file with these runs, of one session or several. */
function file(runs: readonly NumberRun[] | readonly (readonly NumberRun[])[], parts: Parts = {}): EventFile {
  const sessions = (Array.isArray(runs[0]) ? runs : [runs]) as readonly (readonly NumberRun[])[];
  const numbered = sessions.flat().reduce((sum, { count }) => sum + count, 0);
  const { name = "a.xel", gaps = [], unnumbered = 0, odd = 0 } = parts;
  const numbers = { events: numbered + odd, odd, sessions };
  return {
    name,
    size: 1e6,
    events: numbered + odd + unnumbered,
    gaps: gaps.map((gap) => ({ code: "bad-event", message: "", ...gap })),
    reading: new FileReadingOfParts().reading({ numbers }),
  };
}

const holesOf = (...files: EventFile[]) =>
  lostNumbers(files)?.holes.map(({ events, cause, before, after }) => [events, cause, before, after]);

describe("within a file", () => {
  it("a hole is lost events, between the events around it", () => {
    const found = lostNumbers([file([run(133, 200, 0), run(211, 300, 100, 7_000)])]);
    expect(found).toEqual({
      events: 158,
      holes: [
        { events: 10, fromTicks: 67 * SECOND, toTicks: 100 * SECOND, cause: "dropped", before: 0, after: 0 },
      ],
    });
  });

  it("around damaged bytes it is what the damage took, and no second loss", () => {
    const runs = [run(1, 10, 0), run(21, 30, 20, 2_000), run(35, 40, 40, 3_000)];
    const gaps = [{ offset: 1_000, bytes: 900 }];
    expect(holesOf(file(runs, { gaps }))).toEqual([
      [10, "damaged", 0, 0],
      [4, "dropped", 0, 0],
    ]);
  });

  it("events that were read without a valid number are not lost", () => {
    const runs = [run(1, 500, 0), run(511, 1_000, 600, 60_000)];
    const gaps = [{ offset: 52_000, bytes: 900 }];
    expect(holesOf(file(runs, { gaps, unnumbered: 3, odd: 1 }))).toEqual([[6, "damaged", 0, 0]]);
    expect(holesOf(file(runs, { odd: 10 }))).toEqual([]);
  });

  it("of joined runs the missing events are counted", () => {
    const joined = file([{ ...run(1, 100, 0), count: 60 }]);
    expect(holesOf(joined)).toEqual([[40, "dropped", 0, 0]]);
    expect(lostNumbers([joined])?.holes[0].isJoined).toBe(true);
  });

  it("a session that started again has no hole before its first event", () => {
    expect(holesOf(file([[run(501, 600, 0)], [run(1, 50, 1_000)]]))).toEqual([]);
  });
});

describe("over rollover files", () => {
  const first = file([run(1, 100, 0)]);

  it("the numbers continue, in whatever order the files are", () => {
    const next = file([run(101, 300, 100)], { name: "b.xel" });
    expect(holesOf(first, next)).toEqual([]);
    expect(holesOf(next, first)).toEqual([]);
  });

  it("a hole as large as a file is a missing file, a small one is not", () => {
    expect(holesOf(first, file([run(201, 300, 200)]))).toEqual([[100, "missingFile", 0, 1]]);
    expect(holesOf(first, file([run(104, 300, 104)]))).toEqual([[3, "dropped", 0, 1]]);
  });

  it("a publish time that damage made, before or after all others, does not end or begin the session", () => {
    const far = { ...run(1, 50, 0), toTicks: 1e6 * SECOND };
    const early = { ...run(61, 100, 60, 6_000), fromTicks: -1e6 * SECOND };
    expect(holesOf(file([far, early]), file([run(201, 300, 200)]))).toEqual([
      [10, "dropped", 0, 0],
      [100, "missingFile", 0, 1],
    ]);
    const next = file([run(201, 250, 200), { ...run(261, 300, 260), fromTicks: -1e6 * SECOND }]);
    expect(holesOf(first, next)).toEqual([
      [10, "dropped", 1, 1],
      [100, "missingFile", 0, 1],
    ]);
  });

  it("a hole after a file that was cut, or before one whose beginning is damaged, is the damage", () => {
    const cut = file([run(1, 100, 0)], { gaps: [{ offset: 9_950, bytes: 50 }] });
    expect(holesOf(cut, file([run(201, 300, 200)]))).toEqual([[100, "damaged", 0, 1]]);
    const later = file([run(201, 300, 200, 5_000)], { gaps: [{ offset: 600, bytes: 4_000 }] });
    expect(holesOf(first, later)).toEqual([[100, "damaged", 0, 1]]);
  });

  it("a buffer that was written late fills the hole in the file before", () => {
    const full = file([run(1, 90, 0), run(96, 100, 95, 9_500)]);
    const late = file([run(91, 95, 90), run(101, 200, 100, 500)]);
    expect(holesOf(full, late)).toEqual([]);
  });

  it("a session that started again begins anew; its first numbers are in a missing file", () => {
    expect(holesOf(first, file([run(1, 80, 500)]))).toEqual([]);
    expect(holesOf(first, file([run(41, 80, 500)]))).toEqual([[40, "missingFile", 0, 1]]);
    // Lower numbers later: the one before had begun before its first file.
    expect(holesOf(file([run(5_001, 5_100, 0)]), file([run(1, 80, 500)]))).toEqual([]);
  });

  it("two sessions at the same time are counted apart", () => {
    const other = file([run(7_001, 7_050, 20), run(7_061, 7_100, 80)]);
    expect(holesOf(first, other)).toEqual([[10, "dropped", 1, 1]]);
  });

  it("files of other names are of another session", () => {
    const named = (name: string, runs: readonly NumberRun[]) => file(runs, { name });
    const a = named("s1/AGLens_0_133.xel", [run(1, 100, 0)]);
    expect(holesOf(a, named("s1/Other_0_134.xel", [run(5_001, 5_100, 500)]))).toEqual([]);
    expect(holesOf(a, named("s1/AGLens_0_134.xel", [run(5_001, 5_100, 500)]))).toEqual([
      [4_900, "missingFile", 0, 1],
    ]);
  });
});

it("nothing is counted where a file has no numbers, or on some events only", () => {
  const without = { ...file([run(1, 10, 0)]), reading: new FileReadingOfParts().reading({}) };
  expect(lostNumbers([file([run(1, 10, 0)]), without])).toBeNull();
  expect(lostNumbers([file([run(1, 10, 0)], { unnumbered: 10 })])).toBeNull();
  expect(lostNumbers([])).toBeNull();
});

describeReference(
  {
    folder: "xel-real",
    tests: 1,
    prove: "event_sequence numbers the events of a real session without a hole",
  },
  (folder) => {
    it("a real file has all numbers of its events, two of them in another order", async () => {
      const blob = await openAsBlob(join(folder, "TestXel_0.xel"));
      const { files } = await readEvents(blob.stream(), "TestXel_0.xel");
      const [runs] = files[0].reading!.numbers!.sessions;
      expect(runs.map(({ first, last, count }) => [first, last, count])).toEqual([[133, 281, 149]]);
      expect(lostNumbers(files)).toEqual({ events: 149, holes: [] });
    });
  },
);
