import { type ReactNode, useEffect, useRef } from "react";
import { FIRST_ROWS, type SlowBlock, type SlowBlocks, SlowestSort } from "@aglens/contract";
import { STAGES } from "@aglens/ag-model/replication";
import { BlockBar } from "../../charts/block-bar.tsx";
import { barLength } from "../../charts/block-pieces.ts";
import { Problem } from "../../frame/problem.tsx";
import { stageWords } from "../../lanes/palette.ts";
import { Button, Card, Chip, Swatch, Value } from "../../ui/controls.tsx";
import { durationText, formatCount, formatDuration, formatOffset, formatUtc } from "../../ui/words.ts";
import { useCapture } from "../capture-context.ts";
import { blockName, databaseName } from "../database.ts";
import { EqualLsns } from "../equal-lsns.tsx";
import { knownCommits } from "../known-commits.ts";
import { largestPart } from "../largest-part.ts";
import { namesOfSlots, phaseAt, primaryMoved } from "../phase.ts";
import { replicaNames, useRoleNames } from "../replica-names.ts";
import type { SlowBlockList } from "./use-slow-blocks.ts";
import ranked from "./ranked-table.module.css";
import styles from "./slowest-table.module.css";

interface Props {
  readonly list: SlowBlockList;
  /** Beside the order: which list is shown. */
  readonly choice?: ReactNode;
  /** The instant of the row under the pointer, µs; null when it leaves. */
  readonly onPoint?: (at: number | null) => void;
}

/** The slowest blocks of a range, by any stage, as block bars on one scale. Absent when there are none. */
export function SlowestTable({ list, choice, onPoint = () => undefined }: Props): ReactNode {
  const { value: slow, isStale, error, retry } = list.answer;
  const { summary } = useCapture();
  const expected = Math.min(FIRST_ROWS, summary.blocks.total);
  if (slow === null && error === null && expected > 0)
    return <PendingTable rows={expected} list={list} choice={choice} />;
  const isEmpty = slow === null || slow.total === 0;
  if (isEmpty && error === null) return null;
  return (
    <Card className={styles.slowest} aria-label="Slowest blocks" aria-busy={isStale}>
      <Problem sentence={error} onRetry={retry} />
      {isEmpty ? null : (
        <>
          <table
            className={ranked.ranked}
            data-extra={hasExtra(list)}
            data-crowded={summary.databases.length > 1 || primaryMoved(summary)}
            onPointerLeave={() => onPoint(null)}
          >
            <TableHead list={list} choice={choice} />
            <TableBody rows={slow.rows} list={list} onPoint={onPoint} />
          </table>
          <SelectedBlock slow={slow} />
          <MoreRows slow={slow} showMore={list.showMore} />
        </>
      )}
    </Card>
  );
}

/** Whether what the rows are ordered by has a column beside the remote harden. */
const hasExtra = ({ sort }: SlowBlockList): boolean => sort !== "remoteHarden";

/** Texts as long as those that come, for columns that are as wide: the rows keep their place. */
const PENDING_CELLS = {
  utc: "00:00:00.000",
  offset: "+000.00 s",
  database: "Sales1",
  lsn: "00000000:00000000",
  figure: "00.0 ms",
  stage: "Secondary log write",
  commits: "1",
} as const;

