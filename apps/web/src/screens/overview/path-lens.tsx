import type { CSSProperties, ReactNode } from "react";
import type { ReplicaRows } from "@aglens/contract";
import { durationLabel } from "../../charts/axis.ts";
import { PathAxis } from "../../charts/path-axis.tsx";
import { LocalBar, PathBar } from "../../charts/path-bar.tsx";
import type { PathScale } from "../../charts/path-scale.ts";
import { COLOUR_WORDS } from "../../lanes/palette.ts";
import { Swatch, Value } from "../../ui/controls.tsx";
import { durationText, formatCount, formatDuration } from "../../ui/words.ts";
import { useCapture } from "../capture-context.ts";
import { candidatesOf, type Candidate } from "./replica-candidates.ts";
import styles from "./replica-matrix.module.css";

interface Props {
  readonly rows: ReplicaRows;
  readonly path: PathScale;
}

/** The first part of the scale of paths enlarged, with its factor; where nothing needs it, what the colours mean. */
export function PathLens({ rows, path: { lens } }: Props): ReactNode {
  const { summary } = useCapture();
  const blocks = Math.max(0, ...rows.replicas.map(({ wholePaths }) => wholePaths));
  if (lens === null) return <ColourWords blocks={blocks} />;
  const candidates = candidatesOf(rows, summary);
  return (
    <div className={styles.lens}>
      <p>
        First {durationLabel(lens.to)}, enlarged {Number(lens.factor.toPrecision(2))} times
        <span>mean of {formatCount(blocks)} blocks</span>
      </p>
      <div className={styles.lensBox}>
        {[...candidates.slice(-1), ...candidates.slice(0, -1)].map((candidate) => (
          <LensRow key={candidate.name} candidate={candidate} rows={rows} scaleUs={lens.to} />
        ))}
        <PathAxis {...lens} />
      </div>
      <svg className={styles.funnel} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <path d={`M0 0H100L${100 / lens.factor} 10H0z`} />
      </svg>
    </div>
  );
}

function LensRow({
  candidate: { secondary, name },
  rows,
  scaleUs,
}: {
  readonly candidate: Candidate;
  readonly rows: ReplicaRows;
  readonly scaleUs: number;
}): ReactNode {
  const stages = pathStages(rows, secondary);
  const us = stages.remoteHarden ?? null;
  return (
    <div className={styles.lensRow}>
      <span>{secondary === null ? "local" : name}</span>
      {secondary === null ? (
        <LocalBar us={us} scaleUs={scaleUs} height={13} />
      ) : (
        <PathBar stages={stages} scaleUs={scaleUs} height={13} />
      )}
      <b style={{ "--end": `${(100 * (us ?? 0)) / scaleUs}%` } as CSSProperties}>
        <Value figure={formatDuration(us)} />
      </b>
    </div>
  );
}

/** Means of the path to a secondary; of the local log write as a path of its own. */
export const pathStages = (
  rows: ReplicaRows,
  secondary: number | null,
): ReplicaRows["replicas"][number]["stages"] | { readonly remoteHarden: number | null } =>
  secondary === null
    ? { remoteHarden: rows.local.write.mean }
    : (rows.replicas[secondary]?.stages ?? { remoteHarden: null });

function ColourWords({ blocks }: { readonly blocks: number }): ReactNode {
  const names = { primary: "Primary", secondary: "Secondary" };
  return (
    <div className={styles.lens}>
      <p>
        Stages of a path
        <span>mean of {formatCount(blocks)} blocks</span>
      </p>
      <ul className={styles.colours}>
        {COLOUR_WORDS.filter(({ token }) => token !== "--wait").map(({ token, words }) => (
          <li key={token}>
            <Swatch color={`var(${token})`} /> {words(names)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A figure under a bar, in the middle of its stretch. */
export function UnderBar({
  at,
  us,
  words,
}: {
  readonly at: number;
  readonly us: number;
  readonly words?: string;
}) {
  return (
    <span style={{ left: `${at}%` }}>
      {words === undefined ? <b>{durationText(us)}</b> : `${words} ${durationText(us)}`}
    </span>
  );
}
