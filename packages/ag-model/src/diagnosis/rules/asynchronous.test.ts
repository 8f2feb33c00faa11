/** D17: sentences about a replica that no commit waits for. */
import { expect, it } from "vitest";
import { modelOf, withCommitMode, type BlockSpec } from "../../../test/model.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import { diagnose } from "../diagnose.ts";

/** 600 blocks in 60 s to a synchronous and an asynchronous replica, whose write takes `flush` µs. */
function capture(flush: (second: number) => number): CaptureModel {
  const specs = Array.from({ length: 600 }, (_, i): BlockSpec => ({
    at: i * 100_000,
    hops: [{}, { flush: flush(i / 10) }],
  }));
  const model = modelOf(specs, { secondaries: 2 });
  // In the fixture, commits wait for the last acknowledgment; here they wait for the synchronous replica's.
  for (let row = 0; row < specs.length; row++) {
    model.blocks.gate[row] = 2;
    model.blocks.commitEnd[row] = model.hops[0].ackProcessed[row] + 40;
    model.commits.end[row] = model.blocks.commitEnd[row];
    model.commits.gate[row] = 2;
  }
  return withCommitMode(model, 2, "async");
}

const plain = (text: string): string => text.replaceAll("\u00A0", " ");

it("is said to be asynchronous with its lag in time and bytes, and never has a severity", () => {
  const verdict = diagnose(capture(() => 53_000));
  const found = verdict.findings.filter(({ rule }) => rule === "D17");
  // 54,200 of remote harden - 2,000 of the local write = 52,200 µs; one block of 512 bytes at a time.
  expect(found.map(({ sentence }) => plain(sentence))).toEqual([
    "SQL3 is asynchronous: no commit waits for it. A log block is acknowledged 52.2 ms after the primary hardened it at p50 and 52.2 ms at p95, with up to 512 B hardened and not acknowledged.",
  ]);
  expect(found).toMatchObject([{ cause: "async_replica", severity: "none", replica: 2 }]);
  expect(verdict).toMatchObject({ severity: "none", cause: "none", episodes: [] });
  expect(plain(verdict.sentence)).toBe(
    "Commits finish in 4.29 ms (p95). No stage stands out. SQL2 releases 100 % of the commits.",
  );
});

it("fell behind where its lag is 20 ms and as much again above its quiet part", () => {
  const lags = (flush: number, quiet = 5_000) =>
    diagnose(capture((s) => (s >= 20 && s < 40 ? flush : quiet))).findings.filter(
      ({ cause }) => cause === "async_lag",
    );
  // The quiet lag is 4,200 µs, so that 20 ms decide; then 44,200, so that its double does.
  expect([lags(24_990).length, lags(25_010).length]).toEqual([0, 1]);
  expect([lags(89_000, 45_000).length, lags(89_300, 45_000).length]).toEqual([0, 1]);
  const [found] = lags(500_000);
  expect(found).toMatchObject({ severity: "none", replica: 2, window: { from: 20_000_000 } });
  // 500 ms against blocks of 100 ms: five blocks of 512 bytes at once.
  expect(plain(found.sentence)).toBe(
    "SQL3 lagged by up to 499 ms (2.6 kB) between 02:17:15 and 02:17:35: 499 ms at p50, 4.20 ms otherwise. No commit waits for it.",
  );
});

it("is the verdict where no commit is slow: subject, figure and window, without a severity", () => {
  const verdict = diagnose(capture((s) => (s >= 20 && s < 40 ? 500_000 : 5_000)));
  expect(plain(verdict.sentence)).toBe(
    "Commits finish in 4.29 ms (p95). SQL3 lagged by up to 499 ms (2.6 kB) between 02:17:15 and 02:17:35: " +
      "499 ms at p50, 4.20 ms otherwise. No commit waits for it. SQL2 releases 100 % of the commits.",
  );
  expect(verdict).toMatchObject({
    cause: "async_lag",
    severity: "none",
    replica: 2,
    window: { from: 20_000_000 },
  });
  expect(verdict.findings.map(({ rule }) => rule)).not.toContain("D0");
});

it("fell behind by the bytes of that time alone, whatever is behind at another", () => {
  // The replica lags by five blocks for 20 s, and by nine for one second: the longer time is reported.
  const flush = (second: number): number =>
    second >= 20 && second < 40 ? 500_000 : second >= 50 && second < 51 ? 900_000 : 5_000;
  const verdict = diagnose(capture(flush));
  const [lag, ...others] = verdict.findings.filter(({ cause }) => cause === "async_lag");
  expect(others).toEqual([]);
  expect(plain(lag.sentence)).toContain("lagged by up to 499 ms (2.6 kB)");
  const [whole] = verdict.findings.filter(({ cause }) => cause === "async_replica");
  expect(plain(whole.sentence)).toContain("with up to 4.6 kB hardened and not acknowledged");
});
