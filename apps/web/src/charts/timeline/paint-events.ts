/** Level 3: a tick per event with its name, where there is room for it (docs/contribute/design.md 8). */
import { anchorAt, type Anchor } from "@aglens/ag-model/columns";
import { EventName } from "@aglens/ag-model/events";
import type { LaneFigure } from "@aglens/ag-model/lanes";
import type { HopAnchor } from "@aglens/ag-model/replication";
import type { LaneBox } from "./heights.ts";
import type { Lane } from "../../lanes/lanes.ts";
import { chartsTexts as texts } from "../../messages/charts.ts";
import type { Bars } from "./layout.ts";
import { xOf } from "../time-scale.ts";
import type { Context, Scene } from "./scene.ts";
import type { LaneSpans } from "./spans.ts";

type Marked = "start" | "end" | HopAnchor;
type Mark = readonly [at: Marked, event: string];

const ARRIVAL: readonly Mark[] = [
  ["start", EventName.receiveHarden],
  ["ackProcessed", "processed"],
];

/**
 * Events at the ends of a lane's bars; `start` and `end` are the bar's own. Network lanes have no events of their own.
 */
const MARKS: Readonly<Partial<Record<LaneFigure, readonly Mark[]>>> = {
  commit: [
    ["start", texts.commitBegins],
    ["end", EventName.commit],
  ],
  localFlush: [
    ["start", EventName.flushStart],
    ["end", EventName.flushComplete],
  ],
  send: [
    // The start of the send is computed from its duration; no event fires there.
    ["start", texts.sendBegins],
    ["departed", EventName.capture],
    ["end", EventName.sendComplete],
  ],
  secondaryAppend: [["start", EventName.transportReceive]],
  secondaryFlush: [
    ["start", EventName.flushStart],
    ["end", EventName.flushComplete],
  ],
  acknowledge: [
    ["ackBuilt", EventName.sendHarden],
    ["ackDeparted", texts.handedOn],
    ["end", EventName.ackSendComplete],
  ],
  ackWakeUp: ARRIVAL,
  ackReceive: ARRIVAL,
};

const ROW_PX = 11;

/** Names of the events a lane marks, in the order of its path. */
export const marksOf = ({ figure }: Pick<Lane, "figure">): readonly Mark[] => MARKS[figure] ?? [];

/** Instant of a mark, µs. Inside a bar the clock is the bar's own: anchors move with its start in raw clock mode. */
function instantOf(scene: Scene, lane: Lane, spans: LaneSpans, entry: number, at: Marked): number {
  if (at === "start") return spans.start[entry];
  if (at === "end") return spans.end[entry];
  const { blocks } = scene.buffer;
  const instant = (name: Anchor): number => anchorAt(blocks!, lane.secondary, name, entry);
  return instant(at) + spans.start[entry] - instant(lane.anchors![0]);
}

interface Tick {
  readonly x: number;
  readonly event: string;
  /** Outside of the bar where there is room: names of starts are left of it. */
  readonly side: "left" | "right";
  readonly chosen: boolean;
}

function ticksOf(scene: Scene, { lane }: LaneBox, layout: Bars): Tick[] {
  const spans = scene.buffer.spans.get(lane.key)!;
  const ticks = Array.from(layout.entry).flatMap((entry) =>
    marksOf(lane).map(([at, event]) => ({
      x: xOf(scene.scale, instantOf(scene, lane, spans, entry, at)),
      event,
      side: at === "start" ? ("left" as const) : ("right" as const),
      chosen: spans.block[entry] === scene.selected,
    })),
  );
  return ticks
    .filter(({ x }) => x >= 0 && x <= scene.scale.width)
    .sort((a, b) => Number(b.chosen) - Number(a.chosen) || a.x - b.x);
}

/** Left edge and row of a free place for `width` px next to x, on the wanted side first; null when no place is free. */
export function placeLabel(
  taken: readonly (readonly [number, number])[][],
  x: number,
  width: number,
  most: number,
  side: "left" | "right" = "right",
): { left: number; row: number } | null {
  const [right, before] = [x + 4, x - 4 - width];
  for (const [row, spans] of taken.entries())
    for (const left of side === "right" ? [right, before] : [before, right]) {
      if (left < 2 || left + width > most) continue;
      if (spans.every(([from, to]) => left > to || left + width < from)) return { left, row };
    }
  return null;
}

/**
 * Draws a lane's ticks and as many of their names as fit next to each other; names of the selected block are placed
 * first.
 */
export function paintEvents(context: Context, scene: Scene, box: LaneBox, layout: Bars): void {
  const { tokens, scale } = scene;
  const rows = Math.max(1, Math.floor((box.tall ? box.height / 2 : box.height - 2) / ROW_PX));
  const ticks = ticksOf(scene, box, layout);
  // A name may not run over the next tick either.
  const taken = Array.from({ length: rows }, () => ticks.map(({ x }) => [x - 1, x + 1] as [number, number]));
  context.globalAlpha = 1;
  context.fillStyle = tokens["--ink"];
  for (const { x } of ticks) context.fillRect(Math.round(x), box.top, 1, box.height);
  context.font = `400 9.5px ${tokens["--mono"]}`;
  context.strokeStyle = tokens["--surface"];
  context.lineWidth = 3;
  for (const { x, event, side, chosen } of ticks) {
    const width = context.measureText(event).width;
    const place = placeLabel(taken, x, width, scale.width - 2, side);
    if (place === null) continue;
    taken[place.row].push([place.left - 4, place.left + width + 4]);
    const y = box.top + box.height - 4 - place.row * ROW_PX;
    context.strokeText(event, place.left, y);
    context.fillStyle = tokens[chosen ? "--ink" : "--ink-2"];
    context.fillText(event, place.left, y);
  }
}
