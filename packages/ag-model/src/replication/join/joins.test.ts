import { describe, expect, it } from "vitest";
import { emptyColumns, EventKind, type EventColumns } from "../../events/index.ts";
import { buildModel } from "../model.ts";
import { Obtained } from "../shapes/tables.ts";
import { readTopology, TopologyError } from "../shapes/topology.ts";

interface Row {
  kind: number;
  start: number;
  processing?: number;
  block: bigint;
  mode?: number;
  size?: number;
  local?: number;
  partner?: string;
}

const DB = "db";
const SELF = "primary";

/** Columns of a primary whose publish time is its counter. */
function columnsOf(rows: readonly Row[]): EventColumns {
  const c = emptyColumns(rows.length);
  c.texts.push(DB, SELF, "near", "far");
  c.files.push({ name: "by-hand.xel", size: 1_000, events: rows.length, gaps: [] });
  for (const [i, r] of rows.entries()) {
    c.kind[i] = r.kind;
    c.ticks[i] = BigInt(r.start * 10);
    c.start[i] = r.start;
    if (r.processing !== undefined) c.processing[i] = r.processing;
    c.blockId[i] = r.block;
    c.mode[i] = r.mode ?? 0;
    if (r.size !== undefined) c.size[i] = r.size;
    if (r.local !== undefined) c.databaseId[i] = r.local;
    else if (r.kind !== EventKind.sendComplete) c.database[i] = 1;
    if (r.partner !== undefined) c.partner[i] = c.texts.indexOf(r.partner);
    if (r.kind === EventKind.receiveHarden) c.self[i] = 2;
  }
  return c;
}

const BLOCK = 0x22_0000_0010n;
const capture = (partner: string, start: number): Row[] => [
  { kind: EventKind.capture, mode: 1, start, processing: 0, block: BLOCK, size: 1024, partner },
  { kind: EventKind.capture, mode: 2, start: start + 5, processing: 0, block: BLOCK, size: 1024, partner },
];
const flush = (start: number, end: number): Row[] => [
  { kind: EventKind.flushStart, start, block: BLOCK, local: 6 },
  { kind: EventKind.flushComplete, start: end, processing: 1000, block: BLOCK, local: 6 },
];

describe("buildModel", () => {
  it("takes the last flush pair of the first block of a VLF: the first one writes the VLF header", () => {
    const { blocks } = buildModel([
      {
        role: "primary",
        columns: columnsOf([...capture("near", 100), ...flush(110, 2000), ...flush(2100, 4000)]),
      },
    ]);
    expect(blocks.length).toBe(1);
    expect(blocks.vlfStart[0]).toBe(1);
    expect(blocks.localFlushEnd[0] - blocks.localFlushStart[0]).toBe(1900);
  });

  it("takes a lost start of a flush from the log pool, as far as the rounded duration allows", () => {
    const pool = (start: number): Row => ({ kind: EventKind.pushedToLogPool, start, block: BLOCK, local: 6 });
    const startWith = (...rows: Row[]): number => {
      const all = [...capture("near", 100), ...rows, flush(0, 9000)[1]];
      const { blocks } = buildModel([{ role: "primary", columns: columnsOf(all) }]);
      expect((blocks.obtained[0] >>> 4) & 3).toBe(Obtained.fallback);
      return blocks.localFlushEnd[0] - blocks.localFlushStart[0];
    };
    // The flush reports 1 ms, which is 0.5 to 1.5 ms: the pool's 9000 - 7909 is inside this range, 9000 - 309 before
    // it.
    expect(startWith(pool(7900))).toBe(1091);
    expect(startWith(pool(300))).toBe(1500);
    expect(startWith()).toBe(1000);
  });

  it("gives a send completion to the secondary whose capture began when it did", () => {
    const send = (begin: number, end: number): Row => ({
      kind: EventKind.sendComplete,
      start: end,
      processing: end - begin,
      block: BLOCK,
    });
    const rows = [
      ...capture("near", 100),
      ...capture("far", 140),
      ...flush(150, 2000),
      send(141, 300),
      send(101, 400),
    ];
    const { hops, replicas } = buildModel([{ role: "primary", columns: columnsOf(rows) }]);
    expect(replicas.map((r) => r.id).slice(1)).toEqual(["far", "near"]);
    expect(hops.map((h) => h.sendEnd[0] - h.sendStart[0])).toEqual([159, 299]);
  });

  it("joins an acknowledgment by the END of the range, and a later one that covers the block too", () => {
    const ack = (partner: string, end: bigint, start: number): Row => ({
      kind: EventKind.receiveHarden,
      mode: 2,
      start,
      processing: 50,
      block: end,
      partner,
    });
    const rows = [
      ...capture("near", 100),
      ...capture("far", 140),
      ...flush(150, 2000),
      ack("near", BLOCK, 500),
      ack("near", BLOCK + 2n, 3000),
      ack("far", BLOCK + 40n, 9000),
    ];
    const { hops } = buildModel([{ role: "primary", columns: columnsOf(rows) }]);
    expect(hops.map((h) => h.ackProcessed[0] - h.sendStart[0])).toEqual([8910, 2950]);
    const how = hops.map((h) => (h.obtained[0] >>> (2 * 9)) & 3);
    expect(how).toEqual([Obtained.derived, Obtained.measured]);
  });

  it("leaves blocks of other databases out", () => {
    const master: Row[] = [{ kind: EventKind.flushStart, start: 90, block: 0x99_0000_0010n, local: 1 }];
    expect(
      buildModel([
        { role: "primary", columns: columnsOf([...master, ...capture("near", 100), ...flush(150, 2000)]) },
      ]).blocks.length,
    ).toBe(1);
  });

  it("says why captures do not make a model", () => {
    const one = columnsOf([...capture("near", 100), ...flush(150, 2000)]);
    expect(() => buildModel([])).toThrow(/no file/);
    expect(() =>
      buildModel([
        { role: "primary", columns: one },
        { role: "primary", columns: one },
      ]),
    ).toThrow(/Two servers' files have the primary's events/);
    expect(() => buildModel([{ role: "primary", columns: columnsOf([]) }])).toThrow(/no log blocks/);
  });
});

describe("readTopology", () => {
  const id = "A7F6CB00-0BB9-4251-8425-21B3E4313D44";
  it("reads names and modes whatever the elements are called", () => {
    const t = readTopology(
      `<AGInfoRoot><row replica_id="${id}" replica_server_name="NODE3" availability_mode_desc="SYNCHRONOUS_COMMIT"/><DBs group_database_id="${id}" database_name="Sales"/></AGInfoRoot>`,
    );
    expect(t.replicas.get(id.toLowerCase())).toEqual({ name: "NODE3", commitMode: "sync" });
    expect(t.databases.get(id.toLowerCase())).toBe("Sales");
  });
  it("refuses other XML", () => {
    expect(() => readTopology("<a/>")).toThrow(TopologyError);
    expect(() => readTopology("not xml")).toThrow(TopologyError);
  });
});
