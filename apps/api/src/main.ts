import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import pino from "pino";
import { openService } from "./app.ts";
import { readConfig } from "./config.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const config = readConfig(process.env, root);
const log = pino({ level: config.logLevel });
const service = await openService(config, log);

const server = service.app.listen(config.port, config.host, (error?: Error) => {
  if (error) {
    console.error(sentence(error));
    process.exit(1);
  }
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : config.port;
  const host = ["127.0.0.1", "0.0.0.0", "::", "::1"].includes(config.host) ? "localhost" : config.host;
  console.log(`AG Lens: http://${host}:${port}`);
});
// Uploads of many gigabytes over a slow line take as long as they take; idle connections still end.
server.requestTimeout = 0;

let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (stopping) process.exit(1);
    stopping = true;
    void stop();
  });
}

/** Ends what runs and closes the store; whatever is half received is swept at the next start. */
async function stop(): Promise<void> {
  server.close();
  server.closeAllConnections();
  await service.close();
  process.exit(0);
}

function sentence(error: Error & { code?: string }): string {
  if (error.code === "EADDRINUSE") return `Port ${config.port} is in use. Set PORT to another one.`;
  return error.message;
}
