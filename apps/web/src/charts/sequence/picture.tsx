/** The classic picture from data: the block leaves the primary, falls to the secondary and rises back; slope is speed. */
import type { ReactNode } from "react";
import { scaleLinear } from "d3-scale";
import type { Sequence } from "xel-parser/contract";
import { durationText } from "../../ui/words.ts";
import {
  evenSteps,
  instantsOf,
  lensesOf,
  placeLenses,
  span,
  toScale,
  type Lens,
  type Position,
} from "./layout.ts";
import { LENS_HEAD, LENS_ROW, LENS_WIDTH, LensBox } from "./lens-box.tsx";

export const PICTURE_HEIGHT = 476;
const LEFT = 152;
const RIGHT = 34;
/** Room between the two lenses of the primary at 1280 px. */
const HEADLINE_WIDTH = 350;
const NETWORK_TOP = 216;
const NETWORK_BOTTOM = 300;
const BAR = { commits: 144, flush: 166, handling: 190, secondary: 304, axis: 336, lens: 350 } as const;

type Hop = Sequence["hops"][number];

export interface PictureProps {
  readonly sequence: Sequence;
  readonly secondary: number;
  readonly names: { readonly primary: string; readonly secondary: string };
  readonly secondaryHasCapture: boolean;
  readonly uncertaintyUs: number | null;
  readonly even: boolean;
  readonly width: number;
  /** Headline block drawn in the free middle of the primary's band. */
  readonly headline: ReactNode;
}

interface Frame extends PictureProps {
  readonly hop: Hop | undefined;
  readonly x: Position;
  readonly range: readonly [number, number];
}

const known = (value: number | null | undefined): value is number => value !== null && value !== undefined;

/** Draws one block towards one secondary. `width` in CSS pixels. */
export function SequencePicture(props: PictureProps): ReactNode {
  const { sequence, secondary, width, even } = props;
  const hop = sequence.hops.find((candidate) => candidate.secondary === secondary);
  const range = span(sequence, hop);
  const right = width - RIGHT;
  const x = even ? evenSteps(instantsOf(sequence, hop), LEFT, right) : toScale(range, LEFT, right);
  const frame: Frame = { ...props, hop, x, range };
  return (
    <svg
      className="sequence-picture"
      width={width}
      height={PICTURE_HEIGHT}
      role="img"
      aria-label={describe(frame)}
      data-testid="sequence-picture"
    >
      <Bands {...frame} />
      {even ? null : <Axis {...frame} />}
      <Commits {...frame} />
      <LocalFlush {...frame} />
      <Handling {...frame} />
      {props.secondaryHasCapture ? <Remote {...frame} /> : <RemoteUnknown {...frame} />}
      <Lenses {...frame} />
      <foreignObject x={(LEFT + right) / 2 - HEADLINE_WIDTH / 2} y={16} width={HEADLINE_WIDTH} height={112}>
        {props.headline}
      </foreignObject>
    </svg>
  );
}

/** "SQL1, primary"; a replica whose name already says its role is not told twice. */
const placed = (name: string, role: string): string =>
  name.toLowerCase().startsWith(role) ? name : `${name}, ${role}`;

function describe({ sequence, hop, names }: Frame): string {
  const stages = (hop?.stages ?? []).filter((stage) => known(stage.duration));
  const parts = stages.map((stage) => `${stage.id} ${durationText(stage.duration)}`).join(", ");
  return `Log block ${sequence.lsn} from ${names.primary} to ${names.secondary} and back: ${parts}`;
}

