/** The way to the secondary and back: slopes of the network, the secondary's bar with its soft edges. */
import type { ReactNode } from "react";
import { durationText, formatUncertainty } from "../../ui/words.ts";
import {
  BAR,
  LEFT,
  NETWORK_BOTTOM,
  NETWORK_TOP,
  RIGHT,
  known,
  type Frame,
  type HopAnchors,
} from "./frame.ts";
import { placeLegLabels, placeRoundTrip, type LabelPlace, type Leg } from "./leg-labels.ts";
import { headerWrite } from "./header-write.ts";
import { HeaderWrite, Span } from "./span.tsx";

function Slope({
  leg,
  down,
  dashed,
  label,
  note,
  place,
}: {
  leg: Leg;
  down: boolean;
  /** Of an asynchronous replica. */
  dashed: boolean;
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
      <line
        x1={x1}
        y1={y1}
        x2={x2}
        y2={y2}
        stroke={colour}
        strokeWidth={3}
        strokeDasharray={dashed ? "9 5" : undefined}
      />
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
  const { hop, x, uncertaintyUs, width } = frame;
  const at: HopAnchors = hop?.anchors ?? {};
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
          dashed={frame.asynchronous}
          label={durationText(at.received! - at.sendEnd!)}
          note={legNote("out")}
          place={labels.out}
        />
      ) : null}
      {back && labels.back ? (
        <Slope
          leg={back}
          down={false}
          dashed={frame.asynchronous}
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
      <HeaderWrite
        write={headerWrite(frame.sequence, frame.secondary + 1)}
        x={x}
        y={BAR.secondary}
        height={20}
        fill="var(--s-disk)"
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
      {frame.asynchronous ? <Cuts {...frame} /> : null}
      <FlushLabel {...frame} />
      {known(roundTrip) && trip ? (
        <text className="halo" x={trip.x} y={trip.y} textAnchor={trip.anchor}>
          <tspan>round trip </tspan>
          <tspan className="strong">{durationText(roundTrip)}</tspan>
          <tspan>, exact</tspan>
        </text>
      ) : null}
      {known(roundTrip) ? null : (
        <text className="halo" x={(LEFT + width - RIGHT) / 2} y={262} textAnchor="middle">
          {pathMissing(frame)}
        </text>
      )}
    </g>
  );
}

/** Why there is no way there and back: what of it the capture does not hold. */
function pathMissing({ hop, names }: Pick<Frame, "hop" | "names">): string {
  if (!known(hop?.anchors.sendStart)) return `${names.primary}'s file does not hold this block`;
  return `no acknowledgement of ${names.secondary} in the capture`;
}

/** How far the bar of the secondary's log write fades to either side, px; under 1 px a fade is not seen. */
function fadeOf({ x, uncertaintyUs, range, even }: Frame): number {
  const fade = even || uncertaintyUs === null ? 0 : x(range[0] + uncertaintyUs) - x(range[0]);
  return fade >= 1 ? fade : 0;
}

/** Hatches what no file covers: missing is not idle. */
export function Uncovered({
  top,
  bottom,
  width,
}: {
  readonly top: number;
  readonly bottom: number;
  readonly width: number;
}): ReactNode {
  const id = `no-file-${top}`;
  return (
    <>
      <pattern id={id} width={8} height={8} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width={2} height={8} fill="var(--hatch)" />
      </pattern>
      <rect
        x={LEFT - 4}
        y={top}
        width={Math.max(0, width - RIGHT - LEFT + 8)}
        height={bottom - top}
        fill={`url(#${id})`}
      />
    </>
  );
}

function SecondaryFlush(frame: Frame): ReactNode {
  const { hop, x, width } = frame;
  const { secondaryFlushStart: from, secondaryFlushEnd: to } = hop?.anchors ?? {};
  if (!known(from) || !known(to)) return null;
  const [x1, x2] = [x(from), x(to)];
  const fade = fadeOf(frame);
  // Full strength from one fade inside the bar; a bar shorter than both fades is densest in its middle.
  const full = Math.min(0.5, (2 * fade) / Math.max(1, x2 - x1 + 2 * fade));
  return (
    <g>
      <clipPath id="secondary-plot">
        <rect x={LEFT - 4} y={0} width={Math.max(0, width - RIGHT + 4 - LEFT + 4)} height={BAR.axis} />
      </clipPath>
      {fade > 0 ? (
        <linearGradient id="secondary-flush">
          <stop offset={0} stopColor="var(--s-disk)" stopOpacity={0} />
          <stop offset={full} stopColor="var(--s-disk)" />
          <stop offset={1 - full} stopColor="var(--s-disk)" />
          <stop offset={1} stopColor="var(--s-disk)" stopOpacity={0} />
        </linearGradient>
      ) : null}
      <rect
        x={x1 - fade}
        y={BAR.secondary}
        width={Math.max(1.5, x2 - x1 + 2 * fade)}
        height={20}
        fill={fade > 0 ? "url(#secondary-flush)" : "var(--s-disk)"}
        clipPath="url(#secondary-plot)"
      />
    </g>
  );
}

