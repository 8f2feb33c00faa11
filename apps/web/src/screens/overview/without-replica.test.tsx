import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { settled } from "../../../test/answers.tsx";
import { logCanvases } from "../../../test/canvas.ts";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { openCapture } from "../../../test/open-capture.tsx";
import { overviewOf } from "../../../test/overview.ts";
import { whatIfOf } from "../../../test/replay.ts";
import { OverviewScreen } from "./overview-screen.tsx";

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  fakeScreen({ width: 1_000, height: 400 });
  logCanvases();
  return () => void vi.useRealTimers();
});

/** Lines of the evidence, those too that are there for their room alone. */
const lines = () =>
  within(screen.getByRole("region", { name: "Verdict" })).getAllByRole("listitem", { hidden: true });
const hidden = () => lines().filter((line) => line.getAttribute("aria-hidden") === "true");

test("a prediction's line has its place before it comes, so that nothing below it moves", async () => {
  const prediction = Promise.withResolvers<ReturnType<typeof whatIfOf>>();
  await openCapture(<OverviewScreen />, {
    answers: { overview: () => overviewOf({ blocks: [4] }), prediction: () => prediction.promise },
  });
  const before = lines().length;
  expect(hidden().map((line) => line.textContent)).toEqual([expect.stringMatching(/^without SQL2 p95 /u)]);
  await settled(() => vi.advanceTimersByTime(1_000));
  await settled(() => prediction.resolve(whatIfOf()));
  expect(hidden()).toEqual([]);
  expect(lines()).toHaveLength(before);
  // Where the line wraps, units stay with their numbers.
  expect(lines().map((line) => line.textContent)).toContain(
    "without SQL2 p95 6.01\u00a0ms instead of 70.7\u00a0ms",
  );
});

test("a prediction that fails leaves no empty line", async () => {
  await openCapture(<OverviewScreen />, {
    answers: { overview: () => overviewOf({ blocks: [4] }), prediction: () => new Error("no") },
  });
  await settled(() => vi.advanceTimersByTime(1_000));
  expect(hidden()).toEqual([]);
});
