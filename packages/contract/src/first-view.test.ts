import { expect, test } from "vitest";
import { firstView, fullRange } from "./first-view.ts";

type Asked = Parameters<typeof firstView>[0];

const SECOND = 1_000_000;

/** Files from and to, s; null for a replica without a file. */
type Files = readonly [from: number, to: number] | null;

/** A capture of 100 s. */
const asked = (
  replicas: readonly Files[],
  phases: readonly {
    readonly from?: number;
    readonly to?: number;
    readonly primary?: number;
    readonly databases?: readonly number[];
    readonly commitModes?: readonly (string | null)[];
  }[] = [{}],
): Asked =>
  ({
    durationUs: 100 * SECOND,
    replicas: replicas.map((files) => ({
      from: files === null ? null : files[0] * SECOND,
      to: files === null ? null : files[1] * SECOND,
    })),
    phases: phases.map(
      ({ from = 0, to = 100, primary = 0, databases = [0], commitModes = ["sync", "sync"] }) => ({
        from: from * SECOND,
        to: to * SECOND,
        primary,
        databases,
        commitModes,
      }),
    ),
  }) as unknown as Asked;

const seconds = (of: Asked): number[] => firstView(of).map((us) => us / SECOND);

test("begins with the last file that begins, and ends with the first that ends", () => {
  expect(
    seconds(
      asked([
        [0, 90],
        [10, 100],
        [5, 95],
      ]),
    ),
  ).toEqual([10, 90]);
  expect(seconds(asked([[0, 90], [10, 100], null]))).toEqual([10, 90]);
});

test("leaves out the files of a replica that takes no part", () => {
  expect(
    seconds(
      asked(
        [
          [0, 100],
          [10, 90],
          [40, 60],
        ],
        [{ commitModes: ["sync", null] }],
      ),
    ),
  ).toEqual([10, 90]);
});

test("is all of a capture whose files share no time, or of which it would leave out less than 2 %", () => {
  expect(
    seconds(
      asked(
        [
          [0, 40],
          [60, 100],
        ],
        [{ commitModes: ["sync"] }],
      ),
    ),
  ).toEqual([0, 100]);
  expect(
    seconds(
      asked(
        [
          [0, 50],
          [50, 100],
        ],
        [{ commitModes: ["sync"] }],
      ),
    ),
  ).toEqual([0, 100]);
  expect(seconds(asked([[0, 100], [1.9, 100], null]))).toEqual([0, 100]);
  expect(seconds(asked([[0, 100], [2.1, 100], null]))).toEqual([2.1, 100]);
  expect(seconds(asked([[0, 100], [2, 100], null]))).toEqual([2, 100]);
  expect(seconds(asked([], []))).toEqual([0, 100]);
});

test("reaches from the common time of the first phase to that of the last, whoever is the primary", () => {
  // SQL2 has the slots SQL1 and SQL3 once it is the primary.
  const failover = [
    { to: 50, commitModes: ["sync", null] },
    { from: 50, primary: 1, commitModes: ["sync", null] },
  ];
  expect(
    seconds(
      asked(
        [
          [5, 80],
          [10, 95],
          [40, 45],
        ],
        failover,
      ),
    ),
  ).toEqual([10, 80]);
  // Files that only cover time after a phase do not end it before its blocks.
  expect(
    seconds(
      asked(
        [
          [5, 60],
          [10, 95],
          [40, 100],
        ],
        [{ to: 50 }, { from: 50, primary: 1 }],
      ),
    ),
  ).toEqual([40, 60]);
});

test("of groups side by side reaches over both", () => {
  const groups = [
    { from: 20, to: 60, databases: [0], commitModes: ["sync", null, null] },
    { from: 40, to: 80, databases: [1], primary: 2, commitModes: [null, null, "sync"] },
  ];
  // The first group's files cover 10 to 60 s, the second one's 30 to 90 s.
  expect(
    seconds(
      asked(
        [
          [10, 60],
          [0, 70],
          [30, 100],
          [20, 90],
        ],
        groups,
      ),
    ),
  ).toEqual([10, 90]);
});

test("all of a capture has a length", () => {
  expect(fullRange({ durationUs: 0 })).toEqual([0, 1]);
  expect(fullRange({ durationUs: 5 })).toEqual([0, 5]);
});
