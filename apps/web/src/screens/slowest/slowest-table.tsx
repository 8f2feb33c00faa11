import type { ReactNode } from "react";
import { FIRST_ROWS, type SlowBlock, type SlowBlocks, SlowestSort } from "@aglens/contract";
import { STAGES, stageName } from "@aglens/ag-model/replication";
import { BlockBar } from "../../charts/block-bar.tsx";
import { barLength } from "../../charts/block-pieces.ts";
import { Problem } from "../../frame/problem.tsx";
import { slowestTexts as texts } from "../../messages/capture-view.ts";
import { Card, Chip, Value } from "../../ui/controls.tsx";
import { type FigureColumn, FigureTable } from "../../ui/figure-table.tsx";
import { durationText, formatCount, formatDuration, formatTime, utcTip, zoneName } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { blockName, databaseName } from "../capture-view/databases.ts";
import { EqualLsns } from "../capture-view/capture-links.tsx";
import { largestPart } from "../capture-view/stage-means.ts";
import { namesOfSlots, phaseAt, primaryMoved } from "../capture-view/phases.ts";
import { replicaNames, useRoleNames } from "../capture-view/names.ts";
import { mono, PartName } from "./commit-columns.tsx";
import { MoreRows, rankColumn, RankedList, RowPress } from "./ranked-list.tsx";
import type { SlowBlockList } from "./use-slow-blocks.ts";
import ranked from "./ranked-list.module.css";
import styles from "./slowest-table.module.css";
import { termProps } from "../../ui/term.tsx";

interface Props {
  readonly list: SlowBlockList;
  /** Choice of the list, next to the order. */
  readonly choice?: ReactNode;
  /** Under the rows: buttons that save or copy them. */
  readonly tools?: ReactNode;
  /** The instant of the row under the pointer, µs; null when it leaves. */
  readonly onPoint?: (at: number | null) => void;
}

/** The slowest blocks of a range, by any stage, as block bars on one scale; absent when the range has no blocks. */
export function SlowestTable({ list, choice, tools, onPoint }: Props): ReactNode {
  const { value: slow, isStale, error, retry } = list.answer;
  const { summary, view } = useCapture();
  const isCrowded = summary.databases.length > 1 || primaryMoved(summary);
  const look = { "data-extra": hasExtra(list), "data-crowded": isCrowded };
  const scaleUs = Math.max(1, ...(slow?.rows ?? []).map(({ stages }) => barLength(stages)));
  const columns = [...useNameColumns(list), ...useFigureColumns({ list, choice, scaleUs })];
  const expected = Math.min(FIRST_ROWS, summary.blocks.total);
  if (slow === null && error === null && expected > 0)
    return (
      <Card className={styles.slowest} aria-label={texts.slowestBlocks} aria-busy>
        <PendingTable columns={columns} rows={expected} look={look} />
      </Card>
    );
  const isEmpty = slow === null || slow.total === 0;
  if (isEmpty && error === null) return null;
  return (
    <Card className={styles.slowest} aria-label={texts.slowestBlocks} aria-busy={isStale}>
      <Problem sentence={error} onRetry={retry} />
      {isEmpty ? null : (
        <>
          <RankedList<SlowBlock>
            {...look}
            rows={slow.rows}
            rowKey={({ row }) => row}
            isSelected={({ row }) => row === view.block}
            onPoint={onPoint && ((block) => onPoint(block?.time ?? null))}
            columns={columns}
          />
          {tools}
          <SelectedBlock slow={slow} />
          <MoreRows
            shown={slow.rows.length}
            total={slow.total}
            showMore={list.showMore}
            otherwise={texts.zoomInOrChange}
          />
        </>
      )}
    </Card>
  );
}

/** Whether the order of the rows needs a column in addition to the remote harden. */
const hasExtra = ({ sort }: SlowBlockList): boolean => sort !== "remoteHarden";

interface BlockColumn extends FigureColumn<SlowBlock> {
  /** A text of the usual length, which gives the pending column its width, so that the rows keep their place. */
  readonly pending?: string;
}

interface PendingProps {
  readonly columns: Columns;
  readonly rows: number;
  readonly look: Readonly<Record<`data-${string}`, boolean>>;
}

/** The table before its first answer: head, and pale rows in place of the blocks. */
function PendingTable({ columns, rows, look }: PendingProps): ReactNode {
  const shown = columns.filter((column) => column !== false);
  const pale = Array.from({ length: rows }, (_, index) => (
    <tr key={index} aria-hidden="true">
      {shown.map(({ id, className, align, pending }) => (
        <td key={id} className={className} data-align={align}>
          {id === "Rank" ? index + 1 : <Pale words={pending} />}
        </td>
      ))}
    </tr>
  ));
  return <FigureTable {...look} className={ranked.ranked} rows={[]} columns={shown} last={pale} />;
}

