/**
 * Reason why a query has no answer, or only its first rows: DuckDB's errors without details that only the operator
 * should read.
 */
import type { SqlLimit } from "@aglens/contract";
import { asSentence } from "@aglens/engine/problems";
import type { SqlRefusal } from "./question.ts";

/** Refusal of a query. */
export class Refusal extends Error {
  readonly refusal: SqlRefusal;
  /** @param at in characters from the query's begin; null where that is not known */
  constructor(reason: SqlRefusal["reason"], sentence: string, at: number | null) {
    super(sentence);
    this.refusal = { reason, sentence, at };
  }
}

/** The limit at which DuckDB stopped; null where it stopped for another reason. */
export function limitOf(error: unknown): SqlLimit | null {
  const { type, message } = readError(error);
  if (isOutOfMemory(type, message)) return "memory";
  return type === "INTERRUPT" ? "time" : null;
}

/** The limit that ended a query. @throws Refusal where the error is a mistake in the query */
export function endOf(error: unknown, sql: string): SqlLimit {
  if (error instanceof Refusal) throw error;
  const limit = limitOf(error);
  if (limit !== null) return limit;
  const { type, message, position } = readError(error);
  if (type === "IO") return unreadable();
  throw new Refusal(
    "wrong",
    shownMessage(message),
    position === null ? null : charactersBefore(sql, position),
  );
}

/** A query reads the tables' files and no others: that one of them cannot be read is not the asker's mistake. @throws Refusal */
export function unreadable(): never {
  throw new Refusal(
    "failed",
    "Can't read tables of a capture. They may have been rewritten or deleted during the query. Run the query again.",
    null,
  );
}

/** DuckDB counts bytes of UTF-8. */
export function charactersBefore(sql: string, bytes: number): number {
  return Buffer.from(sql).subarray(0, bytes).toString().length;
}

interface DuckDbError {
  readonly type: string;
  readonly message: string;
  /** In bytes of UTF-8 from the begin of the query. */
  readonly position: number | null;
}

/** An error in DuckDB's form under `errors_as_json`; errors from before that setting have the plain form. */
function readError(error: unknown): DuckDbError {
  const text = error instanceof Error ? error.message : String(error);
  const start = text.indexOf("{");
  try {
    const { exception_type, exception_message, position } = JSON.parse(text.slice(start)) as Record<
      string,
      unknown
    >;
    return {
      type: String(exception_type).toUpperCase(),
      message: String(exception_message),
      position: position === undefined ? null : Number(position),
    };
  } catch {
    const [, type = "", message = text] = /^([A-Za-z ]+?) Error: ([^]*)$/u.exec(text) ?? [];
    return { type: type.toUpperCase(), message, position: null };
  }
}

const isOutOfMemory = (type: string, message: string): boolean =>
  type === "OUT OF MEMORY" || /bad_alloc|bad allocation|failed to allocate/iu.test(message);

/** A path of the machine: two names with slashes before them, or a drive; or of the data set's. */
const PATH =
  /group=[^\s"']*capture=[^\s"']*|(?:[A-Za-z]:\\|\\\\)[^\s"']+|(?<![\w.])\/[\w.@%+=-]+(?:\/[\w.@%+=-]*)+/gu;

/**
 * A message of DuckDB as a sentence for the user: its first paragraph and the suggestion, without paths of this
 * machine.
 */
export function shownMessage(message: string): string {
  const [first = ""] = message.split("\n\n");
  return asSentence(first.replaceAll(PATH, "(a file of the server)"));
}
