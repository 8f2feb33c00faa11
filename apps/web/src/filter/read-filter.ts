/** Reads a filter as a person types it: "log write > 50 ms on SQL2, gate = SQL2". A comma means and. */
import {
  type BlockCondition,
  BlockFilter,
  type BlockFilter as Filter,
  type Comparison,
  hasNoSecondary,
  type FilterStage,
  MOST_CONDITIONS,
  WRITE_CLASSES,
} from "@aglens/contract";
import { filterTexts as texts } from "../messages/filter.ts";
import { capitalised } from "../ui/words.ts";
import { nearestText } from "./nearest-text.ts";
import {
  type FilterNames,
  isLogWrite,
  isOnPrimary,
  stageSubject,
  STAGES_BY_WORD,
  SUBJECTS,
} from "./filter-names.ts";

/** A part of the text that cannot be read. */
export interface FilterProblem {
  /** Position in the text. */
  readonly from: number;
  readonly to: number;
  readonly sentence: string;
  /** Words with a likely meaning in its place, the nearest first. */
  readonly nearest: readonly string[];
}

export interface ReadFilter {
  /** The conditions that could be read, in their order. */
  readonly conditions: Filter;
  /** The first part that could not be read. */
  readonly problem: FilterProblem | null;
}

/** Whether a text is a filter, not a place or a command: it contains a comparison. */
export const isFilterText = (text: string): boolean =>
  /[<>=≤≥]/u.test(text) || COMPARING.test(text) || CLIENT.test(text);

const COMPARING = /\b(?:over|above|more than|under|below|less than|at least|at most)\s+\d/iu;
/** `app:"OrderEntry"|"Web shop"`, `session:57`; names may contain signs and commas. */
const CLIENT = /^\s*(app|application|session|statement)\s*[:=]\s*([\s\S]*)$/iu;
const CLIENT_VALUES = /"([^"]*)"?|[^|"]+/gu;
const SIGN =
  /(>=|<=|≥|≤|>|<|=|\bmore than\b|\bless than\b|\bat least\b|\bat most\b|\b(?:over|above|under|below)\b)/iu;

const SIGNS: Readonly<Record<string, ">" | ">=" | "<" | "<=">> = {
  ">": ">",
  over: ">",
  above: ">",
  "more than": ">",
  ">=": ">=",
  "≥": ">=",
  "at least": ">=",
  "<": "<",
  under: "<",
  below: "<",
  "less than": "<",
  "<=": "<=",
  "≤": "<=",
  "at most": "<=",
};

/** The conditions of a text, and the first part of it that isn't one. An empty text has neither. */
export function readFilter(text: string, names: FilterNames): ReadFilter {
  const conditions: BlockCondition[] = [];
  let problem: FilterProblem | null = null;
  for (const part of partsOf(text)) {
    if (part.words === "") continue;
    const read = readCondition(part, names);
    if ("kind" in read) conditions.push(read);
    else problem ??= read;
  }
  if (conditions.length > MOST_CONDITIONS)
    problem ??= {
      from: 0,
      to: text.length,
      sentence: texts.filterHasAtMost(MOST_CONDITIONS),
      nearest: [],
    };
  return { conditions: conditions.slice(0, MOST_CONDITIONS), problem };
}

/** A part of the text without spaces around it. */
interface Part {
  readonly from: number;
  readonly words: string;
}

/** Parts between commas outside of quotation marks. */
function partsOf(text: string): Part[] {
  const pieces = text.matchAll(/(?:"[^"]*"?|[^,"])+/gu);
  return Array.from(pieces, ({ index, 0: words }) => trimmed({ from: index, words }));
}

const trimmed = ({ from, words }: Part): Part => ({
  from: from + words.length - words.trimStart().length,
  words: words.trim(),
});

const cannot = ({ from, words }: Part, sentence: string, nearest: readonly string[] = []): FilterProblem => ({
  from,
  to: from + words.length,
  sentence,
  nearest,
});

/** Lower case, one plain space between words. */
const plain = (words: string): string => words.toLowerCase().replaceAll(/\s+/gu, " ").trim();

