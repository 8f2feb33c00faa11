import type { CSSProperties, ReactNode } from "react";
import type { ShownRange, Summary, WaitingRow } from "@aglens/contract";
import { BusyPicture, secondsPerBar } from "../../charts/replay/busy-picture.tsx";
import { PictureAxis } from "../../charts/picture-axis.tsx";
import { waitingTexts as texts } from "../../messages/waiting.ts";
import { Value } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { durationText, formatDuration, formatPercent, percentFigure } from "../../ui/words.ts";
import { uncoveredPeriods } from "../capture-view/coverage.ts";
import { clockError, rate, rowColors, rowName } from "./waiting-text.ts";
import styles from "./waiting.module.css";
import { FigureTerm, termProps } from "../../ui/term.tsx";
import type { TermId } from "../../messages/terms.ts";

interface Props {
  readonly rows: readonly WaitingRow[];
  readonly summary: Summary;
  /** Time of the pictures, µs. */
  readonly range: ShownRange;
  readonly chosen: WaitingRow | undefined;
  readonly onChoose: (row: WaitingRow) => void;
}

/** Log writers and networks in the order of a block's path: busy over time, waited and served on one scale. */
export function WaitingRows({ rows, summary, range, chosen, onChoose }: Props): ReactNode {
  const hasWaits = rows.some(({ waitedP95Us }) => isWait(waitedP95Us));
  const longest = Math.max(1, ...rows.map(({ waitedUs, servedUs }) => (waitedUs ?? 0) + (servedUs ?? 0)));
  return (
    <div className={styles.scroll}>
      <FigureTable<WaitingRow>
        className={styles.rows}
        aria-label={texts.logWritersAndNetworks}
        rows={rows}
        rowProps={(row) => ({
          className: row.kind === "logWrite" ? styles.writer : undefined,
          "data-chosen": row === chosen,
          "data-starts": row.kind === "networkOut" || row.kind === "unseen",
        })}
        columns={[
          {
            id: "Log writer or network",
            isHeadHidden: true,
            cell: (row) => (
              <RowName row={row} summary={summary} isChosen={row === chosen} onChoose={() => onChoose(row)} />
            ),
          },
          {
            id: "Busy",
            term: "busyShare",
            head: busyHeading(rows, summary, range),
            align: "left",
            className: styles.busy,
            cell: (row) => (
              <BusyPicture
                busy={row.busy}
                entryUs={row.busyUs}
                range={range}
                uncovered={uncoveredIn(row, summary, range)}
                color={rowColors(row).bar}
                label={texts.busyAtMost(formatPercent(row.busyMean, 1), formatPercent(row.busyMost, 1))}
              />
            ),
          },
          {
            id: "mean",
            cell: (row) => <Value figure={percentFigure(row.busyMean, 1)} strong={row === chosen} />,
          },
          { id: "most", cell: ({ busyMost }) => percentFigure(busyMost, 1) },
          {
            id: "A block's mean time, one scale: waited, then served",
            term: "waitedAndServed",
            align: "left",
            className: styles.time,
            cell: (row) => <MeanTime row={row} longest={longest} />,
          },
          hasWaits && {
            id: "wait p95",
            term: "p95",
            cell: ({ waitedP95Us }) => (isWait(waitedP95Us) ? formatDuration(waitedP95Us) : "–"),
          },
          { id: "blocks/s", cell: ({ perSecond }) => rate(perSecond) },
        ]}
        last={
          <tr className={styles.axis} aria-hidden="true">
            <td />
            <td className={styles.busy}>
              <PictureAxis capture={summary} fromUs={range[0]} durationUs={range[1] - range[0]} />
            </td>
            <td colSpan={hasWaits ? 5 : 4} />
          </tr>
        }
      />
    </div>
  );
}

/** All rows of a capture have as many seconds. */
function busyHeading(rows: readonly WaitingRow[], summary: Summary, range: ShownRange): string {
  const [row] = rows;
  const seconds = row === undefined ? 1 : secondsPerBar(row.busy, row.busyUs, range);
  const words = seconds === 1 ? texts.busyShareOfEach : texts.busyShare(seconds);
  return rows.some((each) => uncoveredIn(each, summary, range).length > 0)
    ? texts.hatchedNoEvents(words)
    : words;
}

/**
 * Periods of a range in which a server that the row needs has no events, µs: a network's legs begin and end on two
 * servers.
 */
function uncoveredIn(
  { kind, replica, primary }: WaitingRow,
  summary: Summary,
  [begin, end]: ShownRange,
): [number, number][] {
  const needed = {
    logWrite: [replica],
    unseen: [primary],
    networkOut: [primary, replica],
    networkBack: [primary, replica],
  }[kind];
  return uncoveredPeriods(summary).flatMap(([from, to, each]) =>
    needed.includes(each) && from < end && to > begin ? [[from, to]] : [],
  );
}

/** A wait shorter than one step of a clock does not count. */
const isWait = (us: number | null): boolean => (us ?? 0) >= 1;

interface NameProps extends Pick<Props, "summary"> {
  readonly row: WaitingRow;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function RowName({ row, summary, isChosen, onChoose }: NameProps): ReactNode {
  const { where, what } = rowName(row, summary);
  const { bar, ink } = rowColors(row);
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      style={{ "--place": bar, "--place-ink": ink } as CSSProperties}
      {...termProps(termOf(row))}
    >
      <span>{where}</span>
      {what}
    </button>
  );
}

function termOf({ kind, replica, primary }: WaitingRow): TermId {
  if (kind === "logWrite") return replica === primary ? "localFlush" : "secondaryFlush";
  if (kind === "unseen") return "unseen";
  return kind === "networkOut" ? "wireOut" : "wireBack";
}

interface TimeProps {
  readonly row: WaitingRow;
  /** Longest waited and served of any row, µs. */
  readonly longest: number;
}

function MeanTime({ row, longest }: TimeProps): ReactNode {
  const { waitedUs, servedUs, mode, episode } = row;
  const { bar } = rowColors(row);
  return (
    <>
      <span className={styles.bars} aria-hidden="true">
        <i className={styles.waited} style={{ width: `${(64 * (waitedUs ?? 0)) / longest}%` }} />
        <i
          className={mode === "async" ? styles.asynchronous : styles.served}
          style={{ width: `${(64 * (servedUs ?? 0)) / longest}%`, "--place": bar } as CSSProperties}
        />
      </span>
      <span className={styles.sum}>
        {(waitedUs ?? 0) >= 1 ? `${durationText(waitedUs)} + ` : ""}
        {durationText(servedUs)}
        <small>
          <FigureTerm>{clockError(row)}</FigureTerm>
        </small>
        {episode === null ? null : (
          <small>
            {texts.inTheEpisodeOtherwise(durationText((episode.waitedUs ?? 0) + (episode.servedUs ?? 0)))}
          </small>
        )}
      </span>
    </>
  );
}
