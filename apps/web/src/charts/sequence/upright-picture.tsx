/** The picture of a block for a phone: time downwards, the primary's lifeline at the left, the secondary's at the right. */
import type { ReactNode } from "react";
import type { Sequence } from "@aglens/contract";
import { scaleLinear } from "d3-scale";
import type { ReplicaNames } from "../../lanes/palette.ts";
import { sequenceTexts as texts } from "../../messages/sequence.ts";
import { durationText } from "../../ui/words.ts";
import { apart, durationLabel } from "../axis.ts";
import { pictureRange } from "./layout.ts";
import styles from "./upright-picture.module.css";
import { termProps } from "../../ui/term.tsx";
import type { TermId } from "../../messages/terms.ts";

interface Props {
  readonly sequence: Sequence;
  readonly secondary: number;
  readonly names: ReplicaNames;
  readonly width: number;
}

const HEAD_PX = 24;
const TIME_PX = 350;
const AXIS_PX = 42;
const BAR_PX = 15;
/** A shorter leg or bar has no room for two lines of words next to its neighbor, px. */
const LABEL_PX = 30;
const LINE_PX = 14;

/** From one instant to another, px from the top; null where one of them is unknown. */
type Extent = readonly [top: number, bottom: number] | null;

/** Positions of all parts, px. */
export function uprightLayout({ sequence, secondary, width }: Omit<Props, "names">) {
  const hop = sequence.hops.find((each) => each.secondary === secondary);
  const anchors = hop?.anchors;
  const { local, commits } = sequence;
  const [from, to] = pictureRange(sequence, hop);
  const y = scaleLinear()
    .domain([from, Math.max(to, from + 1)])
    .range([HEAD_PX, HEAD_PX + TIME_PX]);
  const extent = (begin: number | null | undefined, end: number | null | undefined): Extent =>
    begin == null || end == null ? null : [y(begin), y(end)];
  const last = commits.toSorted((a, b) => b.end - b.start - (a.end - a.start))[0];
  return {
    y,
    from,
    to,
    /** Edges of the network between both lifelines. */
    left: Math.round(width * 0.36),
    right: Math.round(width * 0.74),
    commit: extent(last?.start, last?.end),
    localWrite: extent(local.localFlushStart, local.localFlushEnd),
    out: extent(anchors?.departed ?? anchors?.sendStart, anchors?.received),
    append: extent(anchors?.received, anchors?.secondaryFlushStart),
    write: extent(anchors?.secondaryFlushStart, anchors?.secondaryFlushEnd),
    acknowledge: extent(anchors?.secondaryFlushEnd, anchors?.ackSent),
    back: extent(anchors?.ackDeparted ?? anchors?.ackSent, anchors?.ackReceived),
    hidden:
      anchors?.received == null ? extent(anchors?.sendEnd ?? anchors?.sendStart, anchors?.ackReceived) : null,
  };
}

type Layout = ReturnType<typeof uprightLayout>;

export function UprightPicture(props: Props): ReactNode {
  const { sequence, secondary, names, width } = props;
  const layout = uprightLayout(props);
  const { left, right, commit, localWrite } = layout;
  const height = HEAD_PX + TIME_PX + 10;
  const stages = sequence.hops.find((each) => each.secondary === secondary)?.stages ?? [];
  const lasted = (id: string): string =>
    durationText(stages.find((stage) => stage.id === id)?.duration ?? null);
  const commitUs = commit === null ? null : layout.y.invert(commit[1]) - layout.y.invert(commit[0]);
  return (
    <svg
      className={`${styles.picture} system-colours`}
      width={width}
      height={height}
      role="img"
      aria-label={texts.logBlockFrom({
        primary: names.primary,
        secondary: names.secondary,
        lasted: lasted("wireOut"),
        otherLasted: lasted("secondaryFlush"),
        thirdLasted: lasted("wireBack"),
      })}
      data-testid="upright-picture"
    >
      <rect className={styles.primaryBand} x={0} y={0} width={left} height={height} />
      <rect className={styles.secondaryBand} x={right} y={0} width={width - right} height={height} />
      <Axis {...layout} width={width} />
      <text className={styles.primaryName} x={10} y={16}>
        {names.primary}
      </text>
      <text className={styles.networkName} x={(left + right) / 2} y={16} {...termProps("networkRoundTrip")}>
        {texts.networkUpright}
      </text>
      <text className={styles.secondaryName} x={right + 8} y={16}>
        {names.secondary}
      </text>
      <Bar extent={commit} x={AXIS_PX + 8} className={styles.waits} />
      {commit === null || commit[1] - commit[0] < 110 ? null : (
        <text
          className={styles.waitsWords}
          transform={`translate(${AXIS_PX + 19}, ${(commit[0] + commit[1]) / 2}) rotate(-90)`}
          {...termProps("commit")}
        >
          {texts.commitWaitedPart(durationText(commitUs))}
        </text>
      )}
      <Bar extent={localWrite} x={AXIS_PX + 8 + BAR_PX + 6} className={styles.primaryWrite} />
      <Words
        term="localFlush"
        extent={localWrite}
        x={AXIS_PX + 8 + 2 * BAR_PX + 12}
        className={styles.primaryWords}
      >
        {[
          texts.logWriteUpright,
          durationText(durationOf(sequence.local.localFlushStart, sequence.local.localFlushEnd)),
        ]}
      </Words>
      <Leg {...layout} extent={layout.out} isBack={false} words={[lasted("wireOut"), "out"]} />
      <Leg {...layout} extent={layout.back} isBack words={[lasted("wireBack"), "back"]} />
      <Bar extent={layout.append} x={right} className={styles.secondaryWork} />
      <Bar extent={layout.write} x={right} className={styles.secondaryWrite} />
      <Bar extent={layout.acknowledge} x={right} className={styles.secondaryWork} />
      <Words
        term="secondaryFlush"
        extent={layout.write}
        x={right + BAR_PX + 6}
        className={styles.secondaryWords}
      >
        {[texts.logWriteUpright, lasted("secondaryFlush")]}
      </Words>
      <Bar extent={layout.hidden} x={(left + right) / 2 - BAR_PX / 2} className={styles.waits} />
      {layout.hidden === null ? null : (
        <Words
          term="unseen"
          extent={layout.hidden}
          x={(left + right) / 2 + BAR_PX}
          className={styles.waitsLabel}
        >
          {["network", texts.andDisk]}
        </Words>
      )}
    </svg>
  );
}

