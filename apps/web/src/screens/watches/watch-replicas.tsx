import type { ReactNode } from "react";
import type { Watch, WatchedReplica } from "@aglens/contract";
import strip from "../../frame/strip.module.css";
import { type Times, TimesChoice } from "../../frame/times-choice.tsx";
import { watchesTexts as texts } from "../../messages/watches.ts";
import { Chip } from "../../ui/controls.tsx";
import { isWithoutAnswer, lengthText, nameOf } from "./watch-text.ts";

interface Props {
  readonly watch: Watch;
  /** ms since 1970. */
  readonly now: number;
  readonly times: Times;
}

/** Replicas of a watch as the last poll found them. */
export function WatchReplicas({ watch: { definition, replicas }, now, times }: Props): ReactNode {
  const { everySeconds, recording } = definition;
  return (
    <section className={strip.strip} aria-label={texts.replicas}>
      {replicas.map((replica) => (
        <div key={replica.where} className={strip.item}>
          <Chip place={placeOf(replica)} dashed={replica.problem !== null}>
            {roleText(replica)}
          </Chip>
          <b title={replica.where}>{nameOf(replica)}</b>
          <span className={replica.problem === null ? undefined : "bad"} title={replica.problem?.detail}>
            {noteOf(replica, now)}
          </span>
        </div>
      ))}
      <div className={strip.stays}>{texts.everyAndRing(everySeconds, recording.ringSeconds)}</div>
      <TimesChoice times={times} />
    </section>
  );
}

const placeOf = ({ role }: WatchedReplica) => (role === "unknown" ? "none" : role);

function roleText({ role, commitMode }: WatchedReplica): string {
  if (role === "primary") return texts.primary;
  if (role === "unknown") return texts.roleUnknown;
  if (commitMode === "undetermined") return texts.secondary;
  return commitMode === "sync" ? texts.secondarySync : texts.secondaryAsync;
}

function noteOf({ role, synchronization, polled, problem }: WatchedReplica, now: number): string {
  if (problem !== null) return isWithoutAnswer(problem) ? texts.noAnswer : texts.notPolled;
  if (polled === null) return texts.notPolledYet;
  if (role === "secondary" && synchronization !== null) return synchronization;
  return texts.polledAgo(lengthText(now - Date.parse(polled)));
}
