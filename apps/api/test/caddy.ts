/** The proxy of several servers: Caddy with docs/deploy/Caddyfile, in front of servers of this machine. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "./free-port.ts";
import { expectProgram } from "./programs.ts";
import { ROOT } from "./service.ts";

/** Path of the program; null when it is not installed. */
export const CADDY_PROGRAM: string | null =
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "caddy"))
    .find((path) => existsSync(path)) ?? null;

export interface TestCaddy {
  /** Such as http://127.0.0.1:4000 */
  readonly address: string;
  end(): Promise<void>;
}

const TRIES = 2_400;

/** Starts it, and waits until it lets requests through. @param ports of each server, by its name in the Caddyfile */
export async function startCaddy(
  found: string | null,
  ports: Readonly<Record<string, number>>,
): Promise<TestCaddy> {
  const program = expectProgram(found, "Debian's package caddy has Caddy.");
  const folder = await mkdtemp(join(tmpdir(), "aglens-caddy-"));
  const port = await freePort();
  const path = join(folder, "Caddyfile");
  await writeFile(
    path,
    caddyfileHere(await readFile(join(ROOT, "docs/deploy/Caddyfile"), "utf8"), port, ports),
  );
  const caddy = spawn(program, ["run", "--config", path, "--adapter", "caddyfile"], {
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said = text(caddy.stderr);
  const address = `http://127.0.0.1:${port}`;
  for (let tries = 1; ; tries += 1) {
    if ((await fetch(`${address}/readyz`).catch(() => null))?.ok) break;
    if (caddy.exitCode !== null || tries === TRIES) {
      caddy.kill("SIGKILL");
      throw new Error(`Caddy lets nothing through: ${await said}`);
    }
    await pause(25);
  }
  return {
    address,
    end: async () => {
      caddy.kill("SIGKILL");
      if (caddy.exitCode === null && caddy.signalCode === null) await once(caddy, "exit");
      await rm(folder, { recursive: true });
    },
  };
}

/** The file as it is deployed, but for where it listens and where the servers are; without the port by which Caddy is managed. */
function caddyfileHere(deployed: string, port: number, ports: Readonly<Record<string, number>>): string {
  let here = deployed.replace(/^:4700 \{$/mu, `:${port} {\n\tbind 127.0.0.1`);
  for (const [name, at] of Object.entries(ports)) here = here.replaceAll(`${name}:4700`, `127.0.0.1:${at}`);
  return `{\n\tadmin off\n}\n${here}`;
}
