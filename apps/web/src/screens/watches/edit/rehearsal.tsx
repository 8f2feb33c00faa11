import { type ReactNode, useMemo } from "react";
import type { Watch, WatchDefinition, WatchRehearsal } from "@aglens/contract";
import { WatchStrip } from "../../../charts/watch/watch-strip.tsx";
import { rehearsalOf } from "../../../data/watch-form-client.ts";
import { useAnswer } from "../../../data/use-answer.ts";
import { Problem } from "../../../frame/problem.tsx";
import { useReaderZone } from "../../../frame/use-reader-zone.ts";
import { watchEditTexts as texts } from "../../../messages/watch-edit.ts";
import { useEachSecond } from "../../../ui/use-each-second.ts";
import { useSize } from "../../../ui/use-size.ts";
import { dayInstantText } from "../../../ui/zone.ts";
import { useStrip } from "../../watch-strip/use-strip.ts";
import { nextMinute } from "../use-watches.ts";
import { WEEK_MS } from "../watch-list.ts";
import { countsIn, rehearsalMarks } from "./watch-facts.ts";
import { useWatchForm } from "./watch-form-context.ts";
import styles from "./watch-edit.module.css";

/** Typing asks once, after a pause of so many ms. */
const PAUSE_MS = 400;
/** With fewer days of polls a sentence says so: an hour without AG Lens isn't of interest. */
const FULL_DAYS = 6.9;
/** The newest triggers that are listed. */
const MOST_LISTED = 5;

/** Triggers of the form over the polls that are kept. */
export function Rehearsal(): ReactNode {
  const { read, watch } = useWatchForm();
  const { definition } = read;
  const question = watch === null || definition === null ? null : rehearsalOf(definition, watch.id);
  const { value, isStale, error, retry } = useAnswer(question, { pauseMs: PAUSE_MS, beginsAtOnce: true });
  return (
    <>
      <h2>{texts.withThePolls}</h2>
      <Problem sentence={error} onRetry={retry} />
      {watch === null || value?.days === 0 ? <p className="muted">{texts.noPollsYet}</p> : null}
      {watch === null || definition === null || value === null || value.days === 0 ? null : (
        <div aria-busy={isStale}>
          <Rehearsed watch={watch} definition={definition} rehearsal={value} />
        </div>
      )}
    </>
  );
}

interface RehearsedProps {
  readonly watch: Watch;
  readonly definition: WatchDefinition;
  readonly rehearsal: WatchRehearsal;
}

function Rehearsed({ watch, definition, rehearsal }: RehearsedProps): ReactNode {
  const zone = useReaderZone();
  const { starts, recorded, refused, scheduled } = countsIn(rehearsal);
  return (
    <>
      <p className="muted">
        {texts.theseTriggers(<b>{texts.times(starts)}</b>, recorded, refused)}{" "}
        {scheduled === 0 ? null : texts.scheduleAdds(scheduled)}{" "}
        {rehearsal.days >= FULL_DAYS ? null : texts.pollsOf(rehearsal.days)}
      </p>
      <RehearsedStrip watch={watch} definition={definition} rehearsal={rehearsal} />
      <ul className={styles.rehearsed} aria-label={texts.triggersIn}>
        {rehearsal.triggers.slice(-MOST_LISTED).map(({ at, rule, text, refusal }) => (
          <li key={`${at} ${rule}`}>
            <span className="figures">{dayInstantText(zone, at)}</span> {text}
            {refusal === null ? null : <span className="quiet"> {refusal}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}

const STRIP_HEIGHT = 88;

/** A week of polls with the limit of the form, and its triggers as marks. */
function RehearsedStrip({ watch, definition, rehearsal }: RehearsedProps): ReactNode {
  const zone = useReaderZone();
  const [ref, { width: room }] = useSize<HTMLDivElement>();
  const now = useEachSecond(false);
  const to = nextMinute(now);
  const from = to - WEEK_MS;
  // Labels of the scale are at its right.
  const width = Math.max(0, room - SCALE_WIDTH);
  const { picture, error } = useStrip({
    watch: { ...watch, definition },
    episodes: undefined,
    from,
    to,
    width,
    now,
  });
  const marked = useMemo(() => ({ ...picture, marks: rehearsalMarks(rehearsal) }), [picture, rehearsal]);
  return (
    <div ref={ref} className="space-8" style={{ minHeight: STRIP_HEIGHT }}>
      {width === 0 ? null : (
        <WatchStrip
          picture={marked}
          height={STRIP_HEIGHT}
          everySeconds={definition.everySeconds}
          name={definition.group}
          {...{ from, to, width, zone }}
        />
      )}
      <Problem sentence={error} />
    </div>
  );
}

/** px. */
const SCALE_WIDTH = 34;
