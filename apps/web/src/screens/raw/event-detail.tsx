import { Fragment, type ReactNode } from "react";
import { meaningOfEvent } from "@aglens/ag-model/events";
import type { RawEvent } from "@aglens/contract";
import { CopyButton } from "../../frame/copy.tsx";
import { rawTexts as texts } from "../../messages/raw.ts";
import { Button, Chip } from "../../ui/controls.tsx";
import { type CaptureTime, formatCount, formatOffset, formatInstant, utcTip } from "../../ui/words.ts";
import { instantText, UTC } from "../../ui/zone.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { eventDurationText } from "../capture-view/event-duration.ts";
import { fieldText } from "./event-text.ts";
import styles from "./raw.module.css";
import { Term } from "../../ui/term.tsx";
import type { TermId } from "../../messages/terms.ts";

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
      <aside className={styles.detail} aria-label={texts.event}>
        <p className={styles.note}>{texts.chooseAnEvent}</p>
      </aside>
    );
  }
  const meaning = meaningOfEvent(event.name, event.mode);
  const database = summary.databases.length > 1 ? summary.databases[event.database]?.name : undefined;
  return (
    <aside className={styles.detail} aria-label={texts.event}>
      <h2>
        <Chip place={event.onPrimary ? "primary" : "secondary"}>{summary.replicas[event.replica]?.name}</Chip>
        <code>{event.name}</code>
      </h2>
      {meaning === null ? null : <p className={styles.meaning}>{meaning}</p>}
      <Facts title={texts.when} facts={whenFacts(event, summary)} />
      <Facts
        title={texts.fields(formatCount(Object.keys(event.fields).length))}
        facts={valueFacts(event.fields, event)}
      />
      <Facts title={texts.actions} facts={valueFacts(event.actions, event)} none={texts.noneCollected} />
      <Facts
        title={texts.inTheFile}
        facts={[
          ["File", event.file],
          [texts.byteOffset, `${formatCount(event.offset)}, 0x${event.offset.toString(16)}`, "byteOffset"],
        ]}
      />
      <Facts
        title={texts.itsBlock}
        facts={[
          ["Row", formatCount(event.block)],
          ...(event.lsn === null ? [] : [["LSN", event.lsn, "lsn"] as const]),
          ...(database === undefined ? [] : [["Database", database] as const]),
        ]}
      />
      <div className="flex-box gap-8 space-12">
        <Button kind="primary" onClick={onSequence}>
          {texts.sequence}
        </Button>
        <Button onClick={onTimeline}>{texts.timeline}</Button>
        <CopyButton text={JSON.stringify(event, null, 2)} label={texts.eventAsJson} />
      </div>
    </aside>
  );
}

type Fact = readonly [name: string, value: string, term?: TermId];

function whenFacts(event: RawEvent, capture: CaptureTime): Fact[] {
  const fired: Fact[] =
    event.fire === null
      ? []
      : [
          ["Fired", `${event.byPublish ? "≈ " : ""}${formatInstant(capture, event.fire, 6)}`, "fired"],
          ["Offset", formatOffset(capture, event.fire, 1), "offset"],
        ];
  const utc = event.fire === null ? undefined : utcTip(capture, event.fire, 6);
  return [
    ...fired,
    ...(utc === undefined ? [] : [[texts.firedInUtc, utc, "fired"] as const]),
    ["Published", instantText(capture.zone ?? UTC, event.timestamp, 26), "published"],
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
        {facts.map(([name, value, term]) => (
          <Fragment key={name}>
            <dt>{term === undefined ? name : <Term id={term}>{name}</Term>}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}
