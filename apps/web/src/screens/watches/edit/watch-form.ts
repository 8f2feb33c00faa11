/** The form of a watch: text as it was typed, and the definition that it becomes. */
import type { WatchDefinition, Watches, WatchRecording, WatchTriggers } from "@aglens/contract";
import { nextOf, problemOf } from "@aglens/ag-model/schedules";
import { watchEditTexts as texts } from "../../../messages/watch-edit.ts";
import { addressOf, serverOf } from "../../server-form/server-address.ts";
import { type AmountKind, amountText, readAmount } from "./amounts.ts";
import type { ReplicaForm } from "./replica-forms.ts";

interface Amount {
  readonly kind: AmountKind;
  /** Bounds as the API has them. */
  readonly least: number;
  readonly most: number;
  /** Text of a new watch. */
  readonly initial: string;
  /** True where an empty text means no limit. */
  readonly isOptional?: boolean;
}

const amount = (kind: AmountKind, least: number, most: number, initial: string): Amount => ({
  kind,
  least,
  most,
  initial,
});

export const AMOUNTS = {
  every: amount("period", 1, 60, "5 s"),
  delayOver: amount("delay", 0.1, 60_000, "15 ms"),
  delayFor: amount("period", 1, 3_600, "15 s"),
  usualTimes: amount("times", 1.5, 100, "4 ×"),
  usualFor: amount("period", 1, 3_600, "30 s"),
  sendQueue: { ...amount("queue", 1, 1e12, "100 MB"), isOptional: true },
  rpo: { ...amount("period", 1, 86_400, "30 s"), isOptional: true },
  quiet: amount("period", 5, 3_600, "1 min"),
  most: amount("period", 10, 3_600, "10 min"),
  ring: amount("period", 5, 120, "30 s"),
  perDay: amount("count", 1, 100, "6"),
  perWeek: amount("count", 1, 500, "20"),
  bytes: amount("size", 1e6, 1e15, "2 GB"),
  holdOff: amount("period", 0, 86_400, "15 min"),
  keep: { ...amount("days", 1, 3_650, "90 days"), isOptional: true },
} satisfies Readonly<Record<string, Amount>>;
export type AmountName = keyof typeof AMOUNTS;

export interface ScheduleForm {
  readonly key: string;
  readonly cron: string;
  readonly length: string;
}

export const SWITCHES = [
  "commitDelay",
  "timesUsual",
  "queue",
  "state",
  "schedules",
  "http",
  "ring",
  "commits",
] as const;
export type Switch = (typeof SWITCHES)[number];

export interface WatchForm {
  readonly group: string;
  readonly login: string;
  readonly replicas: readonly ReplicaForm[];
  readonly amounts: Readonly<Record<AmountName, string>>;
  readonly on: Readonly<Record<Switch, boolean>>;
  /** One at least, also while the trigger is off. */
  readonly schedules: readonly ScheduleForm[];
  readonly receivers: readonly string[];
}

let made = 0;

export function newSchedule(cron = "0 2 * * 0", length = "5 min"): ScheduleForm {
  made++;
  return { key: `schedule-${made}`, cron, length };
}

/** A new watch. The ring is off: it costs more than polls. @param login the first one of the file */
export const newForm = (login: string): WatchForm => ({
  group: "",
  login,
  replicas: [],
  amounts: textsOf(({ initial }) => initial),
  on: {
    commitDelay: true,
    timesUsual: true,
    queue: true,
    state: true,
    schedules: false,
    http: false,
    ring: false,
    commits: true,
  },
  schedules: [newSchedule()],
  receivers: [],
});

const AMOUNT_NAMES = Object.keys(AMOUNTS) as AmountName[];

const textsOf = (text: (amount: Amount, name: AmountName) => string): WatchForm["amounts"] =>
  Object.fromEntries(AMOUNT_NAMES.map((name) => [name, text(AMOUNTS[name], name)])) as WatchForm["amounts"];

