import type { ReactNode } from "react";
import type { EvidenceAnswer, FailoverCause, HappenedEvent } from "@aglens/contract";
import { eventLabel } from "../../../charts/evidence/happened-lanes.ts";
import { happenedTexts as texts } from "../../../messages/happened.ts";
import { Button, Kbd } from "../../../ui/controls.tsx";
import { FigureTable } from "../../../ui/figure-table.tsx";
import { durationText, formatRange, formatTime, zoneName } from "../../../ui/words.ts";
import { isAlone, useCapture } from "../../capture-view/capture-context.ts";
import { episodeSentence } from "../../capture-view/agreeing-evidence.ts";
import { failoverText } from "../../capture-view/use-evidence.ts";
import { useTimelineData, useTimelineSelection, useTimelineView } from "../timeline-context.ts";
import { Agreements } from "./agreements.tsx";
import { LaneChoice } from "./lane-choice.tsx";
import { SourceDialog } from "./source-dialog.tsx";
import { fileName, placeText, plusMinusText, sourcesText } from "../../capture-view/source-names.ts";
import { type Happened, shownFailover } from "./use-happened.ts";
import laneFrame from "../../lane-view/lane-frame.module.css";
import paneStyles from "../panes/pane.module.css";
import styles from "./happened-pane.module.css";

/** Cause of the failover with its events and sources; without a failover what the sources agree on. */
export function HappenedPane(): ReactNode {
  const { happened } = useTimelineData();
  const { range } = useTimelineView();
  const { events } = useTimelineSelection();
  if (happened === null) return null;
  const { answer } = happened;
  const failover = shownFailover(answer, range, events.selected);
  return (
    <>
      {failover === null ? <Without happened={happened} /> : <Cause failover={failover} answer={answer} />}
      <SelectedEvent
        answer={answer}
        isOfFailover={failover?.events.includes(events.selected ?? -1) ?? false}
      />
      <SlowTimes answer={answer} />
      {answer.agreement.length === 0 ? null : (
        <>
          {failover === null ? null : <h3 className={styles.head}>{texts.doTheSourcesAgree}</h3>}
          <Agreements agreement={answer.agreement} />
        </>
      )}
      <Sources answer={answer} />
      {failover === null ? null : (
        <>
          <h3 className={styles.head}>{texts.checkNext}</h3>
          <ul className={styles.check}>
            {texts.checks[failover.kind](failover.fromServer ?? texts.thePrimary).map((check) => (
              <li key={check}>{check}</li>
            ))}
          </ul>
        </>
      )}
      <Undetermined failover={failover} answer={answer} />
      <Remarks answer={answer} />
      <LaneChoice happened={happened} />
      <Actions />
      <SourceDialog />
    </>
  );
}

/** The sentence, and the events that show the failover and its reason. */
function Cause({
  failover,
  answer,
}: {
  readonly failover: FailoverCause;
  readonly answer: EvidenceAnswer;
}): ReactNode {
  const { summary } = useCapture();
  const { events: selection } = useTimelineSelection();
  const { kind, at, until, fromServer, events } = failover;
  const lead = texts.leads[kind](fromServer);
  const rows = events.flatMap((index) => {
    const event = answer.events[index];
    return event === undefined ? [] : [{ index, event }];
  });
  return (
    <>
      <h2>{happenedTitle(answer)}</h2>
      <p className={laneFrame.sub}>
        {until === null
          ? texts.withoutNewPrimary(formatTime(summary, at, 1))
          : texts.withoutPrimary(formatRange(summary, at, until, 1), durationText(until - at))}
      </p>
      <p className={styles.cause}>
        {lead === "" ? null : <b>{lead} </b>}
        {failoverText(summary, failover)}
      </p>
      <FigureTable<(typeof rows)[number]>
        className={styles.events}
        caption={texts.eventsOfTheFailover}
        rows={rows}
        rowKey={({ index }) => index}
        rowProps={({ index }) => ({ "aria-selected": index === selection.selected })}
        columns={[
          {
            id: "time",
            head: texts.time(zoneName(summary)),
            cell: ({ event }) => formatTime(summary, event.at, 1),
          },
          {
            id: "event",
            head: texts.event,
            align: "left",
            cell: ({ event, index }) => (
              <button
                type="button"
                title={event.text}
                // Enter belongs to the focused button, so that its second press has to open the source.
                onClick={() =>
                  index === selection.selected ? selection.showSource(true) : selection.select(index)
                }
              >
                {eventLabel(event)}
              </button>
            ),
          },
          {
            id: "sources",
            head: texts.sourcesHead,
            cell: ({ event }) => sourcesText(event),
            cellProps: () => ({ "data-quiet": true }),
          },
        ]}
      />
    </>
  );
}

/** Title of the pane. */
export function happenedTitle({ failovers, agreement }: EvidenceAnswer): string {
  if (failovers.length > 0) return texts.causeOfTheFailover;
  return agreement.length > 0 ? texts.doTheSourcesAgree : texts.whatHappened;
}

