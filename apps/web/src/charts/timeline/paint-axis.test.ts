import { expect, test } from "vitest";
import { drawLog, inOneLine } from "../../../test/draw-log.ts";
import { NAMED } from "../../../test/tokens.ts";
import { paintAxis } from "./paint-axis.ts";

/** 10 s on 1,000 px. */
const SCALE = { from: 0, to: 10_000_000, width: 1_000 };
type Axis = Parameters<typeof paintAxis>;

function drawn(ticks: Axis[3], episodes: Axis[4] = []) {
  const { context, take } = drawLog();
  paintAxis(context, SCALE, NAMED, ticks, episodes);
  return take();
}

test("a tick stands on its pixel with its label in the middle above it", () => {
  const calls = drawn([{ at: 5_003_000, label: "+5 s" }]);
  // Four letters of 6 px.
  expect(calls.map(inOneLine)).toEqual([
    "fillRect 500 25 1 4 --line-2",
    'fillText "+5 s" 488.3 18 --ink-2',
    "fillRect 0 29 1000 1 --line-2",
  ]);
  expect(calls[1].font).toBe("400 10.5px --font");
});

test("a label at either end stays inside", () => {
  const texts = drawn([
    { at: 0, label: "0 s" },
    { at: 10_000_000, label: "+10 s" },
  ]).filter(({ call }) => call === "fillText");
  expect(texts.map(({ at }) => at[0])).toEqual([0, 970]);
});

test("a label that would touch the one before is left out; its tick stays", () => {
  // "+24 min 30 s" has 12 letters of 6 px: the first one, moved inside, ends at 72.
  const second = (at: number) => [
    { at: 0, label: "+24 min 30 s" },
    { at, label: "+24 min 35 s" },
  ];
  const texts = (at: number) => drawn(second(at)).filter(({ call }) => call === "fillText").length;
  expect(texts(1_130_000)).toBe(1);
  expect(texts(1_150_000)).toBe(2);
  expect(drawn(second(1_130_000)).filter(({ call }) => call === "fillRect")).toHaveLength(3);
});

test("an episode has a crimson bracket whose hooks stand at its ends", () => {
  const [, bracket] = drawn([], [{ from: 2_000_000, to: 4_000_000 }]);
  expect(bracket).toMatchObject({
    call: "stroke",
    path: "M 200 36 L 200 32.5 L 400 32.5 L 400 36",
    color: "--c-bad",
    lineWidth: 1.5,
  });
});

test("an episode out of view has none, one that touches the view has", () => {
  const brackets = (from: number, to: number): number => drawn([], [{ from, to }]).length - 1;
  expect(brackets(-5e6, -1)).toBe(0);
  expect(brackets(-5e6, 0)).toBe(1);
  expect(brackets(10e6, 11e6)).toBe(1);
  expect(brackets(10_000_001, 11e6)).toBe(0);
});
