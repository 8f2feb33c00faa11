import { type ReactNode, useState } from "react";
import { WarningIcon } from "../../frame/icons.tsx";
import { Button, Value } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatCount, formatInstant, unbroken, type Figure } from "../../ui/words.ts";
import { CopyCode } from "../../frame/copy.tsx";
import { liveTexts as texts } from "../../messages/live.ts";
import { rateFigure, sizeFigureOfKb } from "./gauges.ts";
import { useLiveRun } from "./live-run-context.ts";
import {
  replicaStates,
  resumeSql,
  type SecondaryState,
  suspendText,
  type Suspension,
} from "./replica-states.ts";
import styles from "./replicas-table.module.css";

interface TableRow {
  readonly name: string;
  /** Exact definition of the value, for users who want it. */
  readonly title: string;
  readonly cell: (secondary: SecondaryState) => ReactNode;
}

const NOTHING = "–";
const UNKNOWN = <span className="quiet">{texts.unknown}</span>;

const figureOrNothing = (value: number | null, format: (value: number) => Figure): ReactNode =>
  value === null ? NOTHING : <Value figure={format(value)} />;
/** The server counts log and time only to a tenth of a second. */
const secondsFigure = (seconds: number): Figure => {
  if (seconds === 0) return { value: "0", unit: "s" };
  if (seconds < 0.05) return { value: "< 0.1", unit: "s" };
  return { value: seconds < 100 ? seconds.toFixed(1) : formatCount(Math.round(seconds)), unit: "s" };
};

/** The rate that the time to redo is based on. */
function rateText(redo: SecondaryState["redo"]): string {
  if (redo === null) return texts.noRedoRate;
  if (redo.rate === null) return texts.queueIsEmpty;
  return redo.rate === "view" ? texts.byRedoRate : texts.byCounter;
}

const ROWS: readonly TableRow[] = [
  {
    name: texts.synchronizationState,
    title: texts.stateOfItsDatabases,
    cell: ({ synchronization }) => {
      if (synchronization === null) return NOTHING;
      const good = synchronization === "SYNCHRONIZED" || synchronization === "SYNCHRONIZING";
      return good ? synchronization : <b className={styles.bad}>{synchronization}</b>;
    },
  },
  {
    name: "Connected",
    title: texts.whetherItIsConnected,
    cell: ({ connected, lastError }) => {
      if (connected === null) return NOTHING;
      if (connected) return "yes";
      return (
        <b className={styles.bad} title={lastError ?? undefined}>
          {texts.no}
        </b>
      );
    },
  },
  {
    name: "Suspended",
    title: texts.databasesWhoseDataMovement,
    cell: ({ suspended, synchronization }) => {
      if (synchronization === null) return NOTHING;
      if (suspended.length === 0) return "no";
      return <b className={styles.bad}>{suspended.map(({ database }) => database).join(", ")}</b>;
    },
  },
  {
    name: texts.logSendQueueLabel,
    title: texts.logOfAll,
    cell: ({ sendQueueKb }) => figureOrNothing(sendQueueKb, sizeFigureOfKb),
  },
  {
    name: texts.logSendRate,
    title: texts.meanRateWhileThere,
    cell: ({ sendKbPerSecond }) => figureOrNothing(sendKbPerSecond, rateFigure),
  },
  {
    name: texts.redoQueueLabel,
    title: texts.logOfAllIts,
    cell: ({ redoQueueKb }) => figureOrNothing(redoQueueKb, sizeFigureOfKb),
  },
  {
    name: texts.redoRateLabel,
    title: texts.meanRateWhileThereWasLog,
    cell: ({ redoKbPerSecond }) => figureOrNothing(redoKbPerSecond, rateFigure),
  },
  {
    name: texts.secondaryLagLabel,
    title: texts.largestLag,
    cell: ({ lagSeconds, suspended }) =>
      suspended.length > 0 ? UNKNOWN : figureOrNothing(lagSeconds, secondsFigure),
  },
  {
    name: texts.estimatedDataLossRpo,
    title: texts.newestCommits,
    cell: ({ dataLossSeconds }) => {
      if (dataLossSeconds === null) return UNKNOWN;
      const figure = <Value figure={secondsFigure(dataLossSeconds)} />;
      return dataLossSeconds > 0 ? <b>{figure}</b> : figure;
    },
  },
  {
    name: texts.estimatedRecoveryTimeRedo,
    title: texts.timeToRedo,
    cell: ({ redo }) => {
      const figure = redo === null ? UNKNOWN : <Value figure={secondsFigure(redo.seconds)} />;
      // Always two lines, so that nothing under it moves.
      return (
        <>
          {figure}
          <span className={`quiet ${styles.rate}`}>{rateText(redo)}</span>
        </>
      );
    },
  },
  {
    name: texts.flowControlTimeColumn,
    title: texts.timePerSecond,
    cell: ({ flowControlMsPerSecond }) =>
      figureOrNothing(flowControlMsPerSecond, (ms) => ({ value: formatCount(Math.round(ms)), unit: "ms/s" })),
  },
  {
    name: texts.newestEvent,
    title: texts.ageOfItsNewest,
    cell: ({ heardSecondsAgo, isAttached }) => {
      if (!isAttached) return <span className="quiet">{texts.notAttachedAlone}</span>;
      return heardSecondsAgo === null ? NOTHING : texts.secondsAgo(heardSecondsAgo.toFixed(1));
    },
  },
];

