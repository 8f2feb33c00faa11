/** The timeline's lanes over the chosen range, with their names, figures and scales. */
import type { RangeStatistics } from "@aglens/contract";
import { timeAxis } from "../../../charts/axis.ts";
import { logHeight } from "../../../charts/duration-scale.ts";
import { type LaneBox, places, stackLanes } from "../../../charts/timeline/heights.ts";
import { blocksInView, layoutLane, type Level, levelOf } from "../../../charts/timeline/layout.ts";
import { AXIS_PX, paintAxis } from "../../../charts/timeline/paint-axis.ts";
import { paintLanes } from "../../../charts/timeline/paint.ts";
import { fadeOf } from "../../../charts/timeline/paint-bars.ts";
import type { Scene } from "../../../charts/timeline/scene.ts";
import { type TimeScale, xOf } from "../../../charts/time-scale.ts";
import { type Lane, visibleLanes } from "../../../lanes/lanes.ts";
import type { Tokens, TokenName } from "../../../lanes/palette.ts";
import { reportTexts as texts } from "../../../messages/report.ts";
import { durationText, formatCount } from "../../../ui/words.ts";
import { uncoveredByRole, underWayByRole } from "../../capture-view/coverage.ts";
import { roleSwitches, switchPeriods } from "../../capture-view/phases.ts";
import { laneFigures, summaryLanes } from "../../capture-view/capture-lanes.ts";
import { PICTURE_PX } from "./overview-drawings.ts";
import type { ReportData } from "./report-data.ts";
import type { Drawing } from "./svg-picture.tsx";

const GUTTER_PX = 222;
const MARGIN_PX = 34;
const PLOT_PX = PICTURE_PX - GUTTER_PX - MARGIN_PX;
/** Height of the lanes of one secondary, and of each further one, px. */
const LANES_PX = 470;
const PER_SECONDARY_PX = 260;
const TICKS = 8;

const PLACE_COLORS: Readonly<Record<string, TokenName>> = {
  primary: "--p-disk",
  network: "--n-out",
  secondary: "--s-disk",
};
const PLACE_INKS: Readonly<Record<string, TokenName>> = {
  primary: "--p-ink",
  network: "--n-ink",
  secondary: "--s-ink",
};

/** The range as the timeline draws it. */
export function timelineDrawing(data: ReportData): Drawing {
  const { boxes, height, scene } = sceneOf(data);
  const label = texts.timelineOfLogBlocks(
    durationText(scene.scale.to - scene.scale.from),
    formatCount(data.statistics.blocks),
    boxes.map(({ lane }) => laneText(lane, data.statistics)).join("; "),
  );
  return {
    width: PICTURE_PX,
    height: AXIS_PX + height,
    label,
    draw: (context, tokens) => {
      context.save();
      context.translate(GUTTER_PX, 0);
      paintAxis(context, scene.scale, tokens, axisOf(data).ticks, data.whole.ground.episodes);
      context.translate(0, AXIS_PX);
      clipTo(context, height);
      paintLanes(context, { ...scene, tokens });
      context.restore();
      context.save();
      context.translate(0, AXIS_PX);
      for (const box of boxes) paintName(context, tokens, box, data.statistics);
      for (const { place, top, bottom } of places(boxes)) {
        context.fillStyle = tokens[PLACE_COLORS[place] ?? "--wait"];
        context.fillRect(0, top, 3, bottom - top);
      }
      if (scene.level <= 1)
        for (const box of boxes.filter(({ tall }) => tall)) paintScale(context, tokens, box);
      context.restore();
    },
  };
}

/** Meaning of a bar's height at the level that is drawn. */
export function heightText(data: ReportData): string {
  return sceneOf(data).scene.level <= 1 ? texts.heightDurationLogScale : texts.barPerBlockLength;
}

