import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import pino from "pino";
import { readConfig } from "./settings/config.ts";
import { openBrowser } from "./service/open-browser.ts";
import { helpText } from "./settings/settings.ts";
import { startServer } from "./service/server.ts";
import type { RunningServer } from "./service/server.ts";
import { StartError } from "./kernel/start-error.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");

async function start(): Promise<RunningServer> {
  try {
    const config = readConfig(process.env, root);
    return await startServer(config, pino({ level: config.logLevel }));
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    console.error(error.message);
    process.exit(error.exitCode);
  }
}

if (process.argv.includes("--help")) {
  console.log(helpText());
  process.exit(0);
}

// Only this account can read the stored files, regardless of the umask of the parent process.
process.umask(0o077);
let server: RunningServer | null = null;
let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (stopping || server === null) process.exit(1);
    stopping = true;
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error("AG Lens could not end in order:", error);
        process.exit(1);
      },
    );
  });
}

// Without `await` here: the single executable loads this file with `require`, which takes no module that waits.
void start().then((started) => {
  server = started;
  console.log(`AG Lens: ${started.address}`);
  if (process.argv.includes("--open")) openBrowser(started.address);
});
