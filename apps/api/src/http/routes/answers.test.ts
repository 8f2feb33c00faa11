import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { parquetReadObjects } from "hyparquet";
import request from "supertest";
import {
  decodeCommits,
  decodeMarkers,
  decodeWindow,
  Distribution,
  FoundBlocks,
  HitCounts,
  Hits,
  Overview,
  RangeStatistics,
  RawEvents,
  Sequence,
  SlowBlocks,
  Summary,
  Waiting,
  WhatIf,
} from "@aglens/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { elementAt } from "../../../test/element-at.ts";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";

/** Actions of the simulator, per log block. */
interface Truth {
  readonly blocks: {
    readonly blockId: readonly (number | string)[];
    readonly localFlushStart: readonly number[];
    readonly localFlushEnd: readonly number[];
    readonly commits: readonly unknown[];
  };
}

let service: TestService;
let id: string;
let truth: Truth;

beforeAll(async () => {
  service = await testService();
  const sample = "slow-secondary-disk";
  truth = JSON.parse(await readFile(join(service.config.samplesDirectory, sample, "truth.json"), "utf8"));
  id = (await request(service.app).post(`/api/v1/samples/${sample}`).expect(201)).body.id;
  // The stream ends automatically when the analysis has ended.
  await request(service.app).get(`/api/v1/captures/${id}/progress`).expect(200);
});
afterAll(() => service.end());

const get = (path: string) => request(service.app).get(`/api/v1/captures/${id}/${path}`);
const blockCount = (): number => truth.blocks.blockId.length;

async function bytesOf(
  path: string,
  type = "application/vnd.apache.arrow.stream",
): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await get(path).responseType("blob").expect(200);
  expect(answer.type).toBe(type);
  return new Uint8Array(answer.body as Buffer);
}

async function slowest(query = ""): Promise<SlowBlocks["rows"]> {
  return SlowBlocks.parse((await get(`slowest${query}`).expect(200)).body).rows;
}

const ofRemoteHarden = ({ stages }: SlowBlocks["rows"][number]): number => stages.remoteHarden ?? Number.NaN;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

test("the summary is of all blocks of the truth, under the capture's name", async () => {
  const summary = Summary.parse((await get("summary").expect(200)).body);
  expect(summary).toMatchObject({ captureId: id, name: "Sample: slow secondary disk" });
  expect(summary.blocks.total).toBe(blockCount());
  expect(summary.verdict.place).toBe("secondary");
});

describe("an overview", () => {
  test("has as many bins as were asked for, with all blocks in them", async () => {
    const overview = Overview.parse((await get("overview?bins=40").expect(200)).body);
    expect(overview.blocks).toHaveLength(40);
    expect(sum(overview.blocks)).toBe(blockCount());
    expect(Overview.parse((await get("overview").expect(200)).body).blocks).toHaveLength(600);
  });

  test("of a range has the blocks of that range", async () => {
    const whole = Overview.parse((await get("overview?bins=10").expect(200)).body);
    const half = Overview.parse((await get("overview?bins=10&from=0&to=1000000").expect(200)).body);
    expect(sum(half.blocks)).toBeGreaterThan(0);
    expect(sum(half.blocks)).toBeLessThan(sum(whole.blocks));
  });

  test("of a secondary that is not there is refused", async () => {
    expect((await get("overview?secondary=1").expect(400)).body.detail).toBe(
      "The capture has 1 secondaries; there is no number 1.",
    );
  });
});

describe("a window", () => {
  test("comes as blocks up to the limit, and as bins beyond it", async () => {
    const count = blockCount();
    const blocks = decodeWindow(await bytesOf(`window?limit=${count}`));
    expect(blocks.detail === "blocks" && blocks.blocks.length).toBe(count);
    const bins = decodeWindow(await bytesOf(`window?limit=${count - 1}&bins=20`));
    if (bins.detail !== "bins") throw new Error("expected bins");
    expect([bins.length > 10, bins.length <= 21]).toEqual([true, true]);
    expect(sum([...bins.count])).toBe(count);
  });

  test("of a range that ends where it begins is refused", async () => {
    const { body } = await get("window?from=5&to=5").expect(400);
    expect(body).toMatchObject({ code: "bad-request", detail: "from (5 µs) must lie before to (5 µs)." });
    await get("window?from=5&to=4").expect(400);
    await get("window?from=5&to=6").expect(200);
  });
});

