import { useId, useRef, useState, type PointerEvent, type ReactNode } from "react";
import { firstAtOrAfter } from "@aglens/ag-model/numbers";
import type { Overview, Summary } from "@aglens/contract";
import { durationTicks, originInDay, timeAxis } from "../../charts/axis.ts";
import type { Ground } from "../../charts/overview/ground.ts";
import { LatencyChart } from "../../charts/overview/latency-chart.tsx";
import { latencyScale } from "../../charts/overview/paint-latency.ts";
import { rateOf, rateTop } from "../../charts/overview/paint-rates.ts";
import { SHARE_ORDER, stagesOf } from "../../charts/overview/shares.ts";
import { xOf, type TimeRange } from "../../charts/time-scale.ts";
import type { LatencyBin, Samples } from "../../charts/overview/latency-bins.ts";
import { RateChart } from "../../charts/overview/rate-chart.tsx";
import { ShareChart } from "../../charts/overview/share-chart.tsx";
import { Minimap } from "../../charts/minimap.tsx";
import type { MinimapColumns } from "../../charts/minimap-columns.ts";
import { stageWords, type ReplicaNames, type StageToken } from "../../lanes/palette.ts";

import { Segmented, Swatch, Value } from "../../ui/controls.tsx";
import { useSize } from "../../ui/use-size.ts";
import { durationText, formatBytes, formatCount, formatDuration, formatUtc } from "../../ui/words.ts";
import { LatencyTable, RateTable, ShareTable } from "./chart-tables.tsx";
import type { Metric } from "./use-overview.ts";

/** Heights of the plots, px. */
export interface Heights {
  readonly latency: number;
  readonly share: number;
  readonly rate: number;
  readonly minimap: number;
}

interface Props {
  readonly summary: Summary;
  readonly names: ReplicaNames;
  readonly overview: Overview;
  readonly scale: TimeRange;
  readonly ground: Ground;
  readonly bins: readonly LatencyBin[];
  readonly dots: Samples;
  readonly domain: readonly [number, number];
  readonly metric: Metric;
  readonly onMetric: (metric: Metric) => void;
  readonly minimap: MinimapColumns | null;
  /** Stretches of the whole capture that a file does not cover, µs. */
  readonly uncovered: readonly (readonly [number, number])[];
  readonly time: "offset" | "utc";
  readonly heights: Heights;
  /** Instant that a table row points at, µs, or null. */
  readonly pointed: number | null;
  readonly onRange: (range: readonly [number, number] | null, done: boolean) => void;
  readonly sentence: string;
  /** Why a chart has nothing to show, null where every file is there. */
  readonly note: { readonly latency: string; readonly share: string } | null;
}

const GUTTER = 52;

