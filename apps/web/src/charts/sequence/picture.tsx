/** The classic picture from data: the block leaves the primary, falls to the secondary and rises back; slope is speed. */
import type { ReactNode } from "react";
import { placeName } from "@aglens/ag-model/lanes";
import { scaleLinear } from "d3-scale";
import { sequenceTexts as texts } from "../../messages/sequence.ts";
import { capitalised, durationText } from "../../ui/words.ts";
import { durationLabel } from "../axis.ts";
import {
  BAR,
  LEFT,
  LOW_TOP,
  NETWORK_BOTTOM,
  NETWORK_TOP,
  PICTURE_HEIGHT,
  RIGHT,
  isKnown,
  type Frame,
  type PictureProps,
} from "./frame.ts";
import { evenSteps, instantsOf, pictureRange, toScale } from "./layout.ts";
import { LENS_WIDTH, placedLenses } from "./lens-places.ts";
import { Lenses } from "./lenses.tsx";
import { Commits, Handling, LocalFlush } from "./primary-bars.tsx";
import { NetworkLegs } from "./network-legs.tsx";
import { SecondaryBars } from "./secondary-bars.tsx";
import { RemoteUnknown, Uncovered } from "./uncovered.tsx";
import { TypicalBlock } from "./typical-block.tsx";
import { typicalPlace } from "./typical-place.ts";
import styles from "./picture.module.css";
import { termProps } from "../../ui/term.tsx";
import { definitionOf } from "../../messages/terms.ts";

const HEADLINE_WIDTH = 440;

/** Draws one block towards one secondary. `width` in CSS pixels. */
export function SequencePicture(props: PictureProps): ReactNode {
  const { sequence, secondary, width, even } = props;
  const hop = sequence.hops.find((candidate) => candidate.secondary === secondary);
  const range = pictureRange(sequence, hop);
  const right = width - RIGHT;
  const x = even ? evenSteps(instantsOf(sequence, hop), LEFT, right) : toScale(range, LEFT, right);
  const frame: Frame = { ...props, hop, x, range };
  const typical = typicalPlace(frame);
  const headline = headlinePlace(frame);
  const top = props.headline === null ? LOW_TOP : 0;
  const height = PICTURE_HEIGHT + (typical?.extra ?? 0);
  return (
    <svg
      className={`${styles.picture} system-colours`}
      width={width}
      height={height - top}
      viewBox={`0 ${top} ${width} ${height - top}`}
      role="img"
      aria-label={describe(frame)}
      data-testid="sequence-picture"
    >
      <Bands {...frame} height={height} top={top} />
      {even ? <EvenNote {...frame} /> : <Axis {...frame} />}
      {isKnown(hop?.anchors.sendStart) || isKnown(sequence.local.localFlushStart) ? null : (
        <Uncovered top={BAR.commits - 4} bottom={NETWORK_BOTTOM} width={width} />
      )}
      <Commits {...frame} />
      <LocalFlush {...frame} />
      <Handling {...frame} />
      {props.secondaryHolds ? (
        <>
          <NetworkLegs {...frame} />
          <SecondaryBars {...frame} />
        </>
      ) : (
        <RemoteUnknown {...frame} />
      )}
      <Lenses {...frame} />
      {typical ? <TypicalBlock {...frame} place={typical} /> : null}
      {props.headline === null ? null : (
        <foreignObject x={headline.x} y={16} width={headline.width} height={124}>
          {props.headline}
        </foreignObject>
      )}
    </svg>
  );
}

/** The widest free place between the primary's lenses, its middle as near to the picture's as that allows. */
function headlinePlace(frame: Frame): { x: number; width: number } {
  const boxes = placedLenses(frame, "primary").map(({ left }) => left);
  const starts = [LEFT, ...boxes.map((left) => left + LENS_WIDTH + 12)];
  const ends = [...boxes.map((left) => left - 12), frame.width - RIGHT];
  const gaps = starts.map((from, i) => ({ from, to: ends[i] }));
  const { from, to } = gaps.reduce((best, gap) => (gap.to - gap.from > best.to - best.from ? gap : best));
  const width = Math.min(HEADLINE_WIDTH, to - from);
  const middle = (LEFT + frame.width - RIGHT) / 2;
  return { x: Math.min(Math.max(middle - width / 2, from), to - width), width };
}

