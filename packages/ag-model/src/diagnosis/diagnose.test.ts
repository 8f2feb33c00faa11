import { expect, test } from "vitest";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { modelOf, TEST_ORIGIN, type BlockSpec, type ModelOptions } from "../../test/model.ts";
import { diagnose } from "./index.ts";

/** `n` equal blocks, 10 ms apart. */
const blocks = (n: number, spec: Omit<BlockSpec, "at"> = {}, from = 0): BlockSpec[] =>
  Array.from({ length: n }, (_, i) => ({ ...spec, at: from + i * 10_000 }));

const verdictOn = (spec: Omit<BlockSpec, "at">, options: ModelOptions = {}) =>
  diagnose(modelOf(blocks(100, spec), options));

const ruleOf = (verdict: ReturnType<typeof diagnose>, rule: string) =>
  verdict.findings.find((f) => f.rule === rule);

const plain = (text: string | undefined) => text?.replaceAll("\u00A0", " ");

test("D0: fast commits and nothing over its limit", () => {
  // 50 queue + 200 + 300 + 100 + 3000 + 100 + 100 + 300 + 100 remote + 40 wake-up = 4290 µs
  const verdict = verdictOn({});
  expect(plain(verdict.sentence)).toBe("Commits finish in 4.29 ms (p95). No stage stands out.");
  expect(verdict).toMatchObject({ severity: "none", place: "none", stage: null });
  expect(ruleOf(verdict, "D0")).toBeDefined();
});

test("D1: slow log writes on the primary gate commits", () => {
  const verdict = verdictOn({ localFlush: 30_000 });
  expect(ruleOf(verdict, "D1")).toMatchObject({ severity: "slow", stage: "localFlush" });
  expect(verdict).toMatchObject({ place: "primary", stage: "localFlush", severity: "slow" });
  expect(plain(verdict.sentence)).toBe(
    "Log writes on SQL1 take 30.0 ms at p95 (busy) and gate 100 % of commits.",
  );
});

test("D2: slow log writes on the secondary", () => {
  const verdict = verdictOn({ hops: [{ flush: 30_000 }] });
  // 30,000 of 31,200 µs
  expect(plain(ruleOf(verdict, "D2")?.sentence)).toBe(
    "SQL2 hardens its log in 30.0 ms at p95 (busy): 96 % of remote harden time.",
  );
  expect(verdict).toMatchObject({ place: "secondary", stage: "secondaryFlush", severity: "slow" });
});

test("D3: a long round trip that never varies is distance", () => {
  const model = modelOf(blocks(100, { hops: [{ wireOut: 12_000, wireBack: 12_000 }] }));
  const verdict = diagnose({ ...model, clocks: [{ ...model.clocks[0], minNetworkRoundTripUs: 24_000 }] });
  expect(verdict).toMatchObject({ place: "network", stage: "networkRoundTrip", severity: "slow" });
  // 24,000 of 27,600 µs
  expect(plain(verdict.sentence)).toBe(
    "The network to SQL2 takes 87 % of remote harden time. The round trip is 24 ms throughout: that is distance.",
  );
});

