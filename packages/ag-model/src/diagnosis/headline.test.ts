/** What is said first, of captures with one cause, with two, and with none. */
import { describe, expect, it } from "vitest";
import { modelOf, type BlockSpec, type ModelOptions } from "../../test/model.ts";
import { diagnose } from "./diagnose.ts";

/** 600 blocks in 60 s; those from 20 s to 40 s are changed. */
const verdictOn = (
  changed: Omit<BlockSpec, "at">,
  others: Omit<BlockSpec, "at"> = {},
  options: ModelOptions = {},
) =>
  diagnose(
    modelOf(
      Array.from({ length: 600 }, (_, i) => ({
        at: i * 100_000,
        ...(i >= 200 && i < 400 ? changed : others),
      })),
      options,
    ),
  );

const plain = (text: string): string => text.replaceAll("\u00A0", " ");

describe("the headline", () => {
  it("is the most severe finding, with its window in UTC and the figures that are slow", () => {
    const verdict = verdictOn({ localFlush: 40_000 });
    expect(verdict).toMatchObject({ cause: "primary_disk", severity: "slow", place: "primary", replica: 0 });
    expect(plain(verdict.sentence)).toBe(
      "Between 02:17:15 and 02:17:35 a log write on SQL1 took 40 ms instead of 2 ms; commits took 40.1 ms instead of 4.29 ms (p95).",
    );
    expect(verdict.window).toMatchObject({ from: 20_000_000 });
    expect(verdict.findings[0].effect).toEqual({
      p50Inside: 40_090,
      p50Outside: 4_290,
      p95Inside: 40_090,
      p95Outside: 4_290,
    });
  });

  it("names two causes of one time, and the advice begins with both", () => {
    const verdict = verdictOn({ hops: [{ flush: 24_000, wireOut: 20_300 }] });
    expect(plain(verdict.sentence)).toMatch(
      /^The log write on SQL2 takes 5\d % of remote harden time\. 8\d % of that falls between 02:17:15 and 02:17:35, when a log write on SQL2 took 24 ms instead of 3 ms\. At the same time the round trip was 21 ms instead of 0\.6 ms\.$/u,
    );
    expect(verdict.checkNext[0]).toMatch(/^WRITELOG waits .* of the log file on SQL2 at 02:17:15$/u);
    expect(verdict.checkNext[1]).toBe("Retransmits and path changes SQL1 to SQL2");
  });

  it("does not name a second cause that is small beside the first", () => {
    const verdict = verdictOn({ hops: [{ flush: 63_000, wireOut: 3_300 }] });
    expect(verdict.sentence).not.toContain("At the same time");
    expect(verdict.findings.map(({ cause }) => cause)).toContain("network");
  });

  it("advises on the primary's disk where that is what got slower, though the secondary's takes longer", () => {
    const verdict = verdictOn({ localFlush: 30_000, hops: [{ flush: 9_000 }] }, { hops: [{ flush: 9_000 }] });
    expect(verdict.cause).toBe("primary_disk");
    expect(verdict.checkNext[0]).toContain("SQL1");
  });

  it("is a description without a severity where commits are slow and no rule fires", () => {
    // Three times 9 ms one after the other, each under its limit.
    const slow = { commitQueue: 950, hops: [{ flush: 9_500, wireOut: 300 }] };
    const verdict = verdictOn(slow, slow);
    expect(verdict).toMatchObject({ severity: "none", cause: "none", replica: null });
    expect(plain(verdict.sentence)).toBe(
      "Commits take 11.7 ms (p95), and no stage is over its limit. The log write on SQL2 takes 89 % of remote harden time.",
    );
    expect(verdict.findings[0]).toMatchObject({ rule: "D0", severity: "none" });
  });

  it("comes with an episode of each stretch, and none for what has no severity", () => {
    expect(verdictOn({ localFlush: 40_000 }).episodes).toMatchObject([
      { cause: "primary_disk", label: "Slow log writes, SQL1", blocks: 200, from: 20_000_000 },
    ]);
    expect(verdictOn({}).episodes).toEqual([]);
  });
});