/** Placeholder for pending text or for a bar. */
const Pale = ({ words }: { readonly words: string | undefined }): ReactNode =>
  words === undefined ? <div className={styles.paleBar} /> : <span className={styles.pale}>{words}</span>;

type Columns = readonly (BlockColumn | false)[];

interface ColumnsParts extends Pick<Props, "list" | "choice"> {
  /** µs of a bar's full width. */
  readonly scaleUs: number;
}

/** Columns for the time, place and name of a block. A press on a row opens the block's sequence. */
function useNameColumns({ descending }: SlowBlockList): Columns {
  const { summary, open } = useCapture();
  return [
    { ...rankColumn, head: descending ? texts.slowestBlocks : texts.fastestBlocks, isHeadHidden: false },
    {
      id: "Time",
      head: zoneName(summary),
      align: "left",
      pending: "00:00:00.000",
      cell: ({ time }) => formatTime(summary, time),
      cellProps: ({ time }) => ({ title: utcTip(summary, time) }),
    },
    primaryMoved(summary) && {
      id: "Primary",
      align: "left",
      pending: "Sales1",
      cell: (block) => (
        <Chip place="primary">{namesOfSlots(summary, phaseAt(summary, block.database, block.time))[0]}</Chip>
      ),
    },
    // An LSN names a block in each database.
    summary.databases.length > 1 && {
      id: "Database",
      align: "left",
      pending: "Sales1",
      cell: ({ database }) => <b>{databaseName(summary, database)}</b>,
    },
    {
      id: "LSN",
      term: "lsn",
      align: "left",
      pending: "00000000:00000000",
      cellProps: mono,
      cell: (block) => (
        <>
          <RowPress
            name={texts.openBlock(blockName(summary, block))}
            onPress={() => open("sequence", { block: block.row })}
          >
            {block.lsn}
          </RowPress>
          <EqualLsns block={block} />
        </>
      ),
    },
  ];
}

/** Columns for the duration of a block, and for the stages. */
function useFigureColumns({ list, choice, scaleUs }: ColumnsParts): Columns {
  const { summary, view } = useCapture();
  const names = useRoleNames();
  const { sort, descending } = list;
  const extra = hasExtra(list);
  const sorted = descending ? "descending" : "ascending";
  const part = (block: SlowBlock) =>
    largestPart(
      block,
      replicaNames(summary, view.secondary, phaseAt(summary, block.database, block.time)),
      summary,
    );
  const sortHead = (id: SlowestSort, label: string): ReactNode => (
    <SortButton list={list} id={id} label={label} />
  );
  return [
    extra && {
      id: sort,
      head: sortHead(sort, sort === "commit" ? "Commit" : stageName(sort, names)),
      sort: sorted,
      className: styles.number,
      pending: "00.0 ms",
      cell: ({ stages }) => <Value figure={formatDuration(stages[sort])} strong />,
    },
    {
      id: "Remote harden",
      head: sortHead("remoteHarden", texts.remoteHarden),
      sort: extra ? "none" : sorted,
      className: styles.number,
      pending: "00.0 ms",
      cell: ({ stages }) => <Value figure={formatDuration(stages["remoteHarden"])} strong={!extra} />,
    },
    {
      id: "Bar",
      head: (
        <div>
          {choice}
          <OrderChoice list={list} />
        </div>
      ),
      align: "left",
      className: styles.bar,
      cell: ({ stages, paused, localStart }) => (
        <BlockBar stages={stages} paused={paused} scaleUs={scaleUs} localStart={localStart ?? 0} />
      ),
    },
    {
      id: "Largest stage",
      align: "left",
      className: styles.largest,
      pending: texts.secondaryLogWrite,
      cell: (block) => <PartName part={part(block)} />,
    },
    {
      id: "Duration",
      className: styles.wide,
      pending: "00.0 ms",
      cell: (block) => formatDuration(part(block)?.us),
    },
  ];
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
      {...termProps(id)}
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
      <span className={styles.orderWords}>{texts.orderBy} </span>
      <select
        aria-label={texts.orderBy}
        value={list.sort}
        onChange={(event) => setView({ sort: SlowestSort.parse(event.target.value), descending: true })}
      >
        <option value="commit">{texts.commitLabel}</option>
        {STAGES.map(({ id }) => (
          <option key={id} value={id}>
            {stageName(id, names)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The block that n and p selected, for users who cannot see the row. */
function SelectedBlock({ slow: { rows, total } }: { readonly slow: SlowBlocks }): ReactNode {
  const { summary, view } = useCapture();
  const position = rows.findIndex(({ row }) => row === view.block);
  const block = rows[position];
  return (
    <output className="sr-only">
      {block === undefined
        ? ""
        : texts.blockRemoteHardenOf(
            blockName(summary, block),
            durationText(block.stages["remoteHarden"]),
            position + 1,
            formatCount(total),
          )}
    </output>
  );
}
