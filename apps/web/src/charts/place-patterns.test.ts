import { expect, test } from "vitest";
import type { Tokens } from "../lanes/palette.ts";
import { PlacedBars } from "./place-patterns.ts";

/** A context that notes what it is asked to do. */
function recorder(): { calls: string[]; context: CanvasRenderingContext2D } {
  const calls: string[] = [];
  const context = new Proxy(
    {},
    {
      get:
        (_, name) =>
        (...values: readonly number[]) =>
          void calls.push(`${String(name)} ${values.join(" ")}`),
      set: () => true,
    },
  ) as CanvasRenderingContext2D;
  return { calls, context };
}

function bars(): PlacedBars {
  const placed = new PlacedBars();
  placed.add("primary", 0, 0, 4, 8);
  placed.add("network", 4, 0, 4, 8);
  placed.add("secondary", 8, 2, 4, 6);
  placed.add("secondary", 12, 2, 4, 6);
  return placed;
}

test("forced colours cut the bars of each place by its pattern; the primary stays solid", () => {
  const { calls, context } = recorder();
  bars().cut(context, { "--n-out": "CanvasText", "--surface": "Canvas" } as Tokens, 16, 8);
  expect(calls.filter((call) => call.startsWith("rect "))).toEqual([
    "rect 4 0 4 8",
    "rect 8 2 4 6",
    "rect 12 2 4 6",
  ]);
  const clips = calls.flatMap((call, at) => (call.startsWith("clip") ? [at] : []));
  // Dots inside the first clip, lines inside the second.
  expect(calls.slice(clips[0], clips[1]).some((call) => call.startsWith("fillRect "))).toBe(true);
  expect(calls.slice(clips[1]).some((call) => call.startsWith("lineTo "))).toBe(true);
});

test("where colours are the product's own, nothing is cut", () => {
  const { calls, context } = recorder();
  bars().cut(context, { "--n-out": "#cf6200", "--surface": "#ffffff" } as Tokens, 16, 8);
  expect(calls).toEqual([]);
});
