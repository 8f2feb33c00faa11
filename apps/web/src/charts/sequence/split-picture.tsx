/** One block's log writes, each split into SQL Server's queue, the device and the completion. */
import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { EventName } from "@aglens/ag-model/events";
import type { Sequence, WriteSplit } from "@aglens/contract";
import { scaleLinear } from "d3-scale";
import { sequenceTexts as texts } from "../../messages/sequence.ts";
import { durationText, formatPercent } from "../../ui/words.ts";
import { durationLabel } from "../axis.ts";
import { isKnown } from "./frame.ts";
import { pictureRange, toScale, type Position } from "./layout.ts";
import styles from "./picture.module.css";
import { termProps } from "../../ui/term.tsx";

const RIGHT = 34;
/** Place for the names of rows; narrow pictures have none, since bars have their own words. */
const LEFT = 152;
const [NARROW_LEFT, NARROW] = [16, 560];
const [TOP, BAR, GAP, LINE] = [14, 22, 10, 18];
const AXIS = 26;
/** Estimated width of a letter, px. */
const LETTER = 5.8;

/** A log write of the block on one server. */
interface Write {
  readonly side: "primary" | "secondary";
  /** Name of its server. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly split: WriteSplit;
  /** How many file writes it has. */
  readonly fileWrites: number;
}

interface Props {
  readonly sequence: Sequence;
  readonly secondary: number;
  readonly names: { readonly primary: string; readonly secondary: string };
  readonly width: number;
}

const COLORS = {
  primary: { strong: "var(--p-disk)", soft: "var(--p-work)", tint: "var(--p-tint)" },
  secondary: { strong: "var(--s-disk)", soft: "var(--s-work)", tint: "var(--s-tint)" },
} as const;

/** Draws the log writes of one block to scale, with their parts below. `width` in CSS pixels. */
export function SplitPicture({ sequence, secondary, names, width }: Props): ReactNode {
  const hop = sequence.hops.find((candidate) => candidate.secondary === secondary);
  const range = pictureRange(sequence, hop);
  const x = toScale(range, width < NARROW ? NARROW_LEFT : LEFT, width - RIGHT);
  const writes = writesOf(sequence, secondary, names);
  const tops = topsOf(writes, x, width);
  const height = tops.at(-1)! + AXIS;
  return (
    <svg
      className={`${styles.picture} system-colours`}
      width={width}
      height={height}
      role="img"
      aria-label={describe(sequence, writes)}
      data-testid="split-picture"
    >
      <rect width={width} height={TOP + BAR + GAP / 2} fill={COLORS.primary.tint} opacity={0.5} />
      <CommitWait sequence={sequence} x={x} width={width} />
      {writes.map((write, i) => (
        <WriteRows
          key={write.side}
          write={write}
          x={x}
          top={tops[i]}
          end={i + 1 < writes.length ? tops[i + 1] : height}
          width={width}
        />
      ))}
      <Axis range={range} x={x} width={width} y={height - 8} />
    </svg>
  );
}

function writesOf(sequence: Sequence, secondary: number, names: Props["names"]): Write[] {
  const hop = sequence.hops.find((candidate) => candidate.secondary === secondary);
  const { localFlushStart, localFlushEnd } = sequence.local;
  const { secondaryFlushStart, secondaryFlushEnd } = hop?.anchors ?? {};
  const sides = [
    { side: "primary", from: localFlushStart, to: localFlushEnd, split: sequence.split, replica: 0 },
    {
      side: "secondary",
      from: secondaryFlushStart,
      to: secondaryFlushEnd,
      split: hop?.split ?? null,
      replica: secondary + 1,
    },
  ] as const;
  return sides.flatMap(({ side, from, to, split, replica }) =>
    isKnown(from) && isKnown(to)
      ? [
          {
            side,
            name: names[side],
            from,
            to,
            split,
            fileWrites: fileWritesOf(sequence, replica, [from, to]),
          },
        ]
      : [],
  );
}

/** The header of a VLF has a log write of its own before the block's, with file writes of its own. */
const fileWritesOf = ({ events }: Sequence, replica: number, [from, to]: readonly [number, number]): number =>
  events.filter(
    (event) =>
      event.replica === replica &&
      event.name === EventName.fileWriteCompleted &&
      isKnown(event.fire) &&
      event.fire >= from &&
      event.fire <= to,
  ).length;

