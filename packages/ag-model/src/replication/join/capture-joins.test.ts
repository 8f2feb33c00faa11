import { describe, expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../../test/events.ts";
import { blockId, DATABASE, localEvents } from "../../../test/paths.ts";
import { buildModel } from "../model.ts";
import { HOP_ANCHORS, Obtained, obtainedIn, type HopAnchor } from "../shapes/tables.ts";

const BLOCK = blockId(0x22, 0x40);
const ids = { block: BLOCK, database: DATABASE, partner: "near" } as const;
const capture = (mode: number, at: number, took = 0): EventSpec => ({
  ...ids,
  kind: "capture",
  mode,
  at,
  took,
  size: 1_024,
});
const compression = (at: number, took: number): EventSpec => ({
  ...ids,
  database: "",
  kind: "compression",
  at,
  took,
  local: 6,
});
const send = (begin: number, end: number): EventSpec => ({
  kind: "sendComplete",
  at: end,
  took: end - begin,
  block: BLOCK,
});

/** Anchors of the hop in the model, instants counted as the events do. */
function hopOf(...events: EventSpec[]) {
  const local = localEvents({ block: BLOCK, at: 1_000 });
  const model = buildModel([{ role: "primary", columns: eventColumns([...local, ...events]) }]);
  const zero = model.blocks.localFlushStart[0] - 1_123;
  const [hop] = model.hops;
  const of = (name: HopAnchor) => [
    hop[name][0] - zero,
    obtainedIn(hop.obtained[0], HOP_ANCHORS.indexOf(name)),
  ];
  return {
    sendStart: of("sendStart"),
    departed: of("departed"),
    sendEnd: of("sendEnd"),
    compression: hop.compression[0],
    model,
  };
}

const { measured, derived, fallback, missing } = Obtained;

describe("from 2016 on", () => {
  it("a send lasts from its capture to its completion, and the message departs when it is copied", () => {
    const hop = hopOf(capture(1, 1_060), capture(2, 1_066), send(1_061, 1_236));
    expect(hop).toMatchObject({
      sendStart: [1_061, measured],
      departed: [1_066, measured],
      sendEnd: [1_236, measured],
    });
    expect(hop.compression).toBeNaN();
    expect(hop.model.engine).toBe("2016+");
  });

  it("a lost completion comes 146 µs after the departure as a rule", () => {
    const hop = hopOf(capture(1, 1_060), capture(2, 1_066));
    expect(hop).toMatchObject({
      sendStart: [1_060, derived],
      departed: [1_066, measured],
      sendEnd: [1_212, fallback],
    });
  });

  it("without an event of the capture's end the message departs at the earliest when the send begins", () => {
    expect(hopOf(capture(1, 1_060), send(1_061, 1_236))).toMatchObject({
      departed: [1_061, fallback],
      sendEnd: [1_236, measured],
    });
  });

  it("compression begins the send", () => {
    const hop = hopOf(compression(1_040, 12), capture(1, 1_060), capture(2, 1_066));
    expect(hop).toMatchObject({ sendStart: [1_040, derived], compression: 12 });
  });

  it("a block that is sent again has all of its last sending, the one that arrived, and the compression of both", () => {
    const sending = (at: number) => [
      compression(at, 12),
      capture(1, at + 20),
      capture(2, at + 26),
      send(at + 1, at + 170),
    ];
    expect(hopOf(...sending(1_040), ...sending(9_001_040))).toMatchObject({
      sendStart: [9_001_041, measured],
      departed: [9_001_066, measured],
      sendEnd: [9_001_210, measured],
      compression: 24,
    });
  });

  it("a completion that does not say how long the send took leaves open when that began", () => {
    const hop = hopOf(capture(0, 1_060), send(1_236, 1_236));
    expect(hop.sendStart).toEqual([NaN, missing]);
    expect(hop).toMatchObject({ departed: [1_236, fallback], sendEnd: [1_236, measured] });
  });

  it("nothing is known without an event", () => {
    const elsewhere: EventSpec[] = [
      { ...ids, kind: "capture", mode: 2, at: 90_000, took: 0, size: 512, block: blockId(0x22, 0x99) },
    ];
    const { sendStart, departed, sendEnd } = hopOf(...elsewhere, {
      kind: "flushStart",
      at: 1_130,
      block: BLOCK,
      database: DATABASE,
    });
    for (const [at, how] of [sendStart, departed, sendEnd]) expect([at, how]).toEqual([Number.NaN, missing]);
  });
});

describe("before 2016", () => {
  const old = [capture(1, 400, 660), capture(2, 1_070), capture(3, 1_110), capture(4, 1_115, 1)];

  it("is told apart by the modes 3 and 4", () => {
    expect(hopOf(...old).model.engine).toBe("pre2016");
    expect(hopOf(capture(1, 400), capture(2, 1_070), capture(4, 1_115)).model.engine).toBe("pre2016");
    expect(hopOf(capture(1, 400), capture(2, 1_070), capture(3, 1_115)).model.engine).toBe("pre2016");
  });

  it("a message departs when it is handed on, and its capture begins when the thread has waited for the block", () => {
    expect(hopOf(...old)).toMatchObject({
      sendStart: [1_060, derived],
      departed: [1_115, measured],
      sendEnd: [1_214, fallback],
    });
  });

  it("where it is not known when it was handed on, it was copied shortly before", () => {
    expect(hopOf(...old.slice(0, 3))).toMatchObject({ departed: [1_070, derived] });
  });

  it("where only handing on is known, it departs then", () => {
    expect(hopOf(old[0], old[3])).toMatchObject({ departed: [1_115, measured] });
  });

  it("the later of copied and handed on counts, and of several events the last of each: a block may be sent again", () => {
    expect(hopOf(capture(2, 1_120), capture(2, 1_125), capture(3, 1_100), capture(4, 1_115))).toMatchObject({
      departed: [1_125, measured],
    });
    expect(hopOf(capture(2, 1_070), capture(3, 1_100), capture(4, 1_115), capture(4, 1_118))).toMatchObject({
      departed: [1_118, measured],
    });
  });
});
