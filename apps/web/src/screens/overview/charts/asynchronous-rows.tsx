import type { CSSProperties, ReactNode } from "react";
import { barPieces } from "../../../charts/block-pieces.ts";
import {
  BehindBars,
  type BehindScale,
  behindScale,
  ByteBars,
} from "../../../charts/overview/behind-bars.tsx";
import { type LinearScale, PathAxis } from "../../../charts/path-axis.tsx";
import { isAckWait, PathBar } from "../../../charts/path-bar.tsx";
import { durationLabel } from "../../../charts/axis.ts";
import { overviewTexts as texts } from "../../../messages/overview.ts";
import { Value } from "../../../ui/controls.tsx";
import { durationText, formatBytes, formatDuration } from "../../../ui/words.ts";
import type { MatrixPlot } from "./latency-row.tsx";
import { UnderBar } from "./path-colors.tsx";
import { PlotArea, ScaleLabels } from "./plot-area.tsx";
import { ReplicaName } from "./release-rows.tsx";
import type { AsynchronousReplica } from "../replica-candidates.ts";
import styles from "../replica-matrix.module.css";
import { Term, termProps } from "../../../ui/term.tsx";

interface Props {
  readonly replicas: readonly AsynchronousReplica[];
  /** Scale of the asynchronous paths alone, and the distance of its lines. */
  readonly path: LinearScale;
  readonly grid: CSSProperties;
  readonly plot: MatrixPlot;
}

const BEHIND_HEIGHT = 44;
const BYTES_HEIGHT = 14;
/** Minimum share of the width for a stage with a figure under it. */
const LEAST_SHARE = 0.14;

/** Two rows per asynchronous replica: its lag in time and in bytes, and the path to it. */
export function AsynchronousRows({ replicas, path, grid, plot }: Props): ReactNode {
  const scale = behindScale(Math.max(0, ...replicas.map(({ behind }) => behind.max ?? 0)), BEHIND_HEIGHT);
  const bytes = Math.max(1, ...replicas.map(({ behind }) => behind.bytesMax ?? 0));
  return (
    <tbody style={grid}>
      <tr className={styles.head}>
        <th scope="col">
          <b>{texts.asynchronous}</b>
        </th>
        <th scope="col" className={styles.plot}>
          <Term id="lag">{texts.lagOldestLogBlock}</Term>
        </th>
        <th scope="col">
          <Term id="p50">p50</Term>
        </th>
        <th scope="col">
          <Term id="max">{texts.max}</Term>
        </th>
        <th scope="col" className={styles.path}>
          <span {...termProps("remoteHarden")}>{texts.asynchronousPathMeanOwn}</span>
          <PathAxis {...path} />
        </th>
        <th scope="col">
          <Term id="p50">p50</Term>
        </th>
        <th scope="col">
          <Term id="p95">p95</Term>
        </th>
      </tr>
      {replicas.map((replica) => (
        <BehindRows key={replica.secondary} {...{ replica, path, plot, scale, bytes }} />
      ))}
    </tbody>
  );
}

interface RowProps {
  readonly replica: AsynchronousReplica;
  readonly path: LinearScale;
  readonly plot: MatrixPlot;
  /** Scale of the lag in time. */
  readonly scale: BehindScale;
  /** Bytes at the top of the scale. */
  readonly bytes: number;
}

function BehindRows({
  replica: { secondary, name, row, behind },
  path,
  plot,
  scale,
  bytes,
}: RowProps): ReactNode {
  return (
    <>
      <tr className={styles.behind} data-place="asynchronous">
        <ReplicaName secondary={secondary} name={name} />
        <td className={styles.plot}>
          <PlotArea
            {...plot}
            name={texts.howFarIsBehind(name)}
            sentence={texts.p50P95AtMost(
              durationText(behind.p50),
              durationText(behind.p95),
              durationText(behind.max),
              formatBytes(behind.bytesMax),
            )}
          >
            <ScaleLabels labels={behindLabels(scale)} />
            <BehindBars
              longest={behind.longest}
              medians={behind.medians}
              heightOf={scale.heightOf}
              height={BEHIND_HEIGHT}
            />
          </PlotArea>
        </td>
        <td>
          <Value figure={formatDuration(behind.p50)} />
        </td>
        <td>
          <Value figure={formatDuration(behind.max)} />
        </td>
        <td className={styles.path}>
          <PathBar stages={row.stages} scaleUs={path.to} height={13} isAsynchronous />
          <PathFigures stages={row.stages} scaleUs={path.to} />
        </td>
        <td>
          <Value figure={formatDuration(row.path.p50)} />
        </td>
        <td>
          <Value figure={formatDuration(row.path.p95)} />
        </td>
      </tr>
      <tr className={styles.bytes} data-place="asynchronous">
        <th scope="row">{texts.bytes}</th>
        <td className={styles.plot}>
          <PlotArea
            {...plot}
            name={texts.bytesThatHasNot(name)}
            sentence={texts.p50AtMost(formatBytes(behind.bytesP50), formatBytes(behind.bytesMax))}
          >
            <ByteBars bytes={behind.mostBytes} most={bytes} height={BYTES_HEIGHT} />
          </PlotArea>
        </td>
        <td>{formatBytes(behind.bytesP50)}</td>
        <td>{formatBytes(behind.bytesMax)}</td>
        <td className={styles.path} />
        <td colSpan={2} />
      </tr>
    </>
  );
}

/** Labels of the scale of delays. */
export const behindLabels = ({ heightOf, ticks }: BehindScale): { y: number; text: string }[] =>
  ticks.map((us) => ({
    y: Math.min(BEHIND_HEIGHT - 3, Math.max(4, BEHIND_HEIGHT - heightOf(us))),
    text: us === 0 ? "0" : durationLabel(us),
  }));

/** Figures under the bars of the long stages of a path. */
function PathFigures({
  stages,
  scaleUs,
}: {
  readonly stages: AsynchronousReplica["row"]["stages"];
  readonly scaleUs: number;
}): ReactNode {
  return (
    <div className={styles.underBars} aria-hidden="true">
      {barPieces(stages)
        .filter(({ duration }) => duration >= scaleUs * LEAST_SHARE)
        .map(({ id, from, duration }) => (
          <UnderBar
            key={id}
            at={(100 * (from + duration / 2)) / scaleUs}
            us={duration}
            {...(isAckWait(id, duration) ? { words: texts.ackWaits } : {})}
          />
        ))}
    </div>
  );
}
