import { useCallback, useEffect, useMemo, useState } from "react";
import type { BlockWindow, BinWindow, Overview, SlowBlocks, Summary } from "@aglens/contract";
import { timeAxis } from "../../charts/axis.ts";
import { durationDomain } from "../../charts/duration-scale.ts";
import { minimapColumns } from "../../charts/minimap-columns.ts";
import type { ReplicaNames } from "../../lanes/palette.ts";
import { Button, Card, Kbd, Segmented } from "../../ui/controls.tsx";
import { useKeys } from "../../ui/keys.ts";
import { durationText, formatCount, formatOffset } from "../../ui/words.ts";
import { DEFAULT_VIEW } from "../../state/view.ts";
import type { ScreenProps } from "../screen.ts";
import { uncoveredFor } from "../coverage.ts";
import { ChartPanel, type Heights } from "./chart-panel.tsx";
import { LogWrites, MeanRemoteHarden, SsmsAverages } from "./rail.tsx";
import { SlowestTable } from "./slowest-table.tsx";
import { useAnswer } from "./use-answer.ts";
import { useBins, useOverview, type Metric } from "./use-overview.ts";
import { VerdictBand } from "./verdict-band.tsx";
import "./overview.css";

const PAGE = 25;
const NO_SAMPLES = { at: new Float64Array(), value: new Float64Array() };
const MINIMAP_COLUMNS = 1_200;

/** Verdict, latency over time, where the time goes, and the slowest blocks of what is in view. */
export function OverviewScreen({ source, summary, view, setView, open, setStatus }: ScreenProps) {
  const { secondary } = view;
  const [metric, setMetric] = useState<Metric>("commit");
  const [limit, setLimit] = useState(PAGE);
  const [pointed, setPointed] = useState<number | null>(null);
  const heights = useHeights();
  const names = useMemo(() => namesOf(summary, secondary), [summary, secondary]);
  const from = view.range?.[0] ?? 0;
  const to = view.range?.[1] ?? Math.max(1, summary.durationUs);
  const scale = useMemo(() => ({ from, to }), [from, to]);
  const answers = useOverview(source, scale, summary.durationUs, secondary, metric);
  const { overview, dots, whole } = answers;
  const episodes = useMemo(
    () => summary.verdict.episodes.filter((e) => e.secondary === secondary),
    [summary, secondary],
  );
  const ground = useMemo(
    () => ({
      idle: overview?.idle ?? [],
      uncovered: relevant(overview, secondary),
      episodes,
      ticks: timeAxis(from, to, 0).ticks.map((t) => t.at),
    }),
    [overview, secondary, episodes, from, to],
  );
  const breaks = useMemo(
    () => [...ground.idle.flatMap(([a, b]) => [a, b]), ...episodes.flatMap((e) => [e.from, e.to])],
    [ground, episodes],
  );
  const bins = useBins(answers, scale, metric, breaks);
  const domain = useMemo(
    () => durationDomain([...(dots?.value ?? []), ...bins.map((b) => b.max)]),
    [dots, bins],
  );
  const minimap = useMemo(
    () => (whole ? minimapColumns(whole, secondary, MINIMAP_COLUMNS) : null),
    [whole, secondary],
  );
  const uncovered = useMemo(() => uncoveredFor(summary, secondary), [summary, secondary]);
  const statistics = useAnswer(
    useCallback((signal) => source.statistics({ from, to }, signal), [source, from, to]),
  ).value;
  // Without the primary's file nobody knows a remote harden: the secondary's log write is what blocks differ in.
  const noPrimary = isWithoutFile(summary, 0);
  const sort = noPrimary && view.sort === DEFAULT_VIEW.sort ? "secondaryFlush" : view.sort;
  const slow = useSlowest(source, { from, to }, { ...view, sort }, limit);

  const setRange = useCallback(
    (range: readonly [number, number] | null, done: boolean) => {
      const everything = range === null || range[1] - range[0] >= summary.durationUs * 0.9999;
      setView({ range: everything ? null : range }, done ? "push" : "replace");
    },
    [setView, summary.durationUs],
  );
  useOverviewKeys({ view, slow, setView, setRange, open });
  useStatus(setStatus, view.range, summary);

  const sentence = latencySentence(metric, from, to, statistics, secondary);
  return (
    <div className="overview">
      <VerdictBand summary={summary} />
      <ViewBar summary={summary} view={view} setView={setView} onWhole={() => setRange(null, true)} />
      <div className="overview-grid">
        <div className="overview-main">
          {answers.error !== null && (
            <p className="problem" role="alert">
              {answers.error}
            </p>
          )}
          {overview === null ? (
            <div className="card charts" aria-busy="true" style={{ minHeight: panelHeight(heights) }} />
          ) : summary.blocks.total > 0 ? (
            <ChartPanel
              {...{
                summary,
                names,
                overview,
                scale,
                ground,
                bins,
                domain,
                metric,
                minimap,
                uncovered,
                heights,
                pointed: pointed ?? selectedTime(slow, view.block),
                sentence,
              }}
              dots={dots ?? NO_SAMPLES}
              note={chartNote(summary, secondary)}
              time={view.time}
              onMetric={setMetric}
              onRange={setRange}
            />
          ) : null}
          {overview !== null && overview.blocks.every((n) => n === 0) ? (
            <EmptyRange {...{ summary, from, to, whole }} onRange={setRange} />
          ) : null}
        </div>
        <aside className="rail" aria-label="Averages">
          <MeanRemoteHarden
            {...{ summary, secondary, names }}
            episode={longest(episodes)}
            view={view.range ? statistics : null}
          />
          <LogWrites summary={summary} />
          <SsmsAverages summary={summary} secondary={secondary} />
        </aside>
        {slow && slow.total > 0 && (
          <SlowestTable
            {...{ summary, names }}
            rows={slow.rows}
            total={slow.total}
            selected={view.block}
            sort={sort}
            descending={view.descending}
            onSort={(sort, descending) => setView({ sort, descending })}
            onOpen={(row) => open("sequence", { block: row })}
            onPoint={setPointed}
            onMore={() => setLimit(limit + PAGE)}
          />
        )}
      </div>
    </div>
  );
}

