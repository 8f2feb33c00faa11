import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef, useState } from "react";
import {
  hasNoSecondary,
  type BlockCondition,
  type BlockFilter,
  type DistributionStage,
  type Histogram,
} from "@aglens/contract";
import { binAt, type DurationAxis } from "../../charts/distribution/histogram.ts";
import { HistogramRow } from "../../charts/distribution/histogram-row.tsx";
import { useRangeDrag } from "../../charts/use-range-drag.ts";
import { distributionTexts as texts } from "../../messages/distribution.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { binText } from "./distribution-text.ts";
import { expectedLimit, stageColor } from "../capture-view/stage-means.ts";
import styles from "./distribution.module.css";

interface Props {
  readonly stage: DistributionStage;
  readonly name: string;
  readonly ranges: readonly Histogram[];
  readonly axis: DurationAxis;
  readonly isChosen: boolean;
  /** The names of the write classes are under this row. */
  readonly isLastWrite: boolean;
  readonly onPoint: (bin: number | null) => void;
}

const HEIGHT = 46;
const CHOSEN_HEIGHT = 98;
const CUMULATIVE_HEIGHT = 54;

/** The two end bins of a selected range, in the order in which they were chosen. */
type Bins = readonly [anchor: number, head: number];

/**
 * A row's histogram, in which a range of bins is selected by dragging, by a click or by keys. The views then show only
 * the blocks of these bins.
 */
export function StagePlot({ stage, name, ranges, axis, isChosen, isLastWrite, onPoint }: Props): ReactNode {
  const { view, setView } = useCapture();
  const plot = useRef<HTMLDivElement>(null);
  const [bins, setBins] = useState<Bins | null>(null);
  const range = ranges[0]!;
  const last = axis.edges.length - 2;
  const apply = ([a, b]: Bins): void => {
    setBins(null);
    const [least, limit] = [axis.edges[Math.min(a, b)]!, axis.edges[Math.max(a, b) + 1]!];
    setView({ stage, where: brushed(view.where, stage, view.secondary, least, limit) });
  };
  useRangeDrag(
    plot,
    {
      onDrag: (from, to) => setBins([binAt(axis, from), binAt(axis, to)]),
      onEnd: (period) => {
        if (period !== null) apply([binAt(axis, period[0]), binAt(axis, period[1])]);
      },
    },
    false,
  );
  const pointAt = ({ nativeEvent }: MouseEvent): number => binAt(axis, nativeEvent.offsetX);
  const onKey = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (by !== 0) {
      event.preventDefault();
      const from = bins ?? firstBins(range);
      const head = Math.min(last, Math.max(0, bins === null ? from[1] : from[1] + by));
      setBins([event.shiftKey ? from[0] : head, head]);
      onPoint(head);
    } else if (event.key === "Enter" && bins !== null) {
      event.preventDefault();
      event.stopPropagation();
      apply(bins);
    } else if (event.key === "Escape" && bins !== null) {
      event.preventDefault();
      event.stopPropagation();
      setBins(null);
    }
  };
  const head = bins?.[1] ?? firstBins(range)[1];
  const shown = bins ?? filterBins(view.where, stage, view.secondary, axis.edges);
  return (
    <div
      ref={plot}
      className={styles.plot}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a histogram in which bins are chosen is not an input
      role="slider"
      tabIndex={isChosen ? 0 : -1}
      aria-label={texts.duration(name)}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={head}
      aria-valuetext={binText(stage, axis.edges, range, head)}
      onKeyDown={onKey}
      onBlur={() => {
        setBins(null);
        onPoint(null);
      }}
      onClick={(event) => apply([pointAt(event), pointAt(event)])}
      onPointerMove={(event) => onPoint(pointAt(event))}
      onPointerLeave={() => onPoint(null)}
    >
      {axis.width === 0 ? (
        <div style={{ height: isChosen ? CHOSEN_HEIGHT + CUMULATIVE_HEIGHT : HEIGHT }} />
      ) : (
        <HistogramRow
          axis={axis}
          ranges={ranges}
          color={stageColor(stage)}
          limitUs={expectedLimit(stage)}
          height={isChosen ? CHOSEN_HEIGHT : HEIGHT}
          cumulative={isChosen && range.n > 0 ? CUMULATIVE_HEIGHT : 0}
        />
      )}
      {shown === null ? null : <Band bins={shown} axis={axis} />}
      {range.n > 0 ? null : <span className={styles.none}>{missingText(range)}</span>}
      {isLastWrite && range.n > 0 ? <ClassNames axis={axis} /> : null}
    </div>
  );
}