function readCondition(part: Part, names: FilterNames): BlockCondition | FilterProblem {
  const client = CLIENT.exec(part.words);
  if (client !== null) return readClients(part, client, names);
  const match = SIGN.exec(part.words);
  if (match === null) return unfinished(part, names);
  const subject = trimmed({ from: part.from, words: part.words.slice(0, match.index) });
  const end = match.index + match[0].length;
  const value = trimmed({ from: part.from + end, words: part.words.slice(end) });
  const sign = plain(match[0]);
  switch (plain(subject.words)) {
    case "gate":
      return expectEquals(sign, part, "gate = REPLICA") ?? readGate(value, names);
    case "lsn":
      return expectEquals(sign, part, "lsn = A..B") ?? readLsns(value);
    case "db":
    case "database":
      return expectEquals(sign, part, "db = NAME") ?? readDatabase(value, names);
    case "class":
      return expectEquals(sign, part, "class = bad") ?? readClass(value, names);
    case "size":
    case "block size":
      return readSize(sign, value);
    default:
      return readDuration(subject, sign, value, names);
  }
}

function unfinished(part: Part, names: FilterNames): FilterProblem {
  const { rest } = takeReplica(part, names);
  const subject = plain(rest.words);
  const isSubject = SUBJECTS.includes(subject) || STAGES_BY_WORD.has(subject);
  if (isSubject) {
    const isClient = ["app", "session"].includes(subject);
    const goesOn = isClient ? ":" : ["gate", "lsn", "db", "class"].includes(subject) ? "=" : ">";
    return cannot(part, texts.afterComes(rest.words, goesOn), [`${part.words} ${goesOn} `]);
  }
  const nearest = nearestText(subject, SUBJECTS);
  return cannot(rest.words === "" ? part : rest, texts.isNoCondition(part.words), nearest);
}

/** Sessions by id, applications by name in any case, and statements by their number on the screen Waiting. */
function readClients(
  part: Part,
  [, subject = "", given = ""]: RegExpExecArray,
  { applications }: FilterNames,
): BlockCondition | FilterProblem {
  const word = subject.toLowerCase();
  const column = word.startsWith("app") ? "application" : word === "session" ? "session" : "statement";
  const value = { from: part.from + part.words.length - given.length, words: given };
  const values: number[] = [];
  for (const [typed, quoted] of given.matchAll(CLIENT_VALUES)) {
    const words = (quoted ?? typed).trim();
    const named = applications.findIndex((name) => name.toLowerCase() === words.toLowerCase());
    const number =
      column === "application" && named >= 0 ? named : /^\d{1,5}$/u.test(words) ? Number(words) : -1;
    const isNumber = number >= 0 && (quoted === undefined || named >= 0);
    if (!isNumber && column !== "application") return cannot(value, texts.clientIsNumber(subject));
    if (!isNumber) {
      const known = applications.filter((name) => name !== "");
      if (known.length === 0) return cannot(value, texts.noApplications);
      return cannot(value, notOneOf(words, "application", known.slice(0, 4)), nearestText(words, known));
    }
    values.push(number);
  }
  if (values.length > 0) return { kind: "client", column, values };
  return cannot(part, texts.afterComes(subject, ":"), [part.words]);
}

const expectEquals = (sign: string, part: Part, form: string): FilterProblem | null =>
  sign === "=" ? null : cannot(part, texts.thisIsWritten(form), []);

function readGate(value: Part, names: FilterNames): BlockCondition | FilterProblem {
  const local = ["local", names.primary.toLowerCase(), "primary"];
  const wanted = plain(value.words);
  if (local.includes(wanted)) return { kind: "gate", secondary: null };
  const secondary = slotOf(wanted, names);
  if (secondary !== null) return { kind: "gate", secondary };
  const known = [...names.secondaries, "local"];
  return cannot(value, notOneOf(value.words, "replica", known), nearestText(wanted, known));
}

/** The secondary of a name; the only one also answers to "secondary". */
function slotOf(wanted: string, { secondaries }: FilterNames): number | null {
  const slot = secondaries.findIndex((name) => name.toLowerCase() === wanted);
  if (slot >= 0) return slot;
  return wanted === "secondary" && secondaries.length === 1 ? 0 : null;
}

const notOneOf = (words: string, what: string, known: readonly string[]): string =>
  words === ""
    ? texts.isMissing(what, known.join(", "))
    : texts.thereIsNoThere(what, words, known.join(", "));

const LSN = /^(0x)?([0-9a-f]{1,8}):(0x)?([0-9a-f]{1,8})$/iu;

/**
 * Two parts in hexadecimal as the log prints them, or with 0x; a part with only decimal digits, shorter than eight, is
 * decimal.
 */