function Bands({ width, names }: Frame): ReactNode {
  return (
    <g>
      <rect width={width} height={NETWORK_TOP} fill="var(--p-tint)" opacity={0.5} />
      <rect y={NETWORK_TOP} width={width} height={NETWORK_BOTTOM - NETWORK_TOP} fill="var(--surface)" />
      <rect
        y={NETWORK_BOTTOM}
        width={width}
        height={PICTURE_HEIGHT - NETWORK_BOTTOM}
        fill="var(--s-tint)"
        opacity={0.6}
      />
      <rect width={3} height={NETWORK_TOP} fill="var(--p-disk)" />
      <rect y={NETWORK_TOP} width={3} height={NETWORK_BOTTOM - NETWORK_TOP} fill="var(--n-out)" />
      <rect y={NETWORK_BOTTOM} width={3} height={PICTURE_HEIGHT - NETWORK_BOTTOM} fill="var(--s-disk)" />
      <g className="sequence-gutter">
        <text x={16} y={24} className="place" fill="var(--p-ink)">
          {placed(names.primary, "primary")}
        </text>
        <text x={16} y={158}>
          Commit waits
        </text>
        <text x={16} y={180}>
          Log write
        </text>
        <text x={16} y={204}>
          Send, acknowledge
        </text>
        <text x={16} y={262} className="place" fill="var(--n-ink)">
          Network
        </text>
        <text x={16} y={316} className="place" fill="var(--s-ink)">
          {placed(names.secondary, "secondary")}
        </text>
        <text x={16} y={332}>
          Log write
        </text>
      </g>
    </g>
  );
}

function Axis({ range, x, width }: Frame): ReactNode {
  const ticks = scaleLinear()
    .domain([0, range[1] - range[0]])
    .ticks(Math.min(10, Math.floor(width / 130)));
  return (
    <g className="sequence-axis">
      {ticks.map((tick) => {
        const at = x(range[0] + tick);
        return (
          <g key={tick}>
            <line x1={at} x2={at} y1={140} y2={BAR.axis - 10} stroke="var(--line-2)" strokeWidth={0.5} />
            <text x={at} y={BAR.axis} textAnchor="middle">
              {tick === 0 ? "0" : durationText(tick)}
            </text>
          </g>
        );
      })}
    </g>
  );
}

const SHOWN_COMMITS = 8;

function Commits({ sequence, x }: Frame): ReactNode {
  const shown = sequence.commits.slice(0, SHOWN_COMMITS);
  const height = Math.max(2, Math.min(18, Math.floor(18 / Math.max(1, shown.length))));
  const hidden = sequence.commits.length - shown.length;
  return (
    <g>
      {shown.map((commit, i) => (
        <rect
          key={i}
          x={x(commit.start)}
          y={BAR.commits + i * height}
          width={Math.max(1, x(commit.end) - x(commit.start))}
          height={Math.max(1, height - (shown.length > 1 ? 0.5 : 0))}
          fill="var(--wait)"
          opacity={0.4}
          rx={1}
        />
      ))}
      {shown.length === 0 ? null : (
        <text
          className="bar-label"
          x={(x(shown[0].start) + x(shown[0].end)) / 2}
          y={BAR.commits + 13}
          textAnchor="middle"
        >
          {sequence.commits.length === 1
            ? "commit waited "
            : `${sequence.commits.length} commits, longest waited `}
          {durationText(Math.max(...sequence.commits.map((commit) => commit.end - commit.start)))}
          {hidden > 0 ? `, + ${hidden} more` : ""}
        </text>
      )}
    </g>
  );
}

function LocalFlush({ sequence, x, names }: Frame): ReactNode {
  const { localFlushStart: from, localFlushEnd: to, commitEnd } = sequence.local;
  if (!known(from) || !known(to)) return null;
  const width = Math.max(1, x(to) - x(from));
  const waits = known(commitEnd) && x(commitEnd) - x(to) > 4;
  const inside = width > 70;
  return (
    <g>
      <rect x={x(from)} y={BAR.flush} width={width} height={18} fill="var(--p-disk)" rx={1} />
      {waits ? (
        <line
          x1={x(to)}
          x2={x(commitEnd)}
          y1={BAR.flush + 9}
          y2={BAR.flush + 9}
          stroke="var(--ink-3)"
          strokeDasharray="2 3"
        />
      ) : null}
      <text
        className={inside ? "bar-label on-strong" : "bar-label halo"}
        x={x(inside ? from : to) + 8}
        y={BAR.flush + 13}
      >
        {durationText(to - from)}
      </text>
      {waits && !inside ? (
        <text className="halo" x={x(to) + 66} y={BAR.flush + 13} fill="var(--p-ink)">
          · local write done, commit still waits {durationText(commitEnd - to)} for {names.secondary}
        </text>
      ) : null}
    </g>
  );
}

