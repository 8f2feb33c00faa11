/** Blocks that no acknowledgment names: covered by a later one, or their own was lost. */
import { expect, it } from "vitest";
import { columnsOfAnchors, hopAnchors, obtainedOf, putInstant } from "../shapes/anchor-columns.ts";
import { serverOf } from "../../../test/servers.ts";
import type { Commits } from "./commits.ts";
import { putCoveringAcks, type Covering } from "./covering-acks.ts";
import type { SecondaryAcks } from "./secondary-joins.ts";
import type { Server } from "../prepare/server.ts";
import { Obtained } from "../shapes/tables.ts";

/** Six blocks that left at 10, 20, ... 60 µs; those of `own` have acknowledgments of their own, 500 µs after. */
function hopOf(own: readonly number[]) {
  const hop = hopAnchors(6);
  for (let row = 0; row < 6; row++) {
    putInstant(columnsOfAnchors(hop).departed, row, 10 + 10 * row, Obtained.measured);
    putInstant(columnsOfAnchors(hop).received, row, 100 + 10 * row, Obtained.measured);
    if (own.includes(row))
      putInstant(columnsOfAnchors(hop).ackReceived, row, 510 + 10 * row, Obtained.measured);
  }
  return hop;
}

/** A server with one event, which began and fired then. @param block END of the acknowledged log */
const serverWith = (start: number, fire: number, block = 16n): Server =>
  serverOf([{ kind: "receiveHarden", mode: 2, at: start, took: fire - start, database: "sales", block }]);

/** The only event of a server covers the rows given. */
const columnsOf = (rows: readonly number[]) => ({
  event: Int32Array.from({ length: 6 }, (_, row) => (rows.includes(row) ? 0 : -1)),
  exact: new Uint8Array(6),
});

const onPrimary = (start: number, rows: readonly number[], block?: bigint) => ({
  server: serverWith(start, start + 5, block),
  acks: columnsOf(rows),
});

/** @param seen rows of the blocks in the secondary's file */
const onSecondary = (
  start: number,
  rows: readonly number[],
  seen: readonly number[],
  block?: bigint,
): Covering<SecondaryAcks> => ({
  server: serverWith(start, start, block),
  acks: {
    seen: Uint8Array.from({ length: 6 }, (_, row) => (seen.includes(row) ? 1 : 0)),
    built: columnsOf(rows),
    left: columnsOf(rows),
    sent: columnsOf(rows),
  },
});

/** One commit per row given, with its end. */
const commitsOf = (...commits: readonly (readonly [row: number, end: number])[]): Commits => ({
  length: commits.length,
  block: Int32Array.from(commits, ([row]) => row),
  database: new Uint16Array(commits.length),
  start: new Float64Array(commits.length),
  end: Float64Array.from(commits, ([, end]) => end),
  timeToCommit: new Float64Array(commits.length),
  managerAlone: 0,
});

const ALL = [0, 1, 2, 3, 4, 5];

it("gives a block without its own the acknowledgment that covers it, marked as derived", () => {
  const hop = hopOf([0]);
  putCoveringAcks(hop, (row) => row !== 5, onPrimary(700, ALL), onSecondary(600, ALL, ALL), commitsOf());
  expect([...hop.at.ackReceived]).toEqual([510, 700, 700, 700, 700, Number.NaN]);
  expect([...hop.at.ackProcessed]).toEqual([Number.NaN, 705, 705, 705, 705, Number.NaN]);
  for (const name of ["ackBuilt", "ackDeparted", "ackSent"] as const)
    expect([...hop.at[name]]).toEqual([Number.NaN, 600, 600, 600, 600, Number.NaN]);
  expect([0, 1].map((row) => obtainedOf(hop, "ackReceived", row))).toEqual([
    Obtained.measured,
    Obtained.derived,
  ]);
});

