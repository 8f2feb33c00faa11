/** The ways over the network as slopes: flat is slow. */
import type { ReactNode } from "react";
import type { StageId } from "@aglens/ag-model/replication";
import { sequenceTexts as texts } from "../../messages/sequence.ts";
import { durationText, formatUncertainty } from "../../ui/words.ts";
import { LEFT, NETWORK_BOTTOM, NETWORK_TOP, RIGHT, isKnown, type Frame, type HopAnchors } from "./frame.ts";
import { placeLegLabels, placeRoundTrip, type LabelPlace, type Leg } from "./leg-labels.ts";
import { pathMissing } from "./uncovered.tsx";
import styles from "./picture.module.css";
import { termProps } from "../../ui/term.tsx";
import { definitionOf } from "../../messages/terms.ts";

/** Network out and back with their durations, and the round trip, which depends on no clock. */
export function NetworkLegs(frame: Frame): ReactNode {
  const { hop, names, x, uncertaintyUs, width, asynchronous } = frame;
  const at: HopAnchors = hop?.anchors ?? {};
  const legNote = (way: string, stage: StageId): string => {
    if (hop?.pause && hop.stages.some(({ id, isPaused }) => id === stage && isPaused))
      return texts.wasUnresponsive(names[hop.pause.end]);
    return uncertaintyUs === null
      ? texts.network(way)
      : texts.networkPart(way, formatUncertainty(uncertaintyUs));
  };
  const legOf = (from: number | null | undefined, to: number | null | undefined): Leg | null =>
    isKnown(from) && isKnown(to) ? { from: x(from), to: x(to) } : null;
  const [out, back] = [legOf(at.sendEnd, at.received), legOf(at.ackSent, at.ackReceived)];
  const [left, right] = [LEFT, width - RIGHT];
  const labels = placeLegLabels(out, back, left, right);
  const trip = out && back ? placeRoundTrip(out, back, left, right) : null;
  return (
    <>
      {out && labels.out ? (
        <Slope
          leg={out}
          down
          dashed={asynchronous}
          label={durationText(at.received! - at.sendEnd!)}
          stage="wireOut"
          note={legNote("out", "wireOut")}
          place={labels.out}
        />
      ) : null}
      {back && labels.back ? (
        <Slope
          leg={back}
          down={false}
          dashed={asynchronous}
          label={durationText(at.ackReceived! - at.ackSent!)}
          stage="wireBack"
          note={legNote("back", "wireBack")}
          place={labels.back}
        />
      ) : null}
      <RoundTrip {...frame} place={trip} />
    </>
  );
}

/** The exact round trip between the slopes, or the reason why it is unknown. */
function RoundTrip(frame: Frame & { readonly place: LabelPlace | null }): ReactNode {
  const { hop, place, width } = frame;
  const us = hop?.stages.find((stage) => stage.id === "networkRoundTrip")?.duration;
  if (!isKnown(us))
    return (
      <text className={styles.halo} x={(LEFT + width - RIGHT) / 2} y={262} textAnchor="middle">
        {pathMissing(frame)}
      </text>
    );
  return place === null ? null : (
    <text
      className={styles.halo}
      x={place.x}
      y={place.y}
      textAnchor={place.anchor}
      {...termProps("networkRoundTrip")}
    >
      <tspan>{texts.roundTrip} </tspan>
      <tspan className={styles.strong}>{durationText(us)}</tspan>
      <tspan>{texts.exact}</tspan>
    </text>
  );
}

function Slope({
  leg,
  down,
  dashed,
  label,
  stage,
  note,
  place,
}: {
  leg: Leg;
  down: boolean;
  /** True for an asynchronous replica. */
  dashed: boolean;
  label: string;
  stage: StageId;
  note: string;
  place: LabelPlace;
}): ReactNode {
  const [x1, x2] = [leg.from, leg.to];
  const [y1, y2] = down ? [NETWORK_TOP - 6, NETWORK_BOTTOM] : [NETWORK_BOTTOM, NETWORK_TOP - 6];
  const color = down ? "var(--n-out)" : "var(--n-back)";
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const tip = [0.4, -0.4].map(
    (turn) => `${x2 - 9 * Math.cos(angle - turn)},${y2 - 9 * Math.sin(angle - turn)}`,
  );
  return (
    <g {...termProps(stage, note.includes("±") ? definitionOf("uncertainty").sentence : undefined)}>
      <polygon points={`${x1},${y1} ${x2},${y1} ${x2},${y2}`} fill={color} opacity={0.15} />
      <line
        x1={x1}
        y1={y1}
        x2={x2}
        y2={y2}
        stroke={color}
        strokeWidth={3}
        strokeDasharray={dashed ? "9 5" : undefined}
      />
      <polygon points={`${x2},${y2} ${tip.join(" ")}`} fill={color} />
      <text
        className={`${styles.leg} ${styles.halo}`}
        x={place.x}
        y={place.y}
        textAnchor={place.anchor}
        fill="var(--n-ink)"
      >
        {label}
      </text>
      <text className={styles.halo} x={place.x} y={place.y + 15} textAnchor={place.anchor}>
        {note}
      </text>
    </g>
  );
}
