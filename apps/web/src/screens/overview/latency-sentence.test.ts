import { expect, test } from "vitest";
import { rangeStatistics, statisticsOfValue } from "../../../test/summary.ts";
import { latencySentence } from "./charts/latency-block.tsx";

const sentence = (n: number): string =>
  latencySentence(
    "commit",
    { from: 0, to: 500_000 },
    rangeStatistics({ commitLatency: statisticsOfValue(n === 0 ? null : 8_020, n) }),
    0,
  ).replaceAll("\u2009", " ");

test("the sentence of the latencies has the percentiles that enough commits stand behind, one value once", () => {
  expect(sentence(100)).toBe(
    "Commit latency over 500 ms: p50 8.02 ms, p95 8.02 ms, max 8.02 ms of 100 commits.",
  );
  expect(sentence(19)).toBe("Commit latency over 500 ms: p50 8.02 ms, max 8.02 ms of 19 commits.");
  expect(sentence(1)).toBe("Commit latency over 500 ms: 8.02 ms of 1 commit.");
  expect(sentence(0)).toBe("Commit latency over 500 ms: nothing to measure.");
});
