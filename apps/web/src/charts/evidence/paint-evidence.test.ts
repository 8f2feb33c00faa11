import { describe, expect, it } from "vitest";
import { drawLog, inOneLine } from "../../../test/draw-log.ts";
import { evidenceAnswer, happenedEvent, LEASE, leaseFailover } from "../../../test/evidence.ts";
import { NAMED } from "../../../test/tokens.ts";
import { happenedLanes } from "./happened-lanes.ts";
import type { MetricLane } from "./metric-lanes.ts";
import { type EvidenceScene, paintEvidence } from "./paint-evidence.ts";
import { pointedEvent } from "./pointed-event.ts";
import { stackEvidence } from "./stack.ts";

const SECOND = 1e6;
/** 20 px per second. */
const SCALE = { from: 0, to: 50 * SECOND, width: 1_000 };

function painted(
  lanes: Parameters<typeof stackEvidence>[0],
  more: Partial<EvidenceScene> = {},
): { lines: string[]; eventAt: (x: number, y: number) => number | null } {
  const { context, take } = drawLog();
  const stack = stackEvidence(lanes, [SCALE.from, SCALE.to], { showsAll: false, room: 900, head: 0 });
  const scene = {
    stack,
    above: 0,
    scale: SCALE,
    tokens: NAMED,
    ticks: [],
    rules: [],
    selected: null,
    ...more,
  };
  const ticks = paintEvidence(context, { steps: new Map(), ...scene });
  return {
    lines: take().map(inOneLine),
    eventAt: (x, y) => pointedEvent(stack, ticks, SCALE, x, y),
  };
}

const failover = happenedLanes(leaseFailover());

describe("bands", () => {
  it("have the tint of their role, a line between them, and a word that is cut where it has no room", () => {
    const { lines } = painted(failover.slice(1, 2));
    expect(lines.filter((line) => line.includes("-tint") || line.includes("--c-good"))).toEqual([
      "fillRect 0 26 299 18 --s-tint",
      "fillRect 300 26 149 18 --c-good",
      "fillRect 450 26 550 18 --p-tint",
      "fillRect 5 27 56 16 --s-tint",
      "fillRect 305 27 56 16 --c-good",
      "fillRect 455 27 44 16 --p-tint",
    ]);
    expect(lines.filter((line) => line.startsWith("fillText"))).toEqual([
      'fillText "SECONDARY" 6 39 --s-ink',
      'fillText "RESOLVING" 306 39 --ink',
      'fillText "PRIMARY" 456 39 --p-ink',
    ]);
  });
});

describe("rules", () => {
  it("go through all lanes and above them, under the texts", () => {
    const { lines } = painted(failover, { rules: [10 * SECOND, 22.5 * SECOND, 99 * SECOND], above: 32 });
    expect(lines.filter((line) => line.startsWith("fillRect") && line.includes(" -32 "))).toEqual([
      "fillRect 200 -32 1 184 --ink",
      "fillRect 450 -32 1 184 --ink",
    ]);
    const rule = lines.findIndex((line) => line.includes(" -32 "));
    expect(lines.findIndex((line) => line.startsWith("fillText"))).toBeGreaterThan(rule);
  });
});

describe("ticks", () => {
  const [lane] = happenedLanes(
    evidenceAnswer({
      events: [happenedEvent({ at: 20 * SECOND, from: 10 * SECOND, plusMinusUs: SECOND / 2, text: "Late." })],
    }),
  );

  it("have a pale bar for their duration and one for their uncertainty, and their text", () => {
    expect(painted([lane]).lines.slice(2)).toEqual([
      "fillRect 200 28 200 14 --wait-soft",
      "fillRect 390 28 20 14 --wait 0.6",
      "fillRect 413 28 28 14 --surface",
      "fillRect 399 28 3 14 --ink-2",
      'fillText "Late" 415 39 --ink',
    ]);
  });

  it("draw no uncertainty under a pixel, and a frame around the selected one", () => {
    const exact = { ...lane, ticks: lane.ticks.map((tick) => ({ ...tick, plusMinusUs: 10_000 })) };
    const { lines } = painted([exact], { selected: 0 });
    expect(lines.filter((line) => line.includes("--wait "))).toEqual([]);
    expect(lines).toContain("strokeRect 397.5 27.5 37 15 --select");
  });
});

describe("samples", () => {
  const metric: MetricLane = {
    key: "m",
    name: "",
    note: "",
    metric: 0,
    unit: "ms",
    isTotal: false,
    color: "--s-disk",
  };

  it("are steps on a scale from zero to a round number", () => {
    const steps = new Map([
      [
        "m",
        [
          { from: 0, to: 10 * SECOND, value: 5 },
          { from: 10 * SECOND, to: 20 * SECOND, value: 10 },
        ],
      ],
    ]);
    expect(painted([metric], { steps }).lines.slice(2)).toEqual([
      "fillRect 0 43 200 15 --s-disk 0.3",
      "fillRect 0 42 200 1.5 --s-disk",
      "fillRect 200 28 200 30 --s-disk 0.3",
      "fillRect 200 27 200 1.5 --s-disk",
    ]);
  });
});

describe("the pointer", () => {
  const { eventAt } = painted(failover);

  it("finds the event of a band, of a tick, of its duration and of its text", () => {
    expect(eventAt(100, 30)).toBe(LEASE.resolving);
    expect(eventAt(600, 30)).toBe(LEASE.secondary);
    expect(eventAt(200, 80)).toBe(LEASE.expired);
    expect(eventAt(50, 80)).toBe(LEASE.expired);
    expect(eventAt(300, 80)).toBe(LEASE.expired);
    expect(eventAt(266, 132)).toBe(LEASE.timeout);
  });

  it("finds nothing between lanes and far from a tick", () => {
    expect(eventAt(200, 5)).toBeNull();
    expect(eventAt(900, 80)).toBeNull();
    expect(eventAt(100, 132)).toBeNull();
  });
});
