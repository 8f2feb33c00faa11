import { useCallback, useMemo, useRef, type RefObject } from "react";
import type { Summary } from "@aglens/contract";
import { timeAxis } from "../../../charts/axis.ts";
import { clearedContext } from "../../../charts/cleared-context.ts";
import { useTokens, type Tokens } from "../../../lanes/palette.ts";
import { forcedTokens } from "../../../charts/timeline/forced-colors.ts";
import { waitingCommits } from "../../../charts/timeline/flow-arrows.ts";
import type { LaneBox } from "../../../charts/timeline/heights.ts";
import { layoutLane, type LaneLayout, type Level } from "../../../charts/timeline/layout.ts";
import { xOf, type TimeScale } from "../../../charts/time-scale.ts";
import { chooseLevel, NO_LEVEL_CHOICE } from "../../../charts/timeline/level-choice.ts";
import { AXIS_PX, paintAxis } from "../../../charts/timeline/paint-axis.ts";
import { fadeOf } from "../../../charts/timeline/paint-bars.ts";
import { paintGrounds, paintLanes } from "../../../charts/timeline/paint.ts";
import { paintReleases } from "../../../charts/timeline/paint-releases.ts";
import { onlyRows, widened } from "../../../charts/timeline/paint-hits.ts";
import type { ChosenBars, Hits, Scene } from "../../../charts/timeline/scene.ts";
import { positionOf, type Buffer } from "../../../charts/timeline/spans.ts";
import { useMedia } from "../../../ui/use-media.ts";
import { usePixelRatio } from "../../../ui/use-pixel-ratio.ts";
import { formatInstant, showsOffsets } from "../../../ui/words.ts";
import { underWayByRole } from "../../capture-view/coverage.ts";
import type { LaneStack } from "./use-lane-stack.ts";
import type { Releases } from "../use-releases.ts";
import type { Range } from "../viewport.ts";
import { blockSpan } from "../../../charts/timeline/buffered.ts";

/** Minimum distance of two ticks: "+1 min 30 s" and "02:18:04.200" must fit between them, px. */
const TICK_PX = { offset: 62, clock: 78 };

/** Content of the canvases, in addition to the range in view. */
export interface LanePicture {
  readonly summary: Summary;
  readonly buffer: Buffer | null;
  /** Blocks of the filter, over all others. */
  readonly hitBuffer: Buffer | null;
  readonly threshold: Hits["threshold"];
  /** The isolated lanes. */
  readonly isolated: readonly string[];
  /** Row of the selected block in the capture. */
  readonly selectedRow: number | null;
  /** The selected block's own path, for when the window has bins. */
  readonly chosenPath: ChosenBars | null;
  /** The paths of the blocks that are selected in addition to it. */
  readonly keptPaths: readonly ChosenBars[];
  readonly uncertainty: readonly number[];
  readonly gates: boolean;
  readonly uncovered: Scene["uncovered"];
  readonly switches: Scene["switches"];
  /** Secondary whose episodes are marked above the lanes. */
  readonly secondary: number;
  /** Times with labels of their own on the axis, µs, and whether the label is before the time. */
  readonly labels: readonly { readonly at: number; readonly isBefore: boolean }[];
  /** The bar that has the keyboard focus. */
  readonly focused: { readonly key: string; readonly row: number } | null;
  /** The slot of a lane that has the keyboard focus while the window has bins. */
  readonly focusedSlot: Scene["slot"];
  /** Where the view came to rest last. */
  readonly rested: Range;
  /** No block is in view. */
  readonly idle: boolean;
  readonly onLevel: (level: Level) => void;
}

export interface LaneCanvas {
  readonly axis: RefObject<HTMLCanvasElement | null>;
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  /** Holds the last level's picture while it fades. */
  readonly ghost: RefObject<HTMLCanvasElement | null>;
  /** Label with the instant at the axis's left end. */
  readonly base: RefObject<HTMLSpanElement | null>;
  /** The scene that was painted last; null before the first blocks. */
  readonly scene: RefObject<Scene | null>;
  /** Paints a range, without a render. */
  readonly paint: (range: Range) => void;
}