/** True for a replica that takes part and of which no file was given. */
const isWithoutFile = ({ replicas }: Summary, index: number): boolean =>
  index < replicas.length && !replicas[index].hasCapture;

/** Why the charts of the remote path are empty; null where every file is there. */
function chartNote(summary: Summary, secondary: number): { latency: string; share: string } | null {
  const { secondary: name } = namesOf(summary, secondary);
  if (isWithoutFile(summary, 0)) {
    return {
      latency: "Without a file of the primary there are no commits and no remote harden.",
      share: `Without a file of the primary only ${name}'s own part is known.`,
    };
  }
  if (!isWithoutFile(summary, secondary + 1)) return null;
  return { latency: "", share: `Without a file of ${name} its part and the network's cannot be told apart.` };
}

/** Where the selected block stands in time, as far as the table knows it. */
function selectedTime(slow: SlowBlocks | null, block: number | null): number | null {
  return slow?.rows.find(({ row }) => row === block)?.time ?? null;
}

function namesOf(summary: Summary, secondary: number): ReplicaNames {
  return {
    primary: summary.replicas[0]?.name ?? "Primary",
    secondary: summary.replicas[secondary + 1]?.name ?? "Secondary",
  };
}

/** Stretches that the primary's or this secondary's file does not cover; others do not touch these figures. */
function relevant(overview: Overview | null, secondary: number): Overview["uncovered"] {
  return (overview?.uncovered ?? []).filter(([, , replica]) => replica === 0 || replica === secondary + 1);
}

