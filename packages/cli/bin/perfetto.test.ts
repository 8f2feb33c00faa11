/** Traces of committed captures, read by a reader that shares nothing with the writer, against what happened there. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readPerfetto, type ReadSlice, type ReadTrace } from "../../contract/test/perfetto-reader.ts";
import { tables } from "./tables.ts";

const CAPTURES = fileURLToPath(new URL("../../../fixtures/captures/", import.meta.url));

interface Truth {
  readonly blocks: Readonly<Record<"blockId" | "database" | "localFlushStart" | "localFlushEnd", number[]>>;
  readonly hops: readonly Readonly<Record<string, number[]>>[];
}

const truthOf = async (capture: string): Promise<Truth> =>
  JSON.parse(await readFile(join(CAPTURES, capture, "truth.json"), "utf8")) as Truth;

let out: string;
beforeEach(async () => {
  out = await mkdtemp(join(tmpdir(), "aglens-perfetto-"));
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(out, { recursive: true });
});

async function traceOf(capture: string): Promise<ReadTrace> {
  await tables([join(CAPTURES, capture), "--perfetto", "--out", out], () => {});
  return readPerfetto(await readFile(join(out, "capture.pftrace")));
}

/** "SQL2 > From SQL1 > Log write" */
function pathOf({ tracks }: ReadTrace, uuid: number | undefined): string {
  const track = tracks.find((each) => each.uuid === uuid);
  if (track === undefined) return "";
  const name = track.process ?? track.name ?? "";
  return track.parent === undefined ? name : `${pathOf({ tracks } as ReadTrace, track.parent)} > ${name}`;
}

const slicesIn = (trace: ReadTrace, path: string): ReadSlice[] => {
  const tracks = new Set(
    trace.tracks.filter(({ uuid }) => pathOf(trace, uuid) === path).map(({ uuid }) => uuid),
  );
  return trace.slices.filter(({ track }) => tracks.has(track));
};

/** `00000051:000001a0` of a log_block_id. */
const lsnOf = (id: number): string =>
  [Math.floor(id / 2 ** 32), id % 2 ** 32].map((part) => part.toString(16).padStart(8, "0")).join(":");

describe.each(["slow-network", "slow-secondary-disk", "two-secondaries", "damaged"])(
  "a trace of %s",
  (capture) => {
    it("has tracks with a number each, below tracks that exist", async () => {
      const { tracks, slices, counters } = await traceOf(capture);
      const numbers = tracks.map(({ uuid }) => uuid);
      expect(new Set(numbers).size).toBe(numbers.length);
      expect(numbers).not.toContain(0);
      for (const { parent } of tracks) if (parent !== undefined) expect(numbers).toContain(parent);
      for (const { track } of [...slices, ...counters]) expect(numbers).toContain(track);
    });

    it("has slices that end, are in order and don't overlap on a track", async () => {
      const { slices } = await traceOf(capture);
      const last = new Map<number, number>();
      let before = 0;
      for (const { track, start, end } of slices) {
        expect(start).toBeGreaterThanOrEqual(before);
        expect(end).toBeGreaterThanOrEqual(start);
        expect(start).toBeGreaterThanOrEqual(last.get(track) ?? 0);
        last.set(track, end);
        before = start;
      }
    });

    it("has arrows from replica to replica of one block each", async () => {
      const trace = await traceOf(capture);
      const flows = new Map<bigint, ReadSlice[]>();
      for (const slice of trace.slices)
        for (const flow of slice.flows) flows.set(flow, [...(flows.get(flow) ?? []), slice]);
      expect(flows.size).toBeGreaterThan(50);
      for (const slices of flows.values()) {
        expect(slices.length).toBeGreaterThan(1);
        expect(new Set(slices.map(({ args }) => args["block"])).size).toBe(1);
        // Each part begins as the one before it ends, or later where one in between is not known.
        for (const [i, { end }] of slices.slice(0, -1).entries())
          expect(slices[i + 1]?.start).toBeGreaterThanOrEqual(end);
      }
      const complete = [...flows.values()].filter((slices) => slices.length === 8);
      expect(complete.length).toBeGreaterThan(50);
      const replicas = complete[0]!.map(({ track }) => pathOf(trace, track).split(" > ")[0]);
      const [, other] = replicas;
      expect(replicas).toEqual(["SQL1", other, other, other, other, other, "SQL1", "SQL1"]);
    });
  },
);

it("has the times that happened: log writes to the µs, and the network within the error that it states", async () => {
  const { blocks, hops } = await truthOf("slow-secondary-disk");
  const trace = await traceOf("slow-secondary-disk");
  const writes = slicesIn(trace, "SQL1 > Primary > Log write");
  const out = slicesIn(trace, "SQL2 > From SQL1 > Network out");
  expect([writes.length, out.length]).toEqual([341, 341]);
  // The origin is the first instant of all; truth counts from the start of the simulation.
  const lsns = blocks.blockId.map(lsnOf);
  const originUs =
    blocks.localFlushStart[lsns.indexOf(String(writes[0]!.args["lsn"]))]! - writes[0]!.start / 1_000;
  // Blocks of two databases may have one LSN: the closest one counts.
  const errorOf = (slice: ReadSlice, us: number, column: readonly number[]): number =>
    Math.min(
      ...column.map((at, row) =>
        lsns[row] === slice.args["lsn"] ? Math.abs(us / 1_000 + originUs - at) : Infinity,
      ),
    );
  // Counters are of whole µs.
  for (const write of writes) {
    expect(errorOf(write, write.start, blocks.localFlushStart)).toBeLessThanOrEqual(2);
    expect(errorOf(write, write.end, blocks.localFlushEnd)).toBeLessThanOrEqual(2);
  }
  for (const slice of out) {
    const error = Number(slice.args["uncertainty_us"]);
    expect(error).toBeGreaterThan(0);
    expect(errorOf(slice, slice.end, hops[0]!["received"]!)).toBeLessThanOrEqual(error + 2);
  }
});

it("counts all blocks and commits, with its UTC, its clocks' errors and its contents", async () => {
  const trace = await traceOf("two-secondaries");
  const sumOf = (name: string): number => {
    const { uuid } = trace.tracks.find((track) => track.name === name && track.isCounter)!;
    const values = trace.counters.filter(({ track }) => track === uuid);
    return values.reduce((sum, { value }) => sum + value, 0) * ((values[1]!.at - values[0]!.at) / 1e9);
  };
  expect(sumOf("Log blocks")).toBeCloseTo(468, 6);
  expect(sumOf("Commits")).toBeCloseTo(1_008, 6);
  // 2017-10-23T20:12:27.6008900Z
  expect(trace.clocks).toEqual(new Map([[6, 0n], [1, 1_508_789_547_600_890_000n]])); // prettier-ignore
  const [about] = slicesIn(trace, "About this trace");
  expect(about?.args).toMatchObject({ log_blocks: "all 468", commits: "all 1008", reference: "SQL1" });
  const [clock] = slicesIn(trace, "SQL3 > Clock");
  expect(Number(clock?.args["uncertainty_us"])).toBeGreaterThan(100);
  expect(slicesIn(trace, "SQL2 > From SQL1 > Network, disk").length).toBe(468);
});
