import { Fragment, useState, type ReactNode } from "react";
import type { Sequence, SequenceEvent } from "@aglens/contract";
import { Chip } from "../../ui/controls.tsx";
import { useCapture } from "../capture-context.ts";
import styles from "./sequence.module.css";

const wholeNumber = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

const fieldText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** When it fired after the block's start, to the microsecond; `≈` and whole ms where only the publish time places it. */
function offsetWords({ fire, byPublish }: SequenceEvent, origin: number): string {
  if (fire === null) return "–";
  const sign = fire < origin ? "−" : "+";
  const size = Math.abs(fire - origin);
  return byPublish
    ? `≈ ${sign}${wholeNumber.format(size / 1000)}\u2009ms`
    : `${sign}${wholeNumber.format(size)}\u2009µs`;
}

function EventFields({ event }: { event: SequenceEvent }): ReactNode {
  const rows = [...Object.entries(event.fields), ...Object.entries(event.actions)];
  return (
    <dl className={styles.eventFields}>
      <dt>file, offset</dt>
      <dd>
        {event.file}, 0x{event.offset.toString(16)}
      </dd>
      {rows.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{fieldText(value)}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** Raw events of all replicas in the order they fired, on the primary's clock; a row opens to all its fields. */
export function EventTable({ sequence }: { readonly sequence: Sequence }): ReactNode {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const origin = sequence.local.commitStart ?? sequence.time;
  const toggle = (row: number): void => {
    const next = new Set(opened);
    if (!next.delete(row)) next.add(row);
    setOpened(next);
  };
  return (
    <table className={styles.eventTable} aria-label="Raw events">
      <thead>
        <tr>
          <th scope="col" className={styles.number}>
            Raw events, {sequence.events.length}
          </th>
          <th scope="col">Replica</th>
          <th scope="col">Event</th>
          <th scope="col" className={styles.number}>
            Mode
          </th>
          <th scope="col" className={styles.number}>
            Field
          </th>
          <th scope="col">Block or ack id</th>
          <th scope="col" className={styles.number}>
            Published
          </th>
        </tr>
      </thead>
      <tbody>
        {sequence.events.map((event, row) => (
          <EventRows
            key={`${event.file}:${event.offset}`}
            event={event}
            origin={origin}
            isOpen={opened.has(row)}
            onToggle={() => toggle(row)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface EventRowsProps {
  readonly event: SequenceEvent;
  /** Start of the block, µs. */
  readonly origin: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** An event, and all its fields under it while it is open. */
function EventRows({ event, origin, isOpen, onToggle }: EventRowsProps): ReactNode {
  const { summary } = useCapture();
  return (
    <>
      <tr>
        <td
          className={styles.number}
          title={event.byPublish ? "No start_timestamp: placed by its publish time" : undefined}
        >
          {offsetWords(event, origin)}
        </td>
        <td>
          <Chip place={event.replica === 0 ? "primary" : "secondary"}>
            {summary.replicas[event.replica]?.name}
          </Chip>
        </td>
        <td className={styles.name}>
          <button
            type="button"
            className={styles.eventName}
            title={event.name}
            aria-expanded={isOpen}
            onClick={onToggle}
          >
            <code>{event.name}</code>
          </button>
        </td>
        <td className={styles.number}>{event.mode ?? ""}</td>
        <td className={styles.number}>
          {event.duration === null
            ? ""
            : `${wholeNumber.format(event.duration)}\u2009${event.durationUnit ?? "µs"}`}
        </td>
        <td>
          <code>{event.lsn ?? ""}</code>
        </td>
        <td className={`${styles.number} ${styles.muted}`}>{event.timestamp.slice(11, 23)}</td>
      </tr>
      {isOpen ? (
        <tr className={styles.eventDetail}>
          <td colSpan={7}>
            <EventFields event={event} />
          </td>
        </tr>
      ) : null}
    </>
  );
}
