import { act, renderHook } from "@testing-library/react";
import { type ReactNode, useMemo } from "react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { withAnswers } from "../../../test/answers.tsx";
import { type Answers, sourceOf } from "../../../test/open-capture.tsx";
import { LANES } from "../../../test/scene.ts";
import { summaryOf } from "../../../test/summary.ts";
import { binWindow, blockWindow, commitWindow } from "../../../test/window.ts";
import { ProblemError } from "../../data/problem.ts";
import { DEFAULT_VIEW } from "../../state/view.ts";
import { CaptureContext } from "../capture-view/capture-context.ts";
import { MOST_LANE_BLOCKS } from "../../data/capture-source.ts";
import { servesView, bufferRange, useBuffer } from "./use-buffer.ts";
import { createViewport, type Range } from "./viewport.ts";

const DURATION = 100_000_000;
/** About a second: what is loaded begins and ends at powers of two of µs. */
const U = 2 ** 20;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Blocks where at most a second is requested, else bins, as a server with many blocks answers. */
const MANY: Answers = {
  window: ({ from, to }) =>
    to - from <= 1_000_000
      ? blockWindow([{ commitStart: from, commitEnd: from + 1 }], { from, to })
      : binWindow({ commit: { max: [1], p50: [1] } }, { from, to }),
  commits: ({ from, to }) => commitWindow([], { from, to }),
};

function bufferOf(first: Range, answers: Answers = MANY, total = MOST_LANE_BLOCKS + 1) {
  const source = sourceOf(answers);
  const summary = summaryOf({ blocks: { ...summaryOf().blocks, total }, durationUs: DURATION });
  const viewport = createViewport(first, DURATION);
  const Answering = withAnswers();
  const wrapper = ({ children }: { readonly children: ReactNode }): ReactNode => {
    const capture = useMemo(
      () => ({
        source,
        summary,
        canChange: false,
        view: DEFAULT_VIEW,
        setView: vi.fn(),
        open: vi.fn(),
        setStatus: vi.fn(),
      }),
      [],
    );
    return (
      <Answering>
        <CaptureContext value={capture}>{children}</CaptureContext>
      </Answering>
    );
  };
  const wanted = { viewport, lanes: LANES, shift: [0, 0], duration: DURATION, where: null, isWanted: true };
  const { result } = renderHook(() => useBuffer(wanted), { wrapper });
  const windows = () => source.asked.flatMap(([name, range]) => (name === "window" ? [range] : []));
  const commits = () => source.asked.filter(([name]) => name === "commits").length;
  const period = () => result.current.value && [result.current.value.from, result.current.value.to];
  /** Moves the view, and waits for `ms` ms. */
  const move = async (range: Range, ms = 120): Promise<void> => {
    viewport.set(range);
    await pass(ms);
  };
  return { result, windows, commits, stretch: period, move };
}

/** Lets `ms` ms pass. */
const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
const settle = () => pass(10);

describe("a capture with no more blocks than the buffer holds", () => {
  test("is loaded at once and never again", async () => {
    const {
      windows,
      commits,
      stretch: period,
      move,
    } = bufferOf(
      [0, 1_000],
      { ...MANY, window: (range) => blockWindow([{ commitStart: 0, commitEnd: 1 }], range) },
      MOST_LANE_BLOCKS,
    );
    await settle();
    expect(windows()).toEqual([{ from: 0, to: DURATION }]);
    expect(commits()).toBe(1);
    expect(period()).toEqual([0, DURATION]);
    await move([50_000_000, 50_000_100]);
    await move([0, DURATION]);
    expect(windows()).toHaveLength(1);
  });
});

describe("a capture with more blocks than the buffer holds", () => {
  test("is loaded some three views wide around what is in view", async () => {
    const { windows, stretch: period } = bufferOf([40 * U, 48 * U]);
    await settle();
    expect(windows()).toEqual([{ from: 32 * U, to: 56 * U }]);
    expect(period()).toEqual([32 * U, 56 * U]);
  });

  test("asks for no commits where its blocks come in bins, and for those of the stretch where they do not", async () => {
    const { commits, move } = bufferOf([40 * U, 48 * U]);
    await settle();
    expect(commits()).toBe(0);
    await move([44 * U, 44.1 * U]);
    expect(commits()).toBe(1);
  });

  test("is loaded anew when the view leaves what is loaded, once it rests", async () => {
    const { windows, move } = bufferOf([40 * U, 48 * U]);
    await settle();
    await move([47 * U, 55 * U]);
    expect(windows()).toHaveLength(1);
    await move([49 * U, 57 * U], 119);
    expect(windows()).toHaveLength(1);
    await pass(1);
    expect(windows()[1]).toEqual({ from: 40 * U, to: 68 * U });
  });

  test("is loaded finer once its bins are four times as wide as the view", async () => {
    const { windows, result, move } = bufferOf([40 * U, 48 * U]);
    await settle();
    await move([42 * U, 48 * U]);
    expect(windows()).toHaveLength(1);
    await move([42 * U, 48 * U - 10]);
    expect(windows()).toHaveLength(2);
    expect(result.current.value?.bins).not.toBeNull();
  });

  test("is not loaded again for a closer look at blocks: there is nothing finer", async () => {
    const { windows, result, move } = bufferOf([40_000_000, 40_200_000]);
    await settle();
    expect(result.current.value?.blocks).not.toBeNull();
    await move([40_100_000, 40_100_100]);
    expect(windows()).toHaveLength(1);
  });

  test("keeps what is loaded until the next is there, or beside the reason why it is not", async () => {
    let isDown = false;
    const {
      result,
      stretch: period,
      move,
    } = bufferOf([40 * U, 48 * U], {
      ...MANY,
      window: (...asked) =>
        isDown ? new ProblemError("internal", 500, "The disk is full.") : MANY.window!(...asked),
    });
    await settle();
    isDown = true;
    await move([70 * U, 78 * U]);
    await settle();
    expect(result.current.error).toBe("The disk is full.");
    expect(period()).toEqual([32 * U, 56 * U]);
    isDown = false;
    result.current.retry();
    await settle();
    expect(result.current.error).toBeNull();
    expect(period()).toEqual([60 * U, 88 * U]);
  });
});

test("a stretch ends where the capture does", () => {
  expect(bufferRange([0, 10], 100, false)).toEqual({ from: 0, to: 20 });
  expect(bufferRange([90, 100], 100, false)).toEqual({ from: 80, to: 100 });
  expect(bufferRange([90, 100], 100, true)).toEqual({ from: 0, to: 100 });
  // Ten long: in steps of four.
  expect(bufferRange([51, 61], 100, false)).toEqual({ from: 40, to: 72 });
  expect(bufferRange([53, 63], 100, false)).toEqual({ from: 40, to: 76 });
  expect(bufferRange([55, 65], 100, false)).toEqual({ from: 44, to: 76 });
});

test("a window serves what it covers to the microsecond", () => {
  expect(servesView({ from: 10, to: 20 }, true, [10, 20])).toBe(true);
  expect(servesView({ from: 10, to: 20 }, true, [9, 20])).toBe(false);
  expect(servesView({ from: 10, to: 20 }, true, [10, 21])).toBe(false);
  expect(servesView({ from: 0, to: 40 }, false, [10, 20])).toBe(true);
  expect(servesView({ from: 0, to: 41 }, false, [10, 20])).toBe(false);
});
