import type { Sequence, Summary } from "@aglens/contract";
import { expect, test } from "vitest";
import { emptyText } from "./empty-view.tsx";

type Capture = Pick<Summary, "replicas" | "files" | "phases">;

const summary = (gaps = 0, primaries = [0]): Capture =>
  ({
    replicas: [
      { name: "SQL1", hasCapture: true },
      { name: "SQL2", hasCapture: true },
    ],
    files: [{ gaps: Array.from({ length: gaps }) }],
    phases: primaries.map((primary) => ({ primary })),
  }) as unknown as Capture;

/** A block at an offset of VLF 0x22, in units of 512 bytes. */
const block = (offset: number, size: number | null = 512, vlf = 0x22): Sequence =>
  ({
    database: 0,
    phase: 0,
    blockId: ((BigInt(vlf) << 32n) + BigInt(offset)).toString(),
    size,
  }) as unknown as Sequence;

const NEXT_TO = { previous: block(0x114), next: block(0x115) };
const words = (neighbors: Parameters<typeof emptyText>[3], missing: number[] = [], gaps = 0): string =>
  emptyText(
    summary(gaps),
    missing.map((replica) => [0, 30e6, replica, replica, "notRecorded"] as const),
    [5e6, 25e6],
    neighbors,
  );

test("nothing was lost where block ids continue", () => {
  expect(words(NEXT_TO)).toBe(
    "Both replicas' files cover this time, and block ids continue without a hole: the database wrote no log here. Nothing was lost.",
  );
  // A damaged file does not change the result for ids without a hole.
  expect(words(NEXT_TO, [], 1)).toContain("Nothing was lost");
});

test("a hole in the ids says that blocks are missing", () => {
  expect(words({ previous: block(0x114), next: block(0x120) })).toContain("hole");
});

test("what cannot be proven is not claimed", () => {
  // Another VLF, an unknown size, or no block on one side show nothing about the time in between.
  for (const neighbors of [
    { previous: block(0x220), next: block(0x10, 512, 0x23) },
    { previous: block(0x114, null), next: block(0x115) },
    { previous: block(0x114), next: null },
  ]) {
    expect(words(neighbors)).toBe("Both replicas' files cover this time: the database wrote no log here.");
    expect(words(neighbors, [], 1)).toBe("A file has a gap: whether log was written here is not known.");
  }
});

test("servers without events at the time come first", () => {
  expect(words(NEXT_TO, [0])).toContain("The files have no events of SQL1 at this time");
  expect(words(NEXT_TO, [1])).toBe(
    "SQL1's file covers this time: the database wrote no log here. The files have no events of SQL2 at this time.",
  );
});

test("servers are named by the role that they had at the time, not by their place", () => {
  // SQL2 took over from SQL1.
  const after = summary(0, [0, 1]);
  const own = (neighbors: Parameters<typeof emptyText>[3], role: number, replica: number): string =>
    emptyText(after, [[0, 30e6, role, replica, "notRecorded"]], [5e6, 25e6], neighbors);
  const behind = {
    previous: { ...NEXT_TO.previous, phase: 1 },
    next: { ...NEXT_TO.next, phase: 1 },
  };
  expect(own(behind, 0, 1)).toBe(
    "The files have no events of SQL2 at this time: what was written here is not in the capture.",
  );
  expect(own(behind, 1, 0)).toBe(
    "SQL2's file covers this time: the database wrote no log here. The files have no events of SQL1 at this time.",
  );
  expect(own({ previous: NEXT_TO.previous, next: behind.next }, 1, 0)).toContain(
    "SQL1's and SQL2's files cover this time",
  );
});

test("where all servers lost it, all are named", () => {
  expect(words({ previous: block(0x114), next: block(0x120) }, [0, 1])).toBe(
    "The files have no events of SQL1 and SQL2 at this time: what was written here is not in the capture.",
  );
});
