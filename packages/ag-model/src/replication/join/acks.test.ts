/** Acknowledgments on both sides: the blocks that they are assigned to, and the instants that replace lost ones. */
import { describe, expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../../test/events.ts";
import {
  blockId,
  blocksInARow,
  hopEvents,
  localEvents,
  secondaryEvents,
  type BlockPath,
  type HopPath,
} from "../../../test/paths.ts";
import { buildModel } from "../model.ts";
import { HOP_ANCHORS, Obtained, obtainedIn, type CaptureModel, type HopAnchor } from "../shapes/tables.ts";

const { measured, derived, fallback, missing } = Obtained;

interface Both {
  readonly primary: readonly EventSpec[];
  readonly secondary: readonly EventSpec[];
}

const eventsOf = (paths: readonly BlockPath[], hopOf: (i: number) => HopPath = () => ({})): Both => ({
  primary: paths.flatMap((path, i) => [...localEvents(path), ...hopEvents(path, hopOf(i))]),
  secondary: paths.flatMap((path, i) => secondaryEvents(path, hopOf(i))),
});

const modelOf = ({ primary, secondary }: Both): CaptureModel =>
  buildModel([
    { role: "primary", columns: eventColumns(primary) },
    { role: "secondary", columns: eventColumns(secondary) },
  ]);

/** Instants of one block's hop, µs after its `at` (it is sent 60 later), and how they were obtained. */
function hopAt(model: CaptureModel, row: number) {
  const [hop] = model.hops;
  const zero = hop.sendStart[row] - 60;
  return Object.fromEntries(
    HOP_ANCHORS.map((name, i) => [
      name,
      [Math.round(hop[name][row] - zero), obtainedIn(hop.obtained[row], i)],
    ]),
  ) as Record<HopAnchor, [number, Obtained]>;
}

const unknown = [Number.NaN, missing];

/** Removes events of one block's own acknowledgment, or of the block. */
function without(
  { primary, secondary }: Both,
  path: BlockPath,
  ...kinds: [EventSpec["kind"], number?][]
): Both {
  const end = path.block + BigInt(path.units ?? 2);
  const ofEnd = new Set(["receiveHarden", "sendHarden", "ackSendComplete"]);
  const keep = ({ kind, mode, block }: EventSpec): boolean =>
    !kinds.some(
      ([k, m]) =>
        k === kind && (m === undefined || m === mode) && block === (ofEnd.has(kind) ? end : path.block),
    );
  return { primary: primary.filter(keep), secondary: secondary.filter(keep) };
}

const paths = blocksInARow(8);
const whole = eventsOf(paths);
const hop = (both: Both, row = 3) => hopAt(modelOf(both), row);
const lost = (...kinds: [EventSpec["kind"], number?][]) => hop(without(whole, paths[3], ...kinds));

describe("a block whose events are all there", () => {
  it("has every instant as its own event has it", () => {
    const found = hop(whole);
    expect(found).toMatchObject({
      received: [500, measured],
      secondaryFlushStart: [586, measured],
      secondaryFlushEnd: [3_500, measured],
      ackBuilt: [3_545, measured],
      ackDeparted: [3_566, measured],
      ackSent: [3_644, measured],
      ackReceived: [4_000, measured],
      ackProcessed: [4_050, measured],
    });
  });
});

describe("on the primary", () => {
  it("the inner event of an arrival is 5 µs behind the outer one, where that was lost", () => {
    expect(lost(["receiveHarden", 2])).toMatchObject({
      ackReceived: [4_000, fallback],
      ackProcessed: [4_042, fallback],
    });
  });

  it("an acknowledgment that arrives before the block departed is another's", () => {
    const early: EventSpec = {
      kind: "receiveHarden",
      mode: 2,
      took: 50,
      partner: "secondary-id",
      self: "primary-id",
      database: "sales-id",
      block: paths[3].block + 2n,
      at: paths[3].at + 65,
    };
    const rest = without(whole, paths[3], ["receiveHarden"], ["sendHarden"], ["ackSendComplete"]);
    expect(hop({ ...rest, primary: [...rest.primary, early] }).ackReceived[1]).not.toBe(measured);
    const justThen = { ...early, at: paths[3].at + 66 };
    expect(hop({ ...rest, primary: [...rest.primary, justThen] }).ackReceived).toEqual([66, measured]);
  });
});

describe("on the secondary", () => {
  it("a lost receive is 5 µs before its inner event, else as long ago as the acknowledgment's total time", () => {
    expect(lost(["transportReceive", 2]).received).toEqual([500, fallback]);
    expect(lost(["transportReceive"]).received).toEqual([500, derived]);
  });

  it("a lost log write end is the ack's building less 45 µs, else its departure less 66", () => {
    expect(lost(["flushComplete"]).secondaryFlushEnd).toEqual([3_500, fallback]);
    expect(lost(["flushComplete"], ["sendHarden", 1]).secondaryFlushEnd).toEqual([3_500, fallback]);
  });

  it("a lost building is the end of the log write", () => {
    expect(lost(["sendHarden", 1]).ackBuilt).toEqual([3_500, fallback]);
  });

  it("a lost departure is the inner event's, else 78 µs before it was sent, else 21 after it was built", () => {
    expect(lost(["sendHarden", 3]).ackDeparted).toEqual([3_567, fallback]);
    expect(lost(["sendHarden", 3], ["sendHarden", 2]).ackDeparted).toEqual([3_566, fallback]);
    expect(lost(["sendHarden", 3], ["sendHarden", 2], ["ackSendComplete"]).ackDeparted).toEqual([
      3_566,
      fallback,
    ]);
  });

  it("a lost sending is 78 µs after the departure", () => {
    expect(lost(["ackSendComplete"]).ackSent).toEqual([3_644, fallback]);
  });

  it("decompression is the sum of its events", () => {
    const one = (took: number): EventSpec => ({
      kind: "decompression",
      local: 5,
      block: paths[3].block,
      at: paths[3].at + 520,
      took,
    });
    const model = modelOf({ ...whole, secondary: [...whole.secondary, one(3), one(4)] });
    expect(model.hops[0].decompression[3]).toBe(7);
    expect(model.hops[0].decompression[2]).toBeNaN();
  });
});

describe("an acknowledgment of the block's end", () => {
  // A replica that lost its connection acknowledges once more up to its last block; the block that begins there arrives
  // later.
  const again = (took: number): EventSpec[] => {
    const ids = {
      block: paths[3].block + 2n,
      database: "sales-id",
      partner: "primary-id",
      at: paths[3].at + took,
    } as const;
    return [
      { ...ids, kind: "sendHarden", mode: 1, took: 0 },
      { ...ids, kind: "sendHarden", mode: 3, took: 20 },
      { ...ids, kind: "sendHarden", mode: 2, at: ids.at + 1, took: 16 },
    ];
  };
  const rest = without(whole, paths[3], ["sendHarden"], ["ackSendComplete"]);
  const sentAt = (took: number) => hop({ ...rest, secondary: [...rest.secondary, ...again(took)] });

  it("that was built before the block was received is none of its own", () => {
    expect(sentAt(499).ackBuilt[1]).not.toBe(measured);
    expect(sentAt(499).ackDeparted[1]).not.toBe(measured);
    expect(sentAt(500)).toMatchObject({ ackBuilt: [500, measured], ackDeparted: [500, measured] });
  });
});

describe("a block whose acknowledgment lost all its events", () => {
  const gone = without(whole, paths[3], ["receiveHarden"], ["sendHarden"], ["ackSendComplete"]);

  it("takes the next one, marked derived, where a commit does not say that its own came in time", () => {
    const noCommits = { ...gone, primary: gone.primary.filter(({ kind }) => kind !== "commit") };
    const found = hop(noCommits);
    // The next block is 10 ms later.
    expect(found).toMatchObject({
      ackReceived: [14_000, derived],
      ackProcessed: [14_050, derived],
      ackBuilt: [13_545, derived],
      ackDeparted: [13_566, derived],
      ackSent: [13_644, derived],
    });
  });

  it("takes it though a commit ended before, when the secondary's file holds the block: nobody waited", () => {
    expect(hop(gone).ackProcessed).toEqual([14_050, derived]);
  });

  it("is left open where the secondary holds no event of it, commits went on before, and each block has its own", () => {
    const unseen = { ...gone, secondary: gone.secondary.filter(({ block }) => block !== paths[3].block) };
    expect(hop(unseen)).toMatchObject({ ackReceived: unknown, ackProcessed: unknown, ackSent: unknown });
    const alone = buildModel([{ role: "primary", columns: eventColumns(gone.primary) }]);
    expect(alone.counts.withoutAcknowledgement).toBe(1);
  });

  it("is covered where commits did not go on before", () => {
    const waiting = gone.primary.map((event) =>
      event.kind === "commit" && event.block === paths[3].block ? { ...event, took: 14_050 } : event,
    );
    const alone = buildModel([{ role: "primary", columns: eventColumns(waiting) }]);
    expect(hopAt(alone, 3).ackProcessed).toEqual([14_050, derived]);
    const justBefore = waiting.map((event) =>
      event.kind === "commit" && event.block === paths[3].block ? { ...event, took: 14_049 } : event,
    );
    expect(
      hopAt(buildModel([{ role: "primary", columns: eventColumns(justBefore) }]), 3).ackProcessed,
    ).toEqual(unknown);
  });

  it("is open at the end of the capture", () => {
    const end = without(whole, paths[7], ["receiveHarden"], ["sendHarden"], ["ackSendComplete"]);
    expect(hop(end, 7)).toMatchObject({ ackReceived: unknown, ackDeparted: unknown, ackSent: unknown });
  });
});

describe("a replica that acknowledges several blocks at once", () => {
  /** Every `n`-th block has an acknowledgment of its own. */
  const everyNth = (n: number, count: number): Both => {
    const rows = blocksInARow(count);
    const silent = { ackBuilt: NaN, ackDeparted: NaN, ackSent: NaN, ackReceived: NaN, ackProcessed: NaN };
    const both = eventsOf(rows, (i) => ((i + 1) % n === 0 ? {} : silent));
    // Alone, so that only the share of own acknowledgments decides; commits never wait for it.
    return both;
  };

  it("covers them although commits went on before", () => {
    const { primary } = everyNth(4, 16);
    const model = buildModel([{ role: "primary", columns: eventColumns(primary) }]);
    expect([0, 1, 2].map((row) => hopAt(model, row).ackProcessed)).toEqual([
      [34_050, derived],
      [24_050, derived],
      [14_050, derived],
    ]);
    expect(hopAt(model, 3).ackProcessed).toEqual([4_050, measured]);
  });

  it("is one that acknowledges block by block from three in four on", () => {
    const ownOf = (silent: readonly number[]): number => {
      const rows = blocksInARow(8);
      const quiet = { ackBuilt: NaN, ackDeparted: NaN, ackSent: NaN, ackReceived: NaN, ackProcessed: NaN };
      const { primary } = eventsOf(rows, (i) => (silent.includes(i) ? quiet : {}));
      const model = buildModel([{ role: "primary", columns: eventColumns(primary) }]);
      return model.counts.withoutAcknowledgement;
    };
    // Six of eight are exactly three quarters, and not more, so the two are covered by the next ones. Seven of eight
    // are more.
    expect(ownOf([2, 5])).toBe(0);
    expect(ownOf([2])).toBe(1);
  });
});

describe("databases whose blocks end at the same place", () => {
  const other: BlockPath = { block: paths[3].block, at: paths[3].at + 300, database: "orders-id", local: 7 };
  const sends = (both: Both): Both => ({
    primary: [...both.primary, ...localEvents(other), ...hopEvents(other)],
    secondary: [
      ...both.secondary,
      ...secondaryEvents(other).map((e) => ({ ...e, ...(e.local === undefined ? {} : { local: 9 }) })),
    ],
  });

  it("have an acknowledgment each, by its database", () => {
    const model = modelOf(sends(whole));
    const rows = [...model.blocks.blockId.keys()].filter((row) => model.blocks.blockId[row] === other.block);
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(hopAt(model, row).ackProcessed).toEqual([4_050, measured]);
      expect(hopAt(model, row).ackSent).toEqual([3_644, measured]);
    }
  });

  it("do not share a sending that names neither", () => {
    // Both acknowledgments lost their departure, so that hadr_lsn_send_complete can't be assigned to a database.
    const both = sends(whole);
    const without = {
      ...both,
      secondary: both.secondary.filter(
        ({ kind, block }) => kind !== "sendHarden" || block !== other.block + 2n,
      ),
    };
    const model = modelOf(without);
    const rows = [...model.blocks.blockId.keys()].filter((row) => model.blocks.blockId[row] === other.block);
    for (const row of rows) expect(hopAt(model, row).ackSent[1]).not.toBe(measured);
  });

  it("and where only one has a block that ends there, it is that one's", () => {
    const { primary, secondary } = whole;
    const elsewhere: BlockPath = { ...other, block: blockId(0x55, 0x40) };
    const both = {
      primary: [...primary, ...localEvents(elsewhere), ...hopEvents(elsewhere)],
      secondary: [
        ...secondary.filter(({ kind, block }) => kind !== "sendHarden" || block !== paths[3].block + 2n),
        ...secondaryEvents(elsewhere).map((e) => ({ ...e, ...(e.local === undefined ? {} : { local: 9 }) })),
      ],
    };
    expect(hopAt(modelOf(both), 3).ackSent).toEqual([3_644, measured]);
  });
});
