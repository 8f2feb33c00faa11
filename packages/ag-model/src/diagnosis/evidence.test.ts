/** Tests of the four evidence figures of the headline. */
import { expect, it } from "vitest";
import { modelOf, withCommitMode, type BlockSpec } from "../../test/model.ts";
import { diagnose } from "./diagnose.ts";
import { evidenceOf } from "./evidence.ts";
import { plainFinding } from "./plain-finding.ts";

const blocks = (spec: Omit<BlockSpec, "at">, n = 40): BlockSpec[] =>
  Array.from({ length: n }, (_, i) => ({ ...spec, at: i * 100_000 }));

const textOf = (verdict: ReturnType<typeof diagnose>): string[] =>
  verdict.evidence.map((figure) =>
    [figure.before, figure.value, figure.after]
      .filter((part) => part !== "")
      .join(" ")
      .replaceAll("\u00A0", " "),
  );

it("are what released the commits, their latency, log writes and the round trip's split", () => {
  expect(textOf(diagnose(modelOf(blocks({}))))).toEqual([
    "40 of 40 commits released by SQL2",
    "commit p95 4.29 ms p50 4.29 ms",
    "log writes 2.00 ms SQL1, 3.00 ms SQL2 (p50)",
    "network each way ±0.10 ms",
  ]);
  expect(textOf(diagnose(modelOf(blocks({ localFlush: 9_000 }))))[0]).toBe(
    "40 of 40 commits released by the local log write",
  );
});

it("name every replica that released commits where several can", () => {
  const two = [
    ...blocks({ hops: [{ flush: 3_500 }, {}] }, 10),
    ...blocks({ hops: [{}, { flush: 3_500 }] }, 30).map((block) => ({ ...block, at: block.at + 1_000_000 })),
  ];
  expect(textOf(diagnose(modelOf(two, { secondaries: 2 })))[0]).toBe("30 SQL3, 10 SQL2 of 40 commits");
});

it("count all commits, and say of how many it is not known what released them", () => {
  const model = modelOf(blocks({}));
  const gate = model.commits.gate.with(0, 0);
  const [first] = textOf(diagnose({ ...model, commits: { ...model.commits, gate } }));
  expect(first).toBe("39 of 40 commits released by SQL2; of 1 it is not known");
});

it("are about the replica that released most commits where the headline names none, and say so of several", () => {
  const hops = [{}, { flush: 3_500 }];
  const text = textOf(diagnose(modelOf(blocks({ hops }), { secondaries: 2 })));
  expect(text[2]).toBe("log writes 2.00 ms SQL1, 3.50 ms SQL3 (p50)");
  expect(text[3]).toBe("network each way ±0.10 ms SQL3");
});

it("are about the stretch that the headline names", () => {
  const slow = modelOf(
    blocks({}, 600).map((spec, i) => (i >= 200 && i < 400 ? { ...spec, localFlush: 40_000 } : spec)),
  );
  expect(textOf(diagnose(slow)).slice(0, 2)).toEqual([
    "200 of 600 blocks affected",
    "commit p95 40.1 ms inside, 4.29 ms outside",
  ]);
});

it("are about the replica that the headline names", () => {
  const model = modelOf(blocks({ hops: [{}, { flush: 30_000 }] }), { secondaries: 2 });
  const clocks = model.clocks.map((clock, s) => ({
    ...clock,
    windows: [{ ...clock.windows[0], uncertaintyUs: 100 + 200 * s }],
  }));
  expect(textOf(diagnose({ ...model, clocks })).slice(2)).toEqual([
    "log writes 2.00 ms SQL1, 30.0 ms SQL3 (p50)",
    "network each way ±0.30 ms SQL3",
  ]);
});

it("leave out what is not known", () => {
  const quiet = modelOf(blocks({ commits: 0 }));
  const unaligned = { ...quiet, clocks: [{ ...quiet.clocks[0], status: "cannotAlign" as const }] };
  expect(textOf(diagnose(unaligned))).toEqual(["log writes 2.00 ms SQL1, 3.00 ms SQL2 (p50)"]);
  const unwritten = modelOf(blocks({}));
  unwritten.hops[0].secondaryFlushEnd.fill(Number.NaN);
  expect(textOf(diagnose(unwritten))[2]).toBe("log writes 2.00 ms SQL1 (p50)");
  unwritten.blocks.localFlushEnd.fill(Number.NaN);
  const same = { ...unwritten, blocks: { ...unwritten.blocks } };
  expect(textOf(diagnose(same)).filter((text) => text.startsWith("log writes"))).toEqual([]);
  const oneWay = modelOf(blocks({}));
  oneWay.hops[0].ackSent.fill(Number.NaN);
  expect(textOf(diagnose(oneWay)).filter((text) => text.startsWith("round trip"))).toEqual([]);
});

it("are of the replica that releases commits where the headline is about an asynchronous one", () => {
  const both = modelOf(blocks({ hops: [{ flush: 5_000 }, {}] }), { secondaries: 2 });
  const ofHeadline = (model: typeof both) =>
    evidenceOf(model, {
      finding: plainFinding("D17", "async_lag", "notice", "", { replica: 2 }),
      sentence: "",
      place: "none",
      stage: null,
      checkNext: [],
      stretches: [],
    }).map(({ value, after }) => `${value} ${after}`.replaceAll("\u00A0", " "));
  expect(ofHeadline(withCommitMode(both, 2, "async"))).toContain("2.00 ms SQL1, 5.00 ms SQL2 (p50)");
  expect(ofHeadline(both)).toContain("2.00 ms SQL1, 3.00 ms SQL3 (p50)");
});
