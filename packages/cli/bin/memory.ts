/**
 * How the program's memory is to be had of the system. glibc gives each thread a part of its own, and what one freed there no other can use; columns
 * that were freed it keeps up to 32 MB each. Of a large capture a quarter of the memory is only that. A process is told otherwise when it starts, so
 * that one with much to read starts anew in its place.
 */
import { statSync } from "node:fs";

/** How many such parts there are, and from how many bytes on memory goes back when it is freed (mallopt(3)); other C libraries do not know these. */
const SETTINGS = { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: String(2 ** 24) };

/** From so many bytes of files on another start is worth it, which takes less than a tenth of a second. */
const WORTH_BYTES = 256 * 2 ** 20;

/** What the program is started with. */
export interface Start {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly args: readonly string[];
}

/** The environment to start anew with; null where the program can go on as it is. */
export function environmentFor({ platform, env, args }: Start): NodeJS.ProcessEnv | null {
  // Who set it knows why, and a process that was started anew has it.
  if (platform !== "linux" || Object.keys(SETTINGS).some((name) => name in env)) return null;
  const bytes = args.reduce((sum, arg) => sum + bytesOf(arg), 0);
  return bytes < WORTH_BYTES ? null : { ...env, ...SETTINGS };
}

/** Bytes of the file that an argument names; 0 for what names none. */
function bytesOf(arg: string): number {
  try {
    return statSync(arg, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}

/** Starts the program anew where that is worth it: with the same process id, and what it reads and writes stays open. */
export function startWithMemorySettings(): void {
  const { platform, env, argv } = process;
  const settings = environmentFor({ platform, env, args: argv.slice(2) });
  if (settings === null) return;
  const run = [process.execPath, ...process.execArgv, ...argv.slice(1)];
  // Node has it from 22.15 on.
  process.execve?.(process.execPath, run, settings);
}
