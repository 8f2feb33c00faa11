import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type PointerEvent,
  type ReactNode,
  type RefObject,
} from "react";
import type { RangeStatistics, Summary } from "xel-parser/contract";
import { originInDay, timeAxis } from "../../charts/axis.ts";
import { clearedContext } from "../../charts/canvas.tsx";
import { useTokens, type Tokens } from "../../charts/palette.ts";
import { forcedTokens } from "../../charts/timeline/forced-colours.ts";
import { isTall, stackLanes, type LaneBox } from "../../charts/timeline/heights.ts";
import { hitTest, type Hit } from "../../charts/timeline/hit-test.ts";
import type { Lane } from "../../charts/timeline/lanes.ts";
import {
  blocksInView,
  isCrowded,
  layoutLane,
  levelOf,
  logHeight,
  timeAt,
  xOf,
  type Level,
  type TimeScale,
} from "../../charts/timeline/layout.ts";
import { fadeOf } from "../../charts/timeline/paint-blocks.ts";
import { paintGrounds, paintLanes } from "../../charts/timeline/paint.ts";
import { focusRect } from "../../charts/timeline/paint-selection.ts";
import type { ChosenBars, Scene } from "../../charts/timeline/scene.ts";
import type { Buffer } from "../../charts/timeline/spans.ts";
import { formatCount, formatUtc } from "../../ui/words.ts";
import { Gutter } from "./gutter.tsx";
import { BlockTip } from "./block-tip.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { panBy, zoomAt, type Range, type Viewport } from "./viewport.ts";

const AXIS_PX = 36;
/** Height of the row that stands for the thin lanes where there is no room for them. */
const QUIET_PX = 28;
/** Least distance of two ticks: "+1 min 30 s" and "02:18:04.200" must fit between them, px. */
const TICK_PX = { offset: 62, utc: 78 };
/** Width of the scale margin, px. */
export const MARGIN_PX = 32;
const TIP_AFTER_MS = 60;
/** A press that moves less than this is a click. */
const CLICK_PX = 4;

export interface LanesViewProps {
  readonly summary: Summary;
  readonly viewport: Viewport;
  readonly buffer: Buffer | null;
  /** The blocks could not be read; the screen says so below the lanes. */
  readonly failed: boolean;
  readonly lanes: readonly Lane[];
  readonly chosen: Readonly<Record<string, boolean>>;
  readonly statistics: RangeStatistics | null;
  /** Row of the selected block in the capture. */
  readonly selectedRow: number | null;
  /** The selected block's own path, for when the window has bins. */
  readonly chosenPath: ChosenBars | null;
  readonly uncertainty: readonly number[];
  readonly gates: boolean;
  readonly uncovered: readonly (readonly [number, number, number])[];
  /** Secondary whose episodes are marked above the lanes. */
  readonly secondary: number;
  readonly time: "offset" | "utc";
  readonly selectedRange: Range | null;
  /** What the keyboard is on. */
  readonly focused: { readonly key: string; readonly row: number } | null;
  /** The stretch of a lane that the keyboard is on while the window has bins. */
  readonly focusedSlot: Scene["slot"];
  /** Instant under the pointer, for zooming by key; null when it leaves. */
  readonly onCursor: (at: number | null) => void;
  readonly onSelect: (row: number | null) => void;
  /** A pixel of bins was chosen: the lane and the time it stands for. */
  readonly onSelectSlowest: (lane: Lane, within: Range) => void;
  readonly onSelectRange: (range: Range | null) => void;
  readonly onZoomTo: (range: Range) => void;
  /** Where the view came to rest last. */
  readonly rested: Range;
  /** No block is in view. */
  readonly idle: boolean;
  /** Stands over the lanes. */
  readonly over: ReactNode;
  readonly onLane: (lane: Lane, tall: boolean) => void;
  readonly onLevel: (level: Level) => void;
  readonly collapsed: readonly number[];
  readonly onGroup: (replica: number) => void;
}