/** Latency, share and rate over one scale of time with one cursor, and the minimap under them. */
export function ChartPanel(props: Props) {
  const { overview, scale, ground, bins, domain, metric, heights, summary, names } = props;
  const [setPlot, { width }] = useSize<HTMLDivElement>();
  const [hover, setHover] = useState<number | null>(null);
  const [tables, setTables] = useState(false);
  const drag = useDrag(scale, props.onRange, setHover);
  const cursor = hover ?? props.pointed;
  const axis = timeAxis(
    scale.from,
    scale.to,
    originInDay(summary.originTicks),
    props.time,
    Math.max(2, width / 76),
  );
  const most = rateTop(overview);
  const marks = <Marks scale={scale} width={width} cursor={cursor} selection={drag.selection} />;
  // Below the minimap the labels would read as its own scale, which is another one when zoomed.
  const zoomed = props.minimap !== null && scale.to - scale.from < props.minimap.to - props.minimap.from;
  const ticks = (
    <div className="time-axis" aria-hidden="true">
      {axis.base !== null && <b className="base">{axis.base}</b>}
      {width > 0 &&
        axis.ticks.map(({ at, label }) => {
          const x = xOf({ ...scale, width }, at);
          return x > width - 18 || (axis.base !== null && x < 110) ? null : (
            <span key={at} className={x < 14 ? "first" : ""} style={{ left: x }}>
              {label}
            </span>
          );
        })}
    </div>
  );
  return (
    <section className="card charts" aria-label="Charts">
      <div className="chart-stack" ref={setPlot} style={{ marginLeft: GUTTER }}>
        <ChartHead
          title={metric === "commit" ? "Commit latency" : "Remote harden"}
          legend={<LatencyLegend metric={metric} />}
          readout={<LatencyReadout {...props} cursor={cursor} width={width} />}
        >
          <Segmented
            label="Latency of"
            value={metric}
            options={[
              { value: "commit", label: "Commit" },
              { value: "harden", label: "Remote harden" },
            ]}
            onChange={props.onMetric}
          />
          <button type="button" className="as-table" aria-pressed={tables} onClick={() => setTables(!tables)}>
            {tables ? "Show as charts" : "Show as table"}
          </button>
        </ChartHead>
        {tables ? (
          <LatencyTable summary={summary} bins={bins} />
        ) : (
          <PlotArea
            drag={drag}
            sentence={props.sentence}
            name={metric === "commit" ? "Commit latency" : "Remote harden"}
          >
            <Gutter>
              {durationTicks(...domain).map(({ at, label }) =>
                label === "" ? null : (
                  <Mark
                    key={at}
                    y={Math.min(heights.latency - 5, Math.max(6, latencyScale(domain, heights.latency)(at)))}
                    text={label}
                  />
                ),
              )}
            </Gutter>
            <LatencyChart
              range={scale}
              ground={ground}
              bins={bins}
              dots={props.dots}
              domain={domain}
              height={heights.latency}
            />
            <GroundLabels scale={scale} ground={ground} width={width} summary={summary} />
            <PlotNote text={props.note?.latency} />
            {marks}
            <Spot {...props} cursor={cursor} width={width} />
          </PlotArea>
        )}
        <ChartHead title="Share of remote harden by stage" legend={<ShareLegend names={names} />} />
        {tables ? (
          <ShareTable summary={summary} overview={overview} names={names} />
        ) : (
          <PlotArea
            drag={drag}
            sentence={shareSentence(overview, names)}
            name="Share of remote harden by stage"
          >
            <Gutter>
              <Mark y={5} text="100 %" />
              <Mark y={heights.share / 2} text="50 %" />
              <Mark y={heights.share - 4} text="0 %" />
            </Gutter>
            <ShareChart range={scale} ground={ground} overview={overview} height={heights.share} />
            <PlotNote text={props.note?.share} />
            {marks}
          </PlotArea>
        )}
        <ChartHead
          title="Log blocks per second"
          readout={<RateReadout overview={overview} cursor={cursor} />}
        />
        {tables ? (
          <RateTable summary={summary} overview={overview} />
        ) : (
          <PlotArea drag={drag} sentence={rateSentence(overview)} name="Log blocks per second">
            <Gutter>
              <Mark y={5} text={formatCount(most)} />
            </Gutter>
            <RateChart range={scale} ground={ground} overview={overview} most={most} height={heights.rate} />
            {marks}
          </PlotArea>
        )}
        {zoomed && ticks}
        <div className="minimap-row">
          {props.minimap && width > 0 && (
            <Minimap
              columns={props.minimap}
              range={[scale.from, scale.to]}
              uncovered={props.uncovered}
              onRange={(range, done) => props.onRange(range, done)}
              width={width}
              height={heights.minimap}
            />
          )}
        </div>
        {!zoomed && ticks}
      </div>
    </section>
  );
}

interface ChartHeadProps {
  readonly title: string;
  readonly legend?: ReactNode;
  readonly readout?: ReactNode;
  readonly children?: ReactNode;
}

function ChartHead({ title, legend, readout, children }: ChartHeadProps) {
  return (
    <header className="chart-head" style={{ marginLeft: -GUTTER }}>
      <h2>{title}</h2>
      {legend}
      {children && <span className="chart-tools">{children}</span>}
      {readout}
    </header>
  );
}

interface PlotAreaProps {
  readonly drag: ReturnType<typeof useDrag>;
  readonly name: string;
  readonly sentence: string;
  readonly children: ReactNode;
}

/** One plot: what it is called and says for screen readers, and the drag that selects time. */
function PlotArea({ drag, name, sentence, children }: PlotAreaProps) {
  const id = useId();
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing, not a picture file
    <div className="plot-area" role="img" aria-label={name} aria-describedby={id} {...drag.handlers}>
      {children}
      <p id={id} className="sr-only">
        {sentence}
      </p>
    </div>
  );
}

function PlotNote({ text = "" }: { readonly text?: string | undefined }) {
  return text === "" ? null : (
    <p className="plot-note">
      <span>{text}</span>
    </p>
  );
}

