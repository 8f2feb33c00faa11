import type { ReactNode } from "react";
import type { FleetSide } from "@aglens/contract";
import { fleetPlace, fleetSideName } from "@aglens/ag-model/fleet";
import { PathBar } from "../../charts/path-bar.tsx";
import { barLength } from "../../charts/block-pieces.ts";
import { placeToken } from "../../lanes/palette.ts";
import { Button, Card, Kbd, Swatch, Value } from "../../ui/controls.tsx";
import { formatCount, formatDuration, unbroken } from "../../ui/words.ts";
import { countedWords } from "../counted-words.ts";
import { commitsWords } from "../known-commits.ts";
import frame from "../lane-frame.module.css";
import type { FleetPercentile } from "./fleet-address.ts";
import { comparedLanes, latestColumns, sideBySide } from "./fleet-figures.ts";
import { columnBefore, comparableBefore, type FleetView } from "./fleet-view.ts";
import { factorText, hasMoved, instantWords, unitWords } from "./fleet-words.ts";
import styles from "./fleet.module.css";

interface Props {
  readonly view: FleetView;
  readonly percentile: FleetPercentile;
  readonly days: number;
  readonly onOpen: () => void;
  readonly onCompare: () => void;
}

/** The answer, the figures that carry it, the selected capture beside the one before, and both groups beside each other. */
export function FleetPane({ view, percentile, days, onOpen, onCompare }: Props): ReactNode {
  const { a, b } = view.fleet;
  const { sentence, rest, checkNext, isWorse } = a.verdict;
  return (
    <aside className={`${frame.pane} ${styles.pane}`} aria-label="What has changed">
      <h2>
        {fleetSideName(a)}, last {days} days
      </h2>
      <p className={styles.verdict} data-bad={isWorse}>
        <b>{unbroken(sentence)}</b> {unbroken(rest)}
      </p>
      <CompareTable view={view} percentile={percentile} />
      <SelectedCapture view={view} onOpen={onOpen} onCompare={onCompare} />
      {b === null ? null : <BothSides a={a} b={b} view={view} percentile={percentile} />}
      {checkNext.length === 0 ? null : (
        <section>
          <h2>Check next</h2>
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

/** Every lane before and since. */
function CompareTable({ view: { fleet }, percentile }: Pick<Props, "view" | "percentile">): ReactNode {
  const { rows, isChange, before, since } = comparedLanes(fleet.a, percentile, fleet.days.length);
  if (rows.length === 0) return null;
  return (
    <table className={`${styles.figures} figure-table`} aria-label="Before and since">
      <thead>
        <tr>
          <th scope="col">{percentile}, median of captures</th>
          <th scope="col">{isChange ? `${formatCount(before)} before` : "before"}</th>
          <th scope="col">
            {isChange ? `${formatCount(since)} since` : `last ${unitWords(since, fleet.unit)}`}
          </th>
          <th scope="col">Factor</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, lane, change }) => (
          <tr key={name}>
            <th scope="row">
              <Swatch color={`var(${placeToken(fleetPlace(lane.stage))})`} /> {name}
            </th>
            <td>
              <Value figure={formatDuration(change?.before)} />
            </td>
            <td>
              <Value figure={formatDuration(change?.since)} />
            </td>
            <Factor factor={change?.factor ?? null} isMarked={lane.change !== null} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Marked where chance does not explain it; grey under a tenth. */
function Factor({
  factor,
  isMarked = false,
}: {
  readonly factor: number | null;
  readonly isMarked?: boolean;
}): ReactNode {
  const isWorse = isMarked && (factor ?? 1) > 1;
  return (
    <td className={styles.factor} data-bad={isWorse} data-quiet={factor === null || !hasMoved(factor)}>
      {factorText(factor)}
      {isMarked ? <span className="sr-only">, more than chance explains</span> : null}
    </td>
  );
}

/** The selected capture beside the one before it, on one scale. */
function SelectedCapture({
  view,
  onOpen,
  onCompare,
}: Pick<Props, "view" | "onOpen" | "onCompare">): ReactNode {
  const { fleet, selected } = view;
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
          {instantWords(selected)} <span className="quiet text-small">{selected.name}</span>
        </span>
      }
      aside="selected"
    >
      {bars.map(({ capture, path }) => (
        <div key={capture.id} className={styles.bar}>
          <span>{instantWords(capture).replace(/ \S+$/u, "")}</span>
          <PathBar stages={path.means} scaleUs={scaleUs} height={12} isAsynchronous={path.isAsynchronous} />
          <Value figure={formatDuration(path.means.remoteHarden)} strong />
        </div>
      ))}
      <p className={styles.caption}>
        {bars.length === 0 ? "" : `Mean remote harden to ${replica}, one scale. `}
        {countedWords(selected.blocks, "block")},{" "}
        {commitsWords({ commits: { count: selected.commits } }, selected.commits)}.
        {selected.captures > 1 ? ` The slowest of ${formatCount(selected.captures)} captures.` : ""}
        {selected.isThere ? "" : " Its time is over: these figures are what is kept of it."}
      </p>
      <div className={styles.actions}>
        <Button kind="primary" disabled={!selected.isThere} onClick={onOpen}>
          Open capture <Kbd>Enter</Kbd>
        </Button>
        <Button disabled={comparableBefore(fleet, selected) === null} onClick={onCompare}>
          Compare <Kbd>c</Kbd>
        </Button>
      </div>
    </Card>
  );
}

/** The secondary whose path is shown: the one that the verdict is about, or else the slowest that commits wait for. */
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
        {fleetSideName(a)} and {fleetSideName(b)}{" "}
        <span className="quiet text-small">last {unitWords(latest[1] - latest[0], fleet.unit)}</span>
      </h2>
      <table className={`${styles.figures} figure-table`} aria-label="A against B">
        <thead>
          <tr>
            <th scope="col">{percentile}, median of captures</th>
            <th scope="col" title={fleetSideName(a)}>
              A
            </th>
            <th scope="col" title={fleetSideName(b)}>
              B
            </th>
            <th scope="col">Factor</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name} title={row.servers.filter((name) => name !== "").join(", ")}>
              <th scope="row">
                <Swatch color={`var(${placeToken(fleetPlace(row.stage))})`} /> {row.name}
              </th>
              <td>
                <Value figure={formatDuration(row.a)} />
              </td>
              <td>
                <Value figure={formatDuration(row.b)} />
              </td>
              <Factor factor={row.a === null || row.b === null ? null : row.a / row.b} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
