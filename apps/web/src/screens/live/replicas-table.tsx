import { type ReactNode, useState } from "react";
import { WarningIcon } from "../../frame/icons.tsx";
import { Button, Value } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatCount, formatInstant, unbroken, type Figure } from "../../ui/words.ts";
import { CopyCode } from "../../frame/copy.tsx";
import { rateFigure, sizeFigureOfKb } from "./gauges.ts";
import { useLiveRun } from "./live-run-context.ts";
import {
  replicaStates,
  resumeSql,
  type SecondaryState,
  suspendWords,
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
const UNKNOWN = <span className="quiet">unknown</span>;

const figureOrNothing = (value: number | null, format: (value: number) => Figure): ReactNode =>
  value === null ? NOTHING : <Value figure={format(value)} />;
/** The server counts log and time only to a tenth of a second. */
const secondsFigure = (seconds: number): Figure => {
  if (seconds === 0) return { value: "0", unit: "s" };
  if (seconds < 0.05) return { value: "< 0.1", unit: "s" };
  return { value: seconds < 100 ? seconds.toFixed(1) : formatCount(Math.round(seconds)), unit: "s" };
};

/** The rate that the time to redo is based on. */
function rateWords(redo: SecondaryState["redo"]): string {
  if (redo === null) return "no redo rate";
  if (redo.rate === null) return "queue is empty";
  return redo.rate === "view" ? "by redo_rate" : "by counter";
}

const ROWS: readonly TableRow[] = [
  {
    name: "Synchronization state",
    title: "State of its databases (synchronization_state_desc)",
    cell: ({ synchronization }) => {
      if (synchronization === null) return NOTHING;
      const good = synchronization === "SYNCHRONIZED" || synchronization === "SYNCHRONIZING";
      return good ? synchronization : <b className={styles.bad}>{synchronization}</b>;
    },
  },
  {
    name: "Connected",
    title: "Whether it is connected to the primary (connected_state_desc)",
    cell: ({ connected, lastError }) => {
      if (connected === null) return NOTHING;
      if (connected) return "yes";
      return (
        <b className={styles.bad} title={lastError ?? undefined}>
          no
        </b>
      );
    },
  },
  {
    name: "Suspended",
    title: "Databases whose data movement is suspended (is_suspended)",
    cell: ({ suspended, synchronization }) => {
      if (synchronization === null) return NOTHING;
      if (suspended.length === 0) return "no";
      return <b className={styles.bad}>{suspended.map(({ database }) => database).join(", ")}</b>;
    },
  },
  {
    name: "Log send queue",
    title: "Log of all its databases that is not sent to it yet (log_send_queue_size)",
    cell: ({ sendQueueKb }) => figureOrNothing(sendQueueKb, sizeFigureOfKb),
  },
  {
    name: "Log send rate",
    title: "Mean rate while there was log to send (log_send_rate)",
    cell: ({ sendKbPerSecond }) => figureOrNothing(sendKbPerSecond, rateFigure),
  },
  {
    name: "Redo queue",
    title: "Log of all its databases that it received and did not redo yet (redo_queue_size)",
    cell: ({ redoQueueKb }) => figureOrNothing(redoQueueKb, sizeFigureOfKb),
  },
  {
    name: "Redo rate",
    title: "Mean rate while there was log to redo (redo_rate)",
    cell: ({ redoKbPerSecond }) => figureOrNothing(redoKbPerSecond, rateFigure),
  },
  {
    name: "Secondary lag",
    title:
      "Largest lag of its databases behind the primary. Unknown while a database is suspended (secondary_lag_seconds)",
    cell: ({ lagSeconds, suspended }) =>
      suspended.length > 0 ? UNKNOWN : figureOrNothing(lagSeconds, secondsFigure),
  },
  {
    name: "Estimated data loss (RPO)",
    title:
      "Newest commits that a failover to it would lose. 0 while it is SYNCHRONIZED (last_commit_time, primary minus secondary)",
    cell: ({ dataLossSeconds }) => {
      if (dataLossSeconds === null) return UNKNOWN;
      const figure = <Value figure={secondsFigure(dataLossSeconds)} />;
      return dataLossSeconds > 0 ? <b>{figure}</b> : figure;
    },
  },
  {
    name: "Estimated recovery time, redo only (RTO)",
    title:
      "Time to redo its redo queue at the slower known rate, without detection of the failure (redo_queue_size, redo_rate, Redone Bytes/sec)",
    cell: ({ redo }) => {
      const figure = redo === null ? UNKNOWN : <Value figure={secondsFigure(redo.seconds)} />;
      // Always two lines, so that nothing under it moves.
      return (
        <>
          {figure}
          <span className={`quiet ${styles.rate}`}>{rateWords(redo)}</span>
        </>
      );
    },
  },
  {
    name: "Flow control time",
    title: "Time per second that the primary waited before it sent to it, mean of 5 s (Flow Control Time)",
    cell: ({ flowControlMsPerSecond }) =>
      figureOrNothing(flowControlMsPerSecond, (ms) => ({ value: formatCount(Math.round(ms)), unit: "ms/s" })),
  },
  {
    name: "Newest event",
    title: "Age of its newest event that AG Lens has read (timestamp of the event)",
    cell: ({ heardSecondsAgo, isAttached }) => {
      if (!isAttached) return <span className="quiet">not attached</span>;
      return heardSecondsAgo === null ? NOTHING : `${heardSecondsAgo.toFixed(1)}\u2009s ago`;
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
    <section aria-label="Replicas by the primary's views">
      <h2>
        Replicas{" "}
        <span className="quiet">
          {isStale
            ? `from ${source}'s views of ${time(states.at)}`
            : `from ${source}'s views, every 1\u2009s`}
        </span>
      </h2>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by key */}
      <section className={styles.scroll} tabIndex={0} aria-label="States of the secondaries">
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
          <b>
            {database} is suspended on {secondary}
          </b>{" "}
          {unbroken(
            `since ${since}${orEarlier ? " or earlier" : ""}, ${suspendWords(reason)}. Log truncation on ${primary} is delayed.`,
          )}
        </p>
        <Button kind="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Hide the T-SQL" : "Show the T-SQL"}
        </Button>
        {open ? <CopyCode code={resumeSql(database)} label={`T-SQL to run on ${secondary}`} /> : null}
      </div>
    </div>
  );
}