it.each([
  ["low words", 16n, 32n],
  ["high words", (1n << 32n) | 16n, (2n << 32n) | 8n],
])(
  "puts no arrival of one acknowledgment beside the departure of another: of two the first is the block's, %s",
  (_, first, second) => {
    // The one that was sent at 600 arrived in a hole of the primary's file, whose next one arrived 3.9 s later.
    const lostArrival = hopOf([]);
    putCoveringAcks(
      lostArrival,
      () => true,
      onPrimary(3_900_600, ALL, second),
      onSecondary(600, ALL, ALL, first),
      commitsOf(),
    );
    expect([...lostArrival.at.ackDeparted]).toEqual(ALL.map(() => 600));
    for (const name of ["ackReceived", "ackProcessed"] as const)
      expect([...lostArrival.at[name]]).toEqual(ALL.map(() => Number.NaN));

    const lostDeparture = hopOf([]);
    putCoveringAcks(
      lostDeparture,
      () => true,
      onPrimary(700, ALL, first),
      onSecondary(1_560_000, ALL, ALL, second),
      commitsOf(),
    );
    expect([...lostDeparture.at.ackReceived]).toEqual(ALL.map(() => 700));
    for (const name of ["ackBuilt", "ackDeparted", "ackSent"] as const)
      expect([...lostDeparture.at[name]]).toEqual(ALL.map(() => Number.NaN));
  },
);

it("takes none that came before the block left, or was built before it was received", () => {
  const hop = hopOf([]);
  putCoveringAcks(hop, () => true, onPrimary(40, ALL), onSecondary(130, ALL, ALL), commitsOf());
  expect([...hop.at.ackReceived]).toEqual([40, 40, 40, 40, Number.NaN, Number.NaN]);
  expect([...hop.at.ackBuilt]).toEqual([130, 130, 130, 130, Number.NaN, Number.NaN]);
});

it("takes an own departure of the acknowledgment for the block's own", () => {
  const hop = hopOf([]);
  putInstant(columnsOfAnchors(hop).ackDeparted, 2, 300, Obtained.measured);
  putCoveringAcks(hop, () => true, onPrimary(700, ALL), undefined, commitsOf());
  expect([...hop.at.ackReceived]).toEqual([700, 700, Number.NaN, 700, 700, 700]);
});

it("gives none where the block's commits went on before it and each block has its own, unless the secondary has it", () => {
  const receivedOf = (
    own: readonly number[],
    seen: readonly number[],
    ...commits: [number, number][]
  ): number => {
    const hop = hopOf(own);
    putCoveringAcks(hop, () => true, onPrimary(700, ALL), onSecondary(600, ALL, seen), commitsOf(...commits));
    return hop.at.ackReceived[5];
  };
  // The acknowledgment is processed at 705.
  expect(receivedOf([0, 1, 2, 3, 4], [], [5, 704])).toBeNaN();
  expect(receivedOf([0, 1, 2, 3, 4], [], [5, 705])).toBe(700);
  expect(receivedOf([0, 1, 2, 3, 4], [], [5, 900], [5, 704])).toBeNaN();
  expect(receivedOf([0, 1, 2, 3, 4], [], [4, 100], [-1, 100])).toBe(700);
  expect(receivedOf([0, 1, 2, 3, 4], [5], [5, 704])).toBe(700);
  // Four of six are less than three quarters: this replica acknowledges several at once.
  expect(receivedOf([0, 1, 2, 3], [], [5, 704])).toBe(700);
});

it("judges block by block over three quarters of the blocks that left", () => {
  const hop = hopOf([0, 1, 2]);
  // Two blocks that were never sent do not count: three of four are not more than three quarters.
  for (const row of [3, 4]) {
    hop.at.departed[row] = Number.NaN;
    hop.obtained[row] = 0;
  }
  putCoveringAcks(hop, () => true, onPrimary(700, [5]), undefined, commitsOf([5, 100]));
  expect(hop.at.ackReceived[5]).toBe(700);
});

it("leaves blocks alone that nothing covers, and works with the file of one side", () => {
  const hop = hopOf([]);
  putCoveringAcks(hop, () => true, undefined, onSecondary(600, [1], ALL), commitsOf());
  expect([...hop.at.ackReceived]).toEqual(ALL.map(() => Number.NaN));
  expect([...hop.at.ackSent]).toEqual([Number.NaN, 600, Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
  putCoveringAcks(hop, () => true, onPrimary(700, [0]), undefined, commitsOf());
  expect([...hop.at.ackProcessed]).toEqual([705, ...ALL.slice(1).map(() => Number.NaN)]);
});
