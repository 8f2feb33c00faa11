import type { EvidenceEvent } from "@aglens/evidence";
import { expect, test } from "vitest";
import { modelOf, withCommitMode } from "../../test/model.ts";
import { Obtained, type CaptureModel } from "../replication/index.ts";
import { NO_EVIDENCE } from "../tables/index.ts";
import { captureTrace } from "./capture-trace.ts";
import { intervalsOver } from "./counters.ts";
import type { CaptureTrace, TraceLane } from "./trace.ts";

const ALL = { from: 0, to: Infinity };
const laneOf = ({ lanes }: CaptureTrace, name: string, group?: string): TraceLane =>
  lanes.find((lane) => lane.name === name && (group === undefined || lane.group === group))!;
const argsOf = (lane: TraceLane, slice = 0): Record<string, string | number> =>
  Object.fromEntries(lane.argsOf(slice));

/** Ways of 200 + 300 + 100 + 3,000 + 100 + 100 + 300 + 100 µs, as `test/model.ts` has them. */
const twoBlocks = modelOf([{ at: 0 }, { at: 10_000 }], { duration: 20_000 });

test("lanes are a block's path from replica to replica, each part where its work is", () => {
  const trace = captureTrace(twoBlocks, ALL);
  expect(trace.lanes.map(({ replica, group, name, start }) => [replica, group, name, start.length])).toEqual([
    [null, null, "About this trace", 1],
    [1, null, "Clock", 1],
    [0, "Primary", "Commit", 2],
    [0, "Primary", "Log write", 2],
    [0, "To SQL2", "Capture and send", 2],
    [1, "From SQL1", "Network out", 2],
    [1, "From SQL1", "Receive and append", 2],
    [1, "From SQL1", "Log write", 2],
    [1, "From SQL1", "Ack build", 2],
    [1, "From SQL1", "Ack send", 2],
    [0, "To SQL2", "Network back", 2],
    [0, "To SQL2", "Ack receive", 2],
  ]);
  const send = laneOf(trace, "Capture and send");
  const append = laneOf(trace, "Receive and append");
  // Sent for 200 µs, then 300 µs on the network.
  expect([...append.start]).toEqual([...send.start].map((us) => us + 500));
  expect([...append.end]).toEqual([...send.start].map((us) => us + 600));
});

test("all parts of a block's way to one replica have its number, and other ways other numbers", () => {
  const { lanes } = captureTrace(modelOf([{ at: 0 }, { at: 10_000 }], { secondaries: 2 }), ALL);
  const ways = lanes.filter(({ group }) => group !== null && group !== "Primary");
  const numbers = ways.flatMap((lane) => [...lane.start.keys()].map((slice) => lane.pathOf(slice)));
  expect(new Set(numbers)).toEqual(new Set([1, 2, 3, 4]));
  // Eight parts of each way.
  expect([1, 2, 3, 4].map((way) => numbers.filter((each) => each === way).length)).toEqual([8, 8, 8, 8]);
  expect(laneOf(captureTrace(twoBlocks, ALL), "Log write", "Primary").pathOf(0)).toBe(0);
});

test("a slice has its block, the events of its ends, and how far these can be off", () => {
  const hops = [{ ...twoBlocks.hops[0], uncertainty: Float64Array.of(12.3456, Number.NaN) }];
  const model = withCommitMode({ ...twoBlocks, hops }, 1, "sync");
  const trace = captureTrace(model, ALL);
  expect(argsOf(laneOf(trace, "Network out"))).toEqual({
    block: 0,
    lsn: "00000022:00000001",
    database: "TestDB",
    size_bytes: 512,
    commit_mode: "sync",
    events: "hadr_log_block_send_complete to hadr_transport_receive_log_block_message mode 2",
    uncertainty_us: 12.346,
  });
  expect(argsOf(laneOf(trace, "Network out"), 1)["uncertainty_us"]).toBe("unknown");
  // Both ends are on the primary's clock.
  expect(argsOf(laneOf(trace, "Ack receive"))["uncertainty_us"]).toBe(0);
  expect(argsOf(laneOf(trace, "Log write", "Primary"))).toMatchObject({ commits: 1, released_by: "SQL2" });
  expect(argsOf(laneOf(trace, "Commit"))).toMatchObject({ lsn: "00000022:00000001", released_by: "SQL2" });
});

/** The model with another way in which an anchor of the first hop was obtained, in its first block. */
function obtainedAs(model: CaptureModel, place: number, how: Obtained): CaptureModel {
  const obtained = model.hops[0].obtained.slice();
  obtained[0] = (obtained[0] & ~(3 << (2 * place))) | (how << (2 * place));
  return { ...model, hops: [{ ...model.hops[0], obtained }] };
}