/** The form of a watch that exists. Triggers that are off have the text of a new watch. */
export function formOf(definition: WatchDefinition, replicas: readonly ReplicaForm[]): WatchForm {
  const { group, login, everySeconds, triggers, recording, receivers } = definition;
  const { commitDelay, timesUsual, queue, state, schedules, http } = triggers;
  const amounts: Readonly<Record<AmountName, number | null | undefined>> = {
    every: everySeconds,
    delayOver: commitDelay?.overMs,
    delayFor: commitDelay?.forSeconds,
    usualTimes: timesUsual?.times,
    usualFor: timesUsual?.forSeconds,
    sendQueue: queue?.sendQueueKb,
    rpo: queue?.rpoSeconds,
    quiet: recording.quietSeconds,
    most: recording.mostSeconds,
    ring: recording.ringSeconds ?? undefined,
    perDay: recording.mostPerDay,
    perWeek: recording.mostPerWeek,
    bytes: recording.mostBytesPerWeek,
    holdOff: recording.holdOffSeconds,
    keep: recording.keepDays,
  };
  const shown = schedules.map(({ cron, forSeconds }) => newSchedule(cron, amountText("period", forSeconds)));
  return {
    group,
    login,
    replicas,
    amounts: textsOf(({ kind, initial }, name) => {
      const value = amounts[name];
      return value === undefined ? initial : value === null ? "" : amountText(kind, value);
    }),
    on: {
      commitDelay: commitDelay !== null,
      timesUsual: timesUsual !== null,
      queue: queue !== null,
      state,
      schedules: schedules.length > 0,
      http,
      ring: recording.ringSeconds !== null,
      commits: !recording.withoutCommits,
    },
    schedules: shown.length === 0 ? [newSchedule()] : shown,
    receivers,
  };
}

/** A reason why the form is no definition. `field` is a name of an amount, or a key of a schedule. */
export interface FormProblem {
  readonly field: string;
  readonly sentence: string;
}

export interface ReadForm {
  /** Null while there are problems. */
  readonly definition: WatchDefinition | null;
  readonly problems: readonly FormProblem[];
}

/** Amounts that count only while their switch is on. */
const SWITCH_OF: Readonly<Partial<Record<AmountName, Switch>>> = {
  delayOver: "commitDelay",
  delayFor: "commitDelay",
  usualTimes: "timesUsual",
  usualFor: "timesUsual",
  sendQueue: "queue",
  rpo: "queue",
  ring: "ring",
};

export const MOST_SCHEDULES = 5;

/** Names that the watch file has. */
export type NamesInFile = Pick<Watches, "logins" | "receivers">;

/** The definition that is saved. */
export function readForm(form: WatchForm, names: NamesInFile): ReadForm {
  const { on, amounts, login, group } = form;
  const isRead = (name: AmountName): boolean => {
    const needed = SWITCH_OF[name];
    return needed === undefined || on[needed];
  };
  const problems = [
    ...placeProblems(form, names),
    ...AMOUNT_NAMES.filter(isRead).flatMap((name) => amountProblem(name, amounts[name])),
    ...(on.queue && amounts.sendQueue.trim() === "" && amounts.rpo.trim() === ""
      ? [{ field: "sendQueue", sentence: texts.enterQueueOrRpo }]
      : []),
    ...(on.schedules ? form.schedules.flatMap(scheduleProblem) : []),
    ...form.receivers
      .filter((name) => !names.receivers.some((each) => each.name === name))
      .map((name) => ({ field: `receiver ${name}`, sentence: texts.receiverIsGone(name) })),
  ];
  if (problems.length > 0) return { definition: null, problems };
  const value = (name: AmountName): number => readAmount(AMOUNTS[name].kind, amounts[name]) ?? 0;
  return {
    problems,
    definition: {
      group,
      login,
      everySeconds: value("every"),
      replicas: form.replicas.flatMap(({ address, serverName }) => {
        const server = serverOf(address);
        return server === null ? [] : [{ server, serverName }];
      }),
      triggers: triggersOf(form, value),
      recording: recordingOf(form, value),
      receivers: [...form.receivers],
    },
  };
}

