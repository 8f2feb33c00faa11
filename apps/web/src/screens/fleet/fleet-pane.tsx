import { type ReactNode, useState } from "react";
import type { FleetSide } from "@aglens/contract";
import { fleetPlace, fleetSideName } from "@aglens/ag-model/fleet";
import { PathBar } from "../../charts/path-bar.tsx";
import { barLength } from "../../charts/block-pieces.ts";
import { placeToken } from "../../lanes/palette.ts";
import { fleetTexts as texts } from "../../messages/fleet.ts";
import { Button, Card, Kbd, Swatch, Value } from "../../ui/controls.tsx";
import { type FigureColumn, FigureTable, type FigureTableProps } from "../../ui/figure-table.tsx";
import { FoldedRows } from "../../ui/folded-rows.tsx";
import { formatCount, formatDuration, unbroken } from "../../ui/words.ts";
import { commitsText } from "../capture-view/figures.ts";
import frame from "../lane-view/lane-frame.module.css";
import type { FleetPercentile } from "./fleet-address.ts";
import { comparedLanes, latestColumns, sideBySide } from "./fleet-figures.ts";
import { columnBefore, comparableBefore, type FleetView } from "./fleet-view.ts";
import { zoneNameAt } from "../../ui/zone.ts";
import { factorText, foldedText, hasMoved, instantWords, unitText } from "./fleet-text.ts";
import styles from "./fleet.module.css";

interface Props {
  readonly view: FleetView;
  readonly percentile: FleetPercentile;
  readonly days: number;
  readonly onOpen: () => void;
  readonly onCompare: () => void;
}

/**
 * The answer, the figures that support it, the selected capture next to the previous one, and both groups side by side.
 */
export function FleetPane({ view, percentile, days, onOpen, onCompare }: Props): ReactNode {
  const { a, b } = view.fleet;
  const { sentence, rest, checkNext, isWorse } = a.verdict;
  return (
    <aside className={`${frame.pane} ${styles.pane}`} aria-label={texts.changes}>
      <h2>{texts.lastDays(fleetSideName(a), days)}</h2>
      <p className={styles.verdict} data-bad={isWorse}>
        <b>{unbroken(sentence)}</b> {unbroken(rest)}
      </p>
      <CompareTable view={view} percentile={percentile} />
      <SelectedCapture view={view} onOpen={onOpen} onCompare={onCompare} />
      {b === null ? null : <BothSides a={a} b={b} view={view} percentile={percentile} />}
      {checkNext.length === 0 ? null : (
        <section>
          <h2>{texts.checkNext}</h2>
          {checkNext.map((line) => (
            <p key={line} className={frame.sub}>
              {line}
            </p>
          ))}
        </section>
      )}
    </aside>
  );
}

/** Every lane before and since; those that did not move are one sentence. */
function CompareTable({ view: { fleet }, percentile }: Pick<Props, "view" | "percentile">): ReactNode {
  const { rows, isChange, before, since } = comparedLanes(fleet.a, percentile, fleet.days.length);
  if (rows.length === 0) return null;
  return (
    <MovedRows<(typeof rows)[number]>
      isMoved={({ lane, change }) =>
        lane.stage === "commit" || lane.change !== null || change === null || hasMoved(change.factor)
      }
      aria-label={texts.beforeAndSince}
      rows={rows}
      rowKey={({ name }) => name}
      columns={[
        stageColumn(texts.medianOfCaptures(percentile), ({ lane }) => lane.stage),
        {
          id: "before",
          head: isChange ? texts.before(formatCount(before)) : texts.beforePart,
          cell: ({ change }) => formatDuration(change?.before),
        },
        {
          id: "since",
          head: isChange ? texts.since(formatCount(since)) : texts.last(unitText(since, fleet.unit)),
          cell: ({ change }) => formatDuration(change?.since),
        },
        factorColumn(
          ({ change }) => change?.factor ?? null,
          ({ lane }) => lane.change !== null,
        ),
      ]}
    />
  );
}

/** A table whose rows without a difference between both sides are collapsed. */
function MovedRows<Row>({
  isMoved,
  rows,
  ...table
}: FigureTableProps<Row> & { readonly isMoved: (row: Row) => boolean }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const alike = rows.filter((row) => !isMoved(row));
  // A single row takes no more space than the sentence.
  const isFolded = alike.length > 1;
  return (
    <>
      <FigureTable data-names="wrap" rows={isFolded && !isOpen ? rows.filter(isMoved) : rows} {...table} />
      {isFolded && (
        <FoldedRows sentence={foldedText(alike.length)} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />
      )}
    </>
  );
}

type StageOf<Row> = (row: Row) => FleetSide["lanes"][number]["stage"];

const stageColumn = <Row extends { readonly name: string }>(
  id: string,
  stageOf: StageOf<Row>,
): FigureColumn<Row> => ({
  id,
  cell: (row) => (
    <>
      <Swatch color={`var(${placeToken(fleetPlace(stageOf(row)))})`} />
      {row.name}
    </>
  ),
});