const Gutter = ({ children }: { readonly children: ReactNode }) => <div className="gutter">{children}</div>;

function Mark({ y, text }: { readonly y: number; readonly text: string }) {
  return <span style={{ top: y }}>{text}</span>;
}

/** Shorter drags are clicks. */
const LEAST_DRAG = 4;

/** Drag selects a stretch of time and zooms to it on release; double click shows the whole capture. */
function useDrag(scale: TimeRange, onRange: Props["onRange"], onHover: (at: number | null) => void) {
  const start = useRef<{ at: number; x: number } | null>(null);
  const [selection, setSelection] = useState<readonly [number, number] | null>(null);
  const timeAt = (event: PointerEvent): number => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    return scale.from + share * (scale.to - scale.from);
  };
  const between = (event: PointerEvent): [number, number] => {
    const at = timeAt(event);
    return [Math.min(at, start.current!.at), Math.max(at, start.current!.at)];
  };
  return {
    selection,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { at: timeAt(event), x: event.clientX };
      },
      onPointerMove: (event: PointerEvent) => {
        onHover(timeAt(event));
        if (start.current && Math.abs(event.clientX - start.current.x) >= LEAST_DRAG)
          setSelection(between(event));
      },
      onPointerUp: (event: PointerEvent) => {
        const begun = start.current;
        if (begun && Math.abs(event.clientX - begun.x) >= LEAST_DRAG) onRange(between(event), true);
        start.current = null;
        setSelection(null);
      },
      onPointerCancel: () => {
        start.current = null;
        setSelection(null);
      },
      onPointerLeave: () => onHover(null),
      onDoubleClick: () => onRange(null, true),
    },
  };
}

interface MarksProps {
  readonly scale: TimeRange;
  readonly width: number;
  readonly cursor: number | null;
  readonly selection: readonly [number, number] | null;
}

/** The cursor line and the stretch being selected, the same in every plot. */
function Marks({ scale, width, cursor, selection }: MarksProps) {
  const left = selection ? xOf({ ...scale, width }, selection[0]) : 0;
  return (
    <>
      {cursor !== null && cursor >= scale.from && cursor <= scale.to && (
        <div className="cursor" style={{ left: xOf({ ...scale, width }, cursor) }} />
      )}
      {selection && (
        <div className="selection" style={{ left, width: xOf({ ...scale, width }, selection[1]) - left }}>
          <span>{durationText(selection[1] - selection[0])}</span>
        </div>
      )}
    </>
  );
}

/** Ring around the commit that the readout names. */
function Spot({
  cursor,
  width,
  scale,
  dots,
  domain,
  heights,
}: Props & { cursor: number | null; width: number }) {
  const sample = cursor === null ? null : sampleNear(dots, scale, cursor, width);
  if (!sample) return null;
  return (
    <div
      className="spot"
      style={{
        left: xOf({ ...scale, width }, sample.at),
        top: latencyScale(domain, heights.latency)(sample.value),
      }}
    />
  );
}

function LatencyLegend({ metric }: { readonly metric: Metric }) {
  return (
    <span className="legend" aria-hidden="true">
      <span>
        <i className="line" /> p50
      </span>
      <span>
        <i className="band p95" /> to p95
      </span>
      <span>
        <i className="band p99" /> to p99
      </span>
      <span>
        <i className="dot" /> {metric === "commit" ? "one commit" : "one block"}
      </span>
    </span>
  );
}

function groupWords(token: StageToken, names: ReplicaNames): string {
  if (token === "--p-work") return `${names.primary} send, ack`;
  if (token === "--s-work") return `${names.secondary} receive, ack`;
  return stageWords(stagesOf(token)[0], names);
}

function ShareLegend({ names }: { readonly names: ReplicaNames }) {
  return (
    <span className="legend">
      {SHARE_ORDER.toReversed().map((token) => (
        <span key={token}>
          <Swatch color={`var(${token})`} /> {groupWords(token, names)}
        </span>
      ))}
    </span>
  );
}

/** How near the cursor must be to a commit to name it, px. */
const NEAR = 6;