function lsnOf(text: string): string | null {
  const [, prefix, vlf, prefixAfter, offset] = LSN.exec(text.trim()) ?? [];
  if (vlf === undefined || offset === undefined) return null;
  const hasPrefix = prefix !== undefined || prefixAfter !== undefined;
  const base = !hasPrefix && /^\d+$/u.test(vlf + offset) && vlf.length < 8 ? 10 : 16;
  const part = (digits: string): string => Number.parseInt(digits, base).toString(16).padStart(8, "0");
  return `${part(vlf)}:${part(offset)}`;
}

function readLsns(value: Part): BlockCondition | FilterProblem {
  const [first = "", last = first, ...more] = value.words.split("..");
  const [a, b] = [lsnOf(first), lsnOf(last)];
  if (a === null || b === null || more.length > 0) return cannot(value, texts.lsnFormat);
  return a <= b ? { kind: "lsn", first: a, last: b } : { kind: "lsn", first: b, last: a };
}

function readDatabase(value: Part, { databases }: FilterNames): BlockCondition | FilterProblem {
  const wanted = value.words.toLowerCase();
  const database = databases.findIndex((name) => name.toLowerCase() === wanted);
  if (database >= 0) return { kind: "database", database };
  return cannot(value, notOneOf(value.words, "database", databases), nearestText(wanted, databases));
}

function readClass(value: Part, names: FilterNames): BlockCondition | FilterProblem {
  const { replica, rest } = takeReplica(value, names);
  const wanted = plain(rest.words);
  const writeClass = WRITE_CLASSES.find((each) => each === wanted);
  if (writeClass !== undefined) return { kind: "class", writeClass, replica };
  return cannot(
    rest,
    notOneOf(rest.words, texts.writeClass, WRITE_CLASSES),
    nearestText(wanted, WRITE_CLASSES),
  );
}

const SIZE_UNITS: Readonly<Record<string, number>> = { "": 1, b: 1, bytes: 1, kb: 1_000, kib: 1_024 };
const TIME_UNITS: Readonly<Record<string, number>> = {
  "": 1_000,
  µs: 1,
  μs: 1,
  us: 1,
  ms: 1_000,
  s: 1e6,
  sec: 1e6,
  min: 60e6,
};
const AMOUNT = /^(\d+(?:\.\d+)?|\.\d+)\s*([a-zµμ]*)$/iu;

function readSize(sign: string, value: Part): BlockCondition | FilterProblem {
  const comparison = readComparison(sign, value, SIZE_UNITS, "size > 512 B");
  return "from" in comparison ? comparison : { kind: "size", comparison };
}

/** The amount that is compared with; a range only after =. */
function readComparison(
  sign: string,
  value: Part,
  units: Readonly<Record<string, number>>,
  example: string,
): Comparison | FilterProblem {
  if (sign !== "=") {
    const amount = amountOf(value.words, units);
    return typeof amount === "number"
      ? { sign: SIGNS[sign]!, amount }
      : cannot(value, ...notAnAmount(value, units, example));
  }
  const [low = "", high, ...more] = value.words.split("..");
  if (high === undefined || more.length > 0)
    return cannot(value, texts.amountsAreCompared(example), [`> ${value.words}`]);
  const limit = amountOf(high, units);
  // "5..8 ms": the unit counts for both.
  const unit = /[a-zµμ]*$/iu.exec(high.trim())?.[0] ?? "";
  const amount = amountOf(/[a-zµμ]$/iu.test(low.trim()) ? low : `${low.trim()}${unit}`, units);
  if (amount === null || limit === null) return cannot(value, ...notAnAmount(value, units, example));
  if (amount >= limit) return cannot(value, texts.rangeBegins, []);
  return { sign: "..", amount, limit };
}

function amountOf(text: string, units: Readonly<Record<string, number>>): number | null {
  const [, digits, unit = ""] = AMOUNT.exec(text.trim()) ?? [];
  const factor = units[unit.toLowerCase()];
  if (digits === undefined || factor === undefined) return null;
  // An address keeps six decimals.
  return Number((Number(digits) * factor).toFixed(6));
}

function notAnAmount(
  value: Part,
  units: Readonly<Record<string, number>>,
  example: string,
): [string, readonly string[]] {
  if (value.words === "") return [texts.amountIsMissing(example), []];
  const [, digits, unit = ""] = AMOUNT.exec(value.words) ?? [];
  if (digits === undefined) return [texts.isNoAmount(value.words, example), []];
  const known = Object.keys(units).filter((each) => each !== "");
  const nearest = nearestText(unit.toLowerCase(), known).map((each) => `${digits} ${each}`);
  return [texts.thereIsNoUnit(unit, known.slice(0, 4).join(", ")), nearest];
}

