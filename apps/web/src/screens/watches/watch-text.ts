/** Texts about watches and their triggers that depend on data. */
import type { Watch, WatchDefinition, WatchedReplica, WatchEpisode } from "@aglens/contract";
import { dayText } from "../../charts/watch/days.ts";
import { watchesTexts as texts } from "../../messages/watches.ts";
import { durationText, formatCount, timesInZone } from "../../ui/words.ts";
import { localIso, ticksOf, type Zone } from "../../ui/zone.ts";

/** `Tue 24 Nov` by a zone's clock. @param iso UTC, ISO 8601 */
export const dayOf = (zone: Zone, iso: string): string => dayText(zone, Date.parse(iso));

/** `02:41:25`, or `02:41` with `end` 16, by a zone's clock. */
export const clockOf = (zone: Zone, iso: string, end = 19): string => localIso(zone, iso).slice(11, end);

/** `Tue 24 Nov 02:41:25` */
export const timeOf = (zone: Zone, iso: string, end = 19): string =>
  `${dayOf(zone, iso)} ${clockOf(zone, iso, end)}`;

/** `today 02:41:25`, or with its day. @param now ms since 1970 @param clock the time as it is shown */
export function whenOf(zone: Zone, iso: string, now: number, clock = clockOf(zone, iso)): string {
  const today = localIso(zone, new Date(now).toISOString()).slice(0, 10);
  const isToday = localIso(zone, iso).slice(0, 10) === today;
  return isToday ? texts.today(clock) : `${dayOf(zone, iso)} ${clock}`;
}

/** A length as a clock of a running recording: `1:50`, `1:02:05`. */
export function runningText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n: number): string => String(n).padStart(2, "0");
  return hours === 0 ? `${minutes}:${two(rest)}` : `${hours}:${two(minutes)}:${two(rest)}`;
}

