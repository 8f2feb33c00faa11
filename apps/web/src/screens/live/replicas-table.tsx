import { type ReactNode, useState } from "react";
import { clockLabel } from "../../charts/axis.ts";
import { WarningIcon } from "../../frame/icons.tsx";
import { Button, Value } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatCount, unbroken, type Figure } from "../../ui/words.ts";
import { CopyCode } from "../../frame/copy.tsx";
import { rateFigure, sizeFigureOfKb } from "./gauges.ts";
import { useLiveRun } from "./live-run-context.ts";
import { originDayOf } from "./run-words.ts";
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
const CANNOT_TELL = <span className="quiet">cannot tell</span>;

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
  if (redo.rate === null) return "nothing waits";
  return redo.rate === "view" ? "by redo_rate" : "as measured";
}

const ROWS: readonly TableRow[] = [
  {
    name: "State",
    title: "synchronization_state_desc of its databases",
    cell: ({ synchronization }) => {
      if (synchronization === null) return NOTHING;
      const good = synchronization === "SYNCHRONIZED" || synchronization === "SYNCHRONIZING";
      return good ? synchronization : <b className={styles.bad}>{synchronization}</b>;
    },
  },
  {
    name: "Connected",
    title: "connected_state_desc, read after each change of a state",
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
    title: "is_suspended: databases whose data movement is suspended",
    cell: ({ suspended, synchronization }) => {
      if (synchronization === null) return NOTHING;
      if (suspended.length === 0) return "no";
      return <b className={styles.bad}>{suspended.map(({ database }) => database).join(", ")}</b>;
    },
  },
  {
    name: "Log not there yet",
    title: "log_send_queue_size of all its databases",
    cell: ({ sendQueueKb }) => figureOrNothing(sendQueueKb, sizeFigureOfKb),
  },
  {
    name: "Send rate",
    title: "log_send_rate: mean of the last time in which there was something to send",
    cell: ({ sendKbPerSecond }) => figureOrNothing(sendKbPerSecond, rateFigure),
  },
  {
    name: "Redo queue",
    title: "redo_queue_size of all its databases",
    cell: ({ redoQueueKb }) => figureOrNothing(redoQueueKb, sizeFigureOfKb),
  },
  {
    name: "Redo rate",
    title: "redo_rate: mean of the time in which there was something to redo",
    cell: ({ redoKbPerSecond }) => figureOrNothing(redoKbPerSecond, rateFigure),
  },
  {
    name: "Secondary lag",
    title:
      "secondary_lag_seconds, the largest of its databases. SQL Server shows 0 while a database is suspended",
    cell: ({ lagSeconds, suspended }) =>
      suspended.length > 0 ? CANNOT_TELL : figureOrNothing(lagSeconds, secondsFigure),
  },
  {
    name: "RPO, what is lost",
    title: "last_commit_time of the primary less that of the secondary; 0 while it is SYNCHRONIZED",
    cell: ({ dataLossSeconds }) => {
      if (dataLossSeconds === null) return CANNOT_TELL;
      const figure = <Value figure={secondsFigure(dataLossSeconds)} />;
      return dataLossSeconds > 0 ? <b>{figure}</b> : figure;
    },
  },
  {
    name: "RTO, redo part",
    title:
      "redo_queue_size over the slower of redo_rate and what the secondary redid in the last 30 s. Finding the failure and starting the databases are not in it",
    cell: ({ redo }) => {
      const figure = redo === null ? CANNOT_TELL : <Value figure={secondsFigure(redo.seconds)} />;
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
    name: "Flow control",
    title: "Flow Control Time of the last 5 s: how long the primary waited before it sent to it",
    cell: ({ flowControlMsPerSecond }) =>
      figureOrNothing(flowControlMsPerSecond, (ms) => ({ value: formatCount(Math.round(ms)), unit: "ms/s" })),
  },
  {
    name: "Heard",
    title: "How old its newest event is that is read",
    cell: ({ heardSecondsAgo, isAttached }) => {
      if (!isAttached) return <span className="quiet">not attached</span>;
      return heardSecondsAgo === null ? NOTHING : `${heardSecondsAgo.toFixed(1)}\u2009s ago`;
    },
  },
];

/** One column for each secondary, as in the primary's views; scrolls sideways when there are many. */
export function ReplicasTable(): ReactNode {
  const { state } = useLiveRun();
  const states = replicaStates(state);
  if (states === null || states.secondaries.length === 0) return null;
  const time = (at: number): string => clockLabel(at + originDayOf(state.origin), 1e6);
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
            `since ${since}${orEarlier ? " or earlier" : ""}, ${suspendWords(reason)}. ${primary}'s log cannot be cut.`,
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