function describe({ sequence, hop, names }: Frame): string {
  const stages = (hop?.stages ?? []).filter((stage) => isKnown(stage.duration));
  const parts = stages.map((stage) => `${stage.id} ${durationText(stage.duration)}`).join(", ");
  return texts.logBlock(sequence.lsn, names.primary, names.secondary, parts);
}

function Bands({
  width,
  names,
  height,
  top,
  asynchronous,
}: Frame & { readonly height: number; readonly top: number }): ReactNode {
  const primary = placeLines(names.primary, "primary");
  const secondary = placeLines(names.secondary, asynchronous ? "async" : "secondary");
  return (
    <g>
      <rect width={width} height={NETWORK_TOP} fill="var(--p-tint)" opacity={0.5} />
      <rect y={NETWORK_TOP} width={width} height={NETWORK_BOTTOM - NETWORK_TOP} fill="var(--surface)" />
      <rect
        y={NETWORK_BOTTOM}
        width={width}
        height={height - NETWORK_BOTTOM}
        fill="var(--s-tint)"
        opacity={0.6}
      />
      <rect width={3} height={NETWORK_TOP} fill="var(--p-disk)" />
      <rect y={NETWORK_TOP} width={3} height={NETWORK_BOTTOM - NETWORK_TOP} fill="var(--n-out)" />
      <rect y={NETWORK_BOTTOM} width={3} height={height - NETWORK_BOTTOM} fill="var(--s-disk)" />
      <g className={styles.gutter}>
        <text x={16} y={top + 24} className={styles.place} fill="var(--p-ink)">
          {primary.place}
        </text>
        <text x={16} y={top + 40}>
          {primary.role}
        </text>
        <text x={16} y={158} {...termProps("commit")}>
          {texts.commitWaits}
        </text>
        <text x={16} y={180} {...termProps("localFlush")}>
          {texts.logWrite}
        </text>
        <text x={16} y={204} {...termProps("send", definitionOf("ackReceive").sentence)}>
          {texts.sendAcknowledge}
        </text>
        <text x={16} y={262} className={styles.place} fill="var(--n-ink)" {...termProps("networkRoundTrip")}>
          {texts.networkLabel}
        </text>
        <text x={16} y={316} className={styles.place} fill="var(--s-ink)">
          {secondary.place}
        </text>
        <text x={16} y={332} {...termProps("secondaryFlush")}>
          {secondary.role === "" ? texts.logWrite : texts.logWritePart(secondary.role)}
        </text>
      </g>
    </g>
  );
}

/** Letters of a place that end before the bars begin. */
const MOST_PLACE_LETTERS = 17;

/** Name and role in one line, or the role alone in another where bars would cover it; empty where it has no line. */
function placeLines(name: string, role: "primary" | "secondary" | "async"): { place: string; role: string } {
  const place = placeName(name, role);
  return place.length <= MOST_PLACE_LETTERS ? { place, role: "" } : { place: name, role: capitalised(role) };
}

/** An axis would claim a scale that even steps do not have. */
function EvenNote({ width }: Frame): ReactNode {
  return (
    <text x={(LEFT + width - RIGHT) / 2} y={BAR.axis + 6} textAnchor="middle">
      {texts.evenStepsEachKnown}
    </text>
  );
}

function Axis({ range, x, width }: Frame): ReactNode {
  const ticks = scaleLinear()
    .domain([0, range[1] - range[0]])
    .ticks(Math.min(10, Math.floor(width / 130)));
  return (
    <g className={styles.axis}>
      {ticks.map((tick) => {
        const at = x(range[0] + tick);
        return (
          <g key={tick}>
            <line x1={at} x2={at} y1={140} y2={BAR.axis - 10} stroke="var(--line-2)" strokeWidth={0.5} />
            <text x={at} y={BAR.axis} textAnchor="middle">
              {tick === 0 ? "0" : durationLabel(tick)}
            </text>
          </g>
        );
      })}
    </g>
  );
}
