/** The memory that this process may use. */
import { totalmem } from "node:os";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes: of the machine, or of its control group where that has fewer. */
export function memoryOfProcess(): number {
  // 0 or more than there is where nothing constrains the process.
  const constrained = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.min(totalmem(), constrained);
}

/** From so many bytes on each thread may begin to collect garbage of more than a moment late. */
const ROOMY_BYTES = 16 * 2 ** 30;

/**
 * Lets garbage of this process and of threads begun afterwards wait: V8 collects it after every 64 MB of new columns, however many are in use, unless it
 * counts them with its heap. Then an analysis takes an eighth less processor time, and up to a third more memory, which stays within what
 * it is admitted with (`captures/analysis/analysis-queue.ts`). Where there is room a thread begins to collect at 400 MB (decision 237).
 */
export function letGarbageWait(): void {
  for (const setting of v8SettingsFor(memoryOfProcess())) setFlagsFromString(setting);
}

/** @param bytes of memory that the process may use */
export const v8SettingsFor = (bytes: number): readonly string[] => [
  "--external-memory-accounted-in-global-limit",
  ...(bytes >= ROOMY_BYTES ? ["--initial-old-space-size=400"] : []),
];

/**
 * Collects the garbage of this thread now. A start leaves 60 MB of it, and V8 collects none before as much again is there:
 * the main thread makes so little that this takes hours. Takes 50 ms.
 */
export function collectGarbage(): void {
  // Without the flag at the start of the process only a new context has the function.
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  setFlagsFromString("--no-expose-gc");
}
