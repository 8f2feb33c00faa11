/** The process that has DuckDB: answers one question after the other and ends with whoever started it. */
import { memoryUsage } from "node:process";
import type { Asking } from "./database.ts";
import { type SqlAnswer, TOO_MUCH_MEMORY, type ToSqlProcess } from "./question.ts";

/** What a process takes beside the memory that DuckDB counts, bytes: the library itself and an answer's rows. */
const BESIDE_BYTES = 700_000_000;
const LOOK_MS = 50;

type Database = typeof import("./database.ts");

/** On a machine for which DuckDB has no library the rest of the service works. */
const opening: Promise<Database | null> = import("./database.ts").catch(() => null);
let asking: Asking | null = null;

process.on("message", (message: ToSqlProcess) => {
  if (message === "stop") asking?.stop();
  else void answer(message);
});
process.on("disconnect", () => process.exit());

async function answer({ question, limits }: Exclude<ToSqlProcess, "stop">): Promise<void> {
  const database = await opening;
  if (database === null) return send(UNAVAILABLE);
  const watch = setInterval(() => endAbove(limits.memoryBytes + BESIDE_BYTES), LOOK_MS);
  asking = database.ask(question, limits);
  send(await asking.answer);
  asking = null;
  clearInterval(watch);
}

const UNAVAILABLE: SqlAnswer = {
  refusal: { reason: "unavailable", sentence: "DuckDB is not there for this server's machine.", at: null },
};

/** Not all that DuckDB takes counts for its own limit (texts of one value, for one): the machine is not to run out of memory. */
function endAbove(bytes: number): void {
  if (memoryUsage.rss() > bytes) process.exit(TOO_MUCH_MEMORY);
}

function send(message: SqlAnswer): void {
  process.send?.(message);
}
