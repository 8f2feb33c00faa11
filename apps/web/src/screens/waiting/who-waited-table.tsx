import { type CSSProperties, type ReactNode, useState } from "react";
import { type ClientGroup, type WaitPlace, type WhoWaited, type WhoWaitedRow } from "@aglens/contract";
import { whoWaitedTexts as texts } from "../../messages/waiting.ts";
import { Swatch, Value } from "../../ui/controls.tsx";
import { type FigureColumn, FigureTable } from "../../ui/figure-table.tsx";
import { termProps } from "../../ui/term.tsx";
import { durationText, formatCount, formatDuration, percentFigure } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { selectedClients, withClient } from "./client-filter.ts";
import styles from "./who-waited.module.css";
import { clientName, PLACE_TOKENS, placesOf } from "./who-waited-text.ts";

/** Commits that take longer at p95 are in the color of severity, µs. */
const SLOW_US = 50_000;

type Figures = Pick<WhoWaitedRow, "commits" | "sessions" | "waitedUs" | "p50Us" | "p95Us" | "places">;
type Order = "commits" | "p50Us" | "p95Us" | "waitedUs";

interface Props {
  readonly waited: WhoWaited;
}

/** Sessions, applications or statements with the sum of their waits, and bars of its places on one scale. */
export function WhoWaitedTable({ waited }: Props): ReactNode {
  const { summary, view, setView } = useCapture();
  const { by, all, others } = waited;
  const [order, setOrder] = useState<Order>("waitedUs");
  const rows = waited.rows.toSorted((a, b) => (b[order] ?? -1) - (a[order] ?? -1));
  const longest = Math.max(1, ...rows.map(({ waitedUs }) => waitedUs));
  const selected = selectedClients(view.where, by);
  const places = placesOf(waited);
  const name = (row: WhoWaitedRow): string => clientName(row, by, summary);
  const press = (value: number, adds: boolean): void =>
    setView({ where: withClient(view.where, by, value, adds) });
  const columns: FigureColumn<WhoWaitedRow>[] = [
    {
      id: COLUMN_NAMES[by],
      className: styles.name,
      cell: (row) => (
        <button
          type="button"
          className={styles.pressed}
          data-row="client"
          aria-pressed={selected.includes(row.value)}
          title={name(row)}
          onClick={({ ctrlKey, metaKey }) => press(row.value, ctrlKey || metaKey)}
        >
          <span className="truncate">{name(row)}</span>
          {by === "session" || row.sessions === null ? null : <small>{texts.sessionsOf(row.sessions)}</small>}
        </button>
      ),
    },
    ...figureColumns<WhoWaitedRow>(all.waitedUs, order, setOrder),
    {
      id: "Wait by place",
      term: "waitByPlace",
      head: texts.waitByPlace,
      align: "left",
      className: styles.places,
      cell: (row) => <Places row={row} places={places} longestUs={longest} />,
    },
  ];
  return (
    <>
      <ul className={styles.legend}>
        {places.map((place) => (
          <li key={place}>
            <Swatch color={`var(${PLACE_TOKENS[place]})`} />{" "}
            <span {...termProps(PLACE_TERMS[place])}>{texts[place]}</span>
          </li>
        ))}
      </ul>
      <div className="sideways">
        <FigureTable<WhoWaitedRow>
          className={styles.rows}
          aria-label={texts.title}
          rows={rows}
          rowKey={({ value, replica }) => `${value} ${replica}`}
          rowProps={({ value }) => ({ "data-chosen": selected.includes(value) })}
          columns={columns}
          last={
            <>
              {others === null ? null : (
                <SumRow name={texts.others(others.groups)} figures={others} ofUs={all.waitedUs} />
              )}
              <SumRow name={texts.all} figures={all} ofUs={all.waitedUs} note={texts.sumOfCommitWait} isAll />
            </>
          }
        />
      </div>
    </>
  );
}

