import type { ReactNode } from "react";
import type { Watch, WatchEpisode } from "@aglens/contract";
import { mayContribute } from "../../data/access-client.ts";
import { watchesTexts as texts } from "../../messages/watches.ts";
import { useAccount } from "../../state/account.ts";
import { factorFigure, formatBytes } from "../../ui/words.ts";
import type { Zone } from "../../ui/zone.ts";
import { CostTable } from "./cost-table.tsx";
import { clockOf, dayOf, lengthText, limitOf, limitText, timeOf, valueText } from "./watch-text.ts";
import styles from "./watch.module.css";

interface Props {
  readonly watch: Watch;
  readonly episode: WatchEpisode | null;
  readonly zone: Zone;
  /** ms since 1970. */
  readonly now: number;
}

/** The trigger with its steps, what polling costs, and facts of the watch. */
export function WatchPane({ watch, episode, zone, now }: Props): ReactNode {
  return (
    <aside className={styles.pane} aria-label={texts.watch}>
      {episode === null ? null : <TriggerPart {...{ episode, zone, now }} />}
      <section>
        <h2>{texts.costPerHour}</h2>
        <CostTable replicas={watch.replicas} />
      </section>
      <Facts watch={watch} zone={zone} />
    </aside>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function TriggerPart({
  episode,
  zone,
  now,
}: Omit<Props, "watch"> & { readonly episode: WatchEpisode }): ReactNode {
  const { trigger, ended, steps } = episode;
  const { value, limit, usual } = trigger;
  const isOver = value !== null && limit !== null && value > limit;
  const length = lengthText((ended === null ? now : Date.parse(ended)) - Date.parse(trigger.at));
  return (
    <section>
      <h2>
        {texts.trigger} <span>{timeOf(zone, trigger.at)}</span>
      </h2>
      <dl className={styles.facts}>
        <Fact name={texts.rule}>{texts.rules[trigger.rule]}</Fact>
        {value === null ? null : (
          <Fact name={texts.value}>
            <b data-bad={isOver}>{valueText(trigger, value)}</b>
          </Fact>
        )}
        {limit === null ? null : <Fact name={texts.limit}>{limitOf(trigger, limit)}</Fact>}
        {usual === null ? null : (
          <Fact name={texts.usual}>
            {valueText(trigger, usual)}{" "}
            {value === null || usual <= 0 ? null : <span>{texts.ofUsual(factorFigure(value / usual))}</span>}
          </Fact>
        )}
        <Fact name={texts.lasted}>{ended === null ? texts.stillLasts(length) : length}</Fact>
      </dl>
      {steps.length === 0 ? null : (
        <ol className={styles.steps} aria-label={texts.stepsOfTrigger}>
          {steps.map(({ at, text, isProblem }, i) => (
            <li key={`${at} ${i}`} data-bad={isProblem}>
              <time dateTime={at}>{clockOf(zone, at)}</time> <span>{text}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Facts({ watch, zone }: { readonly watch: Watch; readonly zone: Zone }): ReactNode {
  const { definition, owner, created, nextSchedule, week, onServer } = watch;
  const { recording, login, receivers } = definition;
  const maySeeNames = mayContribute(useAccount()?.person ?? null);
  const day = `${dayOf(zone, created)} ${clockOf(zone, created, 16)}`;
  return (
    <section>
      <h2>{texts.watch}</h2>
      <dl className={styles.facts}>
        {owner === null ? (
          <Fact name={texts.created}>{day}</Fact>
        ) : (
          <Fact name={texts.createdBy}>{texts.by(owner.name, day)}</Fact>
        )}
        {maySeeNames && login !== "" ? <Fact name={texts.login}>{texts.fromWatchFile(login)}</Fact> : null}
        {maySeeNames && receivers.length > 0 ? (
          <Fact name={texts.receivers}>{receivers.join(", ")}</Fact>
        ) : null}
        <Fact name={texts.rule}>{limitText(definition)}</Fact>
        <Fact name={texts.nextSchedule}>
          {nextSchedule === null
            ? texts.none
            : `${timeOf(zone, nextSchedule.at, 16)}, ${lengthText(nextSchedule.forSeconds * 1000)}`}
        </Fact>
        <Fact name={texts.limits}>
          {texts.limitsText(
            week.recordings,
            recording.mostPerWeek,
            formatBytes(week.bytes),
            formatBytes(recording.mostBytesPerWeek),
          )}
        </Fact>
        {onServer === null ? null : <Fact name={texts.server}>{onServer}</Fact>}
      </dl>
    </section>
  );
}