interface Placed {
  readonly x: number;
  readonly line: number;
  readonly anchor: "start" | "end";
  readonly words: string;
}

/** The four events of a split log write: two lines where both ends have their own place, else a line each. */
function eventsOf({ from, to, split, fileWrites }: Write, x: Position, width: number): Placed[] {
  if (split === null) return [];
  const number = fileWrites > 1 ? `, ${fileWrites}` : "";
  const events = [
    { at: from, words: EventName.flushStart, isEnd: false },
    { at: from + split.queue, words: `${EventName.fileWriteEnqueued}${number}`, isEnd: false },
    { at: to - split.completion, words: `${EventName.fileWriteCompleted}${number}`, isEnd: true },
    { at: to, words: EventName.flushComplete, isEnd: true },
  ];
  const isWide = x(to - split.completion) - x(from + split.queue) > 2 * LETTER * 26;
  return events.map(({ at, words, isEnd }, i) => {
    const fits = x(at) + 10 + words.length * LETTER < width;
    return {
      x: x(at),
      line: isWide ? i % 2 : i,
      anchor: (isWide && isEnd) || !fits ? "end" : "start",
      words,
    };
  });
}

/** Where the rows of each log write begin, and where the last ones end, px. */
function topsOf(writes: readonly Write[], x: Position, width: number): number[] {
  const tops = [TOP + BAR + GAP];
  for (const write of writes) {
    const lines = Math.max(0, ...eventsOf(write, x, width).map(({ line }) => line + 1));
    const split = write.split === null ? 0 : GAP + BAR + LINE + lines * LINE + GAP;
    tops.push(tops.at(-1)! + GAP + BAR + split);
  }
  return tops;
}

/** Name of a row, left of its bars. */
function RowName({
  width,
  className,
  ...rest
}: ComponentPropsWithoutRef<"text"> & { readonly width: number }): ReactNode {
  return width < NARROW ? null : <text x={NARROW_LEFT} className={className} {...rest} />;
}

function CommitWait({
  sequence,
  x,
  width,
}: Pick<Props, "sequence" | "width"> & { readonly x: Position }): ReactNode {
  const { commitStart, commitEnd } = sequence.local;
  const label = (
    <RowName width={width} y={TOP + 15} {...termProps("commit")}>
      {texts.commitWaits}
    </RowName>
  );
  if (!isKnown(commitStart) || !isKnown(commitEnd)) return <g className={styles.gutter}>{label}</g>;
  return (
    <g className={styles.gutter}>
      {label}
      <rect
        x={x(commitStart)}
        y={TOP}
        width={Math.max(1, x(commitEnd) - x(commitStart))}
        height={BAR}
        fill="var(--wait)"
        opacity={0.4}
      />
      <text x={x(commitStart) + 8} y={TOP + 15}>
        {texts.commitWaitsFor(durationText(commitEnd - commitStart))}
      </text>
    </g>
  );
}

interface RowProps {
  readonly write: Write;
  readonly x: Position;
  readonly top: number;
  readonly end: number;
  readonly width: number;
}

function WriteRows({ write, x, top, end, width }: RowProps): ReactNode {
  const { side, name, from, to, split } = write;
  const color = COLORS[side];
  const term = side === "primary" ? "localFlush" : "secondaryFlush";
  const words = texts.logWriteOn(name, durationText(to - from));
  const [left, right] = [x(from), Math.max(x(to), x(from) + 1.5)];
  return (
    <g>
      <rect y={top - GAP / 2} width={width} height={end - top} fill={color.tint} opacity={0.6} />
      <RowName
        width={width}
        className={split === null ? undefined : styles.strong}
        y={top + 15}
        {...termProps(term)}
      >
        {texts.logWriteOfSide(side)}
      </RowName>
      <rect x={left} y={top} width={right - left} height={BAR} fill={color.strong} />
      <BarLabel words={words} left={left} right={right} y={top + 15} width={width} />
      {split === null ? null : (
        <SplitRows write={write} split={split} x={x} top={top + BAR + GAP} width={width} />
      )}
    </g>
  );
}