test("an answer is known again by its tag, in the encoding that was asked for", async () => {
  const path = "overview?bins=50";
  const first = await get(path).set("Accept-Encoding", "br").expect(200).expect("Content-Encoding", "br");
  expect(first.headers["vary"]).toContain("Accept-Encoding");
  const { etag = "" } = first.headers;
  const again = await get(path).set("Accept-Encoding", "br").set("If-None-Match", etag).expect(304);
  expect(again.text).toBe("");
  const gzipped = await get(path).set("Accept-Encoding", "gzip").set("If-None-Match", etag).expect(200);
  expect(gzipped.headers["content-encoding"]).toBe("gzip");
  const plain = await get(path).set("Accept-Encoding", "identity").expect(200);
  expect(plain.headers["content-encoding"]).toBeUndefined();
  expect(plain.body).toEqual(gzipped.body);
});

test("commits are cut to the longest, markers are all", async () => {
  const commits = decodeCommits(await bytesOf("commits"));
  expect(commits.commits.length).toBe(truth.blocks.commits.flat().length);
  const three = decodeCommits(await bytesOf("commits?limit=3")).commits;
  expect(three.length).toBe(3);
  decodeMarkers(await bytesOf("markers"));
});

test("statistics are of a range, of the whole capture without one", async () => {
  const whole = RangeStatistics.parse((await get("statistics").expect(200)).body);
  expect(whole.from).toBe(0);
  const range = RangeStatistics.parse((await get("statistics?from=1000&to=2000").expect(200)).body);
  expect(range).toMatchObject({ from: 1000, to: 2000 });
});

test("waiting has a row for each log writer and direction of the network", async () => {
  const { rows, worst } = Waiting.parse((await get("waiting").expect(200)).body);
  expect(rows.filter(({ kind }) => kind === "logWrite")).toHaveLength(4);
  const slow = rows[worst];
  // The sample is made with a slow log disk of the secondary.
  expect(slow).toMatchObject({ kind: "logWrite", replica: 1, isSlow: true });
});

describe("distributions", () => {
  test("count every block and have the primary's log writes as the simulator made them", async () => {
    const { rows, edges, heat } = Distribution.parse(
      (await get("distribution?stage=localFlush").expect(200)).body,
    );
    const [writes] = rows.find(({ stage }) => stage === "localFlush")!.ranges;
    expect(writes!.n + writes!.missing).toBe(blockCount());
    const { localFlushStart, localFlushEnd } = truth.blocks;
    const longest = Math.max(...localFlushEnd.map((end, i) => end - localFlushStart[i]!));
    expect(Math.abs(writes!.max! - longest)).toBeLessThan(1);
    expect(edges).toHaveLength(writes!.counts.length + 1);
    expect(sum(heat.counts)).toBe(writes!.n);
  });

  test("lay a second range over the first, on a linear scale, and refuse a database that is not there", async () => {
    const path = "distribution?scale=linear&from=0&to=1e6&otherFrom=1e6&otherTo=2e6";
    const { rows, other, sizes } = Distribution.parse((await get(path).expect(200)).body);
    expect(other).toEqual({ from: 1e6, to: 2e6 });
    expect(rows.every(({ ranges }) => ranges.length === 2)).toBe(true);
    expect(sizes).toBeNull();
    const { body } = await get("distribution?database=9").expect(400);
    expect(body.detail).toContain("there is no number 9");
    await get("distribution?stage=nothing").expect(400);
  });
});

