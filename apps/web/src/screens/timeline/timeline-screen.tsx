import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from "react";
import type { Sequence, Summary } from "xel-parser/contract";
import { chosenBars } from "../../charts/timeline/chosen.ts";
import { buildLanes, visibleLanes, type Lane } from "../../charts/timeline/lanes.ts";
import type { Level } from "../../charts/timeline/layout.ts";
import { Kbd, Swatch } from "../../ui/controls.tsx";
import { useKeys } from "../../ui/keys.ts";
import { durationText, formatCount, formatOffset } from "../../ui/words.ts";
import { clockPreview } from "../../state/clock-preview.ts";
import type { ScreenProps } from "../screen.ts";
import { createCursor } from "./cursor.ts";
import { BinGrid, slotRange, type FocusedSlot } from "./bin-grid.tsx";
import { BlockGrid, type FocusedCell } from "./block-grid.tsx";
import { EmptyView } from "./empty-view.tsx";
import { LanesView, MARGIN_PX, positionOf } from "./lanes-view.tsx";
import { uncoveredStretches } from "../coverage.ts";
import { MarkersLane } from "./markers-lane.tsx";
import { MinimapStrip } from "./minimap-strip.tsx";
import { BlockPane, RangePane } from "./pane.tsx";
import { twoRegimes } from "./regimes.ts";
import {
  rowBefore,
  rowFrom,
  useMarkers,
  useNeighbours,
  useSequence,
  useSlowSteps,
  useStatistics,
} from "./use-answers.ts";
import { useBuffer } from "./use-buffer.ts";
import { clampRange, createViewport, panBy, zoomAt, type Range } from "./viewport.ts";
import "./timeline.css";

const COMMIT_AFTER_MS = 150;
const ANNOUNCE_EVERY_MS = 500;
const GUTTER_PX = 222;
/** Share of the view that one press of a pan key moves. */
const PAN_STEP = 0.1;
const ZOOM_STEP = 0.7;
/** A fitted block leaves so much of its own length free on either side. */
const FIT_MARGIN = 0.35;

/** Order of the slow blocks that finds the largest of a lane whose figure is no order of its own. */
const SORT_OF: Readonly<Record<string, string>> = {
  acknowledge: "ackSend",
  unseen: "remoteHarden",
  ackWakeUp: "ackReceive",
};

const LEVEL_WORDS: Readonly<Record<Level, string>> = {
  0: "median and maximum per pixel",
  1: "every block drawn, tallest on top",
  2: "one bar per block, right end: what released the commit",
  3: "one bar per block with its events",
};

function lanesOf(summary: Summary, rawClock: boolean): Lane[] {
  return buildLanes(
    summary.replicas.map((replica, i) => ({
      name: replica.name,
      hasCapture: replica.hasCapture,
      rawClock,
      commitMode: replica.commitMode,
      uncertaintyUs: summary.clocks.find((c) => c.secondary === i - 1)?.strictUncertaintyUs ?? Number.NaN,
    })),
  );
}

const LEGEND: readonly [string, (p: string, s: string) => string][] = [
  ["--p-disk", (p) => `${p} log write`],
  ["--p-work", (p) => `${p} handling`],
  ["--n-out", () => "Network out"],
  ["--n-back", () => "Network back"],
  ["--s-disk", (_, s) => `${s} log write`],
  ["--s-work", (_, s) => `${s} handling`],
  ["--wait", () => "Session waiting"],
];

function Legend({
  summary,
  secondary,
  level,
}: {
  summary: Summary;
  secondary: number;
  level: Level;
}): ReactNode {
  const several = summary.replicas.length > 2;
  const p = several ? "Primary" : (summary.replicas[0]?.name ?? "Primary");
  const s = several ? "Secondary" : (summary.replicas[secondary + 1]?.name ?? "Secondary");
  return (
    <div className="tl-legend">
      {LEGEND.map(([token, words]) => (
        <span key={token}>
          <Swatch color={`var(${token})`} /> {words(p, s)}
        </span>
      ))}
      <span className="tl-forced">Solid: primary; dots: network; diagonal: secondary</span>
      <em>
        {level >= 2
          ? "soft edge: clock uncertainty"
          : level === 1
            ? "log height; cap: over its limit"
            : "line p50, strokes maximum"}
      </em>
    </div>
  );
}