/** The canvases of axis and lanes, and their painting. */
export function useLaneCanvas(
  picture: LanePicture,
  releases: Releases,
  stack: LaneStack,
  width: number,
): LaneCanvas {
  const axis = useRef<HTMLCanvasElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const ghost = useRef<HTMLCanvasElement>(null);
  const base = useRef<HTMLSpanElement>(null);
  const scene = useRef<Scene | null>(null);
  const choice = useRef(NO_LEVEL_CHOICE);
  const colors = useColors();
  const ratio = usePixelRatio();
  const paintTicks = useTicks(picture, colors.tokens);
  const { summary } = picture;
  const underWay = useMemo(() => underWayByRole(summary), [summary]);
  const sceneOf = useScene(picture, underWay, stack, colors);
  const { buffer, rested, uncovered, switches, idle, onLevel } = picture;
  const paint = useCallback(
    ([from, to]: Range) => {
      const scale: TimeScale = { from, to, width };
      if (width < 10 || !canvas.current || !axis.current || !base.current) return;
      const ticks = paintTicks(scale, clearedContext(axis.current, width, AXIS_PX, ratio), base.current);
      if (!buffer) {
        const ground = clearedContext(canvas.current, width, stack.height, ratio);
        const { level } = choice.current;
        paintGrounds(ground, {
          boxes: stack.boxes,
          tokens: colors.tokens,
          scale,
          ticks,
          uncovered,
          underWay,
          switches,
          idle,
          level,
        });
        return;
      }
      const next = chooseLevel(choice.current, buffer, scale, rested);
      if (next !== choice.current) {
        if (next.level !== choice.current.level && choice.current.buffer !== null)
          fadeOut(ghost.current!, canvas.current);
        choice.current = next;
        onLevel(next.level);
      }
      scene.current = sceneOf(buffer, scale, next.level, ticks);
      const context = clearedContext(canvas.current, width, stack.height, ratio);
      if (stack.releasesTop !== null)
        paintReleases(
          context,
          scene.current,
          stack.releasesTop,
          releases.candidates,
          releases.tracksIn(scale),
        );
      paintLanes(context, scene.current);
    },
    [
      width,
      ratio,
      paintTicks,
      buffer,
      releases,
      stack,
      colors,
      uncovered,
      underWay,
      switches,
      idle,
      rested,
      onLevel,
      sceneOf,
    ],
  );
  return { axis, canvas, ghost, base, scene, paint };
}

interface Colors {
  readonly tokens: Tokens;
  /** Patterns distinguish places where the system determines the colors. */
  readonly patterns: boolean;
  readonly edges: boolean;
}

function useColors(): Colors {
  const own = useTokens();
  const patterns = useMedia("(forced-colors: active)");
  const edges = useMedia("(prefers-contrast: more)");
  return useMemo(
    () => ({ tokens: patterns ? forcedTokens(own) : own, patterns, edges }),
    [own, patterns, edges],
  );
}

/** Paints the axis; returns the places of the ticks, px. */
function useTicks(
  { summary, secondary, labels }: LanePicture,
  tokens: Tokens,
): (scale: TimeScale, context: CanvasRenderingContext2D, base: HTMLElement) => number[] {
  const episodes = useMemo(
    () => summary.verdict.episodes.filter((e) => e.secondary === secondary),
    [summary, secondary],
  );
  return useCallback(
    (scale, context, base) => {
      const { from, to, width } = scale;
      const most = Math.max(3, Math.floor(width / TICK_PX[showsOffsets(summary) ? "offset" : "clock"]));
      const axis = timeAxis(from, to, summary, most);
      // A tick next to a time with its own label has none, so that labels do not overlap.
      const isCovered = (at: number): boolean =>
        labels.some((label) => {
          const x = xOf(scale, at) - xOf(scale, label.at);
          return Math.abs(x + (label.isBefore ? LABEL_PX / 2 : -LABEL_PX / 2)) < LABEL_PX;
        });
      const ticks = axis.ticks.map((tick) => (isCovered(tick.at) ? { ...tick, label: "" } : tick));
      paintAxis(context, scale, tokens, ticks, episodes);
      base.textContent = axis.base ?? formatInstant(summary, from, 1);
      return axis.ticks.map((tick) => xOf(scale, tick.at));
    },
    [summary, episodes, labels, tokens],
  );
}

/** Width of a time with its own label on the axis, px. */
const LABEL_PX = 78;

type SceneOf = (buffer: Buffer, scale: TimeScale, level: Level, ticks: readonly number[]) => Scene;