const durationOf = (from: number | null, to: number | null): number | null =>
  from === null || to === null ? null : to - from;

function Axis({ y, from, to, width }: Layout & { readonly width: number }): ReactNode {
  const ticks = scaleLinear()
    .domain([0, to - from])
    .ticks(7)
    .map((at) => {
      const top = y(from + at);
      return { at, label: durationLabel(at), top, from: top - LINE_PX / 2, to: top + LINE_PX / 2 };
    });
  return apart(ticks).map(({ at, label, top }) => (
    <g key={at}>
      <line className={styles.grid} x1={AXIS_PX} x2={width} y1={top} y2={top} />
      <text className={styles.tick} x={AXIS_PX - 3} y={top + 4}>
        {label}
      </text>
    </g>
  ));
}

function Bar({
  extent,
  x,
  className,
}: {
  readonly extent: Extent;
  readonly x: number;
  readonly className: string | undefined;
}): ReactNode {
  if (extent === null) return null;
  return (
    <rect
      className={className}
      x={x}
      y={extent[0]}
      width={BAR_PX}
      height={Math.max(1, extent[1] - extent[0])}
    />
  );
}

/** Two lines next to a bar, at its middle. */
function Words({
  term,
  extent,
  x,
  className,
  children: [first, second],
}: {
  readonly term: TermId;
  readonly extent: Extent;
  readonly x: number;
  readonly className: string | undefined;
  readonly children: readonly [string, string];
}): ReactNode {
  if (extent === null) return null;
  const middle = (extent[0] + extent[1]) / 2;
  return (
    <text className={className} x={x} y={Math.max(middle, HEAD_PX + 4)} {...termProps(term)}>
      {first}
      <tspan x={x} dy={LINE_PX}>
        {second}
      </tspan>
    </text>
  );
}

/** A direction of the network: its slope is its speed, and its words are in the free triangle. */
function Leg({
  extent,
  isBack,
  words: [first, second],
  left,
  right,
}: Pick<Layout, "left" | "right"> & {
  readonly extent: Extent;
  readonly isBack: boolean;
  readonly words: readonly [string, string];
}): ReactNode {
  if (extent === null) return null;
  const [top, bottom] = extent;
  const [fromX, toX] = isBack ? [right, left] : [left, right];
  const hasRoom = bottom - top >= LABEL_PX;
  const wordsX = isBack ? left + 8 : right - 8;
  const wordsY = hasRoom ? top + Math.min(22, (bottom - top) / 3 + 6) : (top + bottom) / 2 - 4;
  return (
    <g className={isBack ? styles.back : styles.out} {...termProps(isBack ? "wireBack" : "wireOut")}>
      <path className={styles.legGround} d={`M${fromX} ${top} L${toX} ${bottom} L${toX} ${top} Z`} />
      <line x1={fromX} y1={top} x2={toX} y2={bottom} />
      <text x={wordsX} y={wordsY} textAnchor={isBack ? "start" : "end"}>
        {hasRoom ? first : `${second} ${first}`}
        {hasRoom ? (
          <tspan className={styles.legKind} x={wordsX} dy={LINE_PX}>
            {second}
          </tspan>
        ) : null}
      </text>
    </g>
  );
}
