import { Fragment, useState, type ReactNode } from "react";
import type { Sequence, SequenceEvent } from "@aglens/contract";
import { sequenceTexts as texts } from "../../messages/sequence.ts";
import { Chip } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { useCapture } from "../capture-view/capture-context.ts";
import { durationTitle, eventDurationFigure } from "../capture-view/event-duration.ts";
import styles from "./sequence.module.css";

const wholeNumber = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

const fieldText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Time after the block's start, to the microsecond; `≈` and whole ms where only the publish time is known. */
function offsetText({ fire, byPublish }: SequenceEvent, origin: number): string {
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
      <dt className="quiet">{texts.fileOffset}</dt>
      <dd>
        {event.file}, 0x{event.offset.toString(16)}
      </dd>
      {rows.map(([name, value]) => (
        <Fragment key={name}>
          <dt className="quiet">{name}</dt>
          <dd>{fieldText(value)}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** Raw events of all replicas in the order they fired, on the primary's clock; a row opens to all its fields. */
export function EventTable({ sequence }: { readonly sequence: Sequence }): ReactNode {
  const { summary } = useCapture();
  const [opened, setOpened] = useState<ReadonlySet<SequenceEvent>>(new Set());
  const origin = sequence.local.commitStart ?? sequence.time;
  const toggle = (event: SequenceEvent): void => {
    const next = new Set(opened);
    if (!next.delete(event)) next.add(event);
    setOpened(next);
  };
  return (
    <FigureTable<SequenceEvent>
      className={styles.eventTable}
      aria-label={texts.rawEvents}
      rows={sequence.events}
      rowKey={({ file, offset }) => `${file}:${offset}`}
      columns={[
        {
          id: "Offset",
          term: "blockOffset",
          head: texts.rawEventsLabel(sequence.events.length),
          cell: (event) => offsetText(event, origin),
          cellProps: ({ byPublish }) => ({
            title: byPublish ? texts.noStartTimestampPlaced : undefined,
          }),
        },
        {
          id: "Replica",
          align: "left",
          cell: ({ replica }) => (
            <Chip place={replica === 0 ? "primary" : "secondary"}>{summary.replicas[replica]?.name}</Chip>
          ),
        },
        {
          id: "Event",
          align: "left",
          className: styles.name,
          cell: (event) => (
            <button
              type="button"
              className={styles.eventName}
              title={event.name}
              aria-expanded={opened.has(event)}
              onClick={() => toggle(event)}
            >
              <code>{event.name}</code>
            </button>
          ),
        },
        { id: "Mode", cell: ({ mode }) => mode ?? "" },
        {
          id: "Duration",
          cell: eventDurationFigure,
          cellProps: (event) => ({ title: durationTitle(event) }),
        },
        { id: "Block or ack id", term: "lsn", align: "left", cell: ({ lsn }) => <code>{lsn ?? ""}</code> },
        {
          id: "Published",
          term: "published",
          cellProps: () => ({ className: "muted" }),
          cell: ({ timestamp }) => timestamp.slice(11, 23),
        },
      ]}
      cellsBelow={(event) =>
        opened.has(event) && (
          <tr className={styles.eventDetail}>
            <td colSpan={7}>
              <EventFields event={event} />
            </td>
          </tr>
        )
      }
    />
  );
}
