/** A service on a directory of its own, for tests. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import pino from "pino";
import type { Logger } from "pino";
import { openService } from "../src/service/open-service.ts";
import type { Parts, Service } from "../src/service/open-service.ts";
import type { Analyzer } from "../src/captures/analysis/analyzer.ts";
import { readConfig } from "../src/settings/config.ts";
import type { Config } from "../src/settings/config.ts";
import { takeDataDirectory } from "../src/store/data-directory.ts";

export const ROOT = resolve(import.meta.dirname, "../../..");

export interface TestService extends Service {
  readonly config: Config;
  /** Closes the service and deletes its directory. */
  end(): Promise<void>;
}

/** Opens a service with small limits; `changes` override them. */
export async function testService(
  changes: Partial<Config> = {},
  analyzer?: Analyzer,
  parts: Partial<Parts> = {},
  log?: Logger,
): Promise<TestService> {
  const own = changes.dataDirectory === undefined;
  const dataDirectory = changes.dataDirectory ?? (await mkdtemp(join(tmpdir(), "aglens-test-")));
  const config: Config = {
    ...readConfig({}, ROOT),
    port: 0,
    maxUploadBytes: 50_000_000,
    maxFiles: 20,
    keepDays: 30,
    writesPerMinute: 1000,
    webDirectory: join(dataDirectory, "no-web"),
    logLevel: "silent",
    liveKeepBytes: 50_000_000,
    keepFreeBytes: 0,
    // A thread after each analysis: tests that are about the tables turn it on.
    keepsTables: false,
    ...changes,
    dataDirectory,
  };
  const directory = await takeDataDirectory(dataDirectory);
  const service = await openService(config, log ?? pino({ level: config.logLevel }), {
    ...(analyzer && { analyzer }),
    ...parts,
  }).catch(async (error: unknown) => {
    await directory.release();
    throw error;
  });
  const close = async (): Promise<void> => {
    await service.close();
    await directory.release();
  };
  return {
    ...service,
    config,
    close,
    end: async () => {
      await close();
      if (own) await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
