/** Conditions as a person reads and types them, in the form that `readFilter` reads. */
import {
  type BlockCondition,
  type BlockFilter,
  CLIENT_SUBJECTS,
  type Comparison,
  hasNoSecondary,
} from "@aglens/contract";
import { filterTexts as texts } from "../messages/filter.ts";
import { durationText } from "../ui/words.ts";
import { stageSubject, type FilterNames } from "./filter-names.ts";

/** A condition on a stage. */
export type DurationCondition = BlockCondition & { readonly kind: "duration" };

const THIN = "\u2009";

/** A filter as it is typed: "SQL2 log write > 50 ms, gate = SQL2". */
export const filterText = (filter: BlockFilter, names: FilterNames): string =>
  filter.map((condition) => conditionText(condition, names)).join(", ");

/** Subject of a condition: "SQL2 log write"; without a replica for commits and where any replica may meet it. */
export function durationSubject(condition: DurationCondition, names: FilterNames): string {
  const whose = replicaOf(condition, names);
  const subject = stageSubject(condition.stage);
  return whose === "" ? subject : `${whose} ${subject}`;
}

/** A condition as it is typed: "SQL2 log write > 50 ms". @param formatAmount of an amount in µs, exact to be read again */
function conditionText(
  condition: BlockCondition,
  names: FilterNames,
  formatAmount: (us: number) => string = exactAmount,
): string {
  switch (condition.kind) {
    case "duration":
      return `${durationSubject(condition, names)} ${comparisonText(condition.comparison, formatAmount)}`;
    case "size":
      return texts.size(comparisonText(condition.comparison, (bytes) => `${bytes}${THIN}B`));
    case "gate":
      return `gate = ${condition.secondary === null ? "local" : secondaryName(names, condition.secondary)}`;
    case "lsn":
      return condition.first === condition.last
        ? `lsn = ${condition.first}`
        : `lsn = ${condition.first}..${condition.last}`;
    case "database":
      return `db = ${names.databases[condition.database] ?? condition.database}`;
    case "client":
      return `${CLIENT_SUBJECTS[condition.column]}:${clientTexts(condition, names).join("|")}`;
    case "class": {
      const { replica, writeClass } = condition;
      if (replica === null) return `class = ${writeClass}`;
      return texts.classOn(writeClass, replica === 0 ? names.primary : secondaryName(names, replica - 1));
    }
  }
}

/** Meaning of a condition, for a chip: "SQL2 log write > 50 ms", "released by SQL2's ack". */
export function conditionMeaning(condition: BlockCondition, names: FilterNames): string {
  switch (condition.kind) {
    case "duration": {
      const words = conditionText(condition, names, amountText);
      return isOfAny(condition, names) ? texts.onAnyReplica(words) : words;
    }
    case "gate":
      return condition.secondary === null
        ? texts.releasedBySOwn(names.primary)
        : texts.releasedBySAck(secondaryName(names, condition.secondary));
    case "class": {
      const { replica, writeClass } = condition;
      const whose =
        replica === null
          ? texts.anyReplica
          : replica === 0
            ? names.primary
            : secondaryName(names, replica - 1);
      return texts.logWriteOn(writeClass, whose);
    }
    case "database":
      return texts.database(names.databases[condition.database] ?? condition.database);
    case "client":
    case "size":
    case "lsn":
      return conditionText(condition, names);
  }
}

/** Names of applications in quotes, ids of sessions and other numbers as they are. */
const clientTexts = (
  { column, values }: BlockCondition & { readonly kind: "client" },
  { applications }: FilterNames,
): string[] =>
  values.map((value) => {
    const name = column === "application" ? applications[value] : undefined;
    return name === undefined ? String(value) : `"${name}"`;
  });

/** Whether a condition is about several replicas of which any may meet it. */
function isOfAny({ stage, secondary }: DurationCondition, { secondaries }: FilterNames): boolean {
  if (stage === "logWrite") return true;
  return secondary === null && !hasNoSecondary(stage) && secondaries.length > 1;
}

const secondaryName = (names: FilterNames, secondary: number): string =>
  names.secondaries[secondary] ?? texts.secondary(secondary + 1);

function replicaOf({ stage, secondary }: DurationCondition, names: FilterNames): string {
  if (stage === "localFlush") return names.primary;
  return secondary === null ? "" : secondaryName(names, secondary);
}

function comparisonText(comparison: Comparison, amount: (value: number) => string): string {
  if (comparison.sign === "..") return `= ${amount(comparison.amount)}..${amount(comparison.limit)}`;
  return `${comparison.sign} ${amount(comparison.amount)}`;
}

/** A duration with all of its digits, so that it can be read again. */
function exactAmount(us: number): string {
  const [digits, unit] = unitOf(us);
  return `${digits}${THIN}${unit}`;
}

/** A duration to be read: exact unless it is long, as the edges of bins are. */
export function amountText(us: number): string {
  return unitOf(us)[0].length <= 7 ? exactAmount(us) : durationText(us);
}

/** Filters keep six decimals of a µs. */
function unitOf(us: number): readonly [digits: string, unit: string] {
  if (Math.abs(us) >= 1e6) return [String(Number((us / 1e6).toFixed(12))), "s"];
  if (Math.abs(us) >= 1_000) return [String(Number((us / 1_000).toFixed(9))), "ms"];
  return [String(us), "µs"];
}
