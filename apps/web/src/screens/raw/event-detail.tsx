import { Fragment, type ReactNode } from "react";
import { meaningOfEvent } from "@aglens/ag-model/events";
import type { RawEvent } from "@aglens/contract";
import { CopyButton } from "../../frame/copy.tsx";
import { Button, Chip } from "../../ui/controls.tsx";
import { type CaptureTime, formatCount, formatOffset, formatInstant, utcTip } from "../../ui/words.ts";
import { instantText, UTC } from "../../ui/zone.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { eventDurationText } from "../capture-view/event-duration.ts";
import { fieldText } from "./event-words.ts";
import styles from "./raw.module.css";

interface Props {
  readonly event: RawEvent | undefined;
  readonly onSequence: () => void;
  readonly onTimeline: () => void;
}

/** All data of one event: its time, every field and action, and its place in its file. */
export function EventDetail({ event, onSequence, onTimeline }: Props): ReactNode {
  const { summary } = useCapture();
  if (event === undefined) {
    return (
      <aside className={styles.detail} aria-label="Event">
        <p className={styles.note}>
          Choose an event to see its fields, its actions and its place in the file.
        </p>
      </aside>
    );
  }
  const meaning = meaningOfEvent(event.name, event.mode);
  const database = summary.databases.length > 1 ? summary.databases[event.database]?.name : undefined;
  return (
    <aside className={styles.detail} aria-label="Event">
      <h2>
        <Chip place={event.onPrimary ? "primary" : "secondary"}>{summary.replicas[event.replica]?.name}</Chip>
        <code>{event.name}</code>
      </h2>
      {meaning === null ? null : <p className={styles.meaning}>{meaning}</p>}
      <Facts title="When" facts={whenFacts(event, summary)} />
      <Facts
        title={`Fields, ${formatCount(Object.keys(event.fields).length)}`}
        facts={valueFacts(event.fields, event)}
      />
      <Facts
        title="Actions"
        facts={valueFacts(event.actions, event)}
        none="None collected by this session."
      />
      <Facts
        title="In the file"
        facts={[
          ["File", event.file],
          ["Byte offset", `${formatCount(event.offset)}, 0x${event.offset.toString(16)}`],
        ]}
      />
      <Facts
        title="Its block"
        facts={[
          ["Row", formatCount(event.block)],
          ...(event.lsn === null ? [] : [["LSN", event.lsn] as const]),
          ...(database === undefined ? [] : [["Database", database] as const]),
        ]}
      />
      <div className="flex-box gap-8 space-12">
        <Button kind="primary" onClick={onSequence}>
          Sequence
        </Button>
        <Button onClick={onTimeline}>Timeline</Button>
        <CopyButton text={JSON.stringify(event, null, 2)} label="the event as JSON" />
      </div>
    </aside>
  );
}

type Fact = readonly [name: string, value: string];

function whenFacts(event: RawEvent, capture: CaptureTime): Fact[] {
  const fired: Fact[] =
    event.fire === null
      ? []
      : [
          ["Fired", `${event.byPublish ? "≈ " : ""}${formatInstant(capture, event.fire, 6)}`],
          ["Offset", formatOffset(capture, event.fire, 1)],
        ];
  const utc = event.fire === null ? undefined : utcTip(capture, event.fire, 6);
  return [
    ...fired,
    ...(utc === undefined ? [] : [["Fired, in UTC", utc] as const]),
    ["Published", instantText(capture.zone ?? UTC, event.timestamp, 26)],
  ];
}

/** Values as the event has them, the duration with its unit. */
const valueFacts = (values: RawEvent["fields"], event: RawEvent): Fact[] =>
  Object.entries(values).map(([name, value]) => [
    name,
    name === event.durationField && event.duration === value ? eventDurationText(event) : fieldText(value),
  ]);

function Facts({
  title,
  facts,
  none,
}: {
  readonly title: string;
  readonly facts: readonly Fact[];
  readonly none?: string;
}): ReactNode {
  return (
    <section>
      <h3>{title}</h3>
      {facts.length === 0 ? <p className={styles.note}>{none}</p> : null}
      <dl>
        {facts.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}
