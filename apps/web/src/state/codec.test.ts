import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseBlockFilter } from "@aglens/contract";
import { decodeView, encodeView } from "./codec.ts";
import { DEFAULT_VIEW, type View } from "./view.ts";

const time = fc.integer({ min: -(10 ** 9), max: 10 ** 12 }).map((tenths) => tenths / 10);
const laneKey = fc.stringMatching(/^[A-Za-z][A-Za-z0-9.:-]{0,20}$/u);
const period = fc.option(
  fc.tuple(time, time).filter(([from, to]) => from < to),
  { nil: null },
);
const rulerEnd = fc.record({
  at: time,
  edge: fc.option(
    fc.record({
      side: fc.constantFrom("start" as const, "end" as const),
      row: fc.integer({ min: 0, max: 0xffff_fffe }),
      lane: laneKey,
    }),
    { nil: null },
  ),
});
const view: fc.Arbitrary<View> = fc.record({
  range: period,
  selected: period,
  rulers: fc.array(fc.tuple(rulerEnd, rulerEnd), { maxLength: 3 }),
  block: fc.option(fc.integer({ min: 0, max: 0xffff_fffe }), { nil: null }),
  kept: fc.array(fc.integer({ min: 0, max: 0xffff_fffe }), { maxLength: 3 }),
  secondary: fc.integer({ min: 0, max: 15 }),
  sort: fc.constantFrom("remoteHarden" as const, "commit" as const, "wireOut" as const),
  descending: fc.boolean(),
  list: fc.constantFrom("blocks" as const, "commits" as const, null),
  lanes: fc.dictionary(laneKey, fc.boolean(), { noNullPrototype: true }),
  open: fc.option(fc.array(fc.integer({ min: 0, max: 15 }), { maxLength: 4 }), { nil: null }),
  gates: fc.boolean(),
  metric: fc.constantFrom("commit", "harden"),
  clock: fc.constantFrom("aligned", "raw"),
  time: fc.constantFrom("offset", "utc"),
  change: fc.constantFrom(null, "async:SQL3", "write:SQL3:p50=2ms,p95=6ms", "network:A&B=?#:1ms"),
  stage: fc.constantFrom("commit" as const, "acknowledge" as const, "localFlush" as const),
  split: fc.constantFrom("log" as const, null),
  axis: fc.constantFrom("log", "linear"),
  other: period,
  database: fc.constantFrom(null, "Sales1", "A&B=?#", "5bbe4ec4-0000"),
  phase: fc.option(fc.integer({ min: 0, max: 9 }), { nil: null }),
  where: fc.constantFrom(
    null,
    ...["commit=0..10.5", "secondaryFlush@3=9549.92586..10000,gate@1", "size>512,class=bad"].map(
      parseBlockFilter,
    ),
  ),
  pinned: fc.array(laneKey, { maxLength: 3 }),
  isolated: fc.array(laneKey, { maxLength: 3 }),
  others: fc.constantFrom("dim", "hide"),
  hitOrder: fc.constantFrom("slowest", "time", "commit"),
  rows: fc.constantFrom("events" as const, "blocks" as const, "commits" as const),
  waitingBy: fc.constantFrom(null, "queues" as const, "session" as const, "application" as const),
  commitOrder: fc.constantFrom("waited" as const, "wokenAfter" as const, "queued" as const, "time" as const),
  eventNames: fc.array(fc.constantFrom("log_flush_start", "hadr_apply_log_block"), { maxLength: 3 }),
  eventReplicas: fc.array(fc.integer({ min: 0, max: 15 }), { maxLength: 3 }),
  evidence: fc.constantFrom(null, [], ["lease", "wait time@HADR_SYNC_COMMIT@SQL1", "% Idle & more=?#"]),
  happened: fc.option(
    fc.record({
      kind: fc.constantFrom("lease", "slowIo"),
      at: fc.integer({ min: -(10 ** 12), max: 10 ** 12 }),
      nth: fc.integer({ min: 1, max: 99 }),
    }),
    { nil: null },
  ),
  eventText: fc.string({ maxLength: 200 }),
  event: fc.option(fc.record({ file: fc.nat(), offset: fc.integer({ min: 0, max: 2 ** 40 }) }), {
    nil: null,
  }),
  sideA: period,
  sideB: period,
  versus: fc.constantFrom(null, "Tgjj5NXIUeam5FOUd3y0Yg", "a_b-c"),
  percentile: fc.constantFrom("p50", "p95", "p99"),
  sql: fc.constantFrom(null, "SELECT 1", "-- ü, 100 %\nSELECT a & b\nFROM hops WHERE x = 'a+b'"),
  sqlShow: fc.constantFrom("both", "table", "chart"),
  sqlPicture: fc.constantFrom(
    null,
    { x: "at", y: ["p50", "p95 & more"], panel: "replica" },
    { x: "size, bytes", y: ["writes"], panel: null },
  ),
  sqlRow: fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: null }),
  expectation: fc.constantFrom(null, "fractions" as const, "payload-bytes" as const),
  scale: fc.constantFrom("time", "even"),
  tour: fc.option(fc.integer({ min: 1, max: 6 })),
  theme: fc.constantFrom("system", "light", "dark"),
});

