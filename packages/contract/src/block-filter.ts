/**
 * Filters of blocks, and their text in an address: conditions separated by commas; a block has to meet all of them.
 *
 *     secondaryFlush@1>50000     the first secondary's log write took over 50 ms (µs; @ and the slot from 1)
 *     networkRoundTrip>20000     towards any secondary; logWrite: the primary's or any secondary's
 *     commit=5000..8000          a commit of the block took 5 ms or more and under 8 ms
 *     size>512                   bytes
 *     gate@1, gate=local         released by the first secondary's acknowledgment, by the primary's own log write
 *     lsn=00000022:00000167..00000022:000001f7
 *     db=2                       index of the database
 *     session=57|61, app=2       a commit of the block is of one of these sessions, or of the application of that number;
 *                                statement=3 the same of a statement, 0 of commits without one
 *     class@0=bad                a log write of that class: @0 the primary's, without @ any replica's
 */
import type { BlockCondition as ModelCondition, BlockFilter as ModelFilter } from "@aglens/ag-model/query";
import { isLocalStage, isWritePart, writePart } from "@aglens/ag-model/replication";
import { DistributionStage } from "./shapes/distribution.ts";
import { z } from "./zod.ts";

/** A stage that a condition is about; "logWrite" is the primary's or any secondary's. */
export const FilterStage = z.enum([...DistributionStage.options, "logWrite"]);
export type FilterStage = z.infer<typeof FilterStage>;

export const WRITE_CLASSES = ["good", "reasonable", "busy", "bad"] as const;

const amount = z.number().min(-1e15).max(1e15);
const slot = z.number().int().min(0).max(15);
/** More clients than a user selects. */
const MOST_CLIENTS = 32;
const lsn = z.string().regex(/^[0-9a-f]{8}:[0-9a-f]{8}$/u);

/** Against one amount, or from `amount` on and under `limit`. */
export const Comparison = z.union([
  z.object({ sign: z.enum([">", ">=", "<", "<="]), amount }),
  z.object({ sign: z.literal(".."), amount, limit: amount }).refine((range) => range.amount < range.limit),
]);
export type Comparison = z.infer<typeof Comparison>;

/** One condition on a block. Durations are µs, sizes bytes; both ends of `lsn` belong to it. */
export const BlockCondition = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("duration"),
    stage: FilterStage,
    /** Null: towards any secondary. */
    secondary: slot.nullable(),
    comparison: Comparison,
  }),
  z.object({ kind: z.literal("size"), comparison: Comparison }),
  /** Null: the primary's own log write. */
  z.object({ kind: z.literal("gate"), secondary: slot.nullable() }),
  z.object({ kind: z.literal("lsn"), first: lsn, last: lsn }),
  z.object({ kind: z.literal("database"), database: z.number().int().min(0).max(65_535) }),
  z.object({
    kind: z.literal("client"),
    column: z.enum(["session", "application", "statement"]),
    values: z.array(z.number().int().min(0).max(65_535)).min(1).max(MOST_CLIENTS),
  }),
  /** 0 the primary, s + 1 secondary s, null any replica. */
  z.object({
    kind: z.literal("class"),
    writeClass: z.enum(WRITE_CLASSES),
    replica: z.number().int().min(0).max(16).nullable(),
  }),
]) satisfies z.ZodType<ModelCondition>;
export type BlockCondition = z.infer<typeof BlockCondition>;

/** More conditions than a user writes. */
export const MOST_CONDITIONS = 12;

/** Blocks that meet every condition. */
export const BlockFilter = z
  .array(BlockCondition)
  .min(1)
  .max(MOST_CONDITIONS)
  .readonly() satisfies z.ZodType<ModelFilter>;
export type BlockFilter = z.infer<typeof BlockFilter>;

/** Whether a stage is the same towards every secondary: its condition names no secondary. */
export const hasNoSecondary = (stage: FilterStage): boolean =>
  stage === "commit" ||
  stage === "logWrite" ||
  (isWritePart(stage)
    ? writePart(stage).of === "localFlush"
    : stage !== "acknowledge" && isLocalStage(stage));

