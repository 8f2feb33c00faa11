import { act } from "@testing-library/react";
import { expect, test } from "vitest";
import { parseBlockFilter, type SlowBlocks } from "@aglens/contract";
import type { View } from "../../state/view.ts";
import { openCapture } from "../../../test/open-capture.tsx";
import { replicaSummary } from "../../../test/summary.ts";
import { type HitList, useHits } from "./found-blocks.ts";

const SECOND = 1_000_000;

const WHOLE = [{}, { name: "SQL2" }].map((more) => replicaSummary({ ...more, to: 100 * SECOND }));

/** Hits of a capture of 100 s at these seconds, the slowest first, and the requests that they needed. */
async function hitsAt(seconds: readonly number[], view: Partial<View>, replicas = WHOLE) {
  let hits: HitList | undefined;
  function Hits(): null {
    hits = useHits();
    return null;
  }
  const rows = seconds.map((s, i) => ({ row: i + 1, time: s * SECOND }));
  const opened = await openCapture(<Hits />, {
    summary: { durationUs: 100 * SECOND, replicas },
    view: { where: parseBlockFilter("gate@1"), ...view },
    answers: { slowest: () => ({ total: rows.length, rows }) as unknown as SlowBlocks },
  });
  const asked = (name: string): unknown[] => opened.source.asked.filter(([each]) => each === name);
  return { asked, view: opened.view, step: (by: 1 | -1) => act(() => hits?.step(by)), list: () => hits };
}

test("hits are listed of the whole capture, whatever is in view, and counted inside of the view too", async () => {
  const { asked } = await hitsAt([1], { range: [5 * SECOND, 6 * SECOND] });
  expect(asked("slowest")).toMatchObject([["slowest", { range: { from: 0, to: 100 * SECOND } }]]);
  expect(asked("hits")).toMatchObject([["hits", [{}], { from: 5 * SECOND, to: 6 * SECOND }]]);
});

test("a step selects the next hit and moves the view only where the hit is outside of it", async () => {
  const { step, view, list } = await hitsAt([5, 50, 99.5], { range: [4 * SECOND, 8 * SECOND] });
  step(1);
  expect(view()).toMatchObject({ block: 1, range: [4 * SECOND, 8 * SECOND] });
  step(1);
  expect(view()).toMatchObject({ block: 2, range: [48 * SECOND, 52 * SECOND] });
  step(1);
  // The view is as long as before, and ends with the capture.
  expect(view()).toMatchObject({ block: 3, range: [96 * SECOND, 100 * SECOND] });
  expect(list()?.position).toBe(2);
  step(1);
  expect(view().block).toBe(3);
  step(-1);
  expect(view().block).toBe(2);
});

test("from no hit a step back selects the last one", async () => {
  const { step, view } = await hitsAt([5, 50, 99.5], {});
  step(-1);
  expect(view()).toMatchObject({ block: 3, range: null });
});

test("without a range in view hits are counted in the time that all files cover, and one outside of it is moved to", async () => {
  const covered = [{}, { name: "SQL2" }].map((more) =>
    replicaSummary({ ...more, from: 20 * SECOND, to: 60 * SECOND }),
  );
  const { asked, step, view } = await hitsAt([30, 99], {}, covered);
  expect(asked("hits")).toMatchObject([["hits", [{}], { from: 20 * SECOND, to: 60 * SECOND }]]);
  step(1);
  expect(view()).toMatchObject({ block: 1, range: null });
  step(1);
  expect(view()).toMatchObject({ block: 2, range: [60 * SECOND, 100 * SECOND] });
});