/** One column for each secondary, as in the primary's views; scrolls sideways when there are many. */
export function ReplicasTable(): ReactNode {
  const { state, clock } = useLiveRun();
  const states = replicaStates(state);
  if (states === null || states.secondaries.length === 0) return null;
  const time = (at: number): string => formatInstant(clock, at, 0);
  const { source, secondaries, isStale } = states;
  return (
    <section aria-label={texts.replicasByThePrimarys}>
      <h2>
        {texts.replicas}{" "}
        <span className="quiet">
          {isStale ? texts.fromSViewsOf(source, time(states.at)) : texts.fromSViewsEvery(source)}
        </span>
      </h2>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by key */}
      <section className={styles.scroll} tabIndex={0} aria-label={texts.statesOfTheSecondaries}>
        <FigureTable<TableRow>
          className={styles.table}
          rows={ROWS}
          rowKey={({ name }) => name}
          columns={[
            {
              id: "Measure",
              isHeadHidden: true,
              cell: ({ name }) => name,
              cellProps: ({ title }) => ({ title }),
            },
            ...secondaries.map((secondary) => ({
              id: secondary.replicaId,
              head:
                secondary.commitMode === "undetermined"
                  ? secondary.name
                  : `${secondary.name}, ${secondary.commitMode}`,
              cell: ({ cell }: TableRow) => cell(secondary),
            })),
          ]}
        />
      </section>
      {secondaries.flatMap(({ replicaId, name, suspended }) =>
        suspended.map((suspension) => (
          <Suspended
            key={`${replicaId} ${suspension.database}`}
            suspension={suspension}
            secondary={name}
            primary={source}
            since={time(suspension.since)}
          />
        )),
      )}
    </section>
  );
}

interface SuspendedProps {
  readonly suspension: Suspension;
  readonly secondary: string;
  readonly primary: string;
  /** Time of day. */
  readonly since: string;
}

/** A suspended database sends nothing: without this it would look like an idle one. */
function Suspended({ suspension, secondary, primary, since }: SuspendedProps): ReactNode {
  const [open, setOpen] = useState(false);
  const { database, reason, orEarlier } = suspension;
  return (
    <div className={styles.suspended} aria-live="polite">
      <WarningIcon />
      <div className="narrows">
        <p>
          <b>{texts.isSuspendedOn(database, secondary)}</b>{" "}
          {unbroken(texts.sinceLogTruncation(since, orEarlier, suspendText(reason), primary))}
        </p>
        <Button kind="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? texts.hideTheTSql : texts.showTheTSql}
        </Button>
        {open ? <CopyCode code={resumeSql(database)} label={texts.tSqlToRun(secondary)} /> : null}
      </div>
    </div>
  );
}
