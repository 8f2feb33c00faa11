/** Schedules of recordings: cron expressions with five fields, in UTC. A program computes their times, the fields are read here. */
import { Cron } from "croner";

interface Field {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  /** Names of its values from the least on. */
  readonly names: readonly string[];
}

const FIELDS: readonly Field[] = [
  { name: "minute", least: 0, most: 59, names: [] },
  { name: "hour", least: 0, most: 23, names: [] },
  { name: "day", least: 1, most: 31, names: [] },
  {
    name: "month",
    least: 1,
    most: 12,
    names: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"],
  },
  { name: "weekday", least: 0, most: 7, names: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"] },
];
const MOST_CHARACTERS = 100;
/** Times of one answer, the newest; more can't be read in a list. */
const MOST_MISSED = 100;

/** Why an expression can't be a schedule, in a sentence; null for one that can. */
export function problemOf(cron: string): string | null {
  const reason = reasonOf(cron);
  const shown = cron.trim().slice(0, MOST_CHARACTERS);
  return reason === null ? null : `Can't read ${shown === "" ? "the schedule" : shown}: ${reason}.`;
}

function reasonOf(cron: string): string | null {
  if (cron.length > MOST_CHARACTERS) return `it has more than ${MOST_CHARACTERS} characters`;
  const texts = fieldsIn(cron);
  if (texts.length !== FIELDS.length) return "it needs minute, hour, day, month and weekday";
  const reasons = FIELDS.map((field, index) => reasonOfField(texts[index] ?? "", field));
  const first = reasons.find((reason) => reason !== null) ?? null;
  if (first !== null) return first;
  return nextOf(cron, 0) === null ? "no date matches" : null;
}

const fieldsIn = (cron: string): string[] => cron.trim().split(/\s+/u);

function reasonOfField(text: string, field: Field): string | null {
  const reasons = text.split(",").map((part) => reasonOfPart(part, field));
  return reasons.find((reason) => reason !== null) ?? null;
}

/** A part is `*`, a value or a range; a step is after `*` or a range only, as cron has it. */
function reasonOfPart(part: string, field: Field): string | null {
  const { name, least, most } = field;
  const [, from, to, step] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d+))?$/u.exec(part) ?? [];
  if (from === undefined || (from === "*" && to !== undefined)) return rangeOf(field);
  const values = [from, to].filter((value) => value !== undefined && value !== "*");
  const numbers = values.map((value) => numberOf(value ?? "", field));
  if (numbers.some((value) => value === null || value < least || value > most)) return rangeOf(field);
  const [first = 0, last = first] = numbers;
  if ((last ?? 0) < (first ?? 0)) return `${name} ${part} runs backward`;
  if (step === undefined) return null;
  if (from !== "*" && to === undefined) return `a step of ${name} needs * or a range`;
  return Number(step) >= 1 && Number(step) <= most ? null : `a step of ${name} is 1 to ${most}`;
}

const rangeOf = ({ name, least, most, names }: Field): string =>
  `${name} is ${least} to ${most}${names.length === 0 ? "" : `, or ${names[0]} to ${names.at(-1)}`}`;

function numberOf(value: string, { least, names }: Field): number | null {
  if (/^\d{1,2}$/u.test(value)) return Number(value);
  const index = names.indexOf(value.toUpperCase());
  return index < 0 ? null : least + index;
}

/** The first time after another, ms since 1970; null where no date matches. @param cron without a problem */
export const nextOf = (cron: string, afterMs: number): number | null =>
  scheduleOf(cron).nextRun(new Date(afterMs))?.getTime() ?? null;

/** Times after `from` up to `to`, the oldest first: the newest 100. @param cron without a problem */
export function missedBetween(cron: string, from: number, to: number): number[] {
  const schedule = scheduleOf(cron);
  const times: number[] = [];
  for (let before = to + 1; times.length < MOST_MISSED;) {
    const time = schedule.previousRuns(1, new Date(before))[0]?.getTime();
    if (time === undefined || time <= from) break;
    times.push(time);
    before = time;
  }
  return times.toReversed();
}

/** Without a function to call, it has no timer. */
const scheduleOf = (cron: string): Cron =>
  new Cron(fieldsIn(cron).join(" "), { mode: "5-part", timezone: "UTC" });
