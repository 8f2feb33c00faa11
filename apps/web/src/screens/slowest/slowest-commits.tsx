import { type ReactNode, useEffect, useRef, useState } from "react";
import type { SlowCommit } from "@aglens/contract";
import { PathAxis } from "../../charts/path-axis.tsx";
import { LocalBar, PathBar } from "../../charts/path-bar.tsx";
import { pathScale, type LinearScale } from "../../charts/path-scale.ts";
import { Problem } from "../../frame/problem.tsx";
import { Card, Value } from "../../ui/controls.tsx";
import { durationText, formatCount, formatDuration, formatOffset, formatUtc } from "../../ui/words.ts";
import { useCapture } from "../capture-context.ts";
import { databaseName } from "../database.ts";
import { knownCommits } from "../known-commits.ts";
import { CommitLsn, halfSentence, LargestStage, MoreCommits, ReleasedBy } from "./commit-cells.tsx";
import { longestEnd, nextReady, partsOf, releasingPart, shownParts, type CommitPart } from "./commit-ends.ts";
import type { SlowCommitList } from "./use-slow-commits.ts";
import cells from "./commit-cells.module.css";
import ranked from "./ranked-table.module.css";
import styles from "./slowest-commits.module.css";

interface Props {
  readonly list: SlowCommitList;
  /** Beside the sentence: which list is shown. */
  readonly choice?: ReactNode;
  /** The instant of the row under the pointer, µs; null when it leaves. */
  readonly onPoint?: (at: number | null) => void;
}

/** The slowest commits of a range: how few hold half of all waiting, and what each waited for, on one scale. */
export function SlowestCommits({ list, choice, onPoint = () => undefined }: Props): ReactNode {
  const { value, isStale, error, retry } = list.answer;
  const { summary } = useCapture();
  const isPending = value === null && error === null;
  return (
    <Card
      className={styles.commits}
      aria-label="Slowest commits"
      aria-busy={isStale || isPending}
      data-pending={isPending}
    >
      <Problem sentence={error} onRetry={retry} />
      {value === null ? null : value.total === 0 ? (
        <div className={styles.sentence}>
          {knownCommits(summary, 0) === null ? "No commit of this capture is known." : "No commit in view."}{" "}
          <span className="pushed">{choice}</span>
        </div>
      ) : (
        <>
          <div className={styles.sentence}>
            <b>{halfSentence(value)}</b>
            <span>{`All waiting ${durationText(value.waitedUs)}, ${formatCount(value.total)} commits`}</span>
            <span className="pushed">{choice}</span>
          </div>
          <table className={ranked.ranked} onPointerLeave={() => onPoint(null)}>
            <CommitRows rows={value.rows} to={longestEnd(value.rows, summary)} onPoint={onPoint} />
          </table>
          <MoreCommits commits={value} showMore={list.showMore} />
        </>
      )}
    </Card>
  );
}

interface RowsProps {
  readonly rows: readonly SlowCommit[];
  /** µs of the full width. */
  readonly to: number;
  readonly onPoint: (at: number | null) => void;
}

function CommitRows({ rows, to, onPoint }: RowsProps): ReactNode {
  const { summary } = useCapture();
  const scale = pathScale([to]);
  return (
    <>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">Rank</span>
          </th>
          <th scope="col" className={styles.wide}>
            UTC
          </th>
          <th scope="col" className={styles.number}>
            Offset
          </th>
          {summary.databases.length > 1 && <th scope="col">Database</th>}
          <th scope="col">LSN</th>
          <th scope="col" className={styles.number}>
            Commit
          </th>
          <th scope="col" className={styles.lines}>
            <span className={styles.explained}>
              Each path on one scale, from the commit's start; the upright mark is what released it
            </span>
            <div className={styles.axis} aria-hidden="true">
              <PathAxis {...scale} />
            </div>
          </th>
          <th scope="col">Released by</th>
          <th scope="col" className={styles.wide}>
            Largest stage
          </th>
          <th scope="col" className={styles.number}>
            Next was ready
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((commit, i) => (
          <CommitRow key={commit.row} commit={commit} rank={i + 1} scale={scale} onPoint={onPoint} />
        ))}
      </tbody>
    </>
  );
}