function readDuration(
  subject: Part,
  sign: string,
  value: Part,
  names: FilterNames,
): BlockCondition | FilterProblem {
  const before = takeReplica(subject, names);
  const after = takeReplica(value, names);
  const isNamedTwice = before.rest !== subject && after.rest !== value;
  if (isNamedTwice && before.replica !== after.replica)
    return {
      from: subject.from,
      to: value.from + value.words.length,
      sentence: texts.twoReplicasAreNamed,
      nearest: [],
    };
  const whose = before.replica ?? after.replica;
  // "over 300 ms" alone means the wait of sessions.
  const word = plain(before.rest.words);
  const stage = word === "" && whose === null ? "commit" : stageOf(word, whose);
  if (stage === undefined)
    return cannot(
      before.rest.words === "" ? subject : before.rest,
      word === "" ? texts.stageIsMissingSuch : texts.thereIsNoStage(before.rest.words),
      nearestText(word, SUBJECTS),
    );
  const stray = strayReplica(after.rest, names);
  if (stray !== null) return stray;
  const comparison = readComparison(sign, after.rest, TIME_UNITS, `${stageSubject(stage)} > 50 ms`);
  if ("from" in comparison) return comparison;
  if (whose !== null && isOnPrimary(stage) && whose !== 0)
    return cannot(subject, texts.isOnAlone(capitalised(stageSubject(stage)), names.primary), [
      stageSubject(stage),
    ]);
  if (whose === 0 && !isOnPrimary(stage))
    return cannot(
      subject,
      texts.isNamed(capitalised(stageSubject(stage)), names.secondaries.join(", ")),
      names.secondaries.map((name) => `${name} ${stageSubject(stage)}`),
    );
  const secondary = hasNoSecondary(stage) || whose === null ? null : whose - 1;
  return { kind: "duration", stage, secondary, comparison };
}

/** "log write" is the primary's or a secondary's by the replica that is named. */
function stageOf(word: string, replica: number | null): FilterStage | undefined {
  const stage = STAGES_BY_WORD.get(word);
  if (stage === undefined || !isLogWrite(stage) || replica === null) return stage;
  return replica === 0 ? "localFlush" : "secondaryFlush";
}

/** "50 ms on SQL9": a replica that the capture does not have. */
function strayReplica(value: Part, names: FilterNames): FilterProblem | null {
  const match = /\bon\s+(.*)$/iu.exec(value.words);
  if (match === null) return null;
  const name: Part = {
    from: value.from + match.index + match[0].length - match[1]!.length,
    words: match[1]!,
  };
  const known = [names.primary, ...names.secondaries];
  return cannot(name, notOneOf(name.words, "replica", known), nearestText(plain(name.words), known));
}

interface WithReplica {
  /** 0 the primary, s + 1 secondary s; null for none or any. */
  readonly replica: number | null;
  readonly rest: Part;
}

/** A replica's name before the words ("SQL2 log write") or after them with "on" ("log write on SQL2"). */
function takeReplica(part: Part, names: FilterNames): WithReplica {
  const known = [
    ...names.secondaries.map((name, slot) => ({
      name: name.toLowerCase(),
      replica: (slot + 1) as number | null,
    })),
    { name: names.primary.toLowerCase(), replica: 0 },
    { name: "primary", replica: 0 },
    ...(names.secondaries.length === 1 ? [{ name: "secondary", replica: 1 }] : []),
    { name: texts.anyReplica, replica: null },
    { name: "any", replica: null },
  ].toSorted((a, b) => b.name.length - a.name.length);
  const words = part.words.toLowerCase();
  for (const { name, replica } of known) {
    if (words.startsWith(`${name} `))
      return {
        replica,
        rest: trimmed({ from: part.from + name.length, words: part.words.slice(name.length) }),
      };
    const on = `on ${name}`;
    if (words === on || words.endsWith(` ${on}`))
      return { replica, rest: trimmed({ ...part, words: part.words.slice(0, -on.length) }) };
  }
  return { replica: null, rest: part };
}

/** The conditions as a filter; null without conditions, or with more than a filter may have. */
export function filterOf(conditions: Filter): Filter | null {
  const parsed = BlockFilter.safeParse(conditions);
  return parsed.success ? parsed.data : null;
}
