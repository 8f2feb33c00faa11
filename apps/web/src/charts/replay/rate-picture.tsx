import type { ReactNode } from "react";
import { useSize } from "../../ui/use-size.ts";
import { formatCount } from "../../ui/words.ts";
import { durationLabel } from "../axis.ts";
import { roundNumbers } from "../duration-scale.ts";
import "./replay.css";

/** The wait of one log writer at other rates. */
export interface RateCurve {
  readonly name: string;
  readonly role: "primary" | "secondary";
  /** Blocks per second as recorded. */
  readonly now: number;
  readonly full: number | null;
  /** Ascending in `perSecond`. */
  readonly points: readonly {
    readonly perSecond: number;
    readonly waitUs: number;
    readonly isBeyond: boolean;
  }[];
}

const PLOT = 170;
const LEFT = 52;
const BOTTOM = 22;
const TOP = 8;
const LINE = 15;
/** Waits under this lie on the ground line, µs. */
const LEAST_WAIT_US = 10;

const DASHES = ["", "7 4", "14 3 3 3", "14 3 3 3 3 3"];

/** Mean wait for a turn against the rate, both logarithmic; dotted where the writer is over 90 % busy. */
export function RatePicture({
  curves,
  label,
}: {
  readonly curves: readonly RateCurve[];
  readonly label: string;
}): ReactNode {
  const [ref, { width }] = useSize<HTMLDivElement>();
  const rates = curves
    .flatMap(({ points }) => points.map(({ perSecond }) => perSecond))
    .filter((rate) => rate > 0);
  const waits = curves.flatMap(({ points }) => points.map(({ waitUs }) => waitUs));
  const [low, high] = [Math.min(...rates), Math.max(...rates)];
  const head = TOP + LINE * curves.length;
  const height = head + PLOT;
  const top = 10 ** Math.ceil(Math.log10(Math.max(1_000, ...waits)));
  const x = (rate: number): number =>
    LEFT + (Math.log(rate / low) / Math.log(high / low)) * (width - LEFT - 8);
  const y = (us: number): number => {
    const share = Math.log(Math.max(us, LEAST_WAIT_US) / LEAST_WAIT_US) / Math.log(top / LEAST_WAIT_US);
    return height - BOTTOM - share * (PLOT - BOTTOM);
  };
  const path = (points: RateCurve["points"]): string =>
    points.map(({ perSecond, waitUs }, i) => `${i === 0 ? "M" : "L"}${x(perSecond)} ${y(waitUs)}`).join("");
  return (
    <div ref={ref} className="replay-picture rate-picture" style={{ height: height }}>
      {width > LEFT && rates.length > 1 && high > low ? (
        <svg width={width} height={height} role="img" aria-label={label}>
          {roundNumbers(LEAST_WAIT_US, top)
            .filter((us) => Number.isInteger(Math.log10(us)) && us > LEAST_WAIT_US)
            .map((us) => (
              <g key={us}>
                <line className="grid" x1={LEFT} x2={width} y1={y(us)} y2={y(us)} />
                <text className="tick" x={LEFT - 6} y={y(us) + 4} textAnchor="end">
                  {durationLabel(us)}
                </text>
              </g>
            ))}
          {roundNumbers(low, high).map((rate) => (
            <text key={rate} className="tick" x={x(rate)} y={height - 6} textAnchor="middle">
              {formatCount(rate)}
            </text>
          ))}
          <line className="base" x1={LEFT} x2={width} y1={height - BOTTOM} y2={height - BOTTOM} />
          {curves.map((curve, i) => (
            <Curve
              // One writer has a curve for each time that its server had a role, and all of them have one name.
              key={i}
              curve={curve}
              dash={DASHES[i % DASHES.length]}
              x={x}
              y={y}
              path={path}
              row={i}
            />
          ))}
        </svg>
      ) : null}
    </div>
  );
}

interface CurveProps {
  readonly curve: RateCurve;
  readonly dash: string;
  readonly x: (rate: number) => number;
  readonly y: (us: number) => number;
  readonly path: (points: RateCurve["points"]) => string;
  /** Names are listed at the upper left, one line each. */
  readonly row: number;
}

function Curve({ curve: { name, role, now, full, points }, dash, x, y, path, row }: CurveProps): ReactNode {
  const first = points.findIndex(({ isBeyond }) => isBeyond);
  const inside = first < 0 ? points : points.slice(0, Math.max(1, first));
  const beyond = first < 0 ? [] : points.slice(Math.max(0, first - 1));
  const atNow = points.find(({ perSecond }) => perSecond >= now) ?? points[points.length - 1];
  return (
    <g className={role}>
      <path className="curve" d={path(inside)} strokeDasharray={dash} />
      <path className="curve beyond" d={path(beyond)} />
      <line className="at-now" x1={x(now)} x2={x(now)} y1={y(atNow.waitUs) - 5} y2={y(atNow.waitUs) + 5} />
      {full === null || beyond.length === 0 ? null : (
        <line
          className="full"
          x1={x(full)}
          x2={x(full)}
          y1={y(beyond[0].waitUs) - 7}
          y2={y(beyond[0].waitUs) + 7}
        />
      )}
      <line
        className="curve"
        x1={LEFT + 6}
        x2={LEFT + 30}
        y1={TOP + LINE * row}
        y2={TOP + LINE * row}
        strokeDasharray={dash}
      />
      <text className="name" x={LEFT + 36} y={TOP + 4 + LINE * row} stroke="none">
        {name}
        {full === null ? "" : `, full at ${formatCount(Math.round(full))}`}
      </text>
    </g>
  );
}