test("a derived end says so with its error, and an estimate is not drawn but counted", () => {
  const SEND_END = 2;
  const derived = captureTrace(obtainedAs(twoBlocks, SEND_END, Obtained.derived), ALL);
  // A send may be another one's, which differs by up to 500 µs.
  expect(argsOf(laneOf(derived, "Capture and send"))).toMatchObject({
    end_obtained: "derived",
    uncertainty_us: 500,
  });
  expect(argsOf(laneOf(derived, "Network out"))["start_obtained"]).toBe("derived");
  const estimated = captureTrace(obtainedAs(twoBlocks, SEND_END, Obtained.fallback), ALL);
  expect(laneOf(estimated, "Capture and send").start.length).toBe(1);
  expect(laneOf(estimated, "Network out").start.length).toBe(1);
  expect(Object.fromEntries(estimated.about)["slices_without_an_event_at_an_end"]).toBe(2);
});

test("a network time below zero is not drawn but counted", () => {
  const received = twoBlocks.hops[0].received.slice();
  received[0] -= 301;
  const trace = captureTrace({ ...twoBlocks, hops: [{ ...twoBlocks.hops[0], received }] }, ALL);
  expect(laneOf(trace, "Network out").start.length).toBe(1);
  expect(Object.fromEntries(trace.about)["slices_shorter_than_the_clock_error"]).toBe(1);
});

test("a replica without a file has one lane for its network and disk, from the send to its acknowledgment", () => {
  const [primary, secondary] = twoBlocks.replicas;
  const replicas = [primary, { ...secondary, hasCapture: false }];
  const trace = captureTrace({ ...twoBlocks, replicas }, ALL);
  expect(trace.lanes.filter(({ group }) => group?.includes(" ")).map(({ name }) => name)).toEqual([
    "Capture and send",
    "Network, disk",
    "Ack receive",
  ]);
  const { start, end } = laneOf(trace, "Network, disk");
  // 300 + 100 + 3,000 + 100 + 100 + 300 µs
  expect(end[0] - start[0]).toBe(3_900);
});

test("a lane has at most 500 slices at one time, and the others are counted", () => {
  const blocks = Array.from({ length: 502 }, (_, us) => ({ at: us }));
  const trace = captureTrace(modelOf(blocks, { duration: 20_000 }), ALL);
  // Log writes take 2,000 and 3,000 µs, and a commit longer. A send takes 200 µs.
  expect(laneOf(trace, "Log write", "From SQL1").start.length).toBe(500);
  expect(laneOf(trace, "Log write", "Primary").start.length).toBe(500);
  expect(laneOf(trace, "Commit").start.length).toBe(500);
  expect(laneOf(trace, "Capture and send").start.length).toBe(502);
  expect(Object.fromEntries(trace.about)["slices_above_500_at_one_time"]).toBe(3 * 2);
});

test("of too many blocks the slowest are drawn, which the trace says; counters have all", () => {
  const model = modelOf([{ at: 0 }, { at: 10_000, hops: [{ flush: 9_000 }] }, { at: 30_000 }], {
    duration: 50_000,
  });
  // A block with one secondary has nine slices.
  const trace = captureTrace(model, { ...ALL, most: 17 });
  expect(argsOf(laneOf(trace, "Log write", "Primary"))["block"]).toBe(1);
  expect(laneOf(trace, "Commit").start).toEqual(Float64Array.of(10_000));
  expect(Object.fromEntries(trace.about)).toMatchObject({
    log_blocks: "the slowest 1 of 3",
    commits: "the longest 1 of 3",
  });
  const blocks = trace.counters.find(({ name }) => name === "Log blocks")!;
  // Intervals of 1 ms: one block in an interval is 1,000 a second.
  expect([0, 10, 20, 30].map((ms) => blocks.values[ms])).toEqual([1_000, 1_000, 0, 1_000]);
});

test("only blocks and commits of the range and the filter are drawn, with their numbers in the capture", () => {
  const range = captureTrace(twoBlocks, { from: 5_000, to: 20_000, numbers: Uint32Array.of(7, 9) });
  expect(argsOf(laneOf(range, "Log write", "Primary"))["block"]).toBe(9);
  expect(laneOf(range, "Commit").start.length).toBe(1);
  const filtered = captureTrace(twoBlocks, { ...ALL, isIn: Uint8Array.of(1, 0) });
  expect(laneOf(filtered, "Commit").start).toEqual(Float64Array.of(0));
  expect(Object.fromEntries(filtered.about)["log_blocks"]).toBe("all 1");
});

test("queues are the most that waits in an interval, also while nothing begins or ends", () => {
  const { counters } = captureTrace(twoBlocks, ALL);
  const unacknowledged = counters.find(({ name }) => name === "Unacknowledged log")!;
  const { localFlushStart } = twoBlocks.blocks;
  const { ackProcessed } = twoBlocks.hops[0];
  expect([localFlushStart[0], ackProcessed[0]].every((us) => us > 0 && us < 6_000)).toBe(true);
  const from = Math.floor(localFlushStart[0] / 1_000);
  const to = Math.floor(ackProcessed[0] / 1_000);
  const expected = Array.from({ length: 10 }, (_, ms) => (ms >= from && ms <= to ? 512 : 0));
  expect([...unacknowledged.values.subarray(0, 10)]).toEqual(expected);
  expect(unacknowledged.unit).toBe("bytes");
});

