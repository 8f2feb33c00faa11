import { describe, expect, it } from "vitest";
import type { Statistics } from "../numbers/index.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";
import { severityByShare, severityOfLimit, severityOfWindow, worse } from "./severity.ts";

const mean = (us: number): Statistics => ({ n: 1, p50: us, p95: us, p99: us, max: us, mean: us });

/** Severity of a window whose own excess is `meanUs`, in which commits take `inside` instead of `outside` µs. */
const windowOf = (meanUs: number, inside: number, outside: number) =>
  severityOfWindow(meanUs, { inside: mean(inside), outside: mean(outside) }, DEFAULT_SETTINGS);

describe("the severity of a window", () => {
  it("is slow from 10 ms on, of its own and of the commits", () => {
    expect(windowOf(10_000, 14_000, 4_000)).toBe("slow");
    expect(windowOf(9_999, 90_000, 4_000)).toBe("notice");
    expect(windowOf(90_000, 13_999, 4_000)).toBe("notice");
  });

  it("is worth a notice from a tenth of the other commits on, by either", () => {
    expect([windowOf(400, 4_000, 4_000), windowOf(399, 4_000, 4_000)]).toEqual(["notice", "none"]);
    expect([windowOf(0, 4_400, 4_000), windowOf(0, 4_399, 4_000)]).toEqual(["notice", "none"]);
  });

  it("is a notice where no commit is known to compare with", () => {
    expect(windowOf(1, Number.NaN, 4_000)).toBe("notice");
    expect(windowOf(1, 4_000, Number.NaN)).toBe("notice");
  });
});

describe("the severity of a limit that is passed", () => {
  it("is a notice at most where commits hardly wait for it", () => {
    expect(severityOfLimit("slow", 0.1, DEFAULT_SETTINGS)).toBe("slow");
    expect(severityOfLimit("slow", 0.099, DEFAULT_SETTINGS)).toBe("notice");
    expect(severityOfLimit("slow", Number.NaN, DEFAULT_SETTINGS)).toBe("slow");
    expect(severityOfLimit("notice", 0.5, DEFAULT_SETTINGS)).toBe("notice");
    expect(severityOfLimit("none", 0, DEFAULT_SETTINGS)).toBe("none");
  });

  it("is none for a part of commit latency that does not count", () => {
    expect([0.1, 0.099, Number.NaN].map((share) => severityByShare(share, DEFAULT_SETTINGS))).toEqual([
      "notice",
      "none",
      "notice",
    ]);
  });
});

it("of two severities the worse counts", () => {
  expect([
    worse("none", "slow"),
    worse("slow", "notice"),
    worse("notice", "none"),
    worse("none", "none"),
  ]).toEqual(["slow", "slow", "notice", "none"]);
});
