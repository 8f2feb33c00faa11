/**
 * Durations of the last analyses of this server, phase by phase: the estimate of the remaining time of the next one
 * uses them.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AnalysisPace, MOST_PACES, z } from "@aglens/contract";
import type { Logger } from "pino";
import { writeAside } from "../../kernel/write-aside.ts";

const FILE = "paces.json";

export class Paces {
  readonly #path: string;
  readonly #log: Pick<Logger, "warn">;
  #last: readonly AnalysisPace[];
  #written: Promise<void> = Promise.resolve();

  constructor(path: string, last: readonly AnalysisPace[], log: Pick<Logger, "warn">) {
    this.#path = path;
    this.#last = last;
    this.#log = log;
  }

  /** Newest last. */
  get last(): readonly AnalysisPace[] {
    return this.#last;
  }

  /** A pace that cannot be written is known until the process ends. @returns when it is written; never rejects */
  add(pace: AnalysisPace): Promise<void> {
    this.#last = [...this.#last, pace].slice(-MOST_PACES);
    const text = JSON.stringify(this.#last);
    this.#written = this.#written
      .then(() => writeAside(this.#path, text))
      .catch((error: unknown) => this.#log.warn({ err: error }, "the pace of an analysis could not be kept"));
    return this.#written;
  }
}

/** Paces of the earlier analyses; empty where their file is missing, damaged or from another version. */
export async function openPaces(dataDirectory: string, log: Pick<Logger, "warn">): Promise<Paces> {
  const path = join(dataDirectory, FILE);
  return new Paces(path, await readPaces(path), log);
}

async function readPaces(path: string): Promise<readonly AnalysisPace[]> {
  try {
    return z.array(AnalysisPace).parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return [];
  }
}