function sceneOf(data: ReportData): {
  boxes: readonly LaneBox[];
  height: number;
  scene: Omit<Scene, "tokens">;
} {
  const { summary, buffer, choice } = data;
  const lanes = visibleLanes(summaryLanes(summary, false, choice.phase), []);
  const scale: TimeScale = { ...choice.range, width: PLOT_PX };
  const level: Level = levelOf(blocksInView(buffer, scale), scale, buffer.blocks !== null);
  const secondaries = Math.max(1, summary.replicas.length - 1);
  const { boxes, height } = stackLanes(lanes, {}, level, LANES_PX + PER_SECONDARY_PX * (secondaries - 1));
  const uncertainty = summary.replicas
    .slice(1)
    .map(
      (_, s) => summary.clocks.find(({ secondary }) => secondary === s)?.strictUncertaintyUs ?? Number.NaN,
    );
  const fade = ({ lane, tall }: LaneBox): number => (tall ? fadeOf({ uncertainty, scale }, lane) : 0);
  return {
    boxes,
    height,
    scene: {
      boxes,
      layouts: new Map(
        boxes.map((box) => [box.lane.key, layoutLane(buffer, box.lane, scale, level, fade(box))]),
      ),
      buffer,
      scale,
      level,
      ticks: axisOf(data).ticks.map(({ at }) => xOf(scale, at)),
      selected: -1,
      waiting: [],
      chosen: null,
      kept: [],
      uncertainty,
      gates: false,
      uncovered: uncoveredByRole(summary),
      lost: summary.lost,
      underWay: underWayByRole(summary),
      switches: switchPeriods(roleSwitches(summary)),
      idle: false,
      patterns: false,
      edges: false,
      focus: null,
      hits: null,
      isSetBack: false,
      isolated: [],
      slot: null,
    },
  };
}

const axisOf = ({ choice, summary }: ReportData): ReturnType<typeof timeAxis> =>
  timeAxis(choice.range.from, choice.range.to, summary, TICKS);

function clipTo(context: CanvasRenderingContext2D, height: number): void {
  context.beginPath();
  context.rect(0, 0, PLOT_PX, height);
  context.clip();
}

function laneText(lane: Lane, statistics: RangeStatistics): string {
  const { p50, p95 } = laneFigures(lane, statistics);
  return `${lane.label} p50 ${durationText(p50)}, p95 ${durationText(p95)}`;
}

/** Columns of the gutter: names from the left, p50 and p95 to these right edges, px. */
const P50_RIGHT = 160;
const P95_RIGHT = 212;

function paintName(
  context: CanvasRenderingContext2D,
  tokens: Tokens,
  { lane, tall, top, height }: LaneBox,
  statistics: RangeStatistics,
): void {
  const withHeading = tall && lane.heading !== "";
  const base = tall ? top + (withHeading ? 27 : 14) : top + height / 2 + 4;
  if (withHeading) {
    context.font = `600 10.5px ${tokens["--font"]}`;
    context.fillStyle = tokens[PLACE_INKS[lane.place] ?? "--ink-2"];
    context.fillText(lane.heading, 10, top + 12);
  }
  const { p50, p95 } = laneFigures(lane, statistics);
  context.font = `${tall ? 600 : 400} 11px ${tokens["--font"]}`;
  context.fillStyle = tokens[tall ? "--ink" : "--ink-2"];
  context.fillText(lane.label, 10, base);
  context.font = `400 11px ${tokens["--font"]}`;
  context.fillStyle = tokens["--ink-2"];
  context.textAlign = "right";
  context.fillText(durationText(p50), P50_RIGHT, base);
  if (p95 !== null && p95 > lane.limitUs) context.fillStyle = tokens["--bad-ink"];
  context.fillText(durationText(p95), P95_RIGHT, base);
  context.textAlign = "left";
}

function paintScale(context: CanvasRenderingContext2D, tokens: Tokens, { top, height }: LaneBox): void {
  context.font = `400 10px ${tokens["--font"]}`;
  context.fillStyle = tokens["--ink-3"];
  for (const [us, words] of [
    [100_000, "100"],
    [10_000, "10 ms"],
  ] as const)
    context.fillText(words, PICTURE_PX - MARGIN_PX + 3, top + height * (1 - logHeight(us)) + 4);
}
