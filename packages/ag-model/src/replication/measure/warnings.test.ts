import { expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../../test/events.ts";
import { blocksInARow, hopEvents, localEvents, secondaryEvents, type HopPath } from "../../../test/paths.ts";
import { buildModel } from "../model.ts";
import type { ServerInput } from "../prepare/server-input.ts";

const paths = blocksInARow(12);
const silent: HopPath = {
  ackBuilt: NaN,
  ackDeparted: NaN,
  ackSent: NaN,
  ackReceived: NaN,
  ackProcessed: NaN,
};
const onPrimary = paths.flatMap((path) => [...localEvents(path), ...hopEvents(path)]);
const onSecondary = paths.flatMap((path) => secondaryEvents(path));
const primary = (events: readonly EventSpec[] = onPrimary): ServerInput => ({
  role: "primary",
  columns: eventColumns(events),
  name: "SQL1",
});
const secondary = (events: readonly EventSpec[] = onSecondary): ServerInput => ({
  role: "secondary",
  columns: eventColumns(events),
  name: "SQL2",
});
const warningsOf = (...inputs: ServerInput[]): readonly string[] => buildModel(inputs).warnings;

it("are none for a capture with nothing missing", () => {
  expect(warningsOf(primary(), secondary())).toEqual([]);
});

it("name replicas without a file", () => {
  expect(warningsOf(primary())).toEqual([
    "Secondary has no capture, so its log write and network time can't be separated.",
  ]);
  expect(warningsOf(secondary())).toEqual([
    "The capture contains no file of the primary, so commits, sends and network times are unknown.",
    "SQL2: There is no event of the primary: times are on this secondary's clock.",
  ]);
});

/** Twelve blocks, half a second apart. */
const spread = blocksInARow(12, 500_000);
const spreadPrimary = (without: readonly number[] = []): ServerInput =>
  primary(
    spread.flatMap((path, i) => (without.includes(i) ? [] : [...localEvents(path), ...hopEvents(path)])),
  );
const spreadSecondary = (without: readonly number[] = []): ServerInput =>
  secondary(spread.flatMap((path, i) => (without.includes(i) ? [] : secondaryEvents(path))));

it("count blocks that one side's files lack in the middle of their time", () => {
  const lacking = spread.map((path, i) => {
    // Events of the way of these blocks exist, but not its destination.
    const isLost = [4, 6].includes(i);
    return isLost ? [] : secondaryEvents(path);
  });
  expect(warningsOf(spreadPrimary(), secondary(lacking.flat()))).toEqual([
    "2 log blocks are in the primary's files only, in time that a secondary's files cover.",
  ]);
  expect(warningsOf(spreadPrimary([4, 6, 7]), spreadSecondary())).toEqual([
    "3 log blocks are in secondaries' files only, in time that the primary's files cover.",
  ]);
});

it("count a single block as one", () => {
  expect(warningsOf(spreadPrimary(), spreadSecondary([5]))).toEqual([
    "1 log block is in the primary's files only, in time that a secondary's files cover.",
  ]);
  expect(warningsOf(spreadPrimary([5]), spreadSecondary())).toEqual([
    "1 log block is in secondaries' files only, in time that the primary's files cover.",
  ]);
});

it("are none for blocks before the other side's first file, and after its last", () => {
  const [early, late] = [
    [0, 1, 2],
    [9, 10, 11],
  ];
  for (const without of [early, late, [...early, ...late]]) {
    expect(warningsOf(spreadPrimary(), spreadSecondary(without))).toEqual([]);
    expect(warningsOf(spreadPrimary(without), spreadSecondary())).toEqual([]);
  }
});

it("are none for blocks that a replica had not received when the files end", () => {
  // It writes older blocks until the last second; no block that was sent after block 5 has arrived.
  const slow = spread
    .slice(0, 6)
    .flatMap((path, i) => secondaryEvents(path, i === 5 ? { secondaryFlushEnd: 3_000_000, ...silent } : {}));
  const late = spread.flatMap((path, i) => [...localEvents(path), ...hopEvents(path, i > 4 ? silent : {})]);
  const { warnings, counts } = buildModel([primary(late), secondary(slow)]);
  expect(counts.primaryOnly).toBe(6);
  expect(warnings).toEqual([]);
});

it("are none for blocks that were never sent", () => {
  const unsent = [4, 5, 6];
  const events = spread.flatMap((path, i) => [
    ...localEvents(path),
    ...(unsent.includes(i) ? [] : hopEvents(path)),
  ]);
  expect(warningsOf(primary(events), spreadSecondary(unsent))).toEqual([]);
});

it("say that acknowledgments have no event at all, and not that the files share no block", () => {
  const unacknowledged = paths.flatMap((path) => [...localEvents(path), ...hopEvents(path, silent)]);
  expect(warningsOf(primary(unacknowledged), secondary())).toEqual([
    "SQL2: Its session, or the primary's, does not have hadr_receive_harden_lsn_message: its times are placed by UTC only.",
    "No event shows an acknowledgment arriving at the primary: its session, or its version, has no hadr_receive_harden_lsn_message. AG Lens can't determine what released the commits.",
  ]);
});

it("do not blame a session that has the events, though no block has all of them", () => {
  // The only acknowledgment with a known departure is not the one with a known arrival.
  const arriving = paths.flatMap((path, i) => [
    ...localEvents(path),
    ...hopEvents(path, i === 0 ? {} : silent),
  ]);
  const leaving = paths.flatMap((path, i) => secondaryEvents(path, i === 11 ? {} : silent));
  expect(warningsOf(primary(arriving), secondary(leaving))).toContain(
    "SQL2: No log block shows when it and its acknowledgment left and arrived on both servers: times of this secondary are placed by UTC only.",
  );
});

it("count blocks without an acknowledgment before the last one that has one", () => {
  const without = (...silenced: number[]): readonly string[] =>
    warningsOf(
      primary(
        paths.flatMap((path, i) => [
          ...localEvents(path),
          ...hopEvents(path, silenced.includes(i) ? silent : {}),
        ]),
      ),
      secondary(),
    );
  expect(without(5, 7)).toEqual(["Log blocks without an acknowledgment in the capture: 2."]);
  // The files end while these are under way.
  expect(without(10, 11)).toEqual([]);
});

it("say why a clock is no single line, and how many blocks contradict it", () => {
  const theta = (t: number): number => (t < paths[6].at ? 0 : 80_000);
  const stepping = paths.flatMap((path) => secondaryEvents(path, {}, theta));
  expect(warningsOf(primary(), secondary(stepping))).toEqual([
    "SQL2: The clock is not one straight line over the capture (a step or another speed): fitted in 2 windows.",
  ]);
  const early: HopPath = { ackReceived: 1_500, ackProcessed: 1_600 };
  const [p, s] = [
    paths.flatMap((path, i) => [...localEvents(path), ...hopEvents(path, i === 5 ? early : {})]),
    paths.flatMap((path, i) => secondaryEvents(path, i === 5 ? early : {})),
  ];
  expect(warningsOf(primary(p), secondary(s))).toEqual(["SQL2: 1 block contradicts the clock model."]);
});

it("say that durations are coarse without start_timestamp", () => {
  const withoutStart = onPrimary.map(({ at, ...event }) => ({
    ...event,
    published: at! + (event.took ?? 0),
  }));
  expect(warningsOf(primary(withoutStart), secondary())).toContain(
    "The events of this version carry no start_timestamp: durations are as coarse as the timestamps.",
  );
});

it("count parts of files that could not be read", () => {
  const damaged = primary();
  const gap = { code: "bad-event", offset: 5, bytes: 6, message: "" };
  const [file] = damaged.columns.files;
  const columns = { ...damaged.columns, files: [{ ...file, gaps: [gap, gap] }, file] };
  expect(warningsOf({ ...damaged, columns }, secondary())).toEqual([
    "Parts of the files that could not be read: 2.",
  ]);
});

it("count the ids of damage, whose events are of no replica of their own", () => {
  const flipped = Array.from({ length: 20 }, (_, i): EventSpec => ({
    kind: "capture",
    at: paths[0].at + i,
    took: 0,
    block: paths[0].block,
    database: "sales-id",
    partner: `flipped-${i}`,
  }));
  const model = buildModel([primary([...onPrimary, ...flipped]), secondary()]);
  expect(model.replicas.map(({ name }) => name)).toEqual(["SQL1", "SQL2"]);
  expect(model.warnings).toContain(
    "Ids of replicas and databases skipped as damaged, because almost no event contains them: 20.",
  );
});

it.each([
  [5 * 3_600, "SQL2's UTC clock is 5 h ahead of SQL1's."],
  [-(3_600 + 23 * 60 + 17), "SQL2's UTC clock is 1 h 23 min behind SQL1's."],
  [120.3, "SQL2's UTC clock is 2 min ahead of SQL1's."],
  [61, "SQL2's UTC clock is 1 min 1 s ahead of SQL1's."],
  [-10, "SQL2's UTC clock is 10 s behind SQL1's."],
  [9, null],
])("say how far UTC clocks are apart: %d s", (seconds, sentence) => {
  const columns = eventColumns(onSecondary, seconds * 1_000_000);
  const warnings = warningsOf(primary(), { role: "secondary", columns, name: "SQL2" });
  expect(warnings).toEqual(sentence === null ? [] : [sentence]);
});

it("say of a UTC clock that was set how far it was apart for most of the time", () => {
  const many = blocksInARow(30, 1_000_000);
  const setAt = (seconds: number) =>
    many
      .flatMap((path) => secondaryEvents(path))
      .map((event) => ({
        ...event,
        published: event.at! + (event.took ?? 0) + (event.at! < seconds * 1_000_000 ? 0 : 7_200_000_000),
      }));
  const onMany = primary(many.flatMap((path) => [...localEvents(path), ...hopEvents(path)]));
  expect(warningsOf(onMany, secondary(setAt(10.5)))).toEqual([
    "SQL2's UTC clock is mostly 2 h ahead of SQL1's.",
  ]);
  expect(warningsOf(onMany, secondary(setAt(24.5)))).toEqual([]);
});

it("name the events that a session lacks, of servers that have enough blocks to know", () => {
  const many = blocksInARow(25);
  const primaryOf = (blocks: typeof many): ServerInput =>
    primary(blocks.flatMap((path) => [...localEvents(path), ...hopEvents(path)]));
  const withoutFlush = (blocks: typeof many): ServerInput =>
    secondary(
      blocks
        .flatMap((path) => secondaryEvents(path))
        .filter(({ kind }) => kind !== "flushStart" && kind !== "flushComplete"),
    );
  expect(warningsOf(primaryOf(many), withoutFlush(many))).toEqual([
    "The session of SQL2, or its version, doesn't have log_flush_start or log_flush_complete. Figures that need them are estimated or unknown.",
  ]);
  const few = paths.slice(0, 5);
  expect(warningsOf(primaryOf(few), withoutFlush(few))).toEqual([]);
});