function StatusLeft({
  span,
  blocks,
  level,
  gates,
}: {
  span: number;
  blocks: number | null;
  level: Level;
  gates: boolean;
}): ReactNode {
  return (
    <>
      {durationText(span)} in view, {formatCount(blocks)} {blocks === 1 ? "block" : "blocks"},{" "}
      {gates ? "commits coloured by what released them" : LEVEL_WORDS[level]}
      <span className="tl-keys">
        <Kbd>W</Kbd> <Kbd>S</Kbd> zoom
      </span>
      <span className="tl-keys">
        <Kbd>A</Kbd> <Kbd>D</Kbd> pan
      </span>
      <span className="tl-keys">
        <Kbd>n</Kbd> <Kbd>p</Kbd> next, previous slow block
      </span>
      <span className="tl-keys">
        <Kbd>f</Kbd> fit
      </span>
    </>
  );
}

/** Whose clock the lanes are on, and what does not change while a secondary is moved by its uncertainty. */
function clockWords(
  clock: "aligned" | "raw",
  preview: ReadonlyMap<number, number>,
  summary: Summary,
): string {
  if (clock === "raw")
    return "Raw UTC: secondary instants as their own clock wrote them; figures stay aligned";
  const [moved] = preview;
  if (moved === undefined) return "Times on the primary's clock";
  const [secondary, us] = moved;
  const name = summary.replicas[secondary + 1]?.name ?? "The secondary";
  return `${name} ${durationText(Math.abs(us))} ${us < 0 ? "earlier" : "later"}, as its clock allows; round trips and sums stay`;
}

/** "Block 00000022:00000167 selected, commit 659 ms, remote harden 658 ms". */
function selectedWords(sequence: Sequence | Error | null, secondary: number): string {
  if (sequence === null) return "";
  if (sequence instanceof Error) return sequence.message;
  const harden = sequence.hops.find((hop) => hop.secondary === secondary)?.remoteHarden ?? null;
  const commit = sequence.commits.map(({ start, end }) => end - start);
  return [
    `Block ${sequence.lsn} selected`,
    commit.length === 0 ? null : `commit ${durationText(Math.max(...commit))}`,
    harden === null ? null : `remote harden ${durationText(harden)}`,
  ]
    .filter((part) => part !== null)
    .join(", ");
}

/** Says a sentence to screen readers, at most twice a second. */
function useAnnouncement(sentence: string): string {
  const [said, setSaid] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSaid(sentence), ANNOUNCE_EVERY_MS);
    return () => clearTimeout(timer);
  }, [sentence]);
  return said;
}

function useElementWidth(): [(node: HTMLElement | null) => void, number] {
  const [node, setNode] = useState<HTMLElement | null>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!node) return undefined;
    const observer = new ResizeObserver(() => setWidth(node.clientWidth));
    observer.observe(node);
    return () => observer.disconnect();
  }, [node]);
  return [setNode, width];
}

