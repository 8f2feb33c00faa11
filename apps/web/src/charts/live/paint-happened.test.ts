import { expect, it } from "vitest";
import { drawLog, type Drawn, inOneLine } from "../../../test/draw-log.ts";
import { roleEvent } from "../../../test/evidence.ts";
import { NAMED } from "../../../test/tokens.ts";
import { happenedLanes } from "../evidence/happened-lanes.ts";
import { HEADING_PX, stackEvidence } from "../evidence/stack.ts";
import { paintHappened } from "./paint-happened.ts";

const SECOND = 1e6;
const TOP = 200;

/** SQL1 stops to be primary 9 s before now; 30 ms per px, so that now is at 955 px and the change at 655 px. */
function painted(now: number): Drawn[] {
  const { context, take } = drawLog();
  const events = [roleEvent("SQL1", now - 9 * SECOND, ["PRIMARY_NORMAL", "RESOLVING_NORMAL"])];
  const stack = stackEvidence(happenedLanes({ events, failovers: [] }), [0, now], {
    showsAll: false,
    room: 900,
    head: 0,
  });
  const view = { now, width: 1_000, windowUs: 30 * SECOND };
  const scene = { view, tokens: NAMED, height: 300, ticks: [] };
  paintHappened(context, scene, { top: TOP, stack, rules: [now - 9 * SECOND] });
  return take();
}

it("draws states up to now, under the other lanes", () => {
  const drawn = painted(100 * SECOND);
  expect(new Set(drawn.flatMap(({ clip }) => clip))).toEqual(new Set(["R 0 0 955 300"]));
  const lines = drawn.map(inOneLine);
  const top = TOP + HEADING_PX;
  expect(lines).toContain(`fillRect 0 ${top} 654 18 --p-tint`);
  expect(lines).toContain(`fillRect 655 ${top} 300 18 --c-good`);
  // The rule of the failover goes through the lanes above, too.
  expect(lines.some((line) => line.startsWith("fillRect 655 0 1 "))).toBe(true);
});

it("draws nothing before the run began", () => {
  // 10 s are 333 px.
  const [first] = painted(10 * SECOND);
  expect(first?.clip).toEqual(["R 622 0 333 300"]);
  expect(painted(-SECOND)).toEqual([]);
});