/** Nobody waits for what an asynchronous secondary does: 45 degree cuts over its bars (docs/design.md 6). */
function Cuts(frame: Frame): ReactNode {
  const { hop, x, width } = frame;
  const { received, secondaryFlushStart, secondaryFlushEnd, ackSent } = hop?.anchors ?? {};
  const [from, to] = [received ?? secondaryFlushStart, ackSent ?? secondaryFlushEnd];
  if (!known(from) || !known(to)) return null;
  const left = Math.max(LEFT - 4, x(from) - fadeOf(frame));
  const right = Math.min(width - RIGHT + 4, x(to) + fadeOf(frame));
  return (
    <>
      <pattern id="cuts" width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width={1.5} height={6} fill="var(--surface)" />
      </pattern>
      <rect x={left} y={BAR.secondary} width={Math.max(0, right - left)} height={20} fill="url(#cuts)" />
    </>
  );
}

/** Room of "log write 5.73 ms", px. */
const FLUSH_LABEL = 120;

/** The length of the secondary's log write: in its bar, else beside what the secondary did. */
function FlushLabel(frame: Frame): ReactNode {
  const { hop, x, width } = frame;
  const { received, secondaryFlushStart: from, secondaryFlushEnd: to, ackSent } = hop?.anchors ?? {};
  if (!known(from) || !known(to)) return null;
  const inside = x(to) - x(from) > FLUSH_LABEL;
  const after = Math.max(x(to) + fadeOf(frame), x(ackSent ?? to)) + 14;
  const before = Math.min(x(from) - fadeOf(frame), x(received ?? from)) - 14;
  const fits = after + FLUSH_LABEL <= width - RIGHT;
  return (
    <text
      className={inside && !frame.asynchronous ? "bar-label on-strong" : "bar-label halo"}
      x={inside ? (x(from) + x(to)) / 2 : fits ? after : Math.max(LEFT + FLUSH_LABEL, before)}
      y={BAR.secondary + 14}
      textAnchor={inside ? "middle" : fits ? "start" : "end"}
      fill="var(--s-ink)"
    >
      log write {durationText(to - from)}
    </text>
  );
}

/** One grey bar where the secondary has no file. */
export function RemoteUnknown({ hop, x, names, width, missing }: Frame): ReactNode {
  const { sendEnd, ackReceived } = hop?.anchors ?? {};
  const seen = known(sendEnd) && known(ackReceived);
  const [left, right] = seen ? [x(sendEnd), Math.max(x(sendEnd) + 2, x(ackReceived))] : [LEFT, LEFT];
  const inside = right - left > UNKNOWN_LABEL;
  const beside = right + 10 + UNKNOWN_LABEL <= width - RIGHT;
  return (
    <g>
      <Uncovered top={NETWORK_BOTTOM} bottom={NETWORK_BOTTOM + 24} width={width} />
      {seen ? (
        <rect
          x={left}
          y={NETWORK_TOP + 20}
          width={right - left}
          height={44}
          fill="var(--wait)"
          opacity={0.35}
          rx={1}
        />
      ) : null}
      <text
        className={inside ? "bar-label" : "bar-label halo"}
        x={inside || !seen ? (inside ? (left + right) / 2 : width / 2) : beside ? right + 10 : left - 10}
        y={NETWORK_TOP + 46}
        textAnchor={inside || !seen ? "middle" : beside ? "start" : "end"}
      >
        {seen
          ? `network and ${names.secondary}, ${durationText(ackReceived - sendEnd)}`
          : pathMissing({ hop, names })}
      </text>
      <text className="halo" x={(LEFT + width - RIGHT) / 2} y={NETWORK_BOTTOM + 16} textAnchor="middle">
        {missing}: its network and its disk appear as one bar
      </text>
    </g>
  );
}

/** Room of "network and SQL2, 3.41 ms", px. */
const UNKNOWN_LABEL = 210;