const COLUMN_NAMES: Readonly<Record<ClientGroup, string>> = {
  session: "Session",
  application: "Application",
  statement: "Statement",
};

/** Definitions of the places, as the stages have them. */
const PLACE_TERMS = {
  commitQueue: "commitQueue",
  localFlush: "localFlush",
  network: "networkRoundTrip",
  secondaryFlush: "secondaryFlush",
  handling: "waitByPlace",
  unresponsive: "waitByPlace",
  unknown: "waitByPlace",
} as const satisfies Readonly<Record<WaitPlace, string>>;

function figureColumns<Row extends Figures>(
  allUs: number,
  order: Order,
  setOrder: (order: Order) => void,
): FigureColumn<Row>[] {
  const sorted = (id: Order, words: string): Pick<FigureColumn<Row>, "head" | "sort"> => ({
    sort: order === id ? "descending" : "none",
    head: (
      <button
        type="button"
        className={styles.sort}
        aria-label={texts.sortBy(words)}
        onClick={() => setOrder(id)}
      >
        {words}
        {order === id ? " ↓" : ""}
      </button>
    ),
  });
  return [
    {
      id: "Share",
      term: "waitShare",
      cell: ({ waitedUs }) => <Value figure={percentFigure(waitedUs / allUs, 1)} strong />,
    },
    { id: "Commits", ...sorted("commits", texts.commits), cell: ({ commits }) => formatCount(commits) },
    { id: "p50", ...sorted("p50Us", "p50"), term: "p50", cell: ({ p50Us }) => formatDuration(p50Us) },
    {
      id: "p95",
      ...sorted("p95Us", "p95"),
      term: "p95",
      cell: ({ p95Us }) => formatDuration(p95Us),
      cellProps: ({ p95Us }) => ({ "data-slow": (p95Us ?? 0) > SLOW_US }),
    },
    { id: "Wait", ...sorted("waitedUs", texts.wait), cell: ({ waitedUs }) => formatDuration(waitedUs) },
  ];
}

interface PlacesProps {
  readonly row: Figures;
  readonly places: readonly WaitPlace[];
  readonly longestUs: number;
}

function Places({ row, places, longestUs }: PlacesProps): ReactNode {
  const parts = places.filter((place) => row.places[place] > 0);
  const words = parts.map((place) => texts.placePart(texts[place], durationText(row.places[place])));
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an img has no parts
    <span className={styles.bar} role="img" aria-label={words.join(", ")} title={words.join("\n")}>
      {parts.map((place) => (
        <i
          key={place}
          data-place={place}
          style={
            {
              width: `${(100 * row.places[place]) / longestUs}%`,
              "--place": `var(${PLACE_TOKENS[place]})`,
            } as CSSProperties
          }
        />
      ))}
    </span>
  );
}

interface SumRowProps {
  readonly name: string;
  readonly figures: Figures;
  readonly ofUs: number;
  readonly note?: string;
  readonly isAll?: boolean;
}

function SumRow({ name, figures, ofUs, note = "", isAll = false }: SumRowProps): ReactNode {
  const { commits, sessions, waitedUs, p50Us, p95Us } = figures;
  return (
    <tr className={styles.sum} data-all={isAll}>
      <th scope="row" className={styles.name}>
        <span>{name}</span> {sessions === null ? null : <small>{texts.sessionsOf(sessions)}</small>}
      </th>
      <td>
        <Value figure={percentFigure(ofUs > 0 ? waitedUs / ofUs : null, isAll ? 0 : 1)} />
      </td>
      <td>{formatCount(commits)}</td>
      <td>
        <Value figure={formatDuration(p50Us)} />
      </td>
      <td>
        <Value figure={formatDuration(p95Us)} />
      </td>
      <td>
        <Value figure={formatDuration(waitedUs)} />
      </td>
      <td data-align="left" className={`quiet ${styles.places}`}>
        {note}
      </td>
    </tr>
  );
}
