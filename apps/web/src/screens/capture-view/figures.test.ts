import { expect, test } from "vitest";
import type { Episode } from "@aglens/contract";
import { summaryOf } from "../../../test/summary.ts";
import { backedPercentiles, commitsText, knownCommits, mainEpisode, ratePerSecond } from "./figures.ts";

const { commits } = summaryOf();
const withCommits = { commits: { ...commits, count: 1_100 } };
const without = { commits: { ...commits, count: 0 } };

test("a stretch without commits has 0 of them, in a capture that knows of some", () => {
  expect([0, 1, 1_018].map((n) => commitsText(withCommits, n))).toEqual([
    "0 commits",
    "1 commit",
    "1,018 commits",
  ]);
  expect(knownCommits(withCommits, 0)).toBe(0);
});

test("in a capture that knows of none their number is not 0", () => {
  expect(commitsText(without, 0)).toBe("no commit known");
  expect(knownCommits(without, 0)).toBeNull();
});

const of = (n: number) => Object.values(backedPercentiles({ n, p50: 1, p95: 2, p99: 3, max: 4 }));

test("a single value is there once, p95 from 20 values on, p99 from 100", () => {
  expect(of(1)).toEqual([null, null, null, 4]);
  expect(of(2)).toEqual([1, null, null, 4]);
  expect(of(19)).toEqual([1, null, null, 4]);
  expect(of(20)).toEqual([1, 2, null, 4]);
  expect(of(99)).toEqual([1, 2, null, 4]);
  expect(of(100)).toEqual([1, 2, 3, 4]);
});

test("a rate is per second, with a decimal below ten, and is none over less than a second", () => {
  expect(ratePerSecond(300, 3_000_000)).toBe("100");
  expect(ratePerSecond(9_999, 1_000_000)).toBe("9,999");
  expect(ratePerSecond(18, 3_000_000)).toBe("6.0");
  expect(ratePerSecond(99, 10_000_000)).toBe("9.9");
  expect(ratePerSecond(999, 100_000_000)).toBe("10");
  expect(ratePerSecond(0, 1_000_000)).toBe("0.0");
  expect(ratePerSecond(300, 999_999)).toBeNull();
});

const episode = (label: string, cause: Episode["cause"], us: number) =>
  ({ label, cause, from: 0, to: us }) as Episode;
const network = episode("Slow network", "network", 14e6);
const writes = episode("Slow log writes", "secondary_disk", 13e6);

test("picture and verdict name the same episode, also where another one is longer", () => {
  expect(mainEpisode({ cause: "secondary_disk" }, [network, writes])?.label).toBe("Slow log writes");
  expect(mainEpisode({ cause: "network" }, [writes, network])?.label).toBe("Slow network");
});

test("a verdict about something else leaves the longest one", () => {
  expect(mainEpisode({ cause: "role_change" }, [writes, network])?.label).toBe("Slow network");
  expect(mainEpisode({ cause: "network" }, [])).toBeNull();
});