/** The filter as a text. */
export const blockFilterText = (filter: BlockFilter): string => filter.map(conditionText).join(",");

/** One condition as a text. */
export function conditionText(condition: BlockCondition): string {
  switch (condition.kind) {
    case "duration":
      return `${condition.stage}${slotText(condition.secondary)}${comparisonText(condition.comparison)}`;
    case "size":
      return `size${comparisonText(condition.comparison)}`;
    case "gate":
      return condition.secondary === null ? "gate=local" : `gate${slotText(condition.secondary)}`;
    case "lsn":
      return `lsn=${condition.first}..${condition.last}`;
    case "database":
      return `db=${condition.database}`;
    case "client":
      return `${CLIENT_SUBJECTS[condition.column]}=${condition.values.join("|")}`;
    case "class":
      return `class${condition.replica === null ? "" : `@${condition.replica}`}=${condition.writeClass}`;
  }
}

/** Words of addresses and of people for the columns of clients. */
export const CLIENT_SUBJECTS = { session: "session", application: "app", statement: "statement" } as const;

const slotText = (secondary: number | null): string => (secondary === null ? "" : `@${secondary + 1}`);

function comparisonText(comparison: Comparison): string {
  if (comparison.sign === "..") return `=${decimal(comparison.amount)}..${decimal(comparison.limit)}`;
  return `${comparison.sign}${decimal(comparison.amount)}`;
}

/** Edges of bins have at most six decimals that matter. */
const decimal = (value: number): string => String(Number(value.toFixed(6)));

const NUMBER = String.raw`-?\d{1,15}(?:\.\d{1,6})?`;
const AMOUNT = new RegExp(
  String.raw`^([A-Za-z]+)(?:@(\d{1,2}))?(?:(>=|<=|>|<)(${NUMBER})|=(${NUMBER})\.\.(${NUMBER}))$`,
  "u",
);
const NAME = /^([A-Za-z]+)(?:@(\d{1,2}))?(?:=(.+))?$/u;

/** The filter that a text writes down; null for any other text. */
export function parseBlockFilter(text: string): BlockFilter | null {
  if (text === "") return null;
  const conditions = text.split(",").map(conditionOf);
  const parsed = BlockFilter.safeParse(conditions);
  return parsed.success ? parsed.data : null;
}

/** Parsed condition of a text; the schema checks whether it makes sense. */
function conditionOf(text: string): unknown {
  const [, subject, at, sign, than, from, to] = AMOUNT.exec(text) ?? [];
  if (subject === undefined) return namedCondition(text);
  const comparison =
    sign === undefined
      ? { sign: "..", amount: Number(from), limit: Number(to) }
      : { sign, amount: Number(than) };
  if (subject === "size") return at === undefined ? { kind: "size", comparison } : null;
  const stage = FilterStage.safeParse(subject);
  if (!stage.success) return null;
  // A slot is meaningless for a stage that is the same towards every secondary.
  const secondary = hasNoSecondary(stage.data) || at === undefined ? null : Number(at) - 1;
  return { kind: "duration", stage: stage.data, secondary, comparison };
}

function namedCondition(text: string): unknown {
  const [, subject, at, value] = NAME.exec(text) ?? [];
  switch (subject) {
    case "gate":
      if (at !== undefined) return value === undefined ? { kind: "gate", secondary: Number(at) - 1 } : null;
      return value === "local" ? { kind: "gate", secondary: null } : null;
    case "lsn": {
      const [first, last, ...more] = (value ?? "").split("..");
      return more.length > 0 ? null : { kind: "lsn", first, last: last ?? first };
    }
    case "db":
      return /^\d{1,5}$/u.test(value ?? "") ? { kind: "database", database: Number(value) } : null;
    case "session":
    case "app":
    case "statement": {
      const column = subject === "app" ? "application" : subject;
      const isList = at === undefined && /^\d{1,5}(?:\|\d{1,5})*$/u.test(value ?? "");
      return isList ? { kind: "client", column, values: value?.split("|").map(Number) } : null;
    }
    case "class":
      return { kind: "class", writeClass: value, replica: at === undefined ? null : Number(at) };
    default:
      return null;
  }
}
