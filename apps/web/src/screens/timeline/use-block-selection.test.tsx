import { renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { describe, expect, test, vi } from "vitest";
import type { Sequence, SlowBlocks } from "@aglens/contract";
import { settled, withAnswers } from "../../../test/answers.tsx";
import { type Answers, sourceOf } from "../../../test/open-capture.tsx";
import { SLOW_BLOCK } from "../../../test/sequence.ts";
import { summaryOf } from "../../../test/summary.ts";
import { blockWindow, commitWindow } from "../../../test/window.ts";
import { buildBuffer, type Buffer } from "../../charts/timeline/spans.ts";
import { ProblemError } from "../../data/problem.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { DEFAULT_VIEW, type View } from "../../state/view.ts";
import { CaptureContext } from "../capture-view/capture-context.ts";
import { useBlockSelection } from "./use-block-selection.ts";
import { createViewport, type Range } from "./viewport.ts";

const DURATION = 10_000_000;
const atSecond = (row: number): Sequence => ({ ...SLOW_BLOCK, row, time: row * 1_000_000 });

interface Options {
  readonly answers?: Answers;
  readonly range?: Range;
  readonly buffer?: Buffer | null;
  readonly block?: number | null;
}

/** The selection of a timeline over ten seconds whose block n begins at the nth second. */
function selectionOf({ answers = {}, range = [0, 1_000_000], buffer = null, block = null }: Options) {
  const source = sourceOf(answers);
  const summary = summaryOf({ blocks: { ...summaryOf().blocks, total: 10 } });
  const viewport = createViewport(range, DURATION);
  const newest: { view: View } = { view: { ...DEFAULT_VIEW, block } };
  const Answering = withAnswers();
  const wrapper = ({ children }: { readonly children: ReactNode }): ReactNode => (
    <Answering>
      <CaptureContext
        value={{
          source,
          summary,
          canChange: false,
          view: newest.view,
          setView: (change) => void (newest.view = { ...newest.view, ...change }),
          open: vi.fn(),
          setStatus: vi.fn(),
        }}
      >
        {children}
      </CaptureContext>
    </Answering>
  );
  const { result, rerender } = renderHook(
    () => {
      const row = newest.view.block;
      const sequence = useAnswer(row === null ? null : source.sequence(row), { keepsValue: false });
      return useBlockSelection(viewport, range, buffer, sequence.value);
    },
    { wrapper },
  );
  const act = async (run: () => void = () => undefined): Promise<void> => {
    await settled(run);
    // The view is in the address, so a change of it renders again.
    rerender();
    await settled();
  };
  return {
    source,
    viewport,
    act,
    selection: () => result.current,
    block: () => newest.view.block,
    kept: () => newest.view.kept,
  };
}

const slow = (...rows: number[]): SlowBlocks =>
  ({ total: rows.length, rows: rows.map((row) => ({ row })) }) as unknown as SlowBlocks;

describe("a block that is chosen", () => {
  test("comes into view at once where it is loaded; its place is not asked for", async () => {
    const window = blockWindow([{ commitStart: 8_000_000, commitEnd: 8_200_000 }], {
      to: DURATION,
      firstRow: 8,
    });
    const buffer = buildBuffer(window, commitWindow([]), [], []);
    const { viewport, act, selection, block } = selectionOf({ buffer });
    await act(() => selection().select(8));
    expect(block()).toBe(8);
    expect(viewport.get()).toEqual([7_600_000, 8_600_000]);
  });

  test("comes into view once it has been read where it is not loaded", async () => {
    const { viewport, act, selection } = selectionOf({ answers: { sequence: atSecond } });
    await act(() => selection().select(8));
    expect(viewport.get()).toEqual([7_500_000.5, 8_500_000.5]);
  });

  test("that is in view moves nothing", async () => {
    const { viewport, act, selection } = selectionOf({
      answers: { sequence: atSecond },
      range: [0, 9_000_000],
    });
    await act(() => selection().select(4));
    expect(viewport.get()).toEqual([0, 9_000_000]);
  });

  test("moves nothing when it is read after another one was chosen", async () => {
    const late = Promise.withResolvers<Sequence>();
    const { viewport, act, selection } = selectionOf({
      answers: { sequence: (row) => (row === 8 ? late.promise : atSecond(row)) },
    });
    await act(() => selection().select(8));
    await act(() => selection().select(3));
    const there = viewport.get();
    expect(there).toEqual([2_500_000.5, 3_500_000.5]);
    await act(() => late.resolve(atSecond(8)));
    expect(viewport.get()).toEqual(there);
  });

  test("moves nothing when it is read after the view was moved", async () => {
    const late = Promise.withResolvers<Sequence>();
    const { viewport, act, selection } = selectionOf({ answers: { sequence: () => late.promise } });
    await act(() => selection().select(8));
    await act(() => viewport.set([4_000_000, 5_000_000]));
    await act(() => late.resolve(atSecond(8)));
    expect(viewport.get()).toEqual([4_000_000, 5_000_000]);
  });

  test("moves nothing when it is read after the selection was let go", async () => {
    const late = Promise.withResolvers<Sequence>();
    const { viewport, act, selection } = selectionOf({ answers: { sequence: () => late.promise } });
    await act(() => selection().select(8));
    await act(() => selection().select(null));
    await act(() => late.resolve(atSecond(8)));
    expect(viewport.get()).toEqual([0, 1_000_000]);
  });

  test("takes the place of a selected range", async () => {
    const { act, selection } = selectionOf({ answers: { sequence: atSecond } });
    await act(() => selection().selectRange([1, 2]));
    expect(selection().selectedRange).toEqual([1, 2]);
    await act(() => selection().select(3));
    expect(selection().selectedRange).toBeNull();
  });
});

describe("steps through the slow blocks", () => {
  const answers: Answers = { sequence: atSecond, slowest: () => slow(7, 2, 5) };

  test("follow the order of the slowest table and end with it", async () => {
    const { act, selection, block, source } = selectionOf({ answers });
    const seen = [];
    for (const by of [1, 1, 1, 1, -1] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one press after the other
      await act(() => selection().toSlow(by));
      seen.push(block());
    }
    expect(seen).toEqual([7, 2, 5, 5, 2]);
    expect(source.asked.filter(([name]) => name === "slowest")).toHaveLength(1);
  });

  test("begin anew from a block that is not in the list", async () => {
    const { act, selection, block } = selectionOf({ answers, block: 9 });
    await act(() => selection().toSlow(1));
    expect(block()).toBe(7);
  });

  test("whose answer comes after another block was chosen select nothing", async () => {
    const late = Promise.withResolvers<SlowBlocks>();
    const { act, selection, block } = selectionOf({
      answers: { sequence: atSecond, slowest: () => late.promise },
    });
    await act(() => selection().toSlow(1));
    await act(() => selection().select(4));
    await act(() => late.resolve(slow(7)));
    expect(block()).toBe(4);
  });

  test("that are not answered say why, and can be asked again", async () => {
    let isDown = true;
    const { act, selection, block } = selectionOf({
      answers: {
        sequence: atSecond,
        slowest: () => (isDown ? new ProblemError("internal", 500, "The disk is full.") : slow(7)),
      },
    });
    await act(() => selection().toSlow(1));
    expect(selection().search.error).toBe("The disk is full.");
    expect(block()).toBeNull();
    isDown = false;
    await act(() => selection().search.retry());
    expect(selection().search.error).toBeNull();
    expect(block()).toBe(7);
  });
});

describe("steps in time", () => {
  /** The first block at or after an instant, as the server finds it. */
  const findAt: NonNullable<Answers["findAt"]> = (instant) => {
    const row = Math.min(9, Math.max(0, Math.ceil(instant / 1_000_000)));
    return { rows: [{ row, database: 0, lsn: "", time: row * 1_000_000 }] };
  };

  test("go to the next row, and stay inside the capture", async () => {
    const { act, selection, block } = selectionOf({ answers: { sequence: atSecond }, block: 8 });
    await act(() => selection().inTime(1));
    expect(block()).toBe(9);
    await act(() => selection().inTime(1));
    expect(block()).toBe(9);
  });

  test.each([
    ["forwards", 1, 3],
    ["backwards", -1, 5],
  ] as const)("enter the view %s from its own side", async (_, by, row) => {
    const { act, selection, block } = selectionOf({
      answers: { sequence: atSecond, findAt },
      range: [2_500_000, 5_500_000],
    });
    await act(() => selection().inTime(by));
    expect(block()).toBe(row);
  });

  test("find nothing before the first block, nothing after the last", async () => {
    const before = selectionOf({ answers: { findAt }, range: [-10, 0] });
    await before.act(() => before.selection().inTime(-1));
    expect(before.block()).toBeNull();
    const after = selectionOf({ answers: { findAt }, range: [9_500_000, 9_900_000] });
    await after.act(() => after.selection().inTime(1));
    expect(after.block()).toBeNull();
  });
});

test("the slowest of a lane is asked for inside the capture, in the order that finds it", async () => {
  const { act, selection, block, source } = selectionOf({
    answers: { sequence: atSecond, slowest: () => slow(6) },
  });
  const lane = { figure: "acknowledge", secondary: 1, database: null } as Parameters<
    ReturnType<typeof selection>["selectSlowest"]
  >[0];
  await act(() => selection().selectSlowest(lane, [-500_000, 500_000], false));
  expect(source.asked[0]).toEqual([
    "slowest",
    { range: { from: 0, to: 1_000_000 }, sort: "ackSend", descending: true, secondary: 1, limit: 1 },
  ]);
  expect(block()).toBe(6);
});

test("the slowest of a lane that one database has alone is asked of that database", async () => {
  const { act, selection, source } = selectionOf({ answers: { sequence: atSecond, slowest: () => slow(6) } });
  const lane = { figure: "localFlush", secondary: -1, database: 1 } as Parameters<
    ReturnType<typeof selection>["selectSlowest"]
  >[0];
  await act(() => selection().selectSlowest(lane, [0, 500_000], false));
  expect(source.asked[0]).toEqual(["scoped", { database: 1, phase: null }]);
});

test("fit shows the selected range, else the selected block with a margin", async () => {
  const window = blockWindow([{ commitStart: 4_000_000, commitEnd: 5_000_000 }], {
    to: DURATION,
    firstRow: 4,
  });
  const buffer = buildBuffer(window, commitWindow([]), [], []);
  const { viewport, act, selection } = selectionOf({ buffer, block: 4, range: [0, DURATION] });
  await act(() => selection().fit());
  expect(viewport.get()).toEqual([3_650_000, 5_350_000]);
  await act(() => selection().selectRange([1_000_000, 2_000_000]));
  await act(() => selection().fit());
  expect(viewport.get()).toEqual([1_000_000, 2_000_000]);
});

test("fit waits for a block that is not loaded until it has been read", async () => {
  const late = Promise.withResolvers<Sequence>();
  const { viewport, act, selection } = selectionOf({
    answers: { sequence: () => late.promise },
    block: 8,
    range: [0, DURATION],
  });
  await act(() => selection().fit());
  expect(viewport.get()).toEqual([0, DURATION]);
  // One second from its first instant to its last, with 0.35 s on either side.
  const known = Object.fromEntries(Object.keys(SLOW_BLOCK.local).map((key) => [key, null]));
  await act(() =>
    late.resolve({
      ...atSecond(8),
      local: { ...known, commitStart: 8_000_000, commitEnd: 9_000_000 } as Sequence["local"],
      hops: [],
      commits: [],
    }),
  );
  expect(viewport.get()).toEqual([7_650_000, 9_350_000]);
});

test("fit without a block fits none that is selected later", async () => {
  const { viewport, act, selection } = selectionOf({ answers: { sequence: atSecond }, range: [0, DURATION] });
  await act(() => selection().fit());
  await act(() => selection().select(3));
  expect(viewport.get()).toEqual([0, DURATION]);
});

describe("several blocks", () => {
  test("stay selected while the keys step on, and give way to one that is chosen alone", async () => {
    const { act, selection, block, kept } = selectionOf({ answers: { sequence: atSecond }, block: 3 });
    await act(() => selection().keep());
    await act(() => selection().inTime(1));
    expect([block(), kept()]).toEqual([4, [3]]);
    await act(() => selection().toggle(8));
    expect([block(), kept()]).toEqual([8, [3, 4]]);
    await act(() => selection().toggle(3));
    expect([block(), kept()]).toEqual([8, [4]]);
    await act(() => selection().select(5));
    expect([block(), kept()]).toEqual([5, []]);
  });

  test("may be the slowest of lanes where the window has bins", async () => {
    const { act, selection, block, kept } = selectionOf({
      answers: { sequence: atSecond, slowest: () => slow(6) },
      block: 3,
    });
    const lane = { figure: "localFlush", secondary: -1, database: null } as Parameters<
      ReturnType<typeof selection>["selectSlowest"]
    >[0];
    await act(() => selection().selectSlowest(lane, [0, 500_000], true));
    expect([block(), kept()]).toEqual([6, [3]]);
  });
});
