/**
 * A replica that nothing was sent to for a while: the sentences about it (D19), and the absence of findings about its
 * way and its events.
 */
import { describe, expect, it } from "vitest";
import { modelOf, withCommitMode, type BlockSpec } from "../../../test/model.ts";
import { HOP_ANCHORS, MARKER_KINDS, type CaptureModel } from "../../replication/shapes/tables.ts";
import { disconnectedPeriods, withoutDisconnected } from "./disconnected.ts";
import { diagnose } from "../diagnose.ts";
import { lossesOf } from "./loss.ts";
import { pathsOf } from "../paths.ts";
import { unsentBlocks } from "./unsent.ts";

const SECOND = 1_000_000;
const BLOCKS = 200;

interface Away {
  /** First block that was not sent in time, and the first one after them. */
  readonly rows: readonly [first: number, end: number];
  /** When they were sent, one after the other 1 ms apart, µs; Infinity for never. */
  readonly sentAt: number;
  /** µs that the primary takes to act on the acknowledgment of a block. */
  readonly ackReceive?: (row: number) => number;
}

/**
 * Ten blocks a second, each written 50 µs after its commit's start, of which some were not sent when they were written.
 */
function capture({ rows: [first, end], sentAt, ackReceive = () => 100 }: Away): CaptureModel {
  const specs = Array.from({ length: BLOCKS }, (_, i): BlockSpec => ({
    at: i * 100_000,
    hops: [{ ackReceive: ackReceive(i) }],
  }));
  const model = modelOf(specs);
  const [hop] = model.hops;
  for (let row = first; row < end; row++) {
    const late = sentAt + (row - first) * 1_000 - hop.departed[row];
    for (const anchor of HOP_ANCHORS)
      hop[anchor][row] = sentAt === Infinity ? Number.NaN : hop[anchor][row] + late;
    if (sentAt === Infinity) hop.obtained[row] = 0;
    model.blocks.commitEnd[row] = model.blocks.localFlushEnd[row] + 40;
    model.blocks.timeEnd[row] = Math.max(model.blocks.commitEnd[row], hop.ackProcessed[row] || 0);
    model.blocks.gate[row] = 1;
    model.commits.end[row] = model.blocks.commitEnd[row];
    model.commits.gate[row] = 1;
  }
  return model;
}

const eventRunsOf = (model: CaptureModel) =>
  disconnectedPeriods(model, pathsOf(model)[0]).map(({ rows, ...period }) => ({
    ...period,
    rows: [rows[0], rows.at(-1)],
  }));

/** Blocks 50 to 99 were sent from 10 s on. */
const CAUGHT_UP: Away = { rows: [50, 100], sentAt: 10 * SECOND };
const TO_THE_END: Away = { rows: [150, 200], sentAt: Infinity };

describe("a replica that was away", () => {
  it("was so from the first block that was not sent until it was sent something again", () => {
    expect(eventRunsOf(capture(CAUGHT_UP))).toEqual([
      {
        from: 5 * SECOND + 50,
        to: 10 * SECOND,
        database: 0,
        isFromBegin: false,
        isToEnd: false,
        rows: [50, 99],
      },
    ]);
  });

  it("is away to the last block where nothing is sent any more, and from the first where nothing was", () => {
    expect(eventRunsOf(capture(TO_THE_END))).toMatchObject([
      { from: 15 * SECOND + 50, to: 19.9 * SECOND + 50, isFromBegin: false, isToEnd: true, rows: [150, 199] },
    ]);
    expect(eventRunsOf(capture({ rows: [0, 50], sentAt: 5 * SECOND }))).toMatchObject([
      { from: 50, to: 5 * SECOND, isFromBegin: true, isToEnd: false, rows: [0, 49] },
    ]);
  });

  it("is one from two seconds and 20 blocks on", () => {
    const lasting = (us: number) =>
      eventRunsOf(capture({ rows: [50, 70], sentAt: 5 * SECOND + 50 + us })).length;
    expect([lasting(1_999_999), lasting(2_000_000)]).toEqual([0, 1]);
    const missing = (end: number) => eventRunsOf(capture({ rows: [50, end], sentAt: 9 * SECOND })).length;
    expect([missing(69), missing(70)]).toEqual([0, 1]);
  });

  it("is away from the first block that it was without, also while commits wait for it", () => {
    const model = capture(CAUGHT_UP);
    // Until its session timed out, 10 s after the connection broke.
    for (let row = 50; row < 100; row++) model.blocks.commitEnd[row] = 15 * SECOND;
    expect(eventRunsOf(model)).toMatchObject([{ from: 5 * SECOND + 50, rows: [50, 99] }]);
  });

  it("is none that is sent everything late without a pause, and none that flow control holds", () => {
    const behind = modelOf(Array.from({ length: BLOCKS }, (_, i): BlockSpec => ({ at: i * 100_000 })));
    for (const anchor of HOP_ANCHORS)
      for (let row = 50; row < BLOCKS; row++)
        behind.hops[0][anchor][row] += 3 * SECOND * Math.min(1, (row - 50) / 60);
    expect(eventRunsOf(behind)).toEqual([]);
    const held = (us: number): CaptureModel => ({
      ...capture(CAUGHT_UP),
      markers: {
        length: 1,
        kind: Uint8Array.of(MARKER_KINDS.indexOf("databaseFlowControl")),
        replica: Uint8Array.of(0),
        time: Float64Array.of(5 * SECOND),
        duration: Float64Array.of(us),
      },
    });
    // Half of 4,999,950 µs, from 50 µs after its begin on.
    expect([eventRunsOf(held(2_500_024)).length, eventRunsOf(held(2_500_026)).length]).toEqual([1, 0]);
  });

  it("is found per database", () => {
    const model = capture(CAUGHT_UP);
    const two: CaptureModel = {
      ...model,
      databases: ["Sales", "Orders"].map((name) => ({ ...model.databases[0], name })),
      blocks: { ...model.blocks, database: Uint16Array.from({ length: BLOCKS }, (_, row) => row % 2) },
    };
    // All blocks of Orders arrived in time.
    for (let row = 51; row < 100; row += 2)
      for (const anchor of HOP_ANCHORS)
        two.hops[0][anchor][row] = model.hops[0][anchor][row + 100] - 10 * SECOND;
    expect(eventRunsOf(two)).toMatchObject([{ database: 0, rows: [50, 98] }]);
    const [found] = findings(two);
    expect(found).toMatchObject({ database: 0 });
    expect(found.sentence).toMatch(/^Nothing of Sales reached SQL2 between/u);
  });
});