/** Longest sample within reach of the cursor, µs. */
function sampleNear({ at, value }: Samples, scale: TimeRange, cursor: number, width: number) {
  const reach = (NEAR / Math.max(1, width)) * (scale.to - scale.from);
  let longest: { at: number; value: number } | null = null;
  for (let i = firstAtOrAfter(at, cursor - reach); i < at.length && at[i] <= cursor + reach; i++) {
    if (longest === null || value[i] > longest.value) longest = { at: at[i], value: value[i] };
  }
  return longest;
}

function LatencyReadout(props: Props & { cursor: number | null; width: number }) {
  const { cursor, width, scale, bins, dots, metric, summary } = props;
  if (cursor === null) return <span className="readout" />;
  const bin = bins.find((b) => cursor >= b.from && cursor < b.to);
  const one = sampleNear(dots, scale, cursor, width);
  return (
    <span className="readout">
      <b>{formatUtc(summary.originTicks, cursor)}</b>
      {bin && bin.p50 !== null && (
        <>
          <span>
            p50 <Value figure={formatDuration(bin.p50)} />
          </span>
          <span>
            p95 <Value figure={formatDuration(bin.p95)} />
          </span>
        </>
      )}
      {bin && <span>n {formatCount(bin.n)}</span>}
      {one !== null && (
        <b>
          {metric === "commit" ? "this commit " : "this block "}
          {durationText(one.value)}
        </b>
      )}
    </span>
  );
}

function RateReadout({ overview, cursor }: { readonly overview: Overview; readonly cursor: number | null }) {
  if (cursor === null) return null;
  const bin = Math.floor((cursor - overview.from) / overview.binUs);
  const blocks = overview.blocks[bin];
  if (blocks === undefined) return null;
  return (
    <span className="readout">
      {blocks === 0
        ? "none at the cursor"
        : `${formatCount(rateOf(overview, bin))} at the cursor, ${formatBytes(Math.round(overview.bytes[bin] / blocks))} per block`}
    </span>
  );
}

interface LabelsProps {
  readonly scale: TimeRange;
  readonly ground: Ground;
  readonly width: number;
  readonly summary: Summary;
}

/** Words on idle and uncovered stretches and the name of an episode, where there is room. */
function GroundLabels({ scale, ground, width, summary }: LabelsProps) {
  const clip = (from: number, to: number) => {
    const left = Math.max(0, xOf({ ...scale, width }, from));
    return { left, width: Math.min(width, xOf({ ...scale, width }, to)) - left };
  };
  const idle = ground.idle.map(([from, to]) => ({
    box: clip(from, to),
    text: `no log blocks for ${durationText(to - from)}`,
  }));
  const uncovered = ground.uncovered.map(([from, to, replica]) => ({
    box: clip(from, to),
    text: `not covered by ${summary.replicas[replica]?.name ?? "a replica"}`,
  }));
  return (
    <div className="ground-labels">
      {[...idle, ...uncovered].map(({ box, text }) =>
        box.width < 72 ? null : (
          <span key={`${text}${box.left}`} className="ground-label" style={box}>
            {text}
          </span>
        ),
      )}
      {ground.episodes.map(({ from, to, label, blocks }) => {
        const box = clip(from, to);
        if (box.width < 24) return null;
        return (
          <span
            key={from}
            className="episode-label"
            style={box.width < 190 ? { left: box.left } : { right: width - box.left - box.width }}
          >
            {label}, {durationText(to - from)}, {formatCount(blocks)} blocks
          </span>
        );
      })}
    </div>
  );
}

function shareSentence(overview: Overview, names: ReplicaNames): string {
  const sums = SHARE_ORDER.map((token) => ({
    token,
    sum: stagesOf(token).reduce((sum, id) => sum + overview.stageSums[id].reduce((a, b) => a + b, 0), 0),
  })).toSorted((a, b) => b.sum - a.sum);
  const whole = sums.reduce((sum, s) => sum + s.sum, 0);
  if (whole === 0) return "No remote harden in view.";
  const parts = sums.map(
    ({ token, sum }) => `${groupWords(token, names)} ${((sum / whole) * 100).toFixed(0)} %`,
  );
  return `Of remote harden in view: ${parts.join(", ")}.`;
}

function rateSentence(overview: Overview): string {
  const total = overview.blocks.reduce((a, b) => a + b, 0);
  const most = Math.max(0, ...overview.blocks.map((_, bin) => rateOf(overview, bin)));
  return `${formatCount(total)} log blocks in view, at most ${formatCount(most)} per second.`;
}