/** Words in the middle of a bar, otherwise after it, otherwise before it. */
function BarLabel({
  words,
  left,
  right,
  y,
  width,
}: {
  readonly words: string;
  readonly left: number;
  readonly right: number;
  readonly y: number;
  readonly width: number;
}): ReactNode {
  const needed = words.length * LETTER + 16;
  if (right - left >= needed)
    return (
      <text
        className={`${styles.barLabel} ${styles.onStrong}`}
        x={(left + right) / 2}
        y={y}
        textAnchor="middle"
      >
        {words}
      </text>
    );
  const isAfter = right + needed <= width;
  return (
    <text
      className={styles.halo}
      x={isAfter ? right + 8 : left - 8}
      y={y}
      textAnchor={isAfter ? "start" : "end"}
    >
      {words}
    </text>
  );
}

function SplitRows({
  write,
  split,
  x,
  top,
  width,
}: Omit<RowProps, "end"> & { readonly split: NonNullable<WriteSplit> }): ReactNode {
  const { side, from, to } = write;
  const { strong, soft } = COLORS[side];
  const [start, enqueued, completed, end] = [from, from + split.queue, to - split.completion, to].map(x) as [
    number,
    number,
    number,
    number,
  ];
  const share = formatPercent(split.device / (to - from));
  const lines = top + BAR + LINE;
  return (
    <g>
      <RowName width={width} y={top + 15}>
        {texts.split}
      </RowName>
      {[start, end].map((at) => (
        <line key={at} x1={at} x2={at} y1={top - GAP} y2={top + BAR} stroke="var(--line-2)" />
      ))}
      <rect x={start} y={top} width={enqueued - start} height={BAR} fill={soft} />
      <rect x={enqueued} y={top} width={Math.max(1, completed - enqueued)} height={BAR} fill={strong} />
      <rect x={completed} y={top} width={end - completed} height={BAR} fill={soft} />
      <BarLabel
        words={texts.devicePart(durationText(split.device), share)}
        left={enqueued}
        right={completed}
        y={top + 15}
        width={width}
      />
      <PartLabels
        queue={texts.queuePart(durationText(split.queue))}
        completion={texts.completionPart(durationText(split.completion))}
        start={start}
        end={end}
        y={top + BAR + 14}
        width={width}
      />
      <RowName width={width} y={lines + 14}>
        {texts.events}
      </RowName>
      {eventsOf(write, x, width).map((event) => (
        <g key={event.words}>
          <circle cx={event.x} cy={lines + event.line * LINE + 10} r={3} fill={strong} />
          <text
            x={event.x + (event.anchor === "start" ? 8 : -8)}
            y={lines + event.line * LINE + 14}
            textAnchor={event.anchor}
          >
            {event.words}
          </text>
        </g>
      ))}
    </g>
  );
}

/** Both below their ends of the bar where that is wide enough, otherwise as one text. */
function PartLabels({
  queue,
  completion,
  start,
  end,
  y,
  width,
}: {
  readonly queue: string;
  readonly completion: string;
  readonly start: number;
  readonly end: number;
  readonly y: number;
  readonly width: number;
}): ReactNode {
  const needed = (queue.length + completion.length + 4) * LETTER;
  if (end - start >= needed)
    return (
      <>
        <text x={start} y={y}>
          {queue}
        </text>
        <text x={end} y={y} textAnchor="end">
          {completion}
        </text>
      </>
    );
  const isAfter = start + needed <= width;
  return (
    <text x={isAfter ? start : end} y={y} textAnchor={isAfter ? "start" : "end"}>
      {`${queue}, ${completion}`}
    </text>
  );
}

function Axis({
  range: [from, to],
  x,
  width,
  y,
}: {
  readonly range: readonly [number, number];
  readonly x: Position;
  readonly width: number;
  readonly y: number;
}): ReactNode {
  const ticks = scaleLinear()
    .domain([0, to - from])
    .ticks(Math.min(10, Math.floor(width / 130)));
  return (
    <g className={styles.axis}>
      {ticks.map((tick) => (
        <text key={tick} x={x(from + tick)} y={y} textAnchor="middle">
          {tick === 0 ? "0" : durationLabel(tick)}
        </text>
      ))}
    </g>
  );
}

function describe(sequence: Sequence, writes: readonly Write[]): string {
  const parts = writes.map(({ name, from, to, split }) => {
    const write = texts.logWriteOn(name, durationText(to - from));
    return split === null
      ? write
      : `${write}: ${texts.queuePart(durationText(split.queue))}, ${texts.devicePart(durationText(split.device), formatPercent(split.device / (to - from)))}, ${texts.completionPart(durationText(split.completion))}`;
  });
  return texts.splitOfBlock(sequence.lsn, parts.join("; "));
}
