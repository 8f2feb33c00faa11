import { type ReactNode, useState } from "react";
import type { SlowCommit } from "@aglens/contract";
import { type LinearScale, PathAxis, pathScale } from "../../charts/path-axis.tsx";
import { LocalBar, PathBar } from "../../charts/path-bar.tsx";
import { Problem } from "../../frame/problem.tsx";
import { slowestTexts as texts } from "../../messages/capture-view.ts";
import { Card } from "../../ui/controls.tsx";
import { durationText, formatCount } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { knownCommits } from "../capture-view/figures.ts";
import { halfSentence, useCommitColumns } from "./commit-columns.tsx";
import { longestEnd, nextReady, partsOf, shownParts, type CommitPart } from "./commit-ends.ts";
import { MoreRows, RankedList } from "./ranked-list.tsx";
import type { SlowCommitList } from "./use-slow-commits.ts";
import ranked from "./ranked-list.module.css";
import { MiddleEllipsis } from "../../ui/middle-ellipsis.tsx";
import styles from "./slowest-commits.module.css";

interface Props {
  readonly list: SlowCommitList;
  /** Choice of the list, next to the sentence. */
  readonly choice?: ReactNode;
  /** Under the rows: buttons that save or copy them. */
  readonly tools?: ReactNode;
  /** The instant of the row under the pointer, µs; null when it leaves. */
  readonly onPoint?: ((at: number | null) => void) | undefined;
}

/** The slowest commits of a range: how few account for half of all wait time, and the wait of each, on one scale. */
export function SlowestCommits({ list, choice, tools, onPoint }: Props): ReactNode {
  const { value, isStale, error, retry } = list.answer;
  const { summary } = useCapture();
  const isPending = value === null && error === null;
  return (
    <Card
      className={styles.commits}
      aria-label={texts.slowestCommits}
      aria-busy={isStale || isPending}
      data-pending={isPending}
    >
      <Problem sentence={error} onRetry={retry} />
      {value === null ? null : value.total === 0 ? (
        <div className={styles.sentence}>
          {knownCommits(summary, 0) === null ? texts.noCommit : texts.noCommitInView}{" "}
          <span className="pushed">{choice}</span>
        </div>
      ) : (
        <>
          <div className={styles.sentence}>
            <h2>{texts.slowestCommits}</h2>
            <span>{texts.synchronousPathsOnOne}</span>
            <span>{halfSentence(value)}</span>
            <span className="pushed">{choice}</span>
          </div>
          <CommitRows rows={value.rows} onPoint={onPoint} />
          {tools}
          <MoreRows shown={value.rows.length} total={value.total} showMore={list.showMore} />
        </>
      )}
    </Card>
  );
}

function CommitRows({
  rows,
  onPoint,
}: { readonly rows: readonly SlowCommit[] } & Pick<Props, "onPoint">): ReactNode {
  const { summary, view } = useCapture();
  const columns = useCommitColumns();
  const scale = pathScale([longestEnd(rows, summary)]);
  return (
    <RankedList
      rows={rows}
      rowKey={({ row }) => row}
      isSelected={({ block }) => block !== null && block === view.block}
      onPoint={onPoint && ((commit) => onPoint(commit?.start ?? null))}
      columns={[
        columns.rank,
        columns.utc,
        columns.offset,
        columns.database,
        columns.lsn,
        columns.waited,
        {
          id: "Lines",
          head: <LinesHead scale={scale} />,
          align: "left",
          className: styles.lines,
          cell: (commit) => <CommitLines commit={commit} scale={scale} />,
        },
        columns.released,
        columns.largest,
        { id: "Next was ready", term: "nextReady", cell: (commit) => <NextReady commit={commit} /> },
      ]}
    />
  );
}

const LinesHead = ({ scale }: { readonly scale: LinearScale }): ReactNode => (
  <>
    <span className="sr-only">{texts.paths}</span>
    <div className={styles.axis} aria-hidden="true">
      <PathAxis {...scale} />
    </div>
  </>
);

function NextReady({ commit }: { readonly commit: SlowCommit }): ReactNode {
  const next = nextReady(partsOf(commit, useCapture().summary));
  if (next === null) return "–";
  return <>{texts.earlier(next.part.name, <b>{durationText(next.earlierUs)}</b>)}</>;
}

const LINE_PX = 8;
/** Maximum share of the width for a line that has its text after it. */
const MOST_BEFORE_WORDS = 0.78;

interface LinesProps {
  readonly commit: SlowCommit;
  readonly scale: LinearScale;
}

/**
 * The commit itself, the local log write and each synchronous path, from the commit's start; a decoration next to the
 * figures of the row.
 */
function CommitLines({ commit, scale: { to } }: LinesProps): ReactNode {
  const { summary } = useCapture();
  /** Every replica has a line, however many. */
  const [isOpen, setIsOpen] = useState(false);
  const { shown, left } = shownParts(partsOf(commit, summary), isOpen);
  return (
    <div className={styles.parts}>
      <span>{texts.commit}</span>
      <div aria-hidden="true">
        <i className={styles.waited} style={{ width: `${(100 * (commit.waited ?? 0)) / to}%` }} />
      </div>
      {shown.map((part) => (
        <PartLine key={part.secondary ?? "local"} commit={commit} part={part} to={to} />
      ))}
      {left > 0 && (
        <button type="button" className={ranked.open} onClick={() => setIsOpen(true)}>
          + {left}
        </button>
      )}
    </div>
  );
}

interface PartProps {
  readonly commit: SlowCommit;
  readonly part: CommitPart;
  /** µs of the full width. */
  readonly to: number;
}

function PartLine({ commit, part, to }: PartProps): ReactNode {
  const { secondary, name, start, end, isReleasing } = part;
  const length = start === null || end === null ? null : end - start;
  return (
    <>
      <span data-releasing={isReleasing}>
        <MiddleEllipsis text={name} />
      </span>
      <div aria-hidden="true">
        {secondary === null ? (
          <LocalBar us={length} startUs={start ?? 0} scaleUs={to} height={LINE_PX} />
        ) : (
          <PathBar
            stages={commit.paths[secondary]?.stages ?? {}}
            startUs={start ?? 0}
            scaleUs={to}
            height={LINE_PX}
          />
        )}
        {end !== null && end > to && <span className={styles.beyond}>{durationText(end)}</span>}
        {isReleasing && end !== null && (
          <b className={styles.mark} style={{ left: `${(100 * end) / to}%` }}>
            {end < to * MOST_BEFORE_WORDS && releasesText(commit.commitsOfBlock)}
          </b>
        )}
      </div>
    </>
  );
}

const releasesText = (commits: number | null): string =>
  commits === null || commits <= 1 ? texts.releasesTheCommit : texts.releasesCommits(formatCount(commits));