function longest(episodes: Summary["verdict"]["episodes"]) {
  return episodes.toSorted((a, b) => b.to - b.from - (a.to - a.from))[0] ?? null;
}

/** Plots grow on wide screens; the minimap shrinks on low ones (design section 3). */
function readHeights(): Heights {
  const wide = window.innerWidth >= 1680;
  const minimap = window.innerHeight < 700 ? 24 : wide ? 36 : 30;
  if (wide && window.innerHeight >= 960) return { latency: 270, share: 168, rate: 80, minimap };
  // On a laptop's height charts and rail give way, so that the slowest blocks begin above the fold.
  return window.innerHeight < 860
    ? { latency: 160, share: 88, rate: 40, minimap }
    : { latency: 204, share: 100, rate: 40, minimap };
}

/** What the heads of three charts, the axis and the card's own edges take beside the plots, px. */
const PANEL_REST_PX = 114;

/** Height of the charts' card, kept free while they load so that nothing moves when they are there. */
const panelHeight = ({ latency, share, rate, minimap }: Heights): number =>
  latency + share + rate + minimap + PANEL_REST_PX;

function useHeights(): Heights {
  const [heights, setHeights] = useState(readHeights);
  useEffect(() => {
    const onResize = (): void => setHeights(readHeights());
    window.addEventListener("resize", onResize);
    return () => window.removeEventListener("resize", onResize);
  }, []);
  return heights;
}

type View = ScreenProps["view"];

function useSlowest(
  source: ScreenProps["source"],
  range: { from: number; to: number },
  view: View,
  limit: number,
) {
  const { from, to } = range;
  const { sort, descending, secondary } = view;
  const ask = useCallback(
    (signal: AbortSignal) =>
      source.slowest({ range: { from, to }, sort, descending, secondary, limit, offset: 0 }, signal),
    [source, from, to, sort, descending, secondary, limit],
  );
  return useAnswer(ask).value;
}

interface KeyProps extends Pick<ScreenProps, "view" | "setView" | "open"> {
  readonly slow: SlowBlocks | null;
  readonly setRange: (range: null, done: boolean) => void;
}

function useOverviewKeys({ view, slow, setView, setRange, open }: KeyProps): void {
  const step = (by: number): void => {
    const rows = slow?.rows ?? [];
    if (rows.length === 0) return;
    const at = rows.findIndex((block) => block.row === view.block);
    const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by));
    setView({ block: rows[next].row }, "replace");
  };
  useKeys({
    nextSlow: () => step(1),
    previousSlow: () => step(-1),
    open: () => view.block !== null && open("sequence"),
    back: () => (view.block === null ? setRange(null, true) : setView({ block: null })),
    fit: () => setRange(null, true),
    all: () => setRange(null, true),
  });
}

function useStatus(setStatus: ScreenProps["setStatus"], range: View["range"], summary: Summary): void {
  const span = range ? range[1] - range[0] : summary.durationUs;
  const zoomed = range !== null;
  const [first, last] = summary.common;
  const common = first === null || last === null ? null : last - first;
  const covering = summary.replicas.filter((r) => r.hasCapture).length;
  useEffect(() => {
    const by = covering === 2 ? "both replicas" : `all ${covering} replicas`;
    const covered = covering < 2 || common === null ? "" : `, ${durationText(common)} covered by ${by}`;
    setStatus(
      <>
        <span>
          {zoomed ? `${durationText(span)} in view` : `Whole capture, ${durationText(span)}${covered}`}
        </span>
        <span>Drag to select a range</span>
        <span>
          <Kbd>n</Kbd> <Kbd>p</Kbd> next, previous slow block
        </span>
        <span>
          <Kbd>Enter</Kbd> open
        </span>
        {zoomed && (
          <span>
            <Kbd>f</Kbd> whole capture
          </span>
        )}
      </>,
      "Redo is not measured by these events",
    );
  }, [setStatus, span, zoomed, common, covering]);
}

