/** The API as a process of its own, run from the bundle as `npm start` does. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ROOT } from "./service.ts";

export interface ApiProcess {
  readonly process: ChildProcess;
  /** `http://localhost:<port>` from its output; rejects with other output. */
  readonly address: Promise<string>;
  /** All it printed, once it has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Starts the API on a port, 0 for a free one. @param changes further environment variables */
export function startProcess(
  dataDirectory: string,
  port = 0,
  changes: Readonly<Record<string, string>> = {},
): ApiProcess {
  const child = spawn(process.execPath, ["--enable-source-maps", join(ROOT, "apps/api/dist/main.js")], {
    env: { ...process.env, PORT: String(port), AGLENS_DATA: dataDirectory, AGLENS_LOG: "silent", ...changes },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const { promise: address, resolve, reject } = Promise.withResolvers<string>();
  address.catch(() => {});
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (bytes: Buffer) => {
      output += bytes.toString();
      const found = /AG Lens: (http\S+)/u.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
  }
  const ended = once(child, "close").then(([code]) => {
    reject(new Error(output));
    return { code: code as number | null, output };
  });
  return {
    process: child,
    address,
    ended,
    kill: async (signal) => {
      child.kill(signal);
      await ended;
    },
  };
}
