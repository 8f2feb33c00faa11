import type { CSSProperties, ReactNode } from "react";
import type { ShownRange, Summary, WaitingRow } from "@aglens/contract";
import { BusyPicture, secondsPerBar } from "../../charts/replay/busy-picture.tsx";
import { PictureAxis } from "../../charts/picture-axis.tsx";
import { Value } from "../../ui/controls.tsx";
import { durationText, formatDuration, formatPercent, percentFigure } from "../../ui/words.ts";
import { uncoveredStretches } from "../coverage.ts";
import { clockError, fullWords, rate, rowColours, rowName } from "./waiting-words.ts";
import styles from "./waiting.module.css";

interface Props {
  readonly rows: readonly WaitingRow[];
  readonly summary: Summary;
  /** Time of the pictures, µs. */
  readonly range: ShownRange;
  readonly chosen: number;
  readonly onChoose: (row: number) => void;
}

/** Log writers and networks in the order of a block's way: busy over time, waited and served on one scale, full at. */
export function WaitingRows({ rows, summary, range, chosen, onChoose }: Props): ReactNode {
  const hasFull = rows.some((row) => fullWords(row) !== null);
  const longest = Math.max(1, ...rows.map(({ waitedUs, servedUs }) => (waitedUs ?? 0) + (servedUs ?? 0)));
  return (
    <div className={styles.scroll}>
      <table className={styles.rows} aria-label="Log writers and networks">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Log writer or network</span>
            </th>
            <th scope="col" className={styles.busy}>
              {busyHeading(rows, summary, range)}
            </th>
            <th scope="col">mean</th>
            <th scope="col">most</th>
            <th scope="col" className={styles.time}>
              A block's mean time, one scale: waited, then served
            </th>
            <th scope="col">wait p95</th>
            <th scope="col">
              Now<small>blocks/s</small>
            </th>
            {hasFull ? (
              <th scope="col">
                Full at<small>blocks/s, 90 % busy</small>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <Row
              // oxlint-disable-next-line react/no-array-index-key -- a row is its place on the way
              key={i}
              row={row}
              summary={summary}
              range={range}
              isChosen={i === chosen}
              longest={longest}
              hasFull={hasFull}
              onChoose={() => onChoose(i)}
            />
          ))}
          <tr className={styles.axis} aria-hidden="true">
            <td />
            <td className={styles.busy}>
              <PictureAxis fromUs={range[0]} durationUs={range[1] - range[0]} />
            </td>
            <td colSpan={hasFull ? 6 : 5} />
          </tr>
        </tbody>
      </table>
    </div>
  );
}

/** All rows of a capture have as many seconds. */
function busyHeading(rows: readonly WaitingRow[], summary: Summary, range: ShownRange): string {
  const [row] = rows;
  const seconds = row === undefined ? 1 : secondsPerBar(row.busy, row.busyUs, range);
  const words =
    seconds === 1 ? "Busy, share of each second" : `Busy, share of the busiest second of ${seconds}`;
  return rows.some((each) => uncoveredIn(each, summary, range).length > 0)
    ? `${words}; hatched: no events`
    : words;
}

/** Of what time in a range a server has no events that the row is from, µs: a network's legs begin and end on two servers. */
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
  return uncoveredStretches(summary).flatMap(([from, to, each]) =>
    needed.includes(each) && from < end && to > begin ? [[from, to]] : [],
  );
}

interface RowProps {
  readonly row: WaitingRow;
  readonly summary: Summary;
  readonly range: ShownRange;
  readonly isChosen: boolean;
  /** Longest waited and served of any row, µs. */
  readonly longest: number;
  /** Whether any row has a rate at which it is full. */
  readonly hasFull: boolean;
  readonly onChoose: () => void;
}

function Row({ row, summary, range, isChosen, longest, hasFull, onChoose }: RowProps): ReactNode {
  const { where, what } = rowName(row, summary);
  const { bar, ink } = rowColours(row);
  const full = fullWords(row);
  return (
    <tr
      className={row.kind === "logWrite" ? styles.writer : undefined}
      data-chosen={isChosen}
      data-starts={row.kind === "networkOut" || row.kind === "unseen"}
    >
      <th scope="row">
        <button
          type="button"
          aria-pressed={isChosen}
          onClick={onChoose}
          style={{ "--place": bar, "--place-ink": ink } as CSSProperties}
        >
          <span>{where}</span>
          {what}
        </button>
      </th>
      <td className={styles.busy}>
        <BusyPicture
          busy={row.busy}
          entryUs={row.busyUs}
          range={range}
          uncovered={uncoveredIn(row, summary, range)}
          color={bar}
          label={`Busy ${formatPercent(row.busyMean, 1)}, at most ${formatPercent(row.busyMost, 1)}`}
        />
      </td>
      <td>
        <Value figure={percentFigure(row.busyMean, 1)} strong={isChosen} />
      </td>
      <td>
        <Value figure={percentFigure(row.busyMost, 1)} />
      </td>
      <td className={styles.time}>
        <span className={styles.bars} aria-hidden="true">
          <i className={styles.waited} style={{ width: `${(64 * (row.waitedUs ?? 0)) / longest}%` }} />
          <i
            className={row.mode === "async" ? styles.asynchronous : styles.served}
            style={{ width: `${(64 * (row.servedUs ?? 0)) / longest}%`, "--place": bar } as CSSProperties}
          />
        </span>
        <span className={styles.sum}>
          {(row.waitedUs ?? 0) >= 1 ? `${durationText(row.waitedUs)} + ` : ""}
          {durationText(row.servedUs)}
          <small>{clockError(row)}</small>
          {row.episode === null ? null : (
            <small>
              in the episode, otherwise{" "}
              {durationText((row.episode.waitedUs ?? 0) + (row.episode.servedUs ?? 0))}
            </small>
          )}
        </span>
      </td>
      <td>{(row.waitedP95Us ?? 0) < 1 ? "–" : <Value figure={formatDuration(row.waitedP95Us)} />}</td>
      <td>{rate(row.perSecond)}</td>
      {hasFull ? (
        <td>
          {full === null ? "–" : <b>{full.figure}</b>}
          <small>{full?.note}</small>
        </td>
      ) : null}
    </tr>
  );
}