/** A length of full seconds: `45 s`, `3 min 23 s`, `9 h 26 min`. */
export function lengthText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const two = (n: number): string => String(n).padStart(2, "0");
  if (seconds < 60) return `${seconds}\u2009s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min${seconds % 60 === 0 ? "" : ` ${two(seconds % 60)}\u2009s`}`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? "" : ` ${two(minutes % 60)} min`}`;
}

/** `limit 15 ms for 15 s`, `limit 20 ms or 3 × usual` */
export function limitText({ triggers: { commitDelay, timesUsual } }: WatchDefinition): string {
  if (commitDelay === null) return timesUsual === null ? texts.noLimit : texts.limitOfUsual(timesUsual.times);
  return timesUsual === null
    ? texts.limitFor(commitDelay.overMs, commitDelay.forSeconds)
    : texts.limitOrUsual(commitDelay.overMs, timesUsual.times);
}

/** Short names of all replicas: `SQL1, SQL2`. */
export const serversOf = ({ replicas }: Watch): string => replicas.map(nameOf).join(", ");

type Problem = NonNullable<WatchedReplica["problem"]>;

/** A replica that can't be polled. */
export type BrokenReplica = WatchedReplica & { readonly problem: Problem };

const isBrokenReplica = (replica: WatchedReplica): replica is BrokenReplica => replica.problem !== null;

/** The state of a watch whose only problem that is. */
function stateOf({ code }: Problem): Watch["state"] {
  if (code === "watch-file") return "notStarted";
  return [LOGIN_REFUSED, LACKS_PERMISSION].includes(code) ? "cannotSignIn" : "unreachable";
}

const LOGIN_REFUSED = "live-login-refused";
const LACKS_PERMISSION = "live-permission";

/** Codes of servers that don't answer; others answer, and can't be polled for another reason. */
const NO_ANSWER = new Set(["live-unreachable", "live-connection-lost", "live-disconnected", "live-starting"]);

const isPermissionMissing = ({ code }: Problem): boolean => code === LACKS_PERMISSION;
export const isLoginRefused = ({ code }: Problem): boolean => code === LOGIN_REFUSED;
export const isWithoutAnswer = ({ code }: Problem): boolean => NO_ANSWER.has(code);

/** Replicas that can't be polled, first those that the state of the watch is about. One reason for all is there once. */
export function brokenReplicas({ state, replicas }: Watch): BrokenReplica[] {
  const rank = ({ problem }: BrokenReplica): number => (stateOf(problem) === state ? 0 : 1);
  const details = new Set<string>();
  return replicas
    .filter(isBrokenReplica)
    .filter(({ problem: { detail } }) => !details.has(detail) && details.add(detail))
    .toSorted((a, b) => rank(a) - rank(b));
}

export const nameOf = ({ serverName, where }: WatchedReplica): string => serverName || where;

export interface StateText {
  readonly text: string;
  readonly note: string;
}

/** State of a watch, and the limit or the time since when. */
export function stateText(watch: Watch, zone: Zone, now: number): StateText {
  const { state, since, pausedBy, lastEpisode, definition } = watch;
  const note = texts.since(timeOf(zone, since, 16));
  switch (state) {
    case "watching":
      return { text: texts.watching, note: limitText(definition) };
    case "recording": {
      const begun = Date.parse(lastEpisode?.trigger.at ?? since);
      return { text: texts.recordingNow(runningText(now - begun)), note: limitText(definition) };
    }
    case "paused":
      return { text: pausedBy === null ? texts.paused : texts.pausedBy(pausedBy), note };
    case "cannotSignIn":
    case "unreachable":
      return { text: brokenReplicas(watch).map(brokenState)[0] ?? texts.notPolled, note };
    case "notStarted":
      return { text: texts.notStarted, note };
  }
}

function brokenState(replica: BrokenReplica): string {
  if (isLoginRefused(replica.problem)) return texts.cannotSignIn(nameOf(replica));
  return (isWithoutAnswer(replica.problem) ? texts.unreachable : texts.cannotPoll)(nameOf(replica));
}

/** A sentence of the recording, whose times are UTC, with times of the zone. */
export function inZoneOf(
  { recordedFrom, recordedTo, trigger }: WatchEpisode,
  zone: Zone,
  sentence: string,
): string {
  const [from, to] = [recordedFrom ?? trigger.at, recordedTo ?? recordedFrom ?? trigger.at];
  const durationUs = Math.max(0, Date.parse(to) - Date.parse(from)) * 1000;
  return timesInZone({ originTicks: ticksOf(from).toString(), durationUs, zone }, sentence);
}

/** The result of a trigger, with the word that a refusal begins with. */
export interface EpisodeText {
  readonly lead: string | null;
  readonly text: string;
}

export function episodeText(episode: WatchEpisode, zone: Zone): EpisodeText {
  const { state, refusal, verdict, captureId } = episode;
  const known = verdict === null ? null : inZoneOf(episode, zone, verdict);
  switch (state) {
    case "recording":
      return { lead: null, text: texts.isRecording };
    case "analyzing":
      return { lead: null, text: texts.isAnalyzing };
    case "recorded":
      return { lead: null, text: known ?? texts.noVerdict };
    case "refused":
      return { lead: texts.refused, text: refusal ?? texts.noReason };
    case "failed":
      return {
        lead: captureId === null ? texts.failed : texts.withoutVerdict,
        text: refusal ?? texts.noReason,
      };
    case "lost":
      return { lead: null, text: texts.lost };
  }
}

/** The headline of an episode: all of its sentence. */
export function episodeSentence(episode: WatchEpisode, zone: Zone): string {
  const { lead, text } = episodeText(episode, zone);
  return lead === null ? text : `${lead} ${text}`;
}

type Rule = Pick<WatchEpisode["trigger"], "rule">;

/** Value of a trigger in its unit. */
export function valueText({ rule }: Rule, value: number): string {
  if (rule === "sendQueue") return texts.kb(formatCount(Math.round(value)));
  return durationText(rule === "rpo" ? value * 1e6 : value * 1000);
}

/** A limit as a person entered it, in the unit of its rule. */
export const limitOf = (trigger: Rule, limit: number): string =>
  trigger.rule === "commitDelay" || trigger.rule === "timesUsual"
    ? texts.ms(Number(limit.toFixed(2)))
    : valueText(trigger, limit);

/** Reasons for a list of watches that can't poll, one for each. */
export function brokenText(watch: Watch): string {
  const { group } = watch.definition;
  const [broken] = brokenReplicas(watch);
  if (watch.state === "notStarted" || broken === undefined) return texts.needsSecret(group);
  if (isLoginRefused(broken.problem)) return texts.needsLogin(group);
  if (isPermissionMissing(broken.problem)) return texts.needsPermission(group);
  return isWithoutAnswer(broken.problem)
    ? texts.continuesWhen(group, nameOf(broken))
    : texts.cannotBePolled(group);
}

/** Note of a schedule that doesn't record. */
export function needText(watch: Watch): string {
  const [broken] = brokenReplicas(watch);
  if (watch.state === "unreachable") return texts.needsTheServer;
  return broken !== undefined && isPermissionMissing(broken.problem)
    ? texts.needsThePermission
    : texts.needsTheLogin;
}