/** Start of the keyboard selection: the bin with the most values. */
function firstBins({ counts }: Histogram): Bins {
  const bin = Math.max(0, counts.indexOf(Math.max(...counts)));
  return [bin, bin];
}

/** The filter with a new range of a stage, which replaces the earlier condition on that stage. */
function brushed(
  where: BlockFilter | null,
  stage: DistributionStage,
  secondary: number,
  amount: number,
  limit: number,
): BlockFilter {
  const others = (where ?? []).filter((condition) => !isAbout(condition, stage, secondary));
  const comparison = { sign: "..", amount, limit } as const;
  return [
    ...others,
    { kind: "duration", stage, secondary: hasNoSecondary(stage) ? null : secondary, comparison },
  ];
}

const isAbout = (
  condition: BlockCondition,
  stage: DistributionStage,
  secondary: number,
): condition is BlockCondition & { readonly kind: "duration" } =>
  condition.kind === "duration" &&
  condition.stage === stage &&
  (hasNoSecondary(stage) || condition.secondary === secondary);

/** The bins that the current filter selects, where it has a range of this stage. */
function filterBins(
  where: BlockFilter | null,
  stage: DistributionStage,
  secondary: number,
  edges: readonly number[],
): Bins | null {
  const comparison = where?.find((condition) => isAbout(condition, stage, secondary))?.comparison;
  if (comparison?.sign !== "..") return null;
  const first = edges.findIndex((edge) => edge > comparison.amount);
  const end = edges.findIndex((edge) => edge >= comparison.limit - 1e-6);
  if (first < 0) return null;
  return [Math.max(0, first - 1), (end < 0 ? edges.length - 1 : Math.max(first, end)) - 1];
}

function Band({ bins, axis }: { readonly bins: Bins; readonly axis: DurationAxis }): ReactNode {
  const left = axis.x(axis.edges[Math.min(...bins)]!);
  const right = axis.x(axis.edges[Math.max(...bins) + 1]!);
  return <i className={styles.band} style={{ left, width: Math.max(2, right - left) }} />;
}

const missingText = ({ missing }: Histogram): string =>
  missing === 0 ? texts.nothingOfThisStage : texts.noValueBothEnds(missing.toLocaleString("en"));

const CLASS_NAMES = [
  { name: "good", from: 0, to: 10_000 },
  { name: "reasonable", from: 10_000, to: 20_000 },
  { name: "busy", from: 20_000, to: 50_000 },
  { name: "bad", from: 50_000, to: Number.POSITIVE_INFINITY },
] as const;
/** Minimum width of a band for its name, px; in small letters, which may extend slightly beyond the band. */
const LEAST_PX = 32;

/**
 * Names of the bands behind log writes. A band that is too narrow has no name: its place between the bands on either
 * side identifies it.
 */
function ClassNames({ axis }: { readonly axis: DurationAxis }): ReactNode {
  return (
    <span className={styles.classNames} aria-hidden="true">
      {CLASS_NAMES.map(({ name, from, to }) => {
        const left = axis.x(from);
        const width = axis.x(to) - left;
        return width < LEAST_PX && from < 50_000 ? null : (
          <span key={name} style={{ left, width }}>
            {name}
          </span>
        );
      })}
    </span>
  );
}
