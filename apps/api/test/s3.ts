/** An S3 server for one test: the Versity S3 Gateway, which `npm run s3-server` builds. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { S3_SERVER } from "@aglens/fixtures/s3-server";
import { freePort } from "./free-port.ts";
import { expectProgram } from "./programs.ts";

/** Path of the program; null where it was not built. */
export const S3_PROGRAM: string | null = existsSync(S3_SERVER) ? S3_SERVER : null;

export interface TestS3 {
  /** Makes an empty bucket. @returns a place in it, as AGLENS_BLOBS has one */
  newPlace(): Promise<string>;
  /** Environment variables with which a process reaches it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Ends the server, does some work, and begins it again. */
  whileAway(work: () => Promise<void>): Promise<void>;
  end(): Promise<void>;
}

const TRIES = 2_400;

/** Starts a server on a folder for temporary files, and makes it the one that this process's SDK finds. @param found as `S3_PROGRAM` */
export async function startS3(found: string | null): Promise<TestS3> {
  const program = expectProgram(found, "`npm run s3-server` builds the S3 server with Go.");
  const folder = await mkdtemp(join(tmpdir(), "aglens-s3-"));
  const port = await freePort();
  const keys = { ROOT_ACCESS_KEY: "aglens", ROOT_SECRET_KEY: "of a test alone" };
  const endpoint = `http://127.0.0.1:${port}`;
  const start = async () => {
    const server = spawn(program, ["--quiet", "--port", `127.0.0.1:${port}`, "posix", folder], {
      env: keys,
      stdio: "ignore",
    });
    await once(server, "spawn");
    for (let tries = 1; ; tries += 1) {
      if (await fetch(endpoint).catch(() => null)) return server;
      if (tries === TRIES) throw new Error("The S3 server did not start.");
      await pause(25);
    }
  };
  let server = await start();
  const end = async (): Promise<void> => {
    server.kill("SIGKILL");
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
  };
  const environment = {
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: keys.ROOT_ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: keys.ROOT_SECRET_KEY,
  };
  Object.assign(process.env, environment);
  let count = 0;
  return {
    environment,
    newPlace: async () => {
      const bucket = `bucket${(count += 1)}`;
      await mkdir(join(folder, bucket));
      return `s3://${bucket}/of/a test`;
    },
    whileAway: async (work) => {
      await end();
      try {
        await work();
      } finally {
        server = await start();
      }
    },
    end: async () => {
      await end();
      for (const name of Object.keys(environment)) Reflect.deleteProperty(process.env, name);
      await rm(folder, { recursive: true });
    },
  };
}