/** An address without a query. */
const NOTHING_CHOSEN = { ...DEFAULT_VIEW, secondary: null };

describe("view codec", () => {
  it("reads back what it wrote", () => {
    fc.assert(
      fc.property(view, (value) => {
        expect(decodeView(encodeView(value))).toEqual(value);
      }),
    );
  });

  it("reads a row of the console and one of the check from the same parameter", () => {
    expect(decodeView("?v=1&row=fractions")).toEqual({ ...NOTHING_CHOSEN, expectation: "fractions" });
    expect(decodeView("?v=1&row=9")).toEqual({ ...NOTHING_CHOSEN, sqlRow: 9 });
    expect(decodeView("?v=1&row=sundial")).toEqual(NOTHING_CHOSEN);
  });

  it("reads a raw event and an event of evidence files from the same parameter", () => {
    const event = { file: 2, offset: 3_400 };
    const happened = { kind: "slowIo", at: -40_500_000, nth: 1 };
    expect(decodeView("?v=1&event=2_3400")).toEqual({ ...NOTHING_CHOSEN, event });
    expect(decodeView("?v=1&event=slowIo_-40500000")).toEqual({ ...NOTHING_CHOSEN, happened });
    expect(decodeView("?v=1&event=2_3400&event=slowIo_-40500000")).toEqual({
      ...NOTHING_CHOSEN,
      event,
      happened,
    });
    expect(decodeView("?v=1&event=slowIo_-40500000_3").happened).toEqual({ ...happened, nth: 3 });
    expect(decodeView("?v=1&event=slowIo&event=-_5&event=lease_5_0")).toEqual(NOTHING_CHOSEN);
  });

  it("names the lanes of evidence files, and none of them", () => {
    expect(decodeView("?v=1&evidence=lease,role").evidence).toEqual(["lease", "role"]);
    expect(decodeView("?v=1&evidence=none").evidence).toEqual([]);
    expect(encodeView({ ...NOTHING_CHOSEN, evidence: [] })).toBe("v=1&evidence=none");
  });

  it("keeps the lanes of an address that names a longer one, or too many", () => {
    expect(decodeView(`?v=1&evidence=lease,${"x".repeat(201)},role`).evidence).toEqual(["lease", "role"]);
    expect(decodeView(`?v=1&evidence=${"x".repeat(201)}`).evidence).toBeNull();
    const many = Array.from({ length: 41 }, (_, i) => `lane ${i}`);
    expect(decodeView(encodeView({ ...NOTHING_CHOSEN, evidence: many })).evidence).toEqual(many.slice(0, 40));
  });

  it("writes nothing for the default view", () => {
    expect(encodeView(NOTHING_CHOSEN)).toBe("");
    expect(decodeView("")).toEqual(NOTHING_CHOSEN);
    expect(encodeView(DEFAULT_VIEW)).toBe("v=1&secondary=0");
  });

  it("never fails, whatever the address says", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(decodeView(text)).toBeDefined();
        expect(
          decodeView(`?v=1&range=${text}&block=${text}&sort=${text}&lanes=${text}&theme=${text}`),
        ).toBeDefined();
      }),
    );
    expect(decodeView("?v=1&range=-1e308_1e308")).toEqual(NOTHING_CHOSEN);
    expect(decodeView("?v=1&range=9_2&block=-4&clock=sundial&secondary=x")).toEqual(NOTHING_CHOSEN);
  });

  it.each([
    ["Sales1:0000017b:00000031", { database: "Sales1", lsn: "0000017b:00000031" }],
    ["0000017B:00000031", { database: null, lsn: "0000017b:00000031" }],
    ["a: b&c:0000017b:00000031", { database: "a: b&c", lsn: "0000017b:00000031" }],
  ])("names a block by database and LSN: %s", (text, block) => {
    expect(decodeView(`?v=1&block=${encodeURIComponent(text)}`).block).toEqual(block);
    expect(decodeView(encodeView({ ...NOTHING_CHOSEN, block })).block).toEqual(block);
  });

  it("spells a named block so that it can be read", () => {
    const block = { database: "Sales1", lsn: "0000017b:00000031" };
    expect(encodeView({ ...NOTHING_CHOSEN, block })).toBe("v=1&block=Sales1:0000017b:00000031");
  });

  it.each(["Sales1", "Sales1:17b:31", ":0000017b:00000031", "0000017b:0000003g"])(
    "%s names no block",
    (text) => expect(decodeView(`?v=1&block=${text}`).block).toBeNull(),
  );

  // Links are valid forever: parameters may be added, but no spelling may change.
  it("restores every part of a view from one address, and spells it so again", () => {
    const address = [
      "v=1&range=45900000_46500000.5&sel=46000000_46200000&ruler=46000000s167-localFlush_46100000&block=167",
      "kept=3_5&secondary=1&sort=commit&order=up&list=blocks&lanes=-commit*hop0.networkOut&pin=commit*localFlush",
      "open=1_3&gate=1&metric=harden&clock=raw&time=utc&change=async:SQL3&stage=localFlush&split=log&axis=linear&other=5_6",
      "a=1_2&b=3_4.5&versus=Tgjj5NXIUeam5FOUd3y0Yg&percentile=p99&db=Sales1&phase=2&where=commit%3D0..10.5",
      "iso=localFlush*commit&others=hide&hits=time&rows=commits&by=queued&by=app&names=log_flush_start*hadr_apply_log_block",
      "replicas=0_1&q=0x1f7&event=1_293100&evidence=lease%2Cddl&event=lease_70800000_2&sql=SELECT+1&show=chart&px=at&py=p50&py=p95&panel=replica&row=9",
      "row=fractions&scale=even&tour=3&theme=dark",
    ].join("&");
    const restored = decodeView(address);
    for (const [part, standard] of Object.entries(NOTHING_CHOSEN))
      expect.soft(restored, part).not.toHaveProperty(part, standard);
    expect(encodeView(restored)).toBe(address);
  });

  // Links live for ever: these lines may be added to, never changed.
  it("opens a link of version 1", () => {
    const url =
      "?v=1&range=45900000_46500000.5&sel=46000000_46200000&ruler=46000000s167-localFlush_46100000&block=167&secondary=1&sort=commit&order=up&lanes=-commit*hop0.networkOut&collapsed=1_2&gate=1&metric=harden&clock=raw&change=async:SQL3&time=utc&scale=even&theme=dark&names=log_flush_start*hadr_apply_log_block&replicas=0_1&q=0x1f7&event=1_293100";
    expect(decodeView(url)).toEqual({
      range: [45_900_000, 46_500_000.5],
      selected: [46_000_000, 46_200_000],
      rulers: [
        [
          { at: 46_000_000, edge: { side: "start", row: 167, lane: "localFlush" } },
          { at: 46_100_000, edge: null },
        ],
      ],
      block: 167,
      kept: [],
      secondary: 1,
      sort: "commit",
      descending: false,
      list: null,
      lanes: { commit: false, "hop0.networkOut": true },
      open: [0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
      gates: true,
      metric: "harden",
      clock: "raw",
      change: "async:SQL3",
      time: "utc",
      stage: "commit",
      split: null,
      axis: "log",
      other: null,
      database: null,
      phase: null,
      where: null,
      isolated: [],
      pinned: [],
      others: "dim",
      hitOrder: "slowest",
      rows: "events",
      commitOrder: "waited",
      eventNames: ["log_flush_start", "hadr_apply_log_block"],
      eventReplicas: [0, 1],
      eventText: "0x1f7",
      evidence: null,
      happened: null,
      event: { file: 1, offset: 293_100 },
      sideA: null,
      sql: null,
      sqlShow: "both",
      sqlPicture: null,
      sqlRow: null,
      expectation: null,
      sideB: null,
      waitingBy: null,
      versus: null,
      percentile: "p95",
      scale: "even",
      tour: null,
      theme: "dark",
    });
  });
});
