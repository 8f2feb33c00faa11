import type { ReactNode } from "react";
import { chartsTexts as texts } from "../../messages/charts.ts";
import type { CaptureTime } from "../../ui/words.ts";
import { PictureAxis } from "../picture-axis.tsx";
import { durationDomain } from "../duration-scale.ts";
import { durationLabel } from "../axis.ts";
import "./replay.css";
import { termProps } from "../../ui/term.tsx";
import { definitionOf } from "../../messages/terms.ts";

type Column = readonly (number | null)[];

interface LatencyProps {
  readonly name: string;
  readonly p50: Column;
  readonly p95: Column;
  /** Domain of both rows, so that they share a scale, µs. */
  readonly domain: readonly [number, number];
  readonly isFilled: boolean;
}

/** Draws p50 to p95 of each interval as a box on a logarithmic scale. */
function LatencyRow({ name, p50, p95, domain: [low, high], isFilled }: LatencyProps): ReactNode {
  const share = (us: number | null): number =>
    us === null ? 0 : Math.max(0, Math.min(1, Math.log(us / low) / Math.log(high / low)));
  return (
    <div className="over-time-row tall">
      <span className="over-time-name" {...termProps("commit", definitionOf("p95").sentence)}>
        {name}
        <small>{texts.to(durationLabel(low), durationLabel(high))}</small>
      </span>
      <svg viewBox={`0 0 ${p50.length} 1`} preserveAspectRatio="none" aria-hidden="true">
        {p95.map((us, i) =>
          us === null ? null : (
            <rect
              // oxlint-disable-next-line react/no-array-index-key -- a bin is its place
              key={i}
              className={isFilled ? "filled" : "outline"}
              x={i + 0.06}
              width={0.88}
              y={1 - share(us)}
              height={Math.max(0.03, share(us) - share(p50[i] ?? us))}
            />
          ),
        )}
      </svg>
    </div>
  );
}

interface Props {
  readonly capture: CaptureTime;
  readonly measuredP50: Column;
  readonly measuredP95: Column;
  readonly predictedP50: Column;
  readonly predictedP95: Column;
  /** Releases by candidate and interval, in the order of `names`; candidates that never release are skipped. */
  readonly releasesMeasured: readonly (readonly number[])[];
  readonly releasesPredicted: readonly (readonly number[])[];
  readonly names: readonly string[];
  readonly label: string;
}

/** Latency over time, measured and predicted, and the releasers of both: measured outlined, predicted filled. */
export function OverTimePicture(props: Props): ReactNode {
  const { measuredP50, measuredP95, predictedP50, predictedP95, names } = props;
  const all = [...measuredP50, ...measuredP95, ...predictedP50, ...predictedP95];
  const domain = durationDomain(all.map((us) => us ?? Number.NaN));
  const most = Math.max(1, ...props.releasesMeasured.flat(), ...props.releasesPredicted.flat());
  return (
    <figure className="over-time" aria-label={props.label}>
      <LatencyRow
        name={texts.nowP50ToP95}
        p50={measuredP50}
        p95={measuredP95}
        domain={domain}
        isFilled={false}
      />
      <LatencyRow name={texts.thenP50ToP95} p50={predictedP50} p95={predictedP95} domain={domain} isFilled />
      {names.map((name, candidate) => {
        const measured = props.releasesMeasured[candidate] ?? [];
        const predicted = props.releasesPredicted[candidate] ?? [];
        if (![...measured, ...predicted].some((n) => n > 0)) return null;
        return (
          <div className="over-time-row" key={name}>
            <span className="over-time-name">{name}</span>
            <svg viewBox={`0 0 ${measured.length} 1`} preserveAspectRatio="none" aria-hidden="true">
              {predicted.map((n, i) => (
                // oxlint-disable-next-line react/no-array-index-key -- a bin is its place
                <g key={i}>
                  <rect
                    className={candidate === 0 ? "local" : "remote"}
                    x={i + 0.06}
                    width={0.88}
                    y={1 - n / most}
                    height={n / most}
                  />
                  <rect
                    className="outline"
                    x={i + 0.06}
                    width={0.88}
                    y={1 - measured[i] / most}
                    height={measured[i] / most}
                  />
                </g>
              ))}
            </svg>
          </div>
        );
      })}
      <div className="over-time-axis">
        <PictureAxis capture={props.capture} durationUs={props.capture.durationUs} />
      </div>
    </figure>
  );
}