interface ViewBarProps extends Pick<ScreenProps, "summary" | "view" | "setView"> {
  readonly onWhole: () => void;
}

/** Breadcrumb back to the whole capture, and which secondary the figures are about. Absent when there is no choice. */
function ViewBar({ summary, view, setView, onWhole }: ViewBarProps) {
  const secondaries = summary.replicas.slice(1);
  if (view.range === null && secondaries.length < 2) return null;
  return (
    <div className="view-bar">
      {view.range !== null && (
        <nav className="breadcrumb" aria-label="Range in view">
          <Button kind="quiet" onClick={onWhole}>
            Whole capture
          </Button>
          <span aria-hidden="true">›</span>
          <span aria-current="true">
            {formatOffset(view.range[0])} to {formatOffset(view.range[1])},{" "}
            {durationText(view.range[1] - view.range[0])}
          </span>
        </nav>
      )}
      {secondaries.length > 1 && (
        <Segmented
          label="Secondary"
          value={String(view.secondary)}
          options={secondaries.map((replica, i) => ({ value: String(i), label: replica.name }))}
          onChange={(value) => setView({ secondary: Number(value) })}
        />
      )}
    </div>
  );
}

interface EmptyProps {
  readonly summary: Summary;
  readonly from: number;
  readonly to: number;
  readonly whole: BlockWindow | BinWindow | null;
  readonly onRange: (range: readonly [number, number] | null, done: boolean) => void;
}

/** Why there is nothing here and where the next block is. */
function EmptyRange({ summary, from, to, whole, onRange }: EmptyProps) {
  const times = whole?.detail === "blocks" ? whole.blocks.time : new Float64Array();
  const previous = times.findLast((time) => time < from);
  const next = times.find((time) => time >= to);
  const half = (to - from) / 2;
  const around = (at: number) => () => onRange([Math.max(0, at - half), at + half], true);
  const covered = summary.replicas.every(
    (r) => !r.hasCapture || ((r.from ?? 0) <= from && (r.to ?? summary.durationUs) >= to),
  );
  if (summary.blocks.total === 0) {
    return (
      <Card title="This capture holds no log block" className="empty-range">
        <p>
          Its files have no event of a log block. Check that the session collects the data movement events.
        </p>
      </Card>
    );
  }
  return (
    <Card
      title={`No log block between ${formatOffset(from, 1e5)} and ${formatOffset(to, 1e5)}`}
      className="empty-range"
    >
      <p>
        {covered
          ? "Every file covers this time: the database wrote no log here. Nothing was lost."
          : "Not every file covers this time: blocks may be missing here."}
      </p>
      <div className="empty-actions">
        {previous !== undefined && (
          <Button onClick={around(previous)}>Previous block, {formatOffset(previous)}</Button>
        )}
        {next !== undefined && <Button onClick={around(next)}>Next block, {formatOffset(next)}</Button>}
        <Button onClick={() => onRange(null, true)}>
          Whole capture <Kbd>f</Kbd>
        </Button>
      </div>
    </Card>
  );
}

type RangeStatistics = Awaited<ReturnType<ScreenProps["source"]["statistics"]>>;

function latencySentence(
  metric: Metric,
  from: number,
  to: number,
  statistics: RangeStatistics | null,
  secondary: number,
): string {
  const what = metric === "commit" ? "Commit latency" : "Remote harden";
  const figures =
    metric === "commit" ? statistics?.commitLatency : statistics?.stages[secondary]?.["remoteHarden"];
  const stretch = `${what} over ${durationText(to - from)}`;
  if (!figures || figures.n === 0) return `${stretch}: nothing to measure.`;
  const unit = metric === "commit" ? "commits" : "blocks";
  return `${stretch}: p50 ${durationText(figures.p50)}, p95 ${durationText(figures.p95)}, max ${durationText(figures.max)} of ${formatCount(figures.n)} ${unit}.`;
}