const findings = (model: CaptureModel) => diagnose(model).findings.filter(({ rule }) => rule === "D19");
const plain = (text: string): string => text.replaceAll("\u00A0", " ");

describe("D19, a replica that was away", () => {
  it("says since when, how much log a failover would have lost, and that commits did not wait", () => {
    const found = findings(capture(CAUGHT_UP));
    expect(found).toMatchObject([
      {
        cause: "replica_away",
        severity: "notice",
        replica: 1,
        database: null,
        window: { from: 5 * SECOND + 50 },
      },
    ]);
    // 50 blocks of 512 bytes; the last was sent at 10.049 s and is acknowledged 4.2 ms later.
    expect(plain(found[0].sentence)).toBe(
      "Nothing reached SQL2 between 02:17:00 and 02:17:05: data movement was suspended, or it was unreachable. " +
        "50 log blocks (25.6 kB) of that period were on the primary only: a failover would have lost them. " +
        "50 commits in that period returned before it had hardened their log. It had hardened all of that log 53.2 ms later.",
    );
  });

  it("speaks of one that is not back as of now", () => {
    const [found] = findings(capture(TO_THE_END));
    expect(plain(found.sentence)).toBe(
      "Nothing reached SQL2 from 02:17:10 on: data movement is suspended, or it is unreachable. " +
        "50 log blocks (25.6 kB) of that period are on the primary only: a failover loses them. " +
        "50 commits in that period returned before it had hardened their log.",
    );
    const [late] = findings(capture({ rows: [0, 50], sentAt: 5 * SECOND }));
    expect(plain(late.sentence)).toMatch(/^Nothing reached SQL2 until 02:17:00: /u);
  });

  it("names a restart of the machine as the cause where its counter began again meanwhile", () => {
    const restarted = (at: number): CaptureModel => {
      const model = capture(CAUGHT_UP);
      return {
        ...model,
        replicas: model.replicas.map((each, r) => (r === 1 ? { ...each, restarts: [at] } : each)),
      };
    };
    expect(findings(restarted(9 * SECOND))[0].sentence).toMatch(/02:17:05: its machine restarted\. /u);
    expect(findings(restarted(11 * SECOND))[0].sentence).not.toContain("restarted");
  });

  it("is named by the commits that waited for it until its session timed out", () => {
    const stall = (others: readonly number[]) => {
      const model = capture(CAUGHT_UP);
      for (let row = 50; row < 60; row++) model.commits.end[row] = 15 * SECOND;
      for (const row of others) model.commits.end[row] = model.commits.start[row] + 2 * SECOND;
      const { sentence, replica } = diagnose(model).findings.find(({ rule }) => rule === "D10")!;
      return [plain(sentence), replica];
    };
    expect(stall([])).toEqual(["10 commits waited over 2.00 s for SQL2, which was away.", 1]);
    // One waited at another time.
    expect(stall([150])).toEqual(["11 commits waited over 2.00 s.", null]);
  });

  it("counts only the commits that did not wait", () => {
    const model = capture(CAUGHT_UP);
    for (const row of [50, 51, 52]) model.commits.end[row] = model.hops[0].ackProcessed[row];
    expect(findings(model)[0].sentence).toContain(
      "47 of 50 commits in that period returned before it had hardened their log.",
    );
  });

  it("is one finding for databases that were left out while another one was, also one after the other", () => {
    const model = modelOf(Array.from({ length: 600 }, (_, i): BlockSpec => ({ at: i * 100_000 })));
    const [hop] = model.hops;
    // The first of three databases is away from 5 to 45 s, the second within that time, and the third after the second.
    for (const [database, from, to] of [
      [0, 50, 450],
      [1, 80, 180],
      [2, 250, 350],
    ])
      for (let row = from; row < to; row++) {
        if (row % 3 !== database) continue;
        const late = to * 100_000 + (row - from) * 10 - hop.departed[row];
        for (const anchor of HOP_ANCHORS) hop[anchor][row] += late;
        model.blocks.commitEnd[row] = model.blocks.localFlushEnd[row] + 40;
        model.blocks.timeEnd[row] = hop.ackProcessed[row];
        model.blocks.gate[row] = 1;
        model.commits.end[row] = model.blocks.commitEnd[row];
        model.commits.gate[row] = 1;
      }
    const three = {
      ...model,
      databases: ["Sales", "Orders", "Stock"].map((name) => ({ ...model.databases[0], name })),
      blocks: { ...model.blocks, database: Uint16Array.from({ length: 600 }, (_, row) => row % 3) },
    };
    expect(disconnectedPeriods(three, pathsOf(three)[0])).toHaveLength(3);
    const found = findings(three);
    expect(found).toMatchObject([{ database: null }]);
    expect(found[0].window!.from).toBeCloseTo(5.1 * SECOND + 50, 0);
    expect(found[0].window!.to).toBeGreaterThan(44.9 * SECOND);
  });

  it("of a database that no event of the replica names says that the replica may not have it, and has no severity", () => {
    const two = (localIds: readonly number[]): CaptureModel => {
      const model = capture({ rows: [0, BLOCKS], sentAt: Infinity });
      const sound = modelOf(Array.from({ length: BLOCKS }, (_, i): BlockSpec => ({ at: i * 100_000 })));
      const [hop] = model.hops;
      // Every second block is of Orders, which is sent in time.
      for (let row = 1; row < BLOCKS; row += 2) {
        for (const anchor of HOP_ANCHORS) hop[anchor][row] = sound.hops[0][anchor][row];
        hop.obtained[row] = sound.hops[0].obtained[row];
      }
      return {
        ...model,
        databases: [
          { ...model.databases[0], name: "Sales", localIds: [5, ...localIds] },
          { ...model.databases[0], name: "Orders", localIds: [6, 6] },
        ],
        blocks: { ...model.blocks, database: Uint16Array.from({ length: BLOCKS }, (_, row) => row % 2) },
      };
    };
    const [absent, ...others] = findings(two([-1]));
    expect(others).toEqual([]);
    expect(absent).toMatchObject({ severity: "none", replica: 1, database: 0, window: null });
    expect(plain(absent.sentence)).toBe(
      "Nothing of Sales reached SQL2: it doesn't have the database, or data movement is suspended. " +
        "A failover to it loses what is written to Sales.",
    );
    // An event of the replica names the database, so the replica has it: data movement is suspended.
    expect(findings(two([5]))).toMatchObject([{ severity: "notice", database: 0 }]);
    const withoutFile = two([-1]);
    const replicas = withoutFile.replicas.map((each, i) => ({ ...each, hasCapture: i === 0 }));
    expect(findings({ ...withoutFile, replicas })).toMatchObject([{ severity: "notice", database: 0 }]);
  });

  it("has no severity for an asynchronous replica, for which no commit waits", () => {
    const [found] = findings(withCommitMode(capture(CAUGHT_UP), 1, "async"));
    expect(found.severity).toBe("none");
    expect(found.sentence).not.toContain("commits");
  });

  it("comes before what is slow as a notice, and is the headline then", () => {
    const verdict = diagnose(capture({ ...CAUGHT_UP, ackReceive: () => 1_100 }));
    expect(verdict.findings.map(({ rule }) => rule).slice(0, 2)).toEqual(["D19", "D9"]);
    expect(verdict).toMatchObject({ cause: "replica_away", severity: "notice" });
  });
});

