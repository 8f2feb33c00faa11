/** Conditions as a person reads and types them: what `readFilter` reads again. */
import { type BlockCondition, type BlockFilter, type Comparison, hasNoSecondary } from "@aglens/contract";
import { durationText } from "../ui/words.ts";
import { stageSubject, type FilterNames } from "./filter-names.ts";

const THIN = "\u2009";

/** A filter as it is typed: "SQL2 log write > 50 ms, gate = SQL2". */
export const filterWords = (filter: BlockFilter, names: FilterNames): string =>
  filter.map((condition) => conditionWords(condition, names)).join(", ");

/** A condition as it is typed: "SQL2 log write > 50 ms". */
export function conditionWords(condition: BlockCondition, names: FilterNames): string {
  switch (condition.kind) {
    case "duration": {
      const whose = replicaOf(condition, names);
      const subject = stageSubject(condition.stage);
      return `${whose === "" ? subject : `${whose} ${subject}`} ${comparisonWords(condition.comparison, amountText)}`;
    }
    case "size":
      return `size ${comparisonWords(condition.comparison, (bytes) => `${bytes}${THIN}B`)}`;
    case "gate":
      return `gate = ${condition.secondary === null ? "local" : secondaryName(names, condition.secondary)}`;
    case "lsn":
      return condition.first === condition.last
        ? `lsn = ${condition.first}`
        : `lsn = ${condition.first}..${condition.last}`;
    case "database":
      return `db = ${names.databases[condition.database] ?? condition.database}`;
    case "class": {
      const { replica, writeClass } = condition;
      if (replica === null) return `class = ${writeClass}`;
      return `class = ${writeClass} on ${replica === 0 ? names.primary : secondaryName(names, replica - 1)}`;
    }
  }
}

/** What a condition means, for a chip: "SQL2 log write > 50 ms", "released by SQL2's ack". */
export function conditionMeaning(condition: BlockCondition, names: FilterNames): string {
  switch (condition.kind) {
    case "duration": {
      const words = conditionWords(condition, names);
      return isOfAny(condition, names) ? `${words} on any replica` : words;
    }
    case "gate":
      return condition.secondary === null
        ? `released by ${names.primary}'s own log write`
        : `released by ${secondaryName(names, condition.secondary)}'s ack`;
    case "class": {
      const { replica, writeClass } = condition;
      const whose =
        replica === null ? "any replica" : replica === 0 ? names.primary : secondaryName(names, replica - 1);
      return `${writeClass} log write on ${whose}`;
    }
    case "database":
      return `database ${names.databases[condition.database] ?? condition.database}`;
    case "size":
    case "lsn":
      return conditionWords(condition, names);
  }
}

/** Whether a condition is about several replicas of which any may meet it. */
function isOfAny(
  { stage, secondary }: BlockCondition & { readonly kind: "duration" },
  { secondaries }: FilterNames,
): boolean {
  if (stage === "logWrite") return true;
  return secondary === null && !hasNoSecondary(stage) && secondaries.length > 1;
}

const secondaryName = (names: FilterNames, secondary: number): string =>
  names.secondaries[secondary] ?? `secondary ${secondary + 1}`;

function replicaOf(
  { stage, secondary }: BlockCondition & { readonly kind: "duration" },
  names: FilterNames,
): string {
  if (stage === "localFlush") return names.primary;
  return secondary === null ? "" : secondaryName(names, secondary);
}

function comparisonWords(comparison: Comparison, amount: (value: number) => string): string {
  if (comparison.sign === "..") return `= ${amount(comparison.amount)}..${amount(comparison.limit)}`;
  return `${comparison.sign} ${amount(comparison.amount)}`;
}

/** A duration without rounding: what was typed is read back. */
export function amountText(us: number): string {
  const [value, unit] =
    Math.abs(us) >= 1e6 ? [us / 1e6, "s"] : Math.abs(us) >= 1_000 ? [us / 1_000, "ms"] : [us, "µs"];
  const exact = String(value);
  // Edges of bins have more digits than anybody reads.
  return exact.length <= 7 ? `${exact}${THIN}${unit}` : durationText(us);
}
