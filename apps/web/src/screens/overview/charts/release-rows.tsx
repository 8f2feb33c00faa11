import type { ReactNode } from "react";
import type { ReplicaRows } from "@aglens/contract";
import { CountBars } from "../../../charts/overview/count-bars.tsx";
import { LocalBar, PathBar } from "../../../charts/path-bar.tsx";
import { type LinearScale, PathAxis } from "../../../charts/path-axis.tsx";
import { overviewTexts as texts } from "../../../messages/overview.ts";
import { Value } from "../../../ui/controls.tsx";
import { formatCount, formatDuration, formatPart, percentFigure } from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import type { MatrixPlot } from "./latency-row.tsx";
import { pathStages } from "./path-colors.tsx";
import { PlotArea, ScaleLabels } from "./plot-area.tsx";
import { highestRate, type Candidate } from "../replica-candidates.ts";
import { MiddleEllipsis } from "../../../ui/middle-ellipsis.tsx";
import styles from "../replica-matrix.module.css";
import { Term, termProps } from "../../../ui/term.tsx";

interface Props {
  readonly candidates: readonly Candidate[];
  readonly rows: ReplicaRows;
  readonly path: LinearScale;
  readonly plot: MatrixPlot;
}

const HEIGHT = 32;
const LOCAL_HEIGHT = 22;

/** A row per candidate: its releases over time, their number, and the path to it. */
export function ReleaseRows({ candidates, rows, path, plot }: Props): ReactNode {
  const rate = highestRate(candidates, rows.binUs);
  return (
    <tbody>
      <tr className={styles.head}>
        <th scope="col">
          <b>
            <Term id="releasedBy">{texts.releasedTheCommits}</Term>
          </b>
        </th>
        <th scope="col" className={styles.plot}>
          {texts.commitsReleasedPerSecond}
        </th>
        <th scope="col">{texts.commitsPart}</th>
        <th scope="col">
          <Term id="releasedShare">{texts.share}</Term>
        </th>
        <th scope="col" className={styles.path}>
          <span {...termProps("remoteHarden")}>{texts.synchronousPathMean}</span>
          <PathAxis {...path} />
        </th>
        <th scope="col">
          <Term id="p50">p50</Term>
        </th>
        <th scope="col">
          <Term id="p95">p95</Term>
        </th>
      </tr>
      {candidates.map((candidate, i) => (
        <CandidateRow
          key={candidate.secondary ?? "local"}
          candidate={candidate}
          isFirst={i === 0}
          {...{ rows, path, plot, rate }}
        />
      ))}
    </tbody>
  );
}

interface RowProps extends Omit<Props, "candidates"> {
  readonly candidate: Candidate;
  /** Has the labels of the scale that all rows share. */
  readonly isFirst: boolean;
  /** Commits per second at the top. */
  readonly rate: number;
}

function CandidateRow({ candidate, isFirst, rows, path, plot, rate }: RowProps): ReactNode {
  const { secondary, name, commits, released, share } = candidate;
  const place = secondary === null ? "primary" : "secondary";
  const height = secondary === null ? LOCAL_HEIGHT : HEIGHT;
  const figures = secondary === null ? rows.local.write : rows.replicas[secondary]?.path;
  const stages = pathStages(rows, secondary);
  return (
    <tr className={styles.candidate} data-place={place}>
      <ReplicaName secondary={secondary} name={name} isUndetermined={candidate.isUndetermined} ofAck />
      <td className={styles.plot}>
        <PlotArea
          {...plot}
          name={texts.commitsThatReleasedOver(name)}
          sentence={texts.commitsAtMostPer(
            formatCount(commits),
            formatPart(share),
            formatCount(Math.round((Math.max(0, ...released) * 1e6) / rows.binUs)),
          )}
        >
          {isFirst && (
            <ScaleLabels
              labels={[
                { y: 5, text: formatCount(rate) },
                { y: height - 4, text: "0" },
              ]}
            />
          )}
          <CountBars counts={released} most={(rate * rows.binUs) / 1e6} height={height} place={place} />
        </PlotArea>
      </td>
      <td>{formatCount(commits)}</td>
      <td>
        <Value figure={percentFigure(share, 1)} strong />
      </td>
      <td className={styles.path}>
        {secondary === null ? (
          <LocalBar us={stages.remoteHarden ?? null} scaleUs={path.to} height={13} />
        ) : (
          <PathBar stages={stages} scaleUs={path.to} height={13} />
        )}
      </td>
      <td>
        <Value figure={formatDuration(figures?.p50 ?? null)} />
      </td>
      <td>
        <Value figure={formatDuration(figures?.p95 ?? null)} />
      </td>
    </tr>
  );
}

interface NameProps {
  readonly secondary: number | null;
  readonly name: string;
  readonly isUndetermined?: boolean;
  /** The row is about its acknowledgment. */
  readonly ofAck?: boolean;
}

/** The row's name; a press on a secondary's name selects it for the figures of a single secondary. */
export function ReplicaName({
  secondary,
  name,
  isUndetermined = false,
  ofAck = false,
}: NameProps): ReactNode {
  const { view, setView } = useCapture();
  if (secondary === null)
    return (
      <th scope="row">
        <Term id="localFlush">
          <MiddleEllipsis text={name} />
        </Term>
      </th>
    );
  return (
    <th scope="row">
      <button
        type="button"
        aria-pressed={view.secondary === secondary}
        title={texts.figuresOfOneSecondary(name)}
        onClick={() => setView({ secondary })}
      >
        <MiddleEllipsis text={ofAck ? texts.sAck(name) : name} />
      </button>
      {isUndetermined && <small className="quiet text-axis block">{texts.syncOrUndetermined}</small>}
    </th>
  );
}