function Span({
  from,
  to,
  x,
  y,
  height,
  fill,
}: {
  from: number | null | undefined;
  to: number | null | undefined;
  x: Position;
  y: number;
  height: number;
  fill: string;
}): ReactNode {
  if (!known(from) || !known(to)) return null;
  return <rect x={x(from)} y={y} width={Math.max(1.5, x(to) - x(from))} height={height} fill={fill} rx={1} />;
}

function Handling({ hop, sequence, x }: Frame): ReactNode {
  const at = hop?.anchors ?? {};
  return (
    <g>
      <Span from={at.sendStart} to={at.sendEnd} x={x} y={BAR.handling} height={20} fill="var(--p-work)" />
      <Span
        from={at.ackReceived}
        to={at.ackProcessed}
        x={x}
        y={BAR.handling}
        height={20}
        fill="var(--p-work)"
      />
      <Span
        from={at.ackProcessed}
        to={sequence.gate === 1 ? null : sequence.local.commitEnd}
        x={x}
        y={BAR.handling}
        height={20}
        fill="var(--wait)"
      />
    </g>
  );
}

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

function Remote(frame: Frame): ReactNode {
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

function RemoteUnknown({ hop, x, names }: Frame): ReactNode {
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

const lensTitle = (lens: Lens, names: Frame["names"]): string => {
  const length = durationText(lens.to - lens.from);
  switch (lens.key) {
    case "send":
      return `First ${length} on ${names.primary}`;
    case "receive":
      return `${names.secondary} receives, ${length}`;
    case "acknowledge":
      return `${names.secondary} acknowledges, ${length}`;
    case "release":
      return `Last ${length} on ${names.primary}`;
  }
};

function Lenses({ sequence, secondary, names, x, range, width, even }: Frame): ReactNode {
  const lenses = lensesOf(sequence, secondary);
  const rows: readonly (readonly Lens["key"][])[] = [
    ["send", "release"],
    ["receive", "acknowledge"],
  ];
  return rows.map((keys, row) => {
    const shown = lenses.filter((lens) => keys.includes(lens.key));
    const centre = (lens: Lens): number =>
      (x(Math.max(lens.from, range[0])) + x(Math.min(lens.to, range[1]))) / 2;
    const left = placeLenses(shown.map(centre), LENS_WIDTH, LEFT - 4, width - RIGHT + 10);
    return shown.map((lens, i) => {
      const top = row === 0 ? 8 : BAR.lens;
      const height = LENS_HEAD + lens.events.length * LENS_ROW + 6;
      const edge = row === 0 ? top + height : top;
      const target = row === 0 ? BAR.commits - 2 : BAR.axis - 8;
      const [from, to] = [x(Math.max(lens.from, range[0])), x(Math.min(lens.to, range[1]))];
      return (
        <g key={lens.key}>
          {even ? null : (
            <path
              className="leader"
              d={`M${left[i] + 10},${edge} L${from},${target} M${left[i] + LENS_WIDTH / 3},${edge} L${to},${target}`}
            />
          )}
          <LensBox
            lens={lens}
            title={`${lensTitle(lens, names)}${lens.hidden > 0 ? `, ${lens.hidden} more below` : ""}`}
            x={left[i]}
            y={top}
            height={height}
            origin={range[0]}
            place={row === 0 ? "p" : "s"}
          />
        </g>
      );
    });
  });
}