test("a filter by duration leaves only its blocks, everywhere", async () => {
  const { localFlushStart, localFlushEnd } = truth.blocks;
  const wanted = localFlushEnd.filter((end, i) => {
    const us = end - localFlushStart[i]!;
    return us >= 5_000 && us < 8_000;
  }).length;
  const where = "where=localFlush@1=5000..8000";
  const found = SlowBlocks.parse((await get(`slowest?${where}`).expect(200)).body);
  expect(found.total).toBe(wanted);
  expect(RangeStatistics.parse((await get(`statistics?${where}`).expect(200)).body).blocks).toBe(wanted);
  expect(decodeWindow(await bytesOf(`window?limit=5000&${where}`))).toMatchObject({
    row: { length: wanted },
  });
  await get("slowest?where=localFlush").expect(400);
  await get("slowest?where=send@9>5").expect(400);
  await get("slowest?where=db=9").expect(400);
  const hits = Hits.parse((await get(`hits?${where}&from=0&to=1`).expect(200)).body);
  expect(hits).toMatchObject({ blocks: wanted, conditions: [{ blocks: wanted }] });
  expect(hits.before + hits.after).toBeLessThanOrEqual(wanted);
  const csv = (await get(`export/csv/blocks?${where}`).expect(200)).text;
  expect(csv.trim().split("\n")).toHaveLength(1 + wanted);
  const parquet = await parquetReadObjects({
    file: (await bytesOf(`export/parquet/blocks?${where}`, "application/vnd.apache.parquet")).buffer,
    compressors: { ZSTD: (bytes) => zstdDecompressSync(bytes) },
  });
  expect(parquet).toHaveLength(wanted);
  expect(parquet.every(({ log_write_us: us }) => us >= 5_000 && us < 8_000)).toBe(true);
  const counted = async (query: string) =>
    HitCounts.parse((await get(`hit-counts?${query}`).expect(200)).body).counts.map(({ blocks }) => blocks);
  expect(await counted(where)).toEqual([wanted]);
  expect(await counted(`${where}&where=commit>1000000000`)).toEqual([wanted, 0]);
});

describe("what if", () => {
  test("answers every change, and the one with the largest effect in full", async () => {
    const { changes, chosen } = WhatIf.parse((await get("what-if").expect(200)).body);
    expect(chosen?.change).toBe(changes[0]?.change);
    expect(changes.map(({ change }) => change.split(":")[0])).toContain("async");
    const { distribution, overTime, commits, releases } = chosen!;
    expect(sum(distribution.measured)).toBe(commits);
    expect(sum(distribution.predicted)).toBe(commits);
    expect(distribution.edges).toHaveLength(distribution.measured.length + 1);
    expect(sum(releases.predicted)).toBe(commits);
    expect(sum(overTime.releasesPredicted.flat())).toBe(commits);
  });

  test("replays a figure of one's own", async () => {
    const { changes } = WhatIf.parse((await get("what-if").expect(200)).body);
    const name = changes.find(({ change }) => change.startsWith("async:"))!.change.slice("async:".length);
    const own = encodeURIComponent(`write:${name}:1ms`);
    const { chosen } = WhatIf.parse((await get(`what-if?change=${own}`).expect(200)).body);
    expect(chosen?.change).toBe(`write:${name}:1000us`);
    expect(chosen!.predicted.p95!).toBeLessThan(chosen!.measured.p95!);
  });

  test("answers one change alone", async () => {
    const { changes: all } = WhatIf.parse((await get("what-if").expect(200)).body);
    const path = `what-if?list=false&change=${encodeURIComponent(all[0]!.change)}`;
    const { changes, chosen } = WhatIf.parse((await get(path).expect(200)).body);
    expect([changes, chosen?.change]).toEqual([[], all[0]!.change]);
  });

  test("refuses what is no change of this capture with a sentence", async () => {
    const { body } = await get("what-if?change=async:NOBODY").expect(422);
    expect(body).toMatchObject({ code: "bad-change", detail: expect.stringContaining("NOBODY") });
    await get("what-if?change=").expect(400);
  });
});

describe("the slowest blocks", () => {
  test("are in order of one stage, up or down", async () => {
    const down = (await slowest("?limit=20")).map(ofRemoteHarden);
    expect(down).toHaveLength(20);
    expect(down).toEqual(down.toSorted((a, b) => b - a));
    const up = (await slowest("?limit=20&descending=false")).map(ofRemoteHarden);
    expect(up).toEqual(up.toSorted((a, b) => a - b));
    expect(elementAt(up, 19)).toBeLessThanOrEqual(elementAt(down, 19));
  });

  test("are continued from an offset", async () => {
    const rows = (await slowest("?limit=6")).map(({ row }) => row);
    expect((await slowest("?limit=3&offset=3")).map(({ row }) => row)).toEqual(rows.slice(3));
  });

  test("of an unknown order are refused", async () => {
    expect((await get("slowest?sort=nothing").expect(400)).body.code).toBe("bad-request");
    await get("slowest?secondary=1").expect(400);
  });
});

