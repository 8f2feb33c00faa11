import { expect, test } from "vitest";
import type { CaptureTrace, TraceLane } from "@aglens/ag-model/trace";
import { readPerfetto, readWire } from "../test/perfetto-reader.ts";
import { encodePerfetto, perfettoPieces } from "./export-perfetto.ts";

const lane = (
  name: string,
  slices: readonly (readonly [from: number, to: number])[],
  more = {},
): TraceLane => ({
  replica: 0,
  group: "Primary",
  name,
  about: `${name}.`,
  start: Float64Array.from(slices, ([from]) => from),
  end: Float64Array.from(slices, ([, to]) => to),
  argsOf: (slice) => [["block", slice]],
  pathOf: () => 0,
  ...more,
});

const traceOf = (lanes: readonly TraceLane[], more: Partial<CaptureTrace> = {}): CaptureTrace => ({
  originNs: 1_462_501_015_000_000_000n,
  replicas: ["SQL1"],
  about: [],
  lanes,
  counters: [],
  ...more,
});

const read = (trace: CaptureTrace) => readPerfetto(encodePerfetto(trace));

test("slices that overlap are on tracks of one name, and those that only touch are on one track", () => {
  const { tracks, slices } = read(traceOf([lane("Log write", [[0, 10], [4, 12], [10, 20], [13, 15]])])); // prettier-ignore
  expect(tracks.filter(({ name }) => name === "Log write").length).toBe(2);
  const [first, second, touching, last] = slices.map(({ track }) => track);
  expect([touching, last]).toEqual([first, second]);
  expect(first).not.toBe(second);
  expect(slices.map(({ start, end }) => [start, end])).toEqual([[0, 10_000], [4_000, 12_000], [10_000, 20_000], [13_000, 15_000]]); // prettier-ignore
});

test("a slice without a duration begins and ends at once, between others that touch it", () => {
  const { tracks, slices } = read(traceOf([lane("Ack send", [[0, 5], [5, 5], [5, 9]])])); // prettier-ignore
  expect(tracks.filter(({ name }) => name === "Ack send").length).toBe(1);
  expect(slices.map(({ start, end }) => [start, end])).toEqual([[0, 5_000], [5_000, 5_000], [5_000, 9_000]]); // prettier-ignore
});

test("a replica is a process with groups, whose tracks keep the order of their lanes", () => {
  const counters = [
    { replica: 0, group: "Primary", name: "Commits", unit: "commits/s", about: "", at: Float64Array.of(1), values: Float64Array.of(2.5) }, // prettier-ignore
    { replica: null, group: null, name: "Redo queue SQL9", unit: "bytes", about: "", at: Float64Array.of(0), values: Float64Array.of(4_096) }, // prettier-ignore
  ];
  // The first slice of the second lane is earlier.
  const lanes = [lane("Commit", [[5, 6]]), lane("Log write", [[1, 2]])];
  const { tracks, counters: values } = read(traceOf(lanes, { counters }));
  const named = (name: string) => tracks.find((track) => track.name === name)!;
  const process = tracks.find((track) => track.process === "SQL1")!;
  expect(named("Primary").parent).toBe(process.uuid);
  expect(["Commit", "Log write", "Commits"].map((name) => [named(name).parent, named(name).rank])).toEqual([
    [named("Primary").uuid, 0],
    [named("Primary").uuid, 1],
    [named("Primary").uuid, 2],
  ]);
  expect(values.map(({ at, value }) => [at, value])).toEqual([
    [1_000, 2.5],
    [0, 4_096],
  ]);
  expect([named("Commits").unit, named("Redo queue SQL9").unit]).toEqual(["commits/s", "bytes"]);
  expect(named("Redo queue SQL9").parent).toBeUndefined();
});

test("ns 0 is the origin, with its UTC; a whole second before it where something began earlier", () => {
  const clocksOf = (from: number) => [...read(traceOf([lane("Commit", [[from, 10]])])).clocks];
  expect(clocksOf(0)).toEqual([
    [6, 0n],
    [1, 1_462_501_015_000_000_000n],
  ]);
  expect(clocksOf(-1_200_000)).toEqual([
    [6, 2_000_000_000n],
    [1, 1_462_501_015_000_000_000n],
  ]);
  const [early] = read(traceOf([lane("Commit", [[-1_200_000, 10]])])).slices;
  expect([early?.start, early?.end]).toEqual([800_000_000, 2_000_010_000]);
});

test("values keep their type, also beyond 32 bits, and texts any letters", () => {
  const args = [["lsn", "00000022:00000001"], ["name", "Prüfung 検"], ["size_bytes", 2 ** 40], ["offset_us", -3], ["drift_ppm", 0.25]] as const; // prettier-ignore
  const [slice] = read(
    traceOf([lane("Commit", [[0, 1]], { argsOf: () => args, pathOf: () => 2 ** 40 + 1 })]),
  ).slices;
  expect(slice?.args).toEqual(Object.fromEntries(args));
  expect(slice?.flows).toEqual([2n ** 40n + 1n]);
});

test("a long trace is written in pieces, each of complete packets", () => {
  const long = traceOf([
    lane(
      "Commit",
      Array.from({ length: 12_000 }, (_, i) => [10 * i, 10 * i + 9] as const),
    ),
  ]);
  const pieces = [...perfettoPieces(long)];
  expect(pieces.length).toBe(3);
  expect(pieces.map((piece) => readWire(piece).get(1)?.length)).toEqual([10_000, 10_000, 4_004]);
  expect(read(long).slices.length).toBe(12_000);
});
