/**
 * Memory: decision 237: 0.75 of 5.1 GB less at 100 M events. Without it the simple way is to import the program at
 * once.
 *
 * Settings for the system's memory allocator. glibc gives each thread its own arena, whose freed memory other threads
 * cannot use, and keeps freed columns of up to 32 MB each. In a large capture a quarter of the memory is due to this
 * alone. The settings only count at the start of a process, so a process with much to read restarts itself.
 */
import { statSync } from "node:fs";

/**
 * Number of arenas, and least size of a block that is returned to the system when it is freed, bytes (mallopt(3));
 * other C libraries ignore these.
 */
const SETTINGS = { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: String(2 ** 24) };

/** Least size of the files for which a restart is worth it, bytes; a restart takes less than a tenth of a second. */
const WORTH_BYTES = 256 * 2 ** 20;

/** Up to this size of files, in bytes, unused columns may wait for one collection; beyond it memory is short. */
const WAITING_BYTES = 4 * 2 ** 30;
/** Counts columns with V8's heap, and starts long garbage collections only from this number of MB on. */
const LESS_COLLECTING = ["--external-memory-accounted-in-global-limit", "--initial-old-space-size=400"];

/** Environment of the program at its start. */
export interface Start {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  /** Event files and zips of the arguments, and arguments that are neither a file nor a folder. */
  readonly files: readonly string[];
}

/** The environment for a restart; null where the program can continue as it is. */
export function environmentFor({ platform, env, files }: Start): NodeJS.ProcessEnv | null {
  // A setting that is already present is kept: the user made it, or the process was restarted.
  if (platform !== "linux" || Object.keys(SETTINGS).some((name) => name in env)) return null;
  return bytesOfFiles(files) < WORTH_BYTES ? null : { ...env, ...SETTINGS };
}

/**
 * The arguments of node for these files. V8 collects garbage after every 64 MB of new columns, however many are in use.
 * If it counts them with its heap, it does so a third as often, for a sixth more memory. If it begins at 400 MB, it
 * never does so for 8 M events, for no more memory. V8 also drops code that was unused during some collections,
 * although later steps of an analysis need it again.
 */
export function v8SettingsFor(files: readonly string[]): readonly string[] {
  const collectLess = bytesOfFiles(files) <= WAITING_BYTES;
  return ["--no-flush-bytecode", ...(collectLess ? LESS_COLLECTING : [])];
}

function bytesOfFiles(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + bytesOf(file), 0);
}

/** Bytes of a file; 0 where it does not exist. */
function bytesOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}

/** Restarts the program where that is worth it: with the same process id, and with its open input and output. */
export function startWithMemorySettings(files: readonly string[]): void {
  const { platform, env, argv } = process;
  const settings = environmentFor({ platform, env, files });
  if (settings === null) return;
  const run = [process.execPath, ...v8SettingsFor(files), ...process.execArgv, ...argv.slice(1)];
  // Node supports it from 22.15 on.
  process.execve?.(process.execPath, run, settings);
}
