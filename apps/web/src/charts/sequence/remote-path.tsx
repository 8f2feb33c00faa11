/** The way to the secondary and back: slopes of the network, the secondary's bar with its soft edges. */
import type { ReactNode } from "react";
import { durationText } from "../../ui/words.ts";
import { BAR, NETWORK_BOTTOM, NETWORK_TOP, known, type Frame } from "./frame.ts";
import type { Position } from "./layout.ts";
import { Span } from "./span.tsx";

function Leg({
  from,
  to,
  down,
  label,
  note,
  x,
  width,
}: {
  from: number;
  to: number;
  down: boolean;
  label: string;
  note: string;
  x: Position;
  width: number;
}): ReactNode {
  const [x1, x2] = [x(from), x(to)];
  const [y1, y2] = down ? [NETWORK_TOP - 6, NETWORK_BOTTOM] : [NETWORK_BOTTOM, NETWORK_TOP - 6];
  const colour = down ? "var(--n-out)" : "var(--n-back)";
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const tip = [0.4, -0.4].map(
    (turn) => `${x2 - 9 * Math.cos(angle - turn)},${y2 - 9 * Math.sin(angle - turn)}`,
  );
  const wide = x2 - x1 > 220;
  const after = !down || x2 + 160 < width;
  const labelX = wide ? (x1 + x2) / 2 + (down ? 0 : -60) : down ? x2 + 14 : x1 - 14;
  const anchor = wide ? "start" : down && after ? "start" : "end";
  const labelY = wide ? NETWORK_TOP + 18 : NETWORK_TOP + 38;
  return (
    <g>
      <polygon
        points={down ? `${x1},${y1} ${x2},${y1} ${x2},${y2}` : `${x1},${y1} ${x2},${y1} ${x2},${y2}`}
        fill={colour}
        opacity={0.15}
      />
      <line x1={x1} y1={y1} x2={x2} y2={y2} stroke={colour} strokeWidth={3} />
      <polygon points={`${x2},${y2} ${tip.join(" ")}`} fill={colour} />
      <text className="leg halo" x={labelX} y={labelY} textAnchor={anchor} fill="var(--n-ink)">
        {label}
      </text>
      <text className="halo" x={labelX} y={labelY + 15} textAnchor={anchor}>
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
    uncertaintyUs === null ? `network ${way}` : `network ${way}, ±${durationText(uncertaintyUs)}`;
  const roundTrip = hop?.stages.find((stage) => stage.id === "networkRoundTrip")?.duration;
  return (
    <g>
      {known(at.sendEnd) && known(at.received) ? (
        <Leg
          from={at.sendEnd}
          to={at.received}
          down
          label={durationText(at.received - at.sendEnd)}
          note={legNote("out")}
          x={x}
          width={width}
        />
      ) : null}
      {known(at.ackSent) && known(at.ackReceived) ? (
        <Leg
          from={at.ackSent}
          to={at.ackReceived}
          down={false}
          label={durationText(at.ackReceived - at.ackSent)}
          note={legNote("back")}
          x={x}
          width={width}
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
      {known(roundTrip) ? (
        <text
          className="halo"
          x={(x(at.received ?? 0) + x(at.ackSent ?? 0)) / 2}
          y={NETWORK_BOTTOM - 8}
          textAnchor="middle"
        >
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
  const edge = Math.min(0.5, fade / Math.max(1, x2 - x1 + 2 * fade));
  const soft = fade >= 1;
  const label = `log write ${durationText(to - from)}`;
  const inside = x2 - x1 > 120;
  return (
    <g>
      {soft ? (
        <linearGradient id="secondary-flush">
          <stop offset={0} stopColor="var(--s-disk)" stopOpacity={0} />
          <stop offset={2 * edge} stopColor="var(--s-disk)" />
          <stop offset={1 - 2 * edge} stopColor="var(--s-disk)" />
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
        x={inside ? (x1 + x2) / 2 : x2 + 14}
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
      <text className="halo" x={(x(sendEnd) + x(ackReceived)) / 2} y={NETWORK_TOP + 46} textAnchor="middle">
        network and {names.secondary}, {durationText(ackReceived - sendEnd)}: no file of {names.secondary} in
        this capture
      </text>
    </g>
  );
}