describe("blocks that were sent late or never", () => {
  it("are no delay of the way to the replica", () => {
    const rules = diagnose(capture({ rows: [50, 100], sentAt: 10 * SECOND })).findings.map(
      ({ rule }) => rule,
    );
    expect(rules.filter((rule) => ["D2", "D3", "D4", "D5", "D8", "D9", "D17"].includes(rule))).toEqual([]);
    const model = capture(CAUGHT_UP);
    const without = withoutDisconnected(model, pathsOf(model));
    const known = Array.from(without.hops[0].received.keys()).filter(
      (row) => without.hops[0].received[row] > 0,
    );
    expect(known).toEqual(
      Array.from({ length: BLOCKS }, (_, row) => row).filter((row) => row < 50 || row >= 100),
    );
    expect(model.hops[0].received[50]).toBeGreaterThan(10 * SECOND);
  });

  it("are so however short the replica was away, and until commits wait for it again", () => {
    const left = (model: CaptureModel): number[] => {
      const { received } = withoutDisconnected(model, pathsOf(model)).hops[0];
      return Array.from(received.keys()).filter((row) => Number.isNaN(received[row]));
    };
    expect(left(capture({ rows: [50, 52], sentAt: 5.2 * SECOND }))).toEqual([50, 51]);
    const model = capture({ rows: [50, 52], sentAt: 5.2 * SECOND });
    for (const row of [52, 53, 55]) model.hops[0].ackProcessed[row] = model.blocks.commitEnd[row] + 1;
    expect(left(model)).toEqual([50, 51, 52, 53]);
    // Every acknowledgment of an asynchronous replica arrives later than its commit's end.
    expect(left(withCommitMode(model, 1, "async"))).toEqual([]);
    expect(left(withCommitMode(capture(CAUGHT_UP), 1, "async"))).toHaveLength(50);
    expect(diagnose(model).findings.filter(({ rule }) => rule === "D15")).toEqual([]);
  });

  it("are those of the database that is sent late, not of another one at the same time", () => {
    const model = capture(CAUGHT_UP);
    const two: CaptureModel = {
      ...model,
      databases: ["Sales", "Orders"].map((name) => ({ ...model.databases[0], name })),
      blocks: { ...model.blocks, database: Uint16Array.from({ length: BLOCKS }, (_, row) => row % 2) },
    };
    // The blocks of Orders were sent in time.
    for (let row = 51; row < 100; row += 2)
      for (const anchor of HOP_ANCHORS)
        two.hops[0][anchor][row] = model.hops[0][anchor][row + 100] - 10 * SECOND;
    for (let row = 51; row < 100; row += 2) two.blocks.commitEnd[row] = two.hops[0].ackProcessed[row] + 40;
    // The events of one acknowledgment were lost, so nothing shows that its commit waited.
    two.hops[0].ackProcessed[61] = Number.NaN;
    const { received } = withoutDisconnected(two, pathsOf(two)).hops[0];
    expect(Array.from(received.keys()).filter((row) => Number.isNaN(received[row]))).toEqual(
      Array.from({ length: 25 }, (_, i) => 50 + 2 * i),
    );
  });

  it("leave a model without any as it is", () => {
    const model = modelOf(Array.from({ length: 30 }, (_, i): BlockSpec => ({ at: i * 100_000 })));
    expect(withoutDisconnected(model, pathsOf(model))).toBe(model);
  });

  it("are not lost, on either side", () => {
    const model = capture(TO_THE_END);
    expect(lossesOf(model).map(({ lost }) => lost)).toEqual([0, 0]);
    // Blocks a second from either end are covered: no event of the way of blocks 150 to 188 is due, and all of 10 to
    // 149 are.
    const [primary, secondary] = lossesOf(model);
    expect(secondary.expected % 140).toBe(0);
    expect(primary.expected).toBeGreaterThan(secondary.expected);
    expect(diagnose(model).findings.filter(({ rule }) => rule === "D15" || rule === "D13")).toEqual([]);
  });

  it("are 20 in a row of which the primary has the log write; fewer, and those of which it has none, were lost", () => {
    const marked = (model: CaptureModel) => unsentBlocks(model, 0)?.reduce((sum, mark) => sum + mark, 0) ?? 0;
    expect(marked(capture({ rows: [50, 69], sentAt: Infinity }))).toBe(0);
    expect(marked(capture({ rows: [50, 70], sentAt: Infinity }))).toBe(20);
    const lost = capture({ rows: [50, 90], sentAt: Infinity });
    for (let row = 50; row < 90; row++) lost.blocks.obtained[row] = 0;
    expect(marked(lost)).toBe(0);
    expect(lossesOf(lost).map(({ replica }) => replica)).toEqual([0, 1]);
    expect(lossesOf(lost)[1].stretches).toHaveLength(1);
  });
});