function Without({ happened: { answer } }: { readonly happened: Happened }): ReactNode {
  const { range } = useTimelineView();
  const count = answer.events.filter(({ at, from }) => at >= range[0] && (from ?? at) <= range[1]).length;
  return (
    <>
      <h2>{happenedTitle(answer)}</h2>
      <p className={laneFrame.sub}>{texts.eventsInViewNoFailover(count)}</p>
    </>
  );
}

/** The selected event as a sentence, where the table of the failover doesn't have it. */
function SelectedEvent({
  answer,
  isOfFailover,
}: {
  readonly answer: EvidenceAnswer;
  readonly isOfFailover: boolean;
}): ReactNode {
  const { summary } = useCapture();
  const { selected } = useTimelineSelection().events;
  const event = selected === null ? undefined : answer.events[selected];
  if (event === undefined || isOfFailover) return null;
  return (
    <p className={`${paneStyles.note} ${styles.head}`}>
      <b>{formatTime(summary, event.at, 3)}</b> {plusMinusText(event)}: {event.text}
    </p>
  );
}

/** Most episodes whose sentences are shown at once. */
const MOST_EPISODES = 3;

/** The slow times in view that other files agree with or contradict, each with its sentence. */
function SlowTimes({ answer }: { readonly answer: EvidenceAnswer }): ReactNode {
  const { summary } = useCapture();
  const [from, to] = useTimelineView().range;
  const { episodes } = summary.verdict;
  return episodes
    .filter((each) => each.from < to && each.to > from)
    .filter(({ label }, i, inView) => inView.findIndex((each) => each.label === label) === i)
    .flatMap((episode) => {
      const sentence = episodeSentence(answer, episode, { from, to }, summary);
      return sentence === null ? [] : [{ label: episode.label, sentence }];
    })
    .slice(0, MOST_EPISODES)
    .map(({ label, sentence }) => (
      <p key={label} className={`${paneStyles.note} ${styles.head}`}>
        <b>{label}.</b> {sentence}
      </p>
    ));
}

/** Files and lines of the selected event. */
function Sources({ answer }: { readonly answer: EvidenceAnswer }): ReactNode {
  const { selected, showSource } = useTimelineSelection().events;
  const event = selected === null ? undefined : answer.events[selected];
  if (event === undefined) return null;
  return (
    <>
      <h3 className={styles.head}>{texts.sourcesOf(shortened(event))}</h3>
      <ul className={styles.sources}>
        {event.sources.map((source, i) => (
          <li key={i}>
            <div>
              <span title={source.file}>{fileName(source.file)}</span>
              <small>
                {placeText(source)}, {plusMinusText(source)}
              </small>
            </div>
            {source.text === null ? null : <code>{source.text}</code>}
          </li>
        ))}
      </ul>
      <Button onClick={() => showSource(true)}>
        {texts.openSource} <Kbd>Enter</Kbd>
      </Button>
    </>
  );
}

const MOST_LETTERS = 48;
const shortened = ({ text }: HappenedEvent): string => {
  const words = text.replace(/\.$/u, "");
  return words.length <= MOST_LETTERS ? words : `${words.slice(0, MOST_LETTERS).trimEnd()}…`;
};

/** Facts that a capture without data-movement events doesn't show, and the files that would. */
function Undetermined({
  failover,
  answer,
}: {
  readonly failover: FailoverCause | null;
  readonly answer: EvidenceAnswer;
}): ReactNode {
  const { summary } = useCapture();
  if (!isAlone(summary)) return null;
  const lines = [
    ...(failover === null || failover.isProven ? [] : [texts.reasonOfFailover]),
    texts.waitingCommits,
    ...(answer.metrics.length === 0 ? [texts.slowDisk] : []),
  ];
  return (
    <>
      <h3 className={styles.head}>{texts.cannotDetermine}</h3>
      <ul className={styles.sources}>
        {lines.map(([fact, files]) => (
          <li key={fact}>
            <div>
              <span>{fact}</span>
              <small>{files}</small>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Limits of what is shown. */
function Remarks({
  answer: { withoutClock, eventsLeftOut, notShown },
}: {
  readonly answer: EvidenceAnswer;
}): ReactNode {
  const remarks = [
    ...(withoutClock.length === 0 ? [] : [texts.withoutClock(withoutClock.join(", "))]),
    ...(eventsLeftOut === 0 ? [] : [texts.eventsLeftOut(eventsLeftOut)]),
    ...(notShown === undefined ? [] : [notShown]),
  ];
  return remarks.map((remark) => (
    <p key={remark} className={`${laneFrame.sub} ${styles.head}`}>
      {remark}
    </p>
  ));
}

function Actions(): ReactNode {
  const { setView, addEvidence } = useCapture();
  return (
    <div className={paneStyles.actions}>
      {addEvidence === undefined ? null : <Button onClick={addEvidence}>{texts.addEvidence}</Button>}
      <Button onClick={() => setView({ evidence: [], happened: null }, "replace")}>
        {texts.hideLanes} <Kbd>v</Kbd>
      </Button>
    </div>
  );
}