interface RowProps {
  readonly commit: SlowCommit;
  readonly rank: number;
  readonly scale: LinearScale;
  readonly onPoint: (at: number | null) => void;
}

function CommitRow({ commit, rank, scale, onPoint }: RowProps): ReactNode {
  const { summary, view, setView } = useCapture();
  const [isOpen, setIsOpen] = useState(false);
  const line = useRef<HTMLTableRowElement>(null);
  const isSelected = commit.block !== null && commit.block === view.block;
  useEffect(() => {
    if (isSelected) line.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  const parts = partsOf(commit, summary);
  const next = nextReady(parts);
  return (
    <tr
      ref={line}
      aria-selected={isSelected}
      onPointerEnter={() => onPoint(commit.start)}
      onClick={() => setView({ block: commit.block, event: null }, "replace")}
    >
      <td className={styles.rank}>{rank}</td>
      <td className={styles.wide}>{formatUtc(summary, commit.start)}</td>
      <td className={styles.number}>{formatOffset(summary, commit.start)}</td>
      {summary.databases.length > 1 && <td>{databaseName(summary, commit.database)}</td>}
      <td className="mono">
        <CommitLsn commit={commit} />
      </td>
      <td className={styles.number}>
        <Value figure={formatDuration(commit.waited)} strong />
      </td>
      <td className={styles.lines}>
        <CommitLines
          commit={commit}
          parts={parts}
          scale={scale}
          isOpen={isOpen}
          onOpen={() => setIsOpen(true)}
        />
      </td>
      <td>
        <ReleasedBy part={releasingPart(parts)} />
      </td>
      <td className={styles.wide}>
        <LargestStage commit={commit} />
      </td>
      <td className={styles.number}>
        {next === null ? (
          "–"
        ) : (
          <>
            {next.part.name}, <b>{durationText(next.earlierUs)}</b> earlier
          </>
        )}
      </td>
    </tr>
  );
}

const LINE_PX = 8;
/** Behind a longer line its words have no room, share of the width. */
const MOST_BEFORE_WORDS = 0.78;

interface LinesProps {
  readonly commit: SlowCommit;
  readonly parts: readonly CommitPart[];
  readonly scale: LinearScale;
  /** Every replica has a line, however many. */
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** The commit itself, the local log write and each path, from the commit's start: decoration beside the figures of the row. */
function CommitLines({ commit, parts, scale: { to }, isOpen, onOpen }: LinesProps): ReactNode {
  const { shown, left } = shownParts(parts, isOpen);
  return (
    <div className={styles.parts}>
      <span>commit</span>
      <div aria-hidden="true">
        <i className={styles.waited} style={{ width: `${(100 * (commit.waited ?? 0)) / to}%` }} />
      </div>
      {shown.map((part) => (
        <PartLine key={part.secondary ?? "local"} commit={commit} part={part} to={to} />
      ))}
      {left > 0 && (
        <button
          type="button"
          className={cells.open}
          onClick={(event) => {
            event.stopPropagation();
            onOpen();
          }}
        >
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
  const { secondary, name, start, end, isAsynchronous, isReleasing } = part;
  const length = start === null || end === null ? null : end - start;
  return (
    <>
      <span data-releasing={isReleasing}>{name}</span>
      <div aria-hidden="true">
        {secondary === null ? (
          <LocalBar us={length} startUs={start ?? 0} scaleUs={to} height={LINE_PX} />
        ) : (
          <PathBar
            stages={commit.paths[secondary]?.stages ?? {}}
            startUs={start ?? 0}
            scaleUs={to}
            height={LINE_PX}
            isAsynchronous={isAsynchronous}
          />
        )}
        {end !== null && end > to && <span className={styles.beyond}>{durationText(end)}</span>}
        {isReleasing && end !== null && (
          <b className={styles.mark} style={{ left: `${(100 * end) / to}%` }}>
            {end < to * MOST_BEFORE_WORDS && releasesWords(commit.commitsOfBlock)}
          </b>
        )}
      </div>
    </>
  );
}

const releasesWords = (commits: number | null): string =>
  commits === null || commits <= 1 ? "releases the commit" : `releases ${formatCount(commits)} commits`;
