import { useEffect, useRef } from "react";
import { SlowestSort, type SlowBlock, type Summary } from "@aglens/contract";
import { STAGES } from "@aglens/ag-model/replication";
import { barLength, BlockBar, pieces } from "../../charts/block-bar.tsx";
import { stageToken, stageWords, type ReplicaNames, type StageToken } from "../../lanes/palette.ts";
import { Button, Card, Swatch, Value } from "../../ui/controls.tsx";
import { durationText, formatCount, formatDuration, formatOffset, formatUtc } from "../../ui/words.ts";

interface Props {
  readonly summary: Summary;
  readonly names: ReplicaNames;
  readonly rows: readonly SlowBlock[];
  readonly total: number;
  readonly selected: number | null;
  readonly sort: SlowestSort;
  readonly descending: boolean;
  readonly onSort: (sort: SlowestSort, descending: boolean) => void;
  readonly onOpen: (row: number) => void;
  /** Time of the row under the pointer, so that the charts can point at it; null when it leaves. */
  readonly onPoint: (time: number | null) => void;
  readonly onMore: () => void;
}

/** The slowest blocks of what is in view, by any stage, as block bars on one scale. */
export function SlowestTable(props: Props) {
  const { names, rows, total, sort, descending, onSort } = props;
  const scaleUs = Math.max(1, ...rows.map(({ stages }) => barLength(stages)));
  const extra = sort !== "remoteHarden";
  const sorted = descending ? "descending" : "ascending";
  return (
    <Card className="slowest" aria-label="Slowest blocks">
      <table className={extra ? "with-extra" : ""} onPointerLeave={() => props.onPoint(null)}>
        <thead>
          <tr>
            <th scope="col" className="rank">
              {descending ? "Slowest blocks" : "Fastest blocks"}
            </th>
            <th scope="col" className="wide">
              UTC
            </th>
            <th scope="col" className="number offset">
              Offset
            </th>
            <th scope="col">LSN</th>
            {extra && (
              <th scope="col" className="number" aria-sort={sorted}>
                <SortButton
                  {...props}
                  id={sort}
                  label={sort === "commit" ? "Commit" : stageWords(sort, names)}
                />
              </th>
            )}
            <th scope="col" className="number" aria-sort={extra ? "none" : sorted}>
              <SortButton {...props} id="remoteHarden" label="Remote harden" />
            </th>
            <th scope="col" className="bar">
              <div>
                <span>Stages to scale, local log write below</span>
                <label>
                  Order by{" "}
                  <select
                    value={sort}
                    onChange={(event) => onSort(SlowestSort.parse(event.target.value), true)}
                  >
                    <option value="commit">Commit</option>
                    {STAGES.map(({ id }) => (
                      <option key={id} value={id}>
                        {stageWords(id, names)}
                      </option>
                    ))}
                  </select>
                </label>
              </div>
            </th>
            <th scope="col" className="wide">
              Largest stage
            </th>
            <th scope="col" className="number wide">
              Duration
            </th>
            <th scope="col" className="number wide">
              Commits
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((block, i) => (
            <Row key={block.row} {...props} block={block} rank={i + 1} scaleUs={scaleUs} extra={extra} />
          ))}
        </tbody>
      </table>
      <output className="sr-only">{selectionSentence(props)}</output>
      {rows.length < total && (
        <Button kind="quiet" onClick={props.onMore}>
          Show more, {formatCount(rows.length)} of {formatCount(total)}
        </Button>
      )}
    </Card>
  );
}

interface Part {
  readonly label: string;
  readonly token: StageToken;
  readonly us: number | null;
}

/** Largest stage of the remote path; without the secondary's file its part and the network's are one. */
function largestPart({ stages, largest }: SlowBlock, names: ReplicaNames): Part | null {
  const hidden = pieces(stages).find(({ token }) => token === "--wait");
  if (hidden && hidden.duration > (largest === null ? 0 : (stages[largest] ?? 0)))
    return { label: `Network and ${names.secondary}`, token: hidden.token, us: hidden.duration };
  if (largest === null) return null;
  return { label: stageWords(largest, names), token: stageToken(largest), us: stages[largest] ?? null };
}

/** What n and p moved to, for who cannot see the row. */
function selectionSentence({ rows, selected, total }: Props): string {
  const at = rows.findIndex(({ row }) => row === selected);
  if (at < 0) return "";
  const harden = durationText(rows[at].stages["remoteHarden"]);
  return `Block ${rows[at].lsn}, remote harden ${harden}, ${at + 1} of ${formatCount(total)}`;
}

function SortButton({ id, label, sort, descending, onSort }: Props & { id: SlowestSort; label: string }) {
  const active = sort === id;
  return (
    <button type="button" className="sort" onClick={() => onSort(id, active ? !descending : true)}>
      {label}
      {active && <span aria-hidden="true">{descending ? " ↓" : " ↑"}</span>}
    </button>
  );
}

type RowProps = Props & { block: SlowBlock; rank: number; scaleUs: number; extra: boolean };

function Row({ block, rank, scaleUs, extra, summary, names, selected, sort, onOpen, onPoint }: RowProps) {
  const { stages } = block;
  const part = largestPart(block, names);
  const isSelected = block.row === selected;
  const line = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (isSelected) line.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return (
    <tr
      ref={line}
      className={isSelected ? "selected" : ""}
      aria-selected={isSelected}
      onPointerEnter={() => onPoint(block.time)}
    >
      <td className="rank">{rank}</td>
      <td className="wide">{formatUtc(summary.originTicks, block.time)}</td>
      <td className="number offset">{formatOffset(block.time)}</td>
      <td className="mono">
        <button
          type="button"
          className="row-open"
          aria-label={`Open block ${block.lsn}`}
          onClick={() => onOpen(block.row)}
        >
          {block.lsn}
        </button>
      </td>
      {extra && (
        <td className="number">
          <Value figure={formatDuration(stages[sort])} strong />
        </td>
      )}
      <td className="number">
        <Value figure={formatDuration(stages["remoteHarden"])} strong={!extra} />
      </td>
      <td className="bar">
        <BlockBar stages={stages} scaleUs={scaleUs} localStart={block.localStart ?? 0} height={14} />
      </td>
      <td className="largest">
        {part !== null && (
          <>
            <Swatch color={`var(${part.token})`} />
            {part.label}
          </>
        )}
      </td>
      <td className="number wide">
        <Value figure={formatDuration(part?.us ?? null)} />
      </td>
      <td className="number wide">{formatCount(block.commits)}</td>
    </tr>
  );
}
