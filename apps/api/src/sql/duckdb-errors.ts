/** What DuckDB's errors say, without what only who runs the server should read. */
import { asSentence } from "@aglens/engine/problems";

interface DuckDbError {
  readonly type: string;
  readonly message: string;
  /** In bytes of UTF-8 from the begin of the query. */
  readonly position: number | null;
}

/** An error as DuckDB words it under `errors_as_json`; what came before that was set is in its plain form. */
export function readError(error: unknown): DuckDbError {
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

export const isOutOfMemory = (type: string, message: string): boolean =>
  type === "OUT OF MEMORY" || /bad_alloc|bad allocation|failed to allocate/iu.test(message);

/** A path of the machine: two names with slashes before them, or a drive. */
const PATH = /(?:[A-Za-z]:\\|\\\\)[^\s"']+|(?<![\w.])\/[\w.@%+=-]+(?:\/[\w.@%+=-]*)+/gu;

/** A message of DuckDB as a sentence for whoever asked: its first paragraph and the guess, without paths of this machine. */
export function shownMessage(message: string): string {
  const [first = ""] = message.split("\n\n");
  return asSentence(first.replaceAll(PATH, "(a file of the server)"));
}
