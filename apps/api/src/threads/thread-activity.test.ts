import { expect, test } from "vitest";
import { CELLS, ThreadActivity } from "./thread-activity.ts";

/** Cells of half a second; `at` moves the clock. */
function activity() {
  let now = 1_000_000;
  const kept = new ThreadActivity(() => now);
  return { kept, pass: (ms: number) => (now += ms), now: () => now };
}

const busy = (kept: ThreadActivity) =>
  kept.threads().map(({ work, number, shares }) => ({
    name: `${work} ${number}`,
    cells: shares.reduce((sum, share) => sum + share, 0),
  }));

test("a thread is busy for the time of its work, to a part of a cell", () => {
  const { kept, pass } = activity();
  const end = kept.begin("analysis");
  pass(1_250);
  end();
  pass(750);
  expect(busy(kept)).toEqual([{ name: "analysis 1", cells: 2.5 }]);
  expect(kept.threads()[0]?.shares.slice(-5)).toEqual([0, 1, 1, 0.5, 0]);
});

test("a millisecond of work is two thousandths of a cell", () => {
  const { kept, pass } = activity();
  const end = kept.begin("answers");
  pass(1);
  end();
  pass(499);
  expect(kept.threads()[0]?.shares.at(-1)).toBe(0.002);
});

test("work under way counts as far as it is, and an end counts once", () => {
  const { kept, pass } = activity();
  const end = kept.begin("answers");
  pass(500);
  expect(busy(kept)).toEqual([{ name: "answers 1", cells: 1 }]);
  end();
  pass(500);
  end();
  expect(busy(kept)).toEqual([{ name: "answers 1", cells: 1 }]);
});

test("work at the same time is in threads of their own; a free number is taken again", () => {
  const { kept, pass } = activity();
  const first = kept.begin("analysis");
  const second = kept.begin("analysis");
  kept.begin("files");
  pass(500);
  first();
  kept.begin("analysis");
  second();
  pass(500);
  expect(busy(kept)).toEqual([
    { name: "analysis 1", cells: 2 },
    { name: "analysis 2", cells: 1 },
    { name: "files 1", cells: 2 },
  ]);
});

test("what is older than a minute is forgotten, and a long work fills the minute", () => {
  const { kept, pass } = activity();
  kept.begin("answers")();
  const end = kept.begin("answers");
  pass(1_000);
  end();
  kept.begin("analysis");
  pass(120_000);
  expect(busy(kept)).toEqual([{ name: "analysis 1", cells: CELLS }]);
});

test("the main thread's share of a second is spread over it", () => {
  const { kept, pass, now } = activity();
  const from = now();
  pass(1_000);
  kept.sample(from, 0.25);
  expect(kept.threads()[0]?.shares.slice(-3)).toEqual([0, 0.25, 0.25]);
});