/** What the level of detail was chosen for. */
interface LevelKey {
  readonly span: number;
  readonly buffer: Buffer | null;
  readonly level: Level;
  readonly width: number;
  readonly rested: Range | null;
}

interface Drag {
  readonly kind: "pan" | "range";
  readonly x: number;
  readonly range: Range;
  moved: boolean;
}

interface Tip {
  readonly hit: Hit;
  readonly x: number;
  readonly y: number;
}

/** Position of a capture row in the buffered window; -1 when it is not there. Rows ascend. */
export function positionOf(buffer: Buffer | null, row: number | null): number {
  if (!buffer?.blocks || row === null) return -1;
  return buffer.blocks.row.indexOf(row);
}

/** Length of a cross-fade between levels (`--fast`), ms. */
const FADE_MS = 90;

/** Leaves the picture of `canvas` in `ghost`, over what is painted next, and fades it out. */
function fadeOut(ghost: HTMLCanvasElement, canvas: HTMLCanvasElement): void {
  if (canvas.width === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  ghost.width = canvas.width;
  ghost.height = canvas.height;
  ghost.style.width = canvas.style.width;
  ghost.style.height = canvas.style.height;
  ghost.getContext("2d")!.drawImage(canvas, 0, 0);
  ghost.animate([{ opacity: 1 }, { opacity: 0 }], { duration: FADE_MS });
}

function paintAxis(
  canvas: HTMLCanvasElement,
  scale: TimeScale,
  tokens: Tokens,
  ticks: readonly { at: number; label: string }[],
  episodes: readonly { from: number; to: number }[],
): void {
  const context = clearedContext(canvas, scale.width, AXIS_PX);
  context.font = `400 10.5px ${tokens["--font"]}`;
  for (const tick of ticks) {
    const x = xOf(scale, tick.at);
    context.fillStyle = tokens["--line-2"];
    context.fillRect(Math.round(x), AXIS_PX - 11, 1, 4);
    const half = context.measureText(tick.label).width / 2;
    context.fillStyle = tokens["--ink-2"];
    context.fillText(tick.label, Math.min(scale.width - 2 * half, Math.max(0, x - half)), 18);
  }
  context.fillStyle = tokens["--line-2"];
  context.fillRect(0, AXIS_PX - 7, scale.width, 1);
  context.strokeStyle = tokens["--c-bad"];
  context.lineWidth = 1.5;
  for (const { from, to } of episodes) paintEpisode(context, scale, from, to);
}

/** A bracket over the stretch in which one stage is far from the rest; an end out of view has no hook. */
function paintEpisode(context: CanvasRenderingContext2D, scale: TimeScale, from: number, to: number): void {
  const [x0, x1] = [xOf(scale, from), xOf(scale, to)];
  if (x1 < 0 || x0 > scale.width) return;
  const [top, foot] = [AXIS_PX - 3.5, AXIS_PX];
  context.beginPath();
  context.moveTo(x0, foot);
  context.lineTo(x0, top);
  context.lineTo(x1, top);
  context.lineTo(x1, foot);
  context.stroke();
}

/** Whether a block of the buffer (its position, -1 for none) is in view. */
function isInView(buffer: Buffer, position: number, { from, to }: TimeScale): boolean {
  if (position < 0 || !buffer.blocks) return false;
  const { time, timeEnd } = buffer.blocks.blocks;
  return time[position] < to && timeEnd[position] > from;
}

/** Whether any bar of a path is in view. */
function touches(path: ChosenBars | null, { from, to }: TimeScale): boolean {
  return Array.from(path?.values() ?? []).some((bars) =>
    bars.some(([start, end]) => start < to && end > from),
  );
}

/** Size of an element's content box, measured again when it changes. */
function useBox(element: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [box, setBox] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const target = element.current!;
    const measure = () => setBox({ width: target.clientWidth, height: target.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    return () => observer.disconnect();
  }, [element]);
  return box;
}

/** Axis, gutter and lanes. Movement paints the canvas directly; React renders only when lanes, level or selection change. */
export function LanesView(props: LanesViewProps): ReactNode {
  const { summary, viewport, buffer, lanes, chosen, uncertainty, uncovered, idle, rested } = props;
  const { onCursor } = props;
  const ownTokens = useTokens();
  const forced = useMedia("(forced-colors: active)");
  const edges = useMedia("(prefers-contrast: more)");
  const tokens = useMemo(() => (forced ? forcedTokens(ownTokens) : ownTokens), [forced, ownTokens]);
  const scroller = useRef<HTMLDivElement>(null);
  const axisCanvas = useRef<HTMLCanvasElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const ghost = useRef<HTMLCanvasElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLDivElement>(null);
  const band = useRef<HTMLDivElement>(null);
  const base = useRef<HTMLSpanElement>(null);
  const scene = useRef<Scene | null>(null);
  const frame = useRef(0);
  const drag = useRef<Drag | null>(null);
  const draft = useRef<Range | null>(null);
  const tipTimer = useRef(0);
  const pointer = useRef<number | null>(null);
  const [level, setLevel] = useState<Level>(1);
  const [tip, setTip] = useState<Tip | null>(null);
  const levelKey = useRef<LevelKey>({ span: -1, buffer: null, level: 1, width: 0, rested: null });

  const outer = useBox(scroller);
  const plotBox = useBox(plot);
  const { width } = plotBox;
  const low = useMedia("(max-height: 699px)");
  const [showsQuiet, setShowsQuiet] = useState(false);
  const stack = useMemo(() => {
    const quiet = lanes.filter((lane) => !isTall(lane, chosen));
    const fits = stackLanes(lanes, chosen, level, 0).height <= outer.height;
    if (quiet.length === 0 || (fits && !low))
      return { ...stackLanes(lanes, chosen, level, outer.height), quiet: [] };
    const shown = showsQuiet ? lanes : lanes.filter((lane) => isTall(lane, chosen));
    const { boxes, height } = stackLanes(shown, chosen, level, outer.height - QUIET_PX);
    return { boxes, height: height + QUIET_PX, quiet };
  }, [lanes, chosen, level, outer.height, low, showsQuiet]);
  const replicaNames = useMemo(() => summary.replicas.map((r) => r.name), [summary]);
  const originDay = useMemo(() => originInDay(summary.originTicks), [summary]);
  const selected = positionOf(buffer, props.selectedRow);
  const focusAt = positionOf(buffer, props.focused?.row ?? null);
  const focusKey = props.focused?.key ?? null;
  const episodes = useMemo(
    () => summary.verdict.episodes.filter((e) => e.secondary === props.secondary),
    [summary, props.secondary],
  );
  const { onLevel } = props;

  const paintBand = useCallback(
    (scale: TimeScale) => {
      const range = draft.current ?? props.selectedRange;
      const node = band.current!;
      node.hidden = range === null;
      if (range === null) return;
      const left = Math.max(-2, xOf(scale, range[0]));
      const right = Math.min(scale.width + 2, xOf(scale, range[1]));
      node.style.transform = `translateX(${left}px)`;
      node.style.width = `${Math.max(0, right - left)}px`;
    },
    [props.selectedRange],
  );

  const paint = useCallback(() => {
    const [from, to] = viewport.get();
    const scale: TimeScale = { from, to, width };
    if (width < 10 || !canvas.current || !axisCanvas.current) return;
    const axis = timeAxis(
      from,
      to,
      originDay,
      props.time,
      Math.max(3, Math.floor(width / TICK_PX[props.time])),
    );
    paintAxis(axisCanvas.current, scale, tokens, axis.ticks, episodes);
    base.current!.textContent = axis.base ?? `${formatUtc(summary.originTicks, from, 1)} UTC`;
    paintBand(scale);
    const ticks = axis.ticks.map((t) => xOf(scale, t.at));
    if (!buffer) {
      const ground = clearedContext(canvas.current, width, stack.height);
      paintGrounds(ground, { boxes: stack.boxes, tokens, scale, ticks, uncovered, idle, level });
      return;
    }
    const key = levelKey.current;
    const span = Math.round(to - from);
    const blocks = blocksInView(buffer, scale);
    // Panning keeps the level until it rests, unless single blocks would be drawn over each other.
    const same = key.span === span && key.buffer === buffer && key.width === width && key.rested === rested;
    if (!same || (key.level >= 2 && isCrowded(blocks, scale))) {
      const next = levelOf(blocks, scale, buffer.blocks !== null);
      if (next !== key.level && key.buffer !== null) fadeOut(ghost.current!, canvas.current);
      levelKey.current = { span, buffer, level: next, width, rested };
      setLevel(next);
      onLevel(next);
    }
    const now = levelKey.current.level;
    const context = clearedContext(canvas.current, width, stack.height);
    const fade = ({ lane, tall }: LaneBox) => (tall ? fadeOf({ uncertainty, scale }, lane) : 0);
    const layouts = new Map(
      stack.boxes.map((box) => [box.lane.key, layoutLane(buffer, box.lane, scale, now, fade(box))]),
    );
    scene.current = {
      boxes: stack.boxes,
      layouts,
      buffer,
      scale,
      level: now,
      tokens,
      ticks,
      // Others give way to the selected block only while it is in view.
      selected: isInView(buffer, selected, scale) ? selected : -1,
      chosen: selected < 0 && touches(props.chosenPath, scale) ? props.chosenPath : null,
      uncertainty,
      gates: props.gates,
      uncovered,
      idle,
      patterns: forced,
      edges,
      focus: focusKey !== null && focusAt >= 0 ? { key: focusKey, block: focusAt } : null,
      slot: props.focusedSlot,
    };
    paintLanes(context, scene.current);
  }, [
    viewport,
    width,
    originDay,
    props.time,
    tokens,
    summary,
    episodes,
    level,
    paintBand,
    stack,
    buffer,
    selected,
    props.chosenPath,
    uncertainty,
    props.gates,
    uncovered,
    idle,
    rested,
    forced,
    edges,
    focusKey,
    focusAt,
    props.focusedSlot,
    onLevel,
  ]);

  /** Prints the instant under the pointer; it changes when the pointer or the view moves. */
  const sayInstant = useCallback(() => {
    const x = pointer.current;
    if (x === null || !readout.current) return;
    const [from, to] = viewport.get();
    const at = timeAt({ from, to, width }, x);
    onCursor(at);
    readout.current.textContent = formatUtc(summary.originTicks, at, to - from < 1_000_000 ? 6 : 3);
  }, [viewport, width, summary, onCursor]);

  /** The block that the keyboard is on shows what a pointer over it would. */
  const showFocusTip = useCallback(() => {
    const rect = scene.current?.focus ? focusRect(scene.current) : null;
    if (rect === null) return;
    const { key, block } = scene.current!.focus!;
    const spans = scene.current!.buffer.spans.get(key)!;
    const value = spans.end[block] - spans.start[block];
    const hit: Hit = { box: rect.box, entry: block, value, left: rect.x, right: rect.x + rect.width };
    setTip({ hit, x: Math.min(width, Math.max(0, hit.right)), y: rect.y });
  }, [width]);
  useEffect(() => (focusKey === null ? undefined : () => setTip(null)), [focusKey]);

  const schedule = useCallback(() => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      paint();
      sayInstant();
      showFocusTip();
    });
  }, [paint, sayInstant, showFocusTip]);

  useLayoutEffect(() => {
    schedule();
    const unsubscribe = viewport.subscribe(schedule);
    return () => {
      unsubscribe();
      cancelAnimationFrame(frame.current);
    };
  }, [viewport, schedule]);

  // Canvas text drawn before its font came stays in the fallback font until it is drawn again.
  useEffect(() => {
    document.fonts.addEventListener("loadingdone", schedule);
    return () => document.fonts.removeEventListener("loadingdone", schedule);
  }, [schedule]);

  // Wheel must be able to refuse the page's own zoom, so it is bound as an active listener.
  useEffect(() => {
    const node = scroller.current!;
    const onWheel = (event: WheelEvent) => {
      const box = plot.current!.getBoundingClientRect();
      const range = viewport.get();
      const unit = event.deltaMode === 1 ? 16 : 1;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const at = timeAt({ from: range[0], to: range[1], width: box.width }, event.clientX - box.left);
        viewport.set(
          zoomAt(
            range,
            at,
            Math.exp(Math.max(-120, Math.min(120, event.deltaY * unit)) * 0.0035),
            summary.durationUs,
          ),
        );
        return;
      }
      const scrolls = node.scrollHeight > node.clientHeight + 1 && !event.shiftKey;
      const by =
        Math.abs(event.deltaX) > Math.abs(event.deltaY) || !scrolls ? event.deltaX || event.deltaY : 0;
      if (by === 0) return;
      event.preventDefault();
      viewport.set(panBy(range, (by * unit) / box.width, summary.durationUs));
    };
    const target = node.parentElement!;
    target.addEventListener("wheel", onWheel, { passive: false });
    return () => target.removeEventListener("wheel", onWheel);
  }, [viewport, summary]);

  const positionIn = (event: PointerEvent): { x: number; y: number } => {
    const box = plot.current!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const timeOf = (x: number): number => {
    const [from, to] = viewport.get();
    return timeAt({ from, to, width }, x);
  };

  const hideTip = () => {
    clearTimeout(tipTimer.current);
    setTip(null);
  };

  const hover = (x: number, y: number): void => {
    const inside = x >= 0 && x <= width;
    line.current!.hidden = !inside;
    readout.current!.hidden = !inside;
    pointer.current = inside ? x : null;
    if (!inside) {
      onCursor(null);
      return hideTip();
    }
    line.current!.style.transform = `translateX(${Math.round(x)}px)`;
    sayInstant();
    readout.current!.style.transform = `translateX(${Math.min(width - 48, Math.max(48, x))}px) translateX(-50%)`;
    const hit = scene.current && y >= 0 ? hitTest(scene.current.boxes, scene.current.layouts, x, y) : null;
    if (hit?.entry === tip?.hit.entry && hit?.box.lane.key === tip?.hit.box.lane.key && hit !== null) return;
    hideTip();
    if (hit)
      tipTimer.current = globalThis.setTimeout(
        () => setTip({ hit, x, y }),
        TIP_AFTER_MS,
      ) as unknown as number;
  };

  const down = (kind: "lane" | "axis") => (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = {
      kind: kind === "axis" || event.shiftKey ? "range" : "pan",
      x: positionIn(event).x,
      range: viewport.get(),
      moved: false,
    };
    hideTip();
  };
  const move = (event: PointerEvent) => {
    const { x, y } = positionIn(event);
    const d = drag.current;
    if (!d) return hover(x, y);
    if (Math.abs(x - d.x) >= CLICK_PX) d.moved = true;
    if (!d.moved) return;
    if (d.kind === "pan") {
      viewport.set(panBy(d.range, (d.x - x) / width, summary.durationUs));
      return;
    }
    const [a, b] = [timeOf(d.x), timeOf(Math.min(width, Math.max(0, x)))];
    draft.current = [Math.min(a, b), Math.max(a, b)];
    schedule();
  };
  const up = (event: PointerEvent) => {
    const d = drag.current;
    drag.current = null;
    if (!d) return;
    if (d.moved) {
      const range = draft.current;
      draft.current = null;
      if (range) props.onSelectRange(range);
      return;
    }
    const { x, y } = positionIn(event);
    // A press inside the selected range may be the first of a double one that zooms to it.
    const chosen = props.selectedRange;
    if (chosen && timeOf(x) >= chosen[0] && timeOf(x) <= chosen[1]) return;
    const hit = scene.current && hitTest(scene.current.boxes, scene.current.layouts, x, y);
    if (hit && buffer?.bins) {
      const perBin = (buffer.bins.to - buffer.bins.from) / buffer.bins.length;
      return props.onSelectSlowest(hit.box.lane, [timeOf(hit.left) - perBin, timeOf(hit.right) + perBin]);
    }
    props.onSelect(hit ? rowOf(hit, scene.current!.buffer) : null);
  };
  const doubleClick = (event: React.MouseEvent) => {
    const box = plot.current!.getBoundingClientRect();
    const at = timeOf(event.clientX - box.left);
    const range = props.selectedRange;
    if (range && at >= range[0] && at <= range[1]) return props.onZoomTo(range);
    props.onZoomTo(zoomAt(viewport.get(), at, 0.25, summary.durationUs));
  };
  const leave = () => {
    line.current!.hidden = true;
    readout.current!.hidden = true;
    pointer.current = null;
    onCursor(null);
    hideTip();
  };

  const tipRow = tip && buffer ? rowOf(tip.hit, buffer) : null;
  return (
    <div className="tl-lanes">
      <div className="tl-axis">
        <div className="tl-axis-base">
          <span ref={base} />
          <i>p50</i>
          <i>p95</i>
        </div>
        <div
          className="tl-axis-plot"
          onPointerDown={down("axis")}
          onPointerMove={move}
          onPointerUp={up}
          onPointerCancel={up}
          onPointerLeave={leave}
        >
          <canvas ref={axisCanvas} style={{ width, height: AXIS_PX }} aria-hidden="true" />
          <div ref={readout} className="tl-readout-cursor" hidden />
        </div>
      </div>
      <div className="tl-scroll" ref={scroller}>
        <div className="tl-stack" style={{ height: stack.height }}>
          <Gutter
            boxes={stack.boxes}
            numbered={lanes}
            quiet={stack.quiet}
            quietTop={stack.height - QUIET_PX}
            showsQuiet={showsQuiet}
            onQuiet={() => setShowsQuiet((shows) => !shows)}
            statistics={props.statistics}
            onLane={props.onLane}
            collapsed={props.collapsed}
            replicaNames={replicaNames}
            onGroup={props.onGroup}
          />
          <div
            ref={plot}
            className="tl-plot"
            onPointerDown={down("lane")}
            onPointerMove={move}
            onPointerUp={up}
            onPointerCancel={up}
            onPointerLeave={leave}
            onDoubleClick={doubleClick}
          >
            <canvas ref={canvas} style={{ width, height: stack.height }} aria-hidden="true" />
            <canvas ref={ghost} className="tl-ghost" aria-hidden="true" />
            <div ref={band} className="tl-band" hidden />
            <div ref={line} className="tl-cursor" hidden />
            {buffer || props.failed ? null : (
              <output className="tl-reading">
                Reading {formatCount(summary.blocks.total)} log blocks of the capture
              </output>
            )}
            {tip && buffer ? (
              <BlockTip
                hit={tip.hit}
                x={tip.x}
                y={tip.y}
                width={width}
                height={stack.height}
                row={tipRow}
                buffer={buffer}
                summary={summary}
              />
            ) : null}
          </div>
          <ScaleMargin boxes={stack.boxes} level={level} />
        </div>
      </div>
      {props.over}
    </div>
  );
}

/** Capture row of what was hit; null for a bin or a commit whose block is not loaded. */
function rowOf(hit: Hit, buffer: Buffer): number | null {
  const block = hit.entry < 0 ? -1 : (buffer.spans.get(hit.box.lane.key)?.block[hit.entry] ?? -1);
  return block < 0 || !buffer.blocks ? null : buffer.blocks.row[block];
}

function ScaleMargin({ boxes, level }: { boxes: readonly LaneBox[]; level: Level }): ReactNode {
  if (level >= 2) return <div className="tl-margin" />;
  return (
    <div className="tl-margin" aria-hidden="true">
      {boxes
        .filter((b) => b.tall)
        .flatMap((b) =>
          [100_000, 10_000].map((us) => (
            <span key={`${b.lane.key}${us}`} style={{ top: b.top + b.height * (1 - logHeight(us)) - 6 }}>
              {us === 100_000 ? "100" : "10 ms"}
            </span>
          )),
        )}
    </div>
  );
}