/** Everything the painter draws, for one range. */
function useScene(
  picture: LanePicture,
  underWay: Scene["underWay"],
  { boxes }: LaneStack,
  { tokens, patterns, edges }: Colors,
): SceneOf {
  const {
    summary,
    buffer,
    uncertainty,
    gates,
    uncovered,
    switches,
    idle,
    chosenPath,
    keptPaths,
    focusedSlot,
    isolated,
  } = picture;
  const hitsOf = useHitLayouts(picture);
  const selected = positionOf(buffer, picture.selectedRow);
  // All commits of the window are read once per selection, not once per frame.
  const waiting = useMemo(() => (buffer ? waitingCommits(buffer, selected) : []), [buffer, selected]);
  const focusAt = positionOf(buffer, picture.focused?.row ?? null);
  const focusKey = picture.focused?.key ?? null;
  return useCallback(
    (shown, scale, level, ticks) => {
      const fade = ({ lane, tall }: LaneBox) => (tall ? fadeOf({ uncertainty, scale }, lane) : 0);
      const layouts = new Map(
        boxes.map((box) => [box.lane.key, layoutLane(shown, box.lane, scale, level, fade(box))]),
      );
      return {
        boxes,
        layouts,
        buffer: shown,
        scale,
        level,
        tokens,
        ticks,
        // Others are dimmed for the selected block only while it is in view.
        selected: isInView(shown, selected, scale) ? selected : -1,
        waiting,
        kept: keptPaths,
        chosen: selected < 0 && touches(chosenPath, scale) ? chosenPath : null,
        uncertainty,
        gates,
        uncovered,
        lost: summary.lost,
        underWay,
        switches,
        idle,
        patterns,
        edges,
        focus: focusKey !== null && focusAt >= 0 ? { key: focusKey, block: focusAt } : null,
        slot: focusedSlot,
        hits: hitsOf(shown, layouts, boxes, scale, level),
        isSetBack: false,
        isolated,
      };
    },
    [
      boxes,
      tokens,
      selected,
      waiting,
      chosenPath,
      keptPaths,
      uncertainty,
      gates,
      uncovered,
      summary.lost,
      underWay,
      switches,
      idle,
      patterns,
      edges,
      focusKey,
      focusAt,
      focusedSlot,
      hitsOf,
      isolated,
    ],
  );
}

type HitsOf = (
  all: Buffer,
  layouts: ReadonlyMap<string, LaneLayout>,
  boxes: readonly LaneBox[],
  scale: TimeScale,
  level: Level,
) => Hits | null;

/** Places of the hits: laid out alone while bars cover each other, among all others where each bar has its place. */
function useHitLayouts({ hitBuffer, threshold }: LanePicture): HitsOf {
  const rows = useMemo(() => new Set(hitBuffer?.blocks?.row), [hitBuffer]);
  return useCallback(
    (all, layouts, boxes, scale, level) => {
      if (hitBuffer === null) return null;
      const layoutOf = ({ lane }: LaneBox): LaneLayout => {
        const among = layouts.get(lane.key);
        if (level >= 2 && among?.kind === "bars") return onlyRows(among, all, lane.key, rows);
        return widened(layoutLane(hitBuffer, lane, scale, level));
      };
      return {
        buffer: level >= 2 ? all : hitBuffer,
        layouts: new Map(boxes.map((box) => [box.lane.key, layoutOf(box)])),
        threshold,
      };
    },
    [hitBuffer, threshold, rows],
  );
}

/** Whether a block of the buffer (its position, -1 for no block) is in view. */
function isInView(buffer: Buffer, position: number, { from, to }: TimeScale): boolean {
  const period = blockSpan(buffer, position);
  return period !== null && period[0] < to && period[1] > from;
}

/** Whether any bar of a path is in view. */
function touches(path: ChosenBars | null, { from, to }: TimeScale): boolean {
  return Array.from(path?.values() ?? []).some((bars) =>
    bars.some(([start, end]) => start < to && end > from),
  );
}

/** Length of a cross-fade between levels (`--fast`), ms. */
const FADE_MS = 90;

/** Keeps the picture of `canvas` in `ghost`, over the next picture, and fades it out. */
function fadeOut(ghost: HTMLCanvasElement, canvas: HTMLCanvasElement): void {
  if (canvas.width === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  ghost.width = canvas.width;
  ghost.height = canvas.height;
  ghost.style.width = canvas.style.width;
  ghost.style.height = canvas.style.height;
  ghost.getContext("2d")!.drawImage(canvas, 0, 0);
  ghost.animate([{ opacity: 1 }, { opacity: 0 }], { duration: FADE_MS });
}
