/** The form in sentences. */
import type { WatchDefinition } from "@aglens/contract";
import { watchEditTexts as texts } from "../../../messages/watch-edit.ts";
import { amountText } from "./amounts.ts";
import { cronText } from "./cron-text.ts";
import { rightsAt, type ReplicaForm, type RightsOf } from "./replica-forms.ts";

/** `SQL1`, `SQL1 and SQL2`, `SQL1, SQL2 and SQL3`. */
const and = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : texts.and(names.slice(0, -1).join(", "), names.at(-1) ?? "");

/** Conditions of polls, in the order of the form. */
function conditionsOf({ triggers }: WatchDefinition): string[] {
  const { commitDelay, timesUsual, queue, state } = triggers;
  const period = (seconds: number): string => amountText("period", seconds);
  return [
    ...(commitDelay === null
      ? []
      : [texts.commitsWaitOver(amountText("delay", commitDelay.overMs), period(commitDelay.forSeconds))]),
    ...(timesUsual === null
      ? []
      : [texts.commitsWaitOverUsual(timesUsual.times, period(timesUsual.forSeconds))]),
    ...(queue === null || queue.sendQueueKb === null
      ? []
      : [texts.sendQueueIsOver(amountText("queue", queue.sendQueueKb))]),
    ...(queue === null || queue.rpoSeconds === null ? [] : [texts.rpoIsOver(period(queue.rpoSeconds))]),
    ...(state ? [texts.stateChanges] : []),
  ];
}

/** Servers that are recorded, and those whose rights are missing. */
function recordedText(replicas: readonly ReplicaForm[], rights: RightsOf): string {
  const isMissing = (replica: ReplicaForm): boolean => {
    const state = rightsAt(rights, replica);
    return state.is === "known" && state.rights.mayRecord === false;
  };
  const names = (of: readonly ReplicaForm[]): string => and(of.map(({ serverName }) => serverName));
  const missing = replicas.filter(isMissing);
  const recorded = replicas.filter((replica) => !isMissing(replica));
  if (missing.length === 0) return names(recorded);
  const later = texts.onceGranted(names(missing), missing.length);
  return recorded.length === 0 ? later : texts.andLater(names(recorded), later);
}

/** @returns sentences, in the order of a watch's work */
export function inWords(
  definition: WatchDefinition,
  replicas: readonly ReplicaForm[],
  rights: RightsOf,
): string[] {
  const { triggers, everySeconds, receivers } = definition;
  const [first, ...others] = conditionsOf(definition);
  const recorded = recordedText(replicas, rights);
  const names = and(replicas.map(({ serverName }) => serverName));
  return [
    texts.polls(names, amountText("period", everySeconds)),
    first === undefined ? texts.recordsByHand(recorded) : texts.recordsWhen(first, recorded),
    ...others.map((condition) => texts.alsoWhen(condition)),
    ...triggers.schedules.map(({ cron, forSeconds }) =>
      texts.recordsAt(cronText(cron) ?? cron, amountText("period", forSeconds)),
    ),
    receivers.length === 0 ? texts.tellsNoOne : texts.tells(and(receivers)),
  ];
}