function triggersOf(form: WatchForm, value: (name: AmountName) => number): WatchTriggers {
  const { on, amounts, schedules } = form;
  const orNull = (name: AmountName): number | null => (amounts[name].trim() === "" ? null : value(name));
  return {
    commitDelay: on.commitDelay ? { overMs: value("delayOver"), forSeconds: value("delayFor") } : null,
    timesUsual: on.timesUsual ? { times: value("usualTimes"), forSeconds: value("usualFor") } : null,
    queue: on.queue ? { sendQueueKb: orNull("sendQueue"), rpoSeconds: orNull("rpo") } : null,
    state: on.state,
    schedules: on.schedules
      ? schedules.map(({ cron, length }) => ({
          cron: cron.trim(),
          forSeconds: readAmount("period", length) ?? 0,
        }))
      : [],
    http: on.http,
  };
}

const recordingOf = ({ on, amounts }: WatchForm, value: (name: AmountName) => number): WatchRecording => ({
  quietSeconds: value("quiet"),
  mostSeconds: value("most"),
  ringSeconds: on.ring ? value("ring") : null,
  mostPerDay: value("perDay"),
  mostPerWeek: value("perWeek"),
  mostBytesPerWeek: value("bytes"),
  holdOffSeconds: value("holdOff"),
  keepDays: amounts.keep.trim() === "" ? null : value("keep"),
  withoutCommits: !on.commits,
});

function placeProblems({ login, replicas }: WatchForm, { logins }: NamesInFile): FormProblem[] {
  if (login === "") return [{ field: "login", sentence: texts.chooseALogin }];
  if (!logins.includes(login)) return [{ field: "login", sentence: texts.loginIsGone(login) }];
  if (replicas.length === 0) return [{ field: "replicas", sentence: texts.findTheReplicas }];
  return replicas
    .filter(({ address }) => serverOf(address) === null)
    .map(({ key, serverName }) => ({ field: key, sentence: texts.enterTheAddress(serverName) }));
}

function amountProblem(name: AmountName, text: string): FormProblem[] {
  const { kind, least, most, isOptional = false }: Amount = AMOUNTS[name];
  if (isOptional && text.trim() === "") return [];
  const value = readAmount(kind, text);
  if (value !== null && value >= least && value <= most) return [];
  const sentence = texts.enterFromTo(
    texts.amounts[name],
    amountText(kind, least),
    amountText(kind, most),
    isOptional,
  );
  return [{ field: name, sentence }];
}

const SCHEDULE_LENGTH = { least: 10, most: 3_600 } as const;

function scheduleProblem({ key, cron, length }: ScheduleForm): FormProblem[] {
  const problem = problemOf(cron);
  if (problem !== null) return [{ field: key, sentence: problem }];
  const seconds = readAmount("period", length);
  if (seconds !== null && seconds >= SCHEDULE_LENGTH.least && seconds <= SCHEDULE_LENGTH.most) return [];
  const { least, most } = SCHEDULE_LENGTH;
  const sentence = texts.enterFromTo(
    texts.amounts.schedule,
    amountText("period", least),
    amountText("period", most),
    false,
  );
  return [{ field: `${key}-length`, sentence }];
}

/** The next time of a schedule after a time, ms since 1970; null while it can't be read. */
export const nextScheduleOf = ({ cron }: Pick<ScheduleForm, "cron">, now: number): number | null =>
  problemOf(cron) === null ? nextOf(cron, now) : null;

/** Whether two forms are saved as the same watch. */
export function isSameForm(a: WatchForm, b: WatchForm): boolean {
  const plain = ({ schedules, replicas, ...form }: WatchForm): string =>
    JSON.stringify([
      form,
      schedules.map(({ cron, length }) => [cron, length]),
      replicas.map(({ address, serverName }) => [addressOfForm(address), serverName]),
    ]);
  return plain(a) === plain(b);
}

function addressOfForm(address: ReplicaForm["address"]): ReplicaForm["address"] {
  const server = serverOf(address);
  return server === null ? address : addressOf(server);
}