/** Lanes of the whole path from commit to commit on one time axis, from the whole capture down to microseconds. */
export function TimelineScreen({ source, summary, view, setView, open, setStatus }: ScreenProps): ReactNode {
  const duration = Math.max(1, summary.durationUs);
  // Compared by value: the view is decoded anew at every change of the address.
  const [viewFrom, viewTo] = view.range ?? [0, duration];
  const range: Range = useMemo(() => clampRange([viewFrom, viewTo], duration), [viewFrom, viewTo, duration]);
  // The viewport is made once; later ranges of the view are moved into it.
  const [viewport] = useState(() => createViewport(range, duration));
  const committed = useRef<Range>(range);
  const [cursor] = useState(createCursor);
  const [gates, setGates] = useState(false);
  const [selectedRange, setSelectedRange] = useState<Range | null>(null);
  const [level, setLevel] = useState<Level>(1);
  const [mainRef, mainWidth] = useElementWidth();
  const plotWidth = Math.max(0, mainWidth - GUTTER_PX - MARGIN_PX);

  const allLanes = useMemo(() => lanesOf(summary, view.clock === "raw"), [summary, view.clock]);
  const lanes = useMemo(() => visibleLanes(allLanes, view.collapsed), [allLanes, view.collapsed]);
  const preview = useSyncExternalStore(clockPreview.subscribe, clockPreview.get);
  const shift = useMemo(
    () =>
      summary.replicas
        .slice(1)
        .map((_, s) =>
          view.clock === "raw"
            ? (summary.clocks.find((c) => c.secondary === s)?.utcAheadOfPrimaryUs ?? 0)
            : (preview.get(s) ?? 0),
        ),
    [summary, view.clock, preview],
  );
  const uncertainty = useMemo(
    () =>
      summary.replicas
        .slice(1)
        .map((_, s) =>
          view.clock === "raw" || preview.has(s)
            ? Number.NaN
            : (summary.clocks.find((c) => c.secondary === s)?.strictUncertaintyUs ?? Number.NaN),
        ),
    [summary, view.clock, preview],
  );
  const [focused, setFocused] = useState<FocusedCell | null>(null);
  const [slot, setSlot] = useState<FocusedSlot | null>(null);
  const focusedSlot = useMemo(() => {
    if (slot === null) return null;
    const [from, to] = slotRange(range, slot.slot);
    return { key: slot.key, from, to };
  }, [slot, range]);
  const { buffer, error } = useBuffer(source, viewport, allLanes, shift, duration, summary.blocks.total);
  const markers = useMarkers(source);
  const uncovered = useMemo(() => uncoveredStretches(summary), [summary]);
  const statistics = useStatistics(source, range);
  const empty = statistics?.blocks === 0 && statistics.from === range[0] && statistics.to === range[1];
  const neighbours = useNeighbours(source, empty ? range : null);
  const sequence = useSequence(source, view.block);
  const path = useMemo(
    () => (sequence === null || sequence instanceof Error ? null : chosenBars(sequence, allLanes, shift)),
    [sequence, allLanes, shift],
  );
  const ofSelection = useStatistics(source, selectedRange);
  const selectedStatistics = selectedRange ? ofSelection : statistics;
  const names = {
    primary: summary.replicas[0]?.name ?? "Primary",
    secondary: summary.replicas[view.secondary + 1]?.name ?? "the secondary",
  };
  const paneRange = selectedRange ?? range;
  const regimes = useMemo(
    () =>
      buffer?.blocks ? twoRegimes(buffer.blocks, summary, view.secondary, paneRange[0], paneRange[1]) : null,
    [buffer, summary, view.secondary, paneRange],
  );

  // A range that came from outside (back, a link, a key of the frame) moves the viewport.
  useEffect(() => {
    committed.current = range;
    viewport.set(range);
  }, [viewport, range]);
  // A range that came from the pointer goes to the view once it rests.
  useEffect(() => {
    let timer = 0;
    const settle = () => {
      const [from, to] = viewport.get();
      if (from === committed.current[0] && to === committed.current[1]) return;
      committed.current = [from, to];
      setView({ range: from <= 0 && to >= duration ? null : [from, to] });
    };
    const unsubscribe = viewport.subscribe(() => {
      clearTimeout(timer);
      timer = window.setTimeout(settle, COMMIT_AFTER_MS);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [viewport, setView, duration]);

  useEffect(() => {
    setStatus(
      <StatusLeft
        span={range[1] - range[0]}
        blocks={statistics?.blocks ?? null}
        level={level}
        gates={gates}
      />,
      clockWords(view.clock, preview, summary),
    );
  }, [setStatus, range, level, gates, statistics, view.clock, preview, summary]);

  /** Pans so that a stretch is in view; the zoom stays unless it does not fit. */
  const reveal = useCallback(
    (from: number, to: number) => {
      const [a, b] = viewport.get();
      if (Number.isNaN(from + to) || (from >= a && to <= b)) return;
      const span = Math.max(b - a, (to - from) * (1 + 2 * FIT_MARGIN));
      const centre = (from + to) / 2;
      viewport.set([centre - span / 2, centre + span / 2]);
    },
    [viewport],
  );
  const select = useCallback(
    async (row: number | null) => {
      setSelectedRange(null);
      setView({ block: row }, "replace");
      if (row === null) return;
      const position = positionOf(buffer, row);
      if (position >= 0)
        reveal(buffer!.blocks!.blocks.time[position], buffer!.blocks!.blocks.timeEnd[position]);
      else {
        const { time } = await source.sequence(row);
        reveal(time, time + 1);
      }
    },
    [setView, buffer, reveal, source],
  );
  /** Bins know no blocks: the slowest of a lane within a pixel is asked for. */
  const selectSlowest = async (lane: Lane, within: Range) => {
    const [from, to] = clampRange(within, duration);
    const sort = SORT_OF[lane.figure] ?? lane.figure;
    const { rows } = await source.slowest({
      range: { from, to },
      sort,
      descending: true,
      secondary: Math.max(0, lane.secondary),
      limit: 1,
      offset: 0,
    });
    if (rows.length > 0) await select(rows[0].row);
  };
  const stepSlow = useSlowSteps(source, view, range);
  const toSlow = (by: 1 | -1) =>
    void stepSlow(by).then(
      (found) => (found ? select(found.row) : undefined),
      () => undefined,
    );
  const inTime = (by: 1 | -1) => {
    const last = summary.blocks.total - 1;
    if (view.block !== null) return void select(Math.min(last, Math.max(0, view.block + by)));
    // Without a selection the first step enters the view from its own side, or leaves an empty one.
    const entered = by === 1 ? rowFrom(source, range[0]) : rowBefore(source, range[1]);
    return void entered.then(
      (row) => (row === null ? undefined : select(row)),
      () => undefined,
    );
  };
  const fit = () => {
    const position = positionOf(buffer, view.block);
    if (selectedRange) viewport.set(selectedRange);
    else if (position >= 0) {
      const { time, timeEnd } = buffer!.blocks!.blocks;
      const margin = (timeEnd[position] - time[position]) * FIT_MARGIN;
      viewport.set([time[position] - margin, timeEnd[position] + margin]);
    }
  };
  const zoom = (factor: number) => {
    const now = viewport.get();
    viewport.set(zoomAt(now, cursor.get() ?? (now[0] + now[1]) / 2, factor, duration));
  };
  const pan = (share: number) => viewport.set(panBy(viewport.get(), share, duration));
  const setTall = (lane: Lane, tall: boolean) =>
    setView({ lanes: { ...view.lanes, [lane.key]: tall } }, "replace");
  const toggleGroup = (replica: number) => {
    if (!allLanes.some((lane) => lane.replica === replica)) return;
    const folded = view.collapsed.includes(replica);
    const rest = view.collapsed.filter((r) => r !== replica);
    setView({ collapsed: folded ? rest : [...rest, replica].toSorted((a, b) => a - b) }, "replace");
  };
  const back = () => {
    if (selectedRange) setSelectedRange(null);
    else if (view.block !== null) void select(null);
    else if (view.range !== null) viewport.set([0, duration]);
    else open("overview");
  };

  useKeys({
    zoomIn: () => zoom(ZOOM_STEP),
    zoomOut: () => zoom(1 / ZOOM_STEP),
    panLeft: () => pan(-PAN_STEP),
    panRight: () => pan(PAN_STEP),
    panLeftFar: () => pan(-10 * PAN_STEP),
    panRightFar: () => pan(10 * PAN_STEP),
    fit,
    all: () => viewport.set([0, duration]),
    nextSlow: () => toSlow(1),
    previousSlow: () => toSlow(-1),
    previousBlock: () => inTime(-1),
    nextBlock: () => inTime(1),
    gate: () => setGates((on) => !on),
    lane: (event) => {
      const lane = lanes[Number(event.key) - 1];
      if (lane) setTall(lane, !(view.lanes[lane.key] ?? lane.tall));
    },
    group: (event) => toggleGroup(Number(event.code.slice("Digit".length)) - 1),
    open: () => (view.block === null ? undefined : open("sequence")),
    back,
  });

  const focusCell = (cell: FocusedCell | null) => {
    setFocused(cell);
    const position = positionOf(buffer, cell?.row ?? null);
    const spans = cell && buffer?.spans.get(cell.key);
    // The bar itself must come into view, not the whole block: a ring needs its bar.
    if (spans && position >= 0) reveal(spans.start[position], spans.end[position]);
  };
  const onMinimap = useCallback((next: Range) => viewport.set(next), [viewport]);
  const said = useAnnouncement(
    view.block === null
      ? `${durationText(range[1] - range[0])} in view from ${formatOffset(range[0])}, ${formatCount(statistics?.blocks)} blocks`
      : selectedWords(sequence, view.secondary),
  );
  return (
    <div className="tl">
      <div className="tl-main" ref={mainRef}>
        <MinimapStrip
          source={source}
          summary={summary}
          secondary={view.secondary}
          viewport={viewport}
          cursor={cursor}
          width={plotWidth}
          onRange={onMinimap}
        />
        <LanesView
          summary={summary}
          viewport={viewport}
          buffer={buffer}
          failed={error !== null}
          lanes={lanes}
          chosen={view.lanes}
          statistics={statistics}
          selectedRow={view.block}
          chosenPath={path}
          uncertainty={uncertainty}
          gates={gates}
          uncovered={uncovered}
          secondary={view.secondary}
          time={view.time}
          selectedRange={selectedRange}
          focused={focused}
          focusedSlot={focusedSlot}
          onCursor={cursor.set}
          onSelect={(row) => void select(row)}
          onSelectSlowest={(lane, within) => void selectSlowest(lane, within).catch(() => undefined)}
          onSelectRange={setSelectedRange}
          onZoomTo={(next) => {
            setSelectedRange(null);
            viewport.set(next);
          }}
          rested={range}
          idle={empty}
          over={
            empty ? (
              <EmptyView
                range={range}
                summary={summary}
                uncovered={uncovered}
                neighbours={neighbours}
                keysLead={view.block === null}
                onSelect={(row) => void select(row)}
                onWhole={() => viewport.set([0, duration])}
              />
            ) : null
          }
          onLane={setTall}
          onLevel={setLevel}
          collapsed={view.collapsed}
          onGroup={toggleGroup}
        />
        {error ? (
          <p className="tl-error" role="alert">
            {error.message}
          </p>
        ) : null}
        <MarkersLane
          markers={markers}
          summary={summary}
          range={range}
          uncovered={uncovered}
          width={plotWidth}
        />
        <Legend summary={summary} secondary={view.secondary} level={level} />
        {buffer?.bins ? (
          <BinGrid
            bins={buffer.bins}
            summary={summary}
            lanes={lanes}
            range={range}
            onFocus={setSlot}
            onSelect={(lane, within) => void selectSlowest(lane, within).catch(() => undefined)}
          />
        ) : (
          <BlockGrid
            buffer={buffer}
            summary={summary}
            lanes={lanes}
            range={range}
            selectedRow={view.block}
            focused={focused}
            onFocus={focusCell}
            onSelect={(row) => void select(row)}
          />
        )}
        <div className="sr-only" aria-live="polite">
          {said}
        </div>
      </div>
      <aside className="tl-pane" aria-label={view.block === null ? "What is in view" : "Selected block"}>
        {view.block !== null && !selectedRange ? (
          <BlockPane
            sequence={sequence}
            summary={summary}
            secondary={view.secondary}
            names={names}
            onOpen={() => open("sequence")}
            onSelect={(row) => void select(row)}
          />
        ) : selectedStatistics ? (
          <RangePane
            statistics={selectedStatistics}
            summary={summary}
            secondary={view.secondary}
            names={names}
            regimes={regimes}
            isSelection={selectedRange !== null}
            onSlowest={() => toSlow(1)}
            onZoom={selectedRange ? fit : null}
          />
        ) : (
          <>
            <h2>{durationText(paneRange[1] - paneRange[0])} in view</h2>
            <p className="tl-sub">Reading the figures of this stretch</p>
          </>
        )}
      </aside>
    </div>
  );
}