test("an episode of slow network is found to the block and named in UTC", () => {
  const slow = { hops: [{ wireOut: 75_000, wireBack: 75_000 }] };
  const specs = [...blocks(1_200), ...blocks(1_000, slow, 12_000_000), ...blocks(1_200, {}, 22_000_000)];
  const verdict = diagnose(modelOf(specs));
  expect(verdict.episodes).toHaveLength(1);
  expect(verdict.episodes[0]).toMatchObject({
    blocks: 1_000,
    from: 12_000_000,
    stage: "networkRoundTrip",
    label: "Slow network",
  });
  expect(verdict.episodes[0].inside["wireOut"]).toBeCloseTo(75_000, 3);
  expect(verdict.episodes[0].outside["wireOut"]).toBeCloseTo(300, 3);
  expect(verdict.episodes[0].inside["remoteHarden"]).toBeCloseTo(153_600, 3);
  expect(verdict.episodes[0].outside["remoteHarden"]).toBeCloseTo(4_200, 3);
  // TEST_ORIGIN is 02:16:55; 150 ms of 153.6 for 1,000 blocks, 0.6 of 4.2 for 2,400: 151.44 / 163.68 s
  expect(TEST_ORIGIN).toBe(131_069_746_150_000_000n);
  expect(plain(verdict.sentence)).toBe(
    "The network to SQL2 takes 93 % of remote harden time. 99 % of that falls between 02:17:07 and 02:17:17, " +
      "when the round trip was 150 ms instead of 0.6 ms.",
  );
  expect(verdict.evidence.length).toBeLessThanOrEqual(4);
  expect(verdict.checkNext.length).toBeLessThanOrEqual(3);
});

test("beside an episode it is as where nothing of the kind was, not as in the other episode", () => {
  const slow = { hops: [{ wireOut: 75_000, wireBack: 75_000 }] };
  const { episodes } = diagnose(
    modelOf([
      ...blocks(600),
      ...blocks(300, slow, 6_000_000),
      ...blocks(2_400, {}, 9_000_000),
      ...blocks(300, slow, 33_000_000),
      ...blocks(600, {}, 36_000_000),
    ]),
  );
  expect(episodes.map(({ from }) => from)).toEqual([6_000_000, 33_000_000]);
  for (const { inside, outside } of episodes) {
    expect(inside["wireOut"]).toBeCloseTo(75_000, 3);
    expect(outside["wireOut"]).toBeCloseTo(300, 3);
  }
});

test("one slow block is no episode", () => {
  const specs = [
    ...blocks(500),
    { at: 5_000_000, hops: [{ flush: 900_000 }] },
    ...blocks(500, {}, 5_010_000),
  ];
  expect(diagnose(modelOf(specs)).episodes).toEqual([]);
});

test("D4: handing blocks to transport", () => {
  const verdict = verdictOn({ hops: [{ send: 4_000, compression: 100 }] });
  expect(plain(ruleOf(verdict, "D4")?.sentence)).toBe(
    "Sending log blocks to SQL2 takes 3.90 ms at p95 on the primary.",
  );
  expect(plain(verdict.sentence)).toMatch(
    /^Commits finish in 8.09 ms \(p95\)\. Capture and send for SQL2 takes 50 %/u,
  );
});

test("D5: compression and decompression", () => {
  const verdict = verdictOn({
    hops: [{ send: 2_000, compression: 1_900, append: 2_000, decompression: 1_500 }],
  });
  expect(verdict.findings.filter((f) => f.rule === "D5").map((f) => f.stage)).toEqual([
    "compression",
    "decompression",
  ]);
});

test("D6: waiting to be grouped is by design from 2016 on, not before", () => {
  const model = modelOf(blocks(100, { commitQueue: 3_000 }));
  expect(ruleOf(diagnose(model), "D6")).toMatchObject({ severity: "none", stage: "commitQueue" });
  expect(ruleOf(diagnose({ ...model, engine: "pre2016" }), "D6")).toMatchObject({ severity: "notice" });
});

const withMarker = (model: CaptureModel, kind: number, duration: number): CaptureModel => ({
  ...model,
  markers: {
    length: 1,
    kind: Uint8Array.of(kind),
    replica: Uint8Array.of(0),
    time: Float64Array.of(100),
    duration: Float64Array.of(duration),
  },
});

test("D7: flow control, over 1 % of the capture", () => {
  const model = withMarker(modelOf(blocks(100)), 1, 500_000);
  expect(plain(ruleOf(diagnose(model), "D7")?.sentence)).toBe(
    "Flow control stopped sending once between 02:16:55 and 02:16:56, 500 ms in total.",
  );
  expect(ruleOf(diagnose(model), "D7")?.severity).toBe("slow");
});