/** The table before its first answer: head, and pale rows where the blocks will be. */
function PendingTable({ rows, list, choice }: HeadProps & { readonly rows: number }): ReactNode {
  const { summary } = useCapture();
  const extra = hasExtra(list);
  return (
    <Card className={styles.slowest} aria-label="Slowest blocks" aria-busy>
      <table
        className={ranked.ranked}
        data-extra={extra}
        data-crowded={summary.databases.length > 1 || primaryMoved(summary)}
      >
        <TableHead list={list} choice={choice} />
        <tbody aria-hidden="true">
          {Array.from({ length: rows }, (_, i) => (
            <PendingRow key={i} rank={i + 1} extra={extra} />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function PendingRow({ rank, extra }: { readonly rank: number; readonly extra: boolean }): ReactNode {
  const { summary } = useCapture();
  const pale = (words: string): ReactNode => <span className={styles.pale}>{words}</span>;
  const number = `${styles.number} ${styles.wide}`;
  return (
    <tr>
      <td className={styles.rank}>{rank}</td>
      <td className={styles.wide}>{pale(PENDING_CELLS.utc)}</td>
      <td className={`${styles.number} ${styles.offset}`}>{pale(PENDING_CELLS.offset)}</td>
      {primaryMoved(summary) ? <td>{pale(PENDING_CELLS.database)}</td> : null}
      {summary.databases.length > 1 ? <td>{pale(PENDING_CELLS.database)}</td> : null}
      <td className="mono">{pale(PENDING_CELLS.lsn)}</td>
      {extra && <td className={styles.number}>{pale(PENDING_CELLS.figure)}</td>}
      <td className={styles.number}>{pale(PENDING_CELLS.figure)}</td>
      <td className={styles.bar}>
        <div className={styles.paleBar} />
      </td>
      <td className={styles.largest}>{pale(PENDING_CELLS.stage)}</td>
      <td className={number}>{pale(PENDING_CELLS.figure)}</td>
      <td className={number}>{pale(PENDING_CELLS.commits)}</td>
    </tr>
  );
}

type HeadProps = Pick<Props, "list" | "choice">;

function TableHead({ list, choice }: HeadProps): ReactNode {
  const { summary } = useCapture();
  const names = useRoleNames();
  const extra = hasExtra(list);
  const { sort, descending } = list;
  const sorted = descending ? "descending" : "ascending";
  return (
    <thead>
      <tr>
        <th scope="col" className={styles.rank}>
          {descending ? "Slowest blocks" : "Fastest blocks"}
        </th>
        <th scope="col" className={styles.wide}>
          UTC
        </th>
        <th scope="col" className={`${styles.number} ${styles.offset}`}>
          Offset
        </th>
        {primaryMoved(summary) ? <th scope="col">Primary</th> : null}
        <DatabaseHead />
        <th scope="col">LSN</th>
        {extra && (
          <th scope="col" className={styles.number} aria-sort={sorted}>
            <SortButton
              list={list}
              id={sort}
              label={sort === "commit" ? "Commit" : stageWords(sort, names)}
            />
          </th>
        )}
        <th scope="col" className={styles.number} aria-sort={extra ? "none" : sorted}>
          <SortButton list={list} id="remoteHarden" label="Remote harden" />
        </th>
        <th scope="col" className={styles.bar}>
          <div>
            {choice}
            <OrderChoice list={list} />
          </div>
        </th>
        <th scope="col" className={styles.wide}>
          Largest stage
        </th>
        <th scope="col" className={`${styles.number} ${styles.wide}`}>
          Duration
        </th>
        <th scope="col" className={`${styles.number} ${styles.wide}`}>
          Commits
        </th>
      </tr>
    </thead>
  );
}

/** Only in a capture of several databases: an LSN names a block in each. */
function DatabaseHead(): ReactNode {
  const { summary } = useCapture();
  return summary.databases.length > 1 ? <th scope="col">Database</th> : null;
}

interface SortProps {
  readonly list: SlowBlockList;
  readonly id: SlowestSort;
  readonly label: string;
}

function SortButton({ list: { sort, descending }, id, label }: SortProps): ReactNode {
  const { setView } = useCapture();
  const active = sort === id;
  return (
    <button
      type="button"
      className={styles.sort}
      onClick={() => setView({ sort: id, descending: active ? !descending : true })}
    >
      {label}
      {active && <span aria-hidden="true">{descending ? " ↓" : " ↑"}</span>}
    </button>
  );
}

function OrderChoice({ list }: Pick<Props, "list">): ReactNode {
  const { setView } = useCapture();
  const names = useRoleNames();
  return (
    <label>
      <span className={styles.orderWords}>Order by </span>
      <select
        aria-label="Order by"
        value={list.sort}
        onChange={(event) => setView({ sort: SlowestSort.parse(event.target.value), descending: true })}
      >
        <option value="commit">Commit</option>
        {STAGES.map(({ id }) => (
          <option key={id} value={id}>
            {stageWords(id, names)}
          </option>
        ))}
      </select>
    </label>
  );
}

interface BodyProps {
  readonly rows: SlowBlocks["rows"];
  readonly list: SlowBlockList;
  readonly onPoint: (at: number | null) => void;
}

function TableBody({ rows, ...rest }: BodyProps): ReactNode {
  const scaleUs = Math.max(1, ...rows.map(({ stages }) => barLength(stages)));
  return (
    <tbody>
      {rows.map((block, i) => (
        <Row key={block.row} block={block} rank={i + 1} scaleUs={scaleUs} {...rest} />
      ))}
    </tbody>
  );
}

/** What n and p moved to, for those who cannot see the row. */
function SelectedBlock({ slow: { rows, total } }: { readonly slow: SlowBlocks }): ReactNode {
  const { summary, view } = useCapture();
  const position = rows.findIndex(({ row }) => row === view.block);
  const block = rows[position];
  return (
    <output className="sr-only">
      {block === undefined
        ? ""
        : `Block ${blockName(summary, block)}, remote harden ${durationText(block.stages["remoteHarden"])}, ${position + 1} of ${formatCount(total)}`}
    </output>
  );
}

/** The way to more rows; where the server gives no more, how to see others. */
function MoreRows({
  slow: { rows, total },
  showMore,
}: { readonly slow: SlowBlocks } & Pick<SlowBlockList, "showMore">): ReactNode {
  if (rows.length >= total) return null;
  if (showMore === null) {
    return (
      <p className={styles.rest}>
        The first {formatCount(rows.length)} of {formatCount(total)}. Zoom in or change the order to see
        others.
      </p>
    );
  }
  return (
    <Button kind="quiet" onClick={showMore}>
      Show more, {formatCount(rows.length)} of {formatCount(total)}
    </Button>
  );
}

interface RowProps extends Omit<BodyProps, "rows"> {
  readonly block: SlowBlock;
  readonly rank: number;
  readonly scaleUs: number;
}

function Row({ block, rank, scaleUs, list, onPoint }: RowProps): ReactNode {
  const { summary, view, open } = useCapture();
  const extra = hasExtra(list);
  const { stages } = block;
  const phase = phaseAt(summary, block.database, block.time);
  const part = largestPart(block, replicaNames(summary, view.secondary, phase), summary);
  const database = databaseName(summary, block.database);
  const isSelected = block.row === view.block;
  const line = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (isSelected) line.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return (
    <tr ref={line} aria-selected={isSelected} onPointerEnter={() => onPoint(block.time)}>
      <td className={styles.rank}>{rank}</td>
      <td className={styles.wide}>{formatUtc(summary, block.time)}</td>
      <td className={`${styles.number} ${styles.offset}`}>{formatOffset(summary, block.time)}</td>
      {primaryMoved(summary) ? (
        <td>
          <Chip place="primary">{namesOfSlots(summary, phase)[0]}</Chip>
        </td>
      ) : null}
      {database === null ? null : (
        <td>
          <b>{database}</b>
        </td>
      )}
      <td className="mono">
        <button
          type="button"
          className={styles.rowOpen}
          aria-label={`Open block ${blockName(summary, block)}`}
          onClick={() => open("sequence", { block: block.row })}
        >
          {block.lsn}
        </button>
        <EqualLsns block={block} />
      </td>
      {extra && (
        <td className={styles.number}>
          <Value figure={formatDuration(stages[list.sort])} strong />
        </td>
      )}
      <td className={styles.number}>
        <Value figure={formatDuration(stages["remoteHarden"])} strong={!extra} />
      </td>
      <td className={styles.bar}>
        <BlockBar
          stages={stages}
          paused={block.paused}
          scaleUs={scaleUs}
          localStart={block.localStart ?? 0}
          height={14}
        />
      </td>
      <td className={styles.largest}>
        {part !== null && (
          <>
            <Swatch color={`var(${part.token})`} />
            {part.label}
          </>
        )}
      </td>
      <td className={`${styles.number} ${styles.wide}`}>
        <Value figure={formatDuration(part?.us ?? null)} />
      </td>
      <td className={`${styles.number} ${styles.wide}`}>
        {formatCount(knownCommits(summary, block.commits))}
      </td>
    </tr>
  );
}