describe("a block is found", () => {
  test("by its LSN and by its time", async () => {
    const slow = elementAt(await slowest("?limit=1"), 0);
    const byLsn = FoundBlocks.parse((await get(`find?lsn=${slow.lsn}`).expect(200)).body);
    expect(byLsn.rows.map(({ row }) => row)).toEqual([slow.row]);
    const byTime = FoundBlocks.parse((await get(`find?at=${slow.time}`).expect(200)).body);
    expect(byTime.rows[0]?.time).toBe(slow.time);
    const none = FoundBlocks.parse((await get("find?lsn=1:1").expect(200)).body);
    expect(none.rows).toEqual([]);
  });

  test("not without a question, nor with two", async () => {
    await get("find").expect(400);
    await get("find?at=0&lsn=22:1").expect(400);
  });
});

describe("one block", () => {
  test("comes with its flush as it was, and its raw events of both replicas", async () => {
    const row = 100;
    const sequence = Sequence.parse((await get(`blocks/${row}`).expect(200)).body);
    const { localFlushStart, localFlushEnd } = sequence.local;
    const took = elementAt(truth.blocks.localFlushEnd, row) - elementAt(truth.blocks.localFlushStart, row);
    expect((localFlushEnd ?? 0) - (localFlushStart ?? 0)).toBeCloseTo(took, -1);
    expect(new Set(sequence.events.map(({ replica }) => replica))).toEqual(new Set([0, 1]));
    const capture = sequence.events.find(({ name }) => name === "hadr_capture_log_block");
    expect(String(capture?.fields["log_block_id"])).toBe(String(truth.blocks.blockId[row]));
  });

  test("that is not there is named, and one that is no number is refused", async () => {
    const last = blockCount() - 1;
    await get(`blocks/${last}`).expect(200);
    expect((await get(`blocks/${last + 1}`).expect(404)).body).toMatchObject({
      code: "block-not-found",
      detail: `The capture has ${last + 1} log blocks; there is no row ${last + 1}.`,
    });
    for (const row of ["-1", "x", "4294967296"]) {
      expect((await get(`blocks/${row}`).expect(404)).body.code).toBe("block-not-found");
    }
  });
});

describe("a table", () => {
  test("downloads under its name", async () => {
    for (const name of ["blocks.arrow", "commits.arrow", "markers.arrow"]) {
      const answer = await get(`tables/${name}`).expect(200);
      expect(answer.headers["content-disposition"]).toBe(
        `attachment; filename="${name}"`.replaceAll('"', ""),
      );
      expect(answer.headers["content-type"]).toContain("application/vnd.apache.arrow.stream");
    }
  });

  test("of no such name is refused, as is every other file", async () => {
    for (const name of ["nothing.arrow", "events.arrow", "summary.json", "..%2Fcatalogue.sqlite"]) {
      expect((await get(`tables/${name}`).expect(404)).body.code).toBe("table-not-found");
    }
  });
});