/** Marked where chance does not explain the change; gray under a tenth. */
const factorColumn = <Row,>(
  factorOf: (row: Row) => number | null,
  isMarked: (row: Row) => boolean = () => false,
): FigureColumn<Row> => ({
  id: "Factor",
  cell: (row) => (
    <>
      {factorText(factorOf(row))}
      {isMarked(row) ? <span className="sr-only">{texts.moreThanChanceExplains}</span> : null}
    </>
  ),
  cellProps: (row) => {
    const factor = factorOf(row);
    return {
      "data-bad": isMarked(row) && (factor ?? 1) > 1,
      "data-quiet": factor === null || !hasMoved(factor),
    };
  },
});

/** The selected capture next to the previous one, on one scale. */
function SelectedCapture({
  view,
  onOpen,
  onCompare,
}: Pick<Props, "view" | "onOpen" | "onCompare">): ReactNode {
  const { fleet, selected, zone } = view;
  if (selected === null) return null;
  const before = columnBefore(fleet, selected);
  const replica = pathReplica(fleet.a, selected);
  const bars = [before, selected].flatMap((capture) => {
    const path = capture?.paths.find((each) => each.replica === replica);
    return capture === null || path === undefined ? [] : [{ capture, path }];
  });
  const scaleUs = Math.max(1, ...bars.map(({ path }) => barLength(path.means)));
  return (
    <Card
      className={styles.selected}
      title={
        <span title={selected.name}>
          {instantWords(selected, zone)} {zoneNameAt(zone, selected.from)}{" "}
          <span className="quiet text-small">{selected.name}</span>
        </span>
      }
      aside={texts.selected}
    >
      {bars.map(({ capture, path }) => (
        <div key={capture.id} className={styles.bar}>
          <span>{instantWords(capture, zone).replace(/ \S+$/u, "")}</span>
          <PathBar stages={path.means} scaleUs={scaleUs} height={12} isAsynchronous={path.isAsynchronous} />
          <Value figure={formatDuration(path.means.remoteHarden)} strong />
        </div>
      ))}
      <p className={styles.caption}>
        {texts.meanRemoteHarden({
          barCount: bars.length,
          replica,
          blocks: selected.blocks,
          commits: commitsText({ commits: { count: selected.commits } }, selected.commits),
          captures: selected.captures,
          otherCaptures: formatCount(selected.captures),
          isThere: selected.isThere,
        })}
      </p>
      {selected.failover === undefined ? null : (
        <p className={styles.caption}>{texts.failover(selected.failover)}</p>
      )}
      <div className={styles.actions}>
        <Button kind="primary" disabled={!selected.isThere} onClick={onOpen}>
          {texts.openCapture} <Kbd>Enter</Kbd>
        </Button>
        <Button disabled={comparableBefore(fleet, selected) === null} onClick={onCompare}>
          {texts.compare} <Kbd>c</Kbd>
        </Button>
      </div>
    </Card>
  );
}

/** The secondary whose path is shown: the one of the verdict, or else the slowest one that commits wait for. */
function pathReplica({ verdict, lanes }: FleetSide, { paths }: FleetView["selected"] & object): string {
  const named = lanes[verdict.lane ?? -1]?.replica;
  if (paths.some(({ replica }) => replica === named)) return named ?? "";
  const harden = (means: (typeof paths)[number]["means"]): number => means.remoteHarden ?? 0;
  const waited = paths.filter(({ isAsynchronous }) => !isAsynchronous);
  const [slowest] = (waited.length > 0 ? waited : paths).toSorted(
    (x, y) => harden(y.means) - harden(x.means),
  );
  return slowest?.replica ?? "";
}

function BothSides({
  a,
  b,
  view: { fleet },
  percentile,
}: Pick<Props, "view" | "percentile"> & { readonly a: FleetSide; readonly b: FleetSide }): ReactNode {
  const latest = latestColumns(fleet);
  const rows = sideBySide(a, b, percentile, latest);
  return (
    <section>
      <h2>
        {texts.and(fleetSideName(a), fleetSideName(b))}{" "}
        <span className="quiet text-small">{texts.last(unitText(latest[1] - latest[0], fleet.unit))}</span>
      </h2>
      <MovedRows<(typeof rows)[number]>
        isMoved={({ stage, a: ofA, b: ofB }) =>
          stage === "commit" || ofA === null || ofB === null || hasMoved(ofA / ofB)
        }
        aria-label={texts.againstB}
        rows={rows}
        rowKey={({ name }) => name}
        rowProps={({ servers }) => ({ title: servers.filter((name) => name !== "").join(", ") })}
        columns={[
          stageColumn(texts.medianOfCaptures(percentile), ({ stage }) => stage),
          { id: "A", headTitle: fleetSideName(a), cell: (row) => formatDuration(row.a) },
          { id: "B", headTitle: fleetSideName(b), cell: (row) => formatDuration(row.b) },
          factorColumn((row) => (row.a === null || row.b === null ? null : row.a / row.b)),
        ]}
      />
    </section>
  );
}