test("D8: the secondary outside its log write", () => {
  const verdict = verdictOn({ hops: [{ append: 1_500 }] });
  expect(plain(ruleOf(verdict, "D8")?.sentence)).toBe("SQL2 spends 1.69 ms at p95 outside the log write.");
});

test("D9: acting on acknowledgments, waking commits", () => {
  const verdict = verdictOn({ wakeUp: 2_000, hops: [{ ackReceive: 1_500 }] });
  expect(plain(ruleOf(verdict, "D9")?.sentence)).toBe(
    "SQL1 takes 3.50 ms at p95 to act on acknowledgments and wake the commits they release.",
  );
});

test("D10: commits over 2 s", () => {
  const verdict = diagnose(modelOf([...blocks(99), { at: 2_000_000, hops: [{ wireOut: 2_500_000 }] }]));
  expect(plain(ruleOf(verdict, "D10")?.sentence)).toBe("1 commit waited over 2.00 s.");
});

test("D11: one of two secondaries decides every commit", () => {
  const verdict = verdictOn({ hops: [{}, { wireOut: 12_000, wireBack: 12_000 }] }, { secondaries: 2 });
  // Without SQL3: 50 queue + 4,200 remote harden of SQL2.
  expect(plain(ruleOf(verdict, "D11")?.sentence)).toBe(
    "SQL3 alone decides 100 % of commits; without it they would take about 4.25 ms on average.",
  );
  expect(verdict.sentence).toMatch(/^The network to SQL3 .* SQL3 releases 100.% of the commits\.$/u);
});

test("D13: unmatched blocks and an unaligned clock", () => {
  const model = modelOf(blocks(100));
  const [hop] = model.hops;
  for (let row = 0; row < 10; row++) hop.received[row] = hop.secondaryFlushStart[row] = Number.NaN;
  const verdict = diagnose({
    ...model,
    clocks: [{ ...model.clocks[0], status: "cannotAlign", reason: "only 3 blocks are on both." }],
  });
  const sentences = verdict.findings.filter((f) => f.rule === "D13").map((f) => f.sentence);
  expect(sentences).toEqual([
    "10 of 100 log blocks are in SQL1's or SQL2's files only, although both cover their time.",
    "Can't align the clock of SQL2: only 3 blocks are on both.",
  ]);
});

test("files that share no time: cannot tell", () => {
  const verdict = diagnose(
    modelOf(blocks(100), {
      coverage: [
        [20_000_000, 30_000_000],
        [0, 5_000_000],
      ],
      duration: 30_000_000,
    }),
  );
  expect(plain(verdict.sentence)).toBe(
    "Can't determine what commits wait for because SQL2's file ends 15.0 s before SQL1's begins.",
  );
});

test("one of two files that shares no time with the primary's does not take the verdict from the other", () => {
  const model = modelOf(
    blocks(100).map((block) => ({ ...block, hops: [{}, {}] })),
    {
      secondaries: 2,
      coverage: [
        [0, 10_000_000],
        [0, 9_000_000],
        [20_000_000, 30_000_000],
      ],
      duration: 30_000_000,
    },
  );
  // The second one's file has no events of these blocks.
  for (const anchor of [model.hops[1].received, model.hops[1].secondaryFlushStart]) anchor.fill(Number.NaN);
  const verdict = diagnose(model);
  expect(plain(verdict.sentence)).toMatch(
    /^Commits finish in [\d.]+ ms \(p95\)\. SQL3's file begins 10\.0 s after SQL1's ends\. SQL\d releases /u,
  );
  expect(verdict).toMatchObject({ severity: "notice", cause: "data_quality" });
  expect(verdict.findings.map(({ sentence }) => sentence).join()).not.toContain("although both cover");
});

test("no blocks: cannot tell", () => {
  expect(diagnose(modelOf([])).sentence).toMatch(/^Can't determine /u);
});