describe("raw events", () => {
  const rawEvents = async (query: string): Promise<RawEvents> =>
    RawEvents.parse((await get(`raw-events?${query}`).expect(200)).body);

  test("are all events of the files' blocks in the order they fired, read page by page", async () => {
    const { files } = Summary.parse((await get("summary").expect(200)).body);
    const first = await rawEvents("read=50");
    expect(first.total + sum(first.unlisted.ofNoBlock) + first.unlisted.withoutInstant).toBe(
      sum(files.map(({ events }) => events)),
    );
    expect(first).toMatchObject({ position: 0, read: 50, next: 50, unreadable: 0 });
    const second = await rawEvents("read=50&position=50");
    const fired = [...first.events, ...second.events].map(({ fire }) => fire!);
    expect(fired).toEqual(fired.toSorted((a, b) => a - b));
    expect(new Set(first.events.map(({ replica }) => replica))).toEqual(new Set([0, 1]));
    expect(sum(first.names.map(({ count }) => count))).toBe(50);
    const last = await rawEvents(`read=50&position=${first.total - 10}`);
    expect(last).toMatchObject({ read: 10, next: null });
  });

  test("are those that the sequence of their block has, beginning at the block", async () => {
    const { events } = Sequence.parse((await get("blocks/7").expect(200)).body);
    const { events: listed } = await rawEvents("block=7");
    expect(listed[0]).toMatchObject(events[0]!);
    const ofBlock = listed.filter(({ block }) => block === 7);
    expect(ofBlock.map(({ name, offset }) => [name, offset])).toEqual(
      events.map(({ name, offset }) => [name, offset]),
    );
    const flush = ofBlock.find(({ name }) => name === "log_flush_complete")!;
    expect(flush).toMatchObject({ durationField: "duration", durationUnit: "ms" });
    const again = await rawEvents(`file=${flush.fileIndex}&offset=${flush.offset}&read=1`);
    expect(again).toMatchObject({ position: flush.position, events: [{ offset: flush.offset }] });
  });

  test("are found by replica, name and text among a bounded number that is read", async () => {
    const all = await rawEvents("read=2000");
    const query = "read=2000&replica=1&name=log_flush_start&name=log_flush_complete";
    const found = await rawEvents(query);
    expect(found.events.length).toBeGreaterThan(0);
    expect(found.total).toBeLessThan(all.total);
    expect(found.events.every(({ replica, name }) => replica === 1 && name.startsWith("log_flush_"))).toBe(
      true,
    );
    const { lsn } = found.events[0]!;
    const ofBlock = await rawEvents(`${query}&text=${lsn}`);
    expect(ofBlock.events.map(({ name }) => name)).toEqual(["log_flush_start", "log_flush_complete"]);
    await get("raw-events?read=2001").expect(400);
    await get("raw-events?block=4000000000").expect(404);
    await get("raw-events?file=99&offset=1").expect(400);
    await get("raw-events?from=5&to=5").expect(400);
  });

  test("are those of the blocks of a filter, however few of what is read", async () => {
    const where = "commit>5000";
    const slow = SlowBlocks.parse((await get(`slowest?where=${encodeURIComponent(where)}&limit=1000`)).body);
    const all = await rawEvents("read=2000");
    const rows = new Set(slow.rows.map(({ row }) => row));
    const wanted = all.events.filter(({ block }) => rows.has(block));
    expect(wanted.length).toBeGreaterThan(0);
    expect(wanted.length).toBeLessThan(all.events.length);
    const found = await rawEvents(`read=2000&where=${encodeURIComponent(where)}`);
    expect(found).toEqual({ ...all, events: wanted, names: expect.anything() });
    expect(sum(found.names.map(({ count }) => count))).toBe(wanted.length);
    await get("raw-events?where=nonsense").expect(400);
  });

  test("are searched behind a link in what it shows: a hidden name is not found", async () => {
    const body = { captureId: id, path: "/raw-events", view: "v=1", title: "Slow", expiresInDays: 1 };
    const make = async (replacesNames: boolean): Promise<string> =>
      (
        await request(service.app)
          .post("/api/v1/links")
          .send({ ...body, replacesNames })
          .expect(201)
      ).body.id;
    const foundBehind = async (link: string, text: string): Promise<number> =>
      RawEvents.parse(
        (
          await request(service.app)
            .get(`/api/v1/links/${link}/raw-events`)
            .query({ read: 100, text })
            .expect(200)
        ).body,
      ).events.length;
    const [open, replaced] = [await make(false), await make(true)];
    // A capture may be called anything; this name is in the events.
    const name = "log_flush_complete";
    await request(service.app).patch(`/api/v1/captures/${id}`).send({ name }).expect(200);
    expect(await foundBehind(open, name)).toBeGreaterThan(0);
    expect(await foundBehind(replaced, name)).toBe(0);
    expect(await foundBehind(replaced, "group 1")).toBeGreaterThan(0);
  });
});
