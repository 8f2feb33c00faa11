/** The process that has DuckDB: answers one question after the other and ends with the process that started it. */
import { memoryUsage } from "node:process";
import type { Doing } from "./task.ts";
import { type SqlAnswer, TOO_MUCH_MEMORY, type ToSqlProcess } from "./question.ts";

/** Memory of a process in addition to the memory that DuckDB counts, bytes: the library itself and an answer's rows. */
const BESIDE_BYTES = 700_000_000;
const LOOK_MS = 50;

type Tasks = typeof import("./task.ts");

/** On a machine for which DuckDB has no library the rest of the service works. */
const opening: Promise<Tasks | null> = import("./task.ts").catch(() => null);
let doing: Doing | null = null;

process.on("message", (message: ToSqlProcess) => {
  if (message === "stop") doing?.stop();
  else void answer(message);
});
process.on("disconnect", () => process.exit());

async function answer({ task, limits }: Exclude<ToSqlProcess, "stop">): Promise<void> {
  const tasks = await opening;
  if (tasks === null) return send(UNAVAILABLE);
  const watch = setInterval(() => endAbove(limits.memoryBytes + BESIDE_BYTES), LOOK_MS);
  doing = tasks.begin(task, limits);
  send(await doing.answer);
  doing = null;
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
