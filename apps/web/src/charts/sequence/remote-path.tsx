/** The way to the secondary and back: slopes of the network, the secondary's bar with its soft edges. */
import type { ReactNode } from "react";
import { durationText, formatUncertainty } from "../../ui/words.ts";
import { BAR, LEFT, NETWORK_BOTTOM, NETWORK_TOP, RIGHT, known, type Frame } from "./frame.ts";
import { placeLegLabels, placeRoundTrip, type LabelPlace, type Leg } from "./leg-labels.ts";
import { Span } from "./span.tsx";

function Slope({
  leg,
  down,
  label,
  note,
  place,
}: {
  leg: Leg;
  down: boolean;
  label: string;
  note: string;
  place: LabelPlace;
}): ReactNode {
  const [x1, x2] = [leg.from, leg.to];
  const [y1, y2] = down ? [NETWORK_TOP - 6, NETWORK_BOTTOM] : [NETWORK_BOTTOM, NETWORK_TOP - 6];
  const colour = down ? "var(--n-out)" : "var(--n-back)";
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const tip = [0.4, -0.4].map(
    (turn) => `${x2 - 9 * Math.cos(angle - turn)},${y2 - 9 * Math.sin(angle - turn)}`,
  );
  return (
    <g>
      <polygon points={`${x1},${y1} ${x2},${y1} ${x2},${y2}`} fill={colour} opacity={0.15} />
      <line x1={x1} y1={y1} x2={x2} y2={y2} stroke={colour} strokeWidth={3} />
      <polygon points={`${x2},${y2} ${tip.join(" ")}`} fill={colour} />
      <text className="leg halo" x={place.x} y={place.y} textAnchor={place.anchor} fill="var(--n-ink)">
        {label}
      </text>
      <text className="halo" x={place.x} y={place.y + 15} textAnchor={place.anchor}>
        {note}
      </text>
    </g>
  );
}

/** Network out, the secondary, network back. */
export function Remote(frame: Frame): ReactNode {
  const { hop, x, uncertaintyUs, names, width } = frame;
  const at = hop?.anchors ?? {};
  const legNote = (way: string): string =>
    uncertaintyUs === null ? `network ${way}` : `network ${way}, ${formatUncertainty(uncertaintyUs)}`;
  const legOf = (from: number | null | undefined, to: number | null | undefined): Leg | null =>
    known(from) && known(to) ? { from: x(from), to: x(to) } : null;
  const [out, back] = [legOf(at.sendEnd, at.received), legOf(at.ackSent, at.ackReceived)];
  const [left, right] = [LEFT, width - RIGHT];
  const labels = placeLegLabels(out, back, left, right);
  const trip = out && back ? placeRoundTrip(out, back, left, right) : null;
  const roundTrip = hop?.stages.find((stage) => stage.id === "networkRoundTrip")?.duration;
  return (
    <g>
      {out && labels.out ? (
        <Slope
          leg={out}
          down
          label={durationText(at.received! - at.sendEnd!)}
          note={legNote("out")}
          place={labels.out}
        />
      ) : null}
      {back && labels.back ? (
        <Slope
          leg={back}
          down={false}
          label={durationText(at.ackReceived! - at.ackSent!)}
          note={legNote("back")}
          place={labels.back}
        />
      ) : null}
      <Span
        from={at.received}
        to={at.secondaryFlushStart}
        x={x}
        y={BAR.secondary}
        height={20}
        fill="var(--s-work)"
      />
      <SecondaryFlush {...frame} />
      <Span
        from={at.secondaryFlushEnd}
        to={at.ackSent}
        x={x}
        y={BAR.secondary}
        height={20}
        fill="var(--s-work)"
      />
      {known(roundTrip) && trip ? (
        <text className="halo" x={trip.x} y={trip.y} textAnchor={trip.anchor}>
          <tspan>round trip </tspan>
          <tspan className="strong">{durationText(roundTrip)}</tspan>
          <tspan>, exact</tspan>
        </text>
      ) : null}
      {known(roundTrip) ? null : (
        <text x={width / 2} y={262} textAnchor="middle">
          {names.secondary}: no acknowledgement in the capture
        </text>
      )}
    </g>
  );
}

function SecondaryFlush({ hop, x, uncertaintyUs, range, even }: Frame): ReactNode {
  const { secondaryFlushStart: from, secondaryFlushEnd: to } = hop?.anchors ?? {};
  if (!known(from) || !known(to)) return null;
  const [x1, x2] = [x(from), x(to)];
  const fade = even || uncertaintyUs === null ? 0 : x(range[0] + uncertaintyUs) - x(range[0]);
  // Full strength from one fade inside the bar; a bar shorter than both fades is densest in its middle.
  const full = Math.min(0.5, (2 * fade) / Math.max(1, x2 - x1 + 2 * fade));
  const soft = fade >= 1;
  const label = `log write ${durationText(to - from)}`;
  const inside = x2 - x1 > 120;
  return (
    <g>
      {soft ? (
        <linearGradient id="secondary-flush">
          <stop offset={0} stopColor="var(--s-disk)" stopOpacity={0} />
          <stop offset={full} stopColor="var(--s-disk)" />
          <stop offset={1 - full} stopColor="var(--s-disk)" />
          <stop offset={1} stopColor="var(--s-disk)" stopOpacity={0} />
        </linearGradient>
      ) : null}
      <rect
        x={x1 - (soft ? fade : 0)}
        y={BAR.secondary}
        width={Math.max(1.5, x2 - x1 + (soft ? 2 * fade : 0))}
        height={20}
        fill={soft ? "url(#secondary-flush)" : "var(--s-disk)"}
      />
      <text
        className={inside ? "bar-label on-strong" : "bar-label halo"}
        x={inside ? (x1 + x2) / 2 : x2 + fade + 14}
        y={BAR.secondary + 14}
        textAnchor={inside ? "middle" : "start"}
        fill="var(--s-ink)"
      >
        {label}
      </text>
    </g>
  );
}

/** One grey bar where the secondary has no file. */
export function RemoteUnknown({ hop, x, names }: Frame): ReactNode {
  const { sendEnd, ackReceived } = hop?.anchors ?? {};
  if (!known(sendEnd) || !known(ackReceived)) return null;
  const middle = Math.max(LEFT + 120, (x(sendEnd) + x(ackReceived)) / 2);
  return (
    <g>
      <rect
        x={x(sendEnd)}
        y={NETWORK_TOP + 20}
        width={Math.max(2, x(ackReceived) - x(sendEnd))}
        height={44}
        fill="var(--wait)"
        opacity={0.35}
        rx={1}
      />
      <text className="halo" y={NETWORK_TOP + 39} textAnchor="middle">
        <tspan x={middle}>
          network and {names.secondary}, {durationText(ackReceived - sendEnd)}
        </tspan>
        <tspan x={middle} dy={15}>
          no file of {names.secondary} in this capture
        </tspan>
      </text>
    </g>
  );
}