test("a commit without a known end is neither drawn nor counted as waiting", () => {
  const end = twoBlocks.commits.end.slice();
  end[1] = Number.NaN;
  const trace = captureTrace({ ...twoBlocks, commits: { ...twoBlocks.commits, end } }, ALL);
  expect(laneOf(trace, "Commit").start).toEqual(Float64Array.of(0));
  const waiting = trace.counters.find(({ name }) => name === "Commits waiting")!;
  // The first commit waits from 0 to 4,290 µs; the second one begins at 10 ms.
  expect([...waiting.values.subarray(0, 12)]).toEqual([1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]);
});

test("counters have no interval outside of the primary's files, and none of commits that were not recorded", () => {
  const covered = modelOf([{ at: 6_000 }], { duration: 20_000, coverage: [[5_500, 12_000]] });
  const at = (model: CaptureModel, name: string) =>
    captureTrace(model, ALL).counters.find((counter) => counter.name === name)?.at;
  expect(at(covered, "Log blocks")).toEqual(
    Float64Array.from([5, 6, 7, 8, 9, 10, 11, 12], (ms) => 1_000 * ms),
  );
  const none = { ...covered.commits, length: 0, start: new Float64Array(), end: new Float64Array() };
  expect(at({ ...covered, commits: none }, "Commits")).toBeUndefined();
  expect(captureTrace(modelOf([], { duration: 20_000 }), ALL).counters).toEqual([]);
});

test("log send queues of performance counters are counters of their replica", () => {
  const source = {
    file: "counters.csv",
    column: String.raw`\\SQL1\SQLServer:Database Replica(Sales)\Log Send Queue`,
  };
  const queue = {
    metric: "log send queue",
    unit: "bytes" as const,
    server: "SQL1.corp.example",
    of: "Sales",
    form: "sample" as const,
    atUs: Float64Array.of(999_000, 1_001_000, 1_002_000, 1_003_000),
    values: Float64Array.of(1, 2_048, Number.NaN, 4_096),
    source,
  };
  const evidence = {
    ...NO_EVIDENCE,
    originUs: 1_000_000,
    series: [queue, { ...queue, metric: "disk write latency" }],
  };
  const { counters } = captureTrace(twoBlocks, { ...ALL, evidence });
  const found = counters.filter(({ group }) => group === null);
  expect(
    found.map(({ name, replica, unit, at, values }) => [name, replica, unit, [...at], [...values]]),
  ).toEqual([["Log send queue Sales", 0, "bytes", [1_000, 3_000], [2_048, 4_096]]]);
});

test("events of other files are slices of their server, with their text, sources and error", () => {
  const event: EvidenceEvent = {
    kind: "slowIo",
    atUs: 1_015_000,
    fromUs: 1_003_000,
    server: "SQL2",
    group: null,
    database: "Sales",
    replica: null,
    message: 833,
    states: null,
    count: 2,
    text: "2 I/O requests took longer than 15 s.",
    sources: [{ file: "ERRORLOG", place: 7, text: null, plusMinusUs: 5_000 }],
    lsn: null,
  };
  const events = [
    event,
    { ...event, kind: "role" as const, fromUs: null, server: "SQL9" },
    { ...event, atUs: 2e6, fromUs: null },
  ];
  const evidence = { ...NO_EVIDENCE, originUs: 1_000_000, events, errorAt: () => 12.5 };
  const trace = captureTrace(twoBlocks, { ...ALL, evidence });
  const lanes = trace.lanes.filter(({ name }) => name.startsWith("Server events"));
  expect(
    lanes.map(({ name, replica, start, end, nameOf }) => [name, replica, start[0], end[0], nameOf?.(0)]),
  ).toEqual([
    ["Server events", 1, 3_000, 15_000, "slow_io"],
    ["Server events of SQL9", null, 15_000, 15_000, "role"],
  ]);
  expect(argsOf(lanes[0])).toEqual({
    text: "2 I/O requests took longer than 15 s.",
    database: "Sales",
    message: 833,
    sources: "ERRORLOG:7",
    uncertainty_us: 5_012.5,
  });
  expect(Object.fromEntries(trace.about)["events_of_other_files"]).toBe("all 2");
});

test("intervals are 1, 2 or 5 times a power of ten, at most 500 of them and none below 1 ms", () => {
  expect(intervalsOver(0, 20_000)).toEqual({ width: 1_000, first: 0, count: 20 });
  expect(intervalsOver(0, 500_000)).toEqual({ width: 1_000, first: 0, count: 500 });
  expect(intervalsOver(0, 12_000_000)).toEqual({ width: 50_000, first: 0, count: 240 });
  expect(intervalsOver(7_500, 9_200)).toEqual({ width: 1_000, first: 7, count: 3 });
});
