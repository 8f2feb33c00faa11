/** Two servers as processes of their own: one catalog in PostgreSQL, one bucket. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { startProcess } from "./process.ts";
import type { ApiProcess } from "./process.ts";
import { S3_PROGRAM, startS3 } from "./s3.ts";

export const NAMES = ["north", "south"] as const;
export type Name = (typeof NAMES)[number];

export interface TwoProcesses {
  /** Port of each server on this machine, also while it does not run. */
  readonly ports: Readonly<Record<Name, number>>;
  /** Ends one; it may be begun again. */
  kill(name: Name, signal: NodeJS.Signals): Promise<void>;
  /** Begins one that was ended, and waits until it answers. */
  begin(name: Name): Promise<void>;
  end(): Promise<void>;
}

/** @param catalogue address of an empty place (`TestPostgres.newPlace`) @param changes further settings of both */
export async function twoProcesses(
  catalogue: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<TwoProcesses> {
  const s3 = await startS3(S3_PROGRAM);
  const folder = await mkdtemp(join(tmpdir(), "aglens-processes-"));
  const settings = {
    ...s3.environment,
    AGLENS_CATALOGUE: catalogue,
    AGLENS_BLOBS: await s3.newPlace(),
    AGLENS_LEAVE_SECONDS: "0",
    ...changes,
  };
  const ports = { north: await freePort(), south: await freePort() };
  const running = new Map<Name, ApiProcess>();
  const begin = async (name: Name): Promise<void> => {
    const own = { ...settings, AGLENS_SERVER_NAME: name };
    const process = startProcess(join(folder, name), ports[name], own);
    running.set(name, process);
    await process.address;
  };
  await Promise.all(NAMES.map(begin));
  return {
    ports,
    begin,
    kill: async (name, signal) => {
      await running.get(name)?.kill(signal);
      running.delete(name);
    },
    end: async () => {
      await Promise.all([...running.values()].map((each) => each.kill("SIGTERM")));
      await s3.end();
      await rm(folder, { recursive: true });
    },
  };
}
