/** The service on its port. */
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { accessSettings } from "../access/access-settings.ts";
import { expectAccess } from "../access/expect-access.ts";
import { openService } from "./open-service.ts";
import type { Parts, Service } from "./open-service.ts";
import type { Config } from "../settings/config.ts";
import { takeDataDirectory, unusableDirectory } from "../store/data-directory.ts";
import { addProcessMetrics } from "../status/metrics.ts";
import { StartError } from "../kernel/start-error.ts";
import { diskOf } from "../store/space.ts";
import { readTlsFiles } from "./tls.ts";

/** Silent connections and incomplete headers are closed then. */
const HEADERS_MS = 60_000;
/** A client that opens far too many connections does so all the time, so the log repeats it this often. */
const TOLD_AGAIN_MS = 60_000;
/**
 * Bytes of a body that may wait while earlier ones are written, and bytes of an answer that may wait for its client:
 * large writes cost less.
 */
const WAITING_BYTES = 256 * 1024;

/** Delay of one of several servers: longer than a proxy needs to check all of them again (docs/deploy/Caddyfile). */
const LEAVE_SECONDS = 4;

export interface RunningServer {
  /** Address for a browser on this machine. */
  readonly address: string;
  /** Ends running work and closes the store; the next start sweeps incomplete files. */
  close(): Promise<void>;
}

/**
 * Starts the service. The data directory and the port are locked first, and only then is any data read or swept: a
 * failed start does not affect the work of another process.
 * @throws StartError
 */
export async function startServer(config: Config, log: Logger): Promise<RunningServer> {
  await expectAccess(config, accessSettings(config));
  const tls = await readTlsFiles(config);
  const directory = await takeDataDirectory(config.dataDirectory);
  const opening = Promise.withResolvers<Service>();
  let isOpen = false;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (!isOpen && answersProbe(request, response)) return;
    // Requests that arrive while the store opens wait for it.
    opening.promise.then(
      ({ app }) => app(request, response),
      () => response.destroy(),
    );
  };
  const options = { highWaterMark: WAITING_BYTES };
  const server =
    tls === null ? createServer(options, answer) : createSecureServer({ ...options, ...tls }, answer);
  // Uploads of many gigabytes over a slow line take as long as they take; bodies that stall end (http/stalled-bodies.ts).
  server.requestTimeout = 0;
  server.headersTimeout = HEADERS_MS;
  limitConnections(server, config.connections, log);
  try {
    await listen(server, config);
    opening.resolve(await openService(config, log, await partsOf(config)));
    isOpen = true;
  } catch (error) {
    opening.promise.catch(() => {});
    opening.reject(error);
    server.close();
    await directory.release();
    if (error instanceof StartError) throw error;
    throw unusableDirectory(config.dataDirectory, error) ?? error;
  }
  const service = await opening.promise;
  addProcessMetrics(service.metrics);
  return {
    address: addressOf(server, config),
    close: async () => {
      const leaveSeconds = leaveSecondsOf(config);
      service.rest();
      if (leaveSeconds > 0) await service.drain.leave(leaveSeconds * 1000);
      // The port stays open meanwhile, so that new requests get a refusal instead of no answer.
      await service.drain.end(config.drainSeconds * 1000);
      server.close();
      server.closeAllConnections();
      await service.close();
      await directory.release();
    },
  };
}

/** Closes connections above the limit at once, and logs it. */
function limitConnections(server: Server, most: number, log: Logger): void {
  server.maxConnections = most;
  let toldAt = Number.NEGATIVE_INFINITY;
  server.on("drop", () => {
    const now = performance.now();
    if (now - toldAt < TOLD_AGAIN_MS) return;
    toldAt = now;
    log.warn(
      { connections: most },
      "as many connections are open as AGLENS_CONNECTIONS allows; new ones are closed",
    );
  });
}

/** A server that is alone has no other one that a proxy could choose instead. */
const leaveSecondsOf = ({ leaveSeconds, blobs }: Config): number =>
  leaveSeconds ?? (blobs === null ? 0 : LEAVE_SECONDS);

/** Several servers have catalog and files together where both are outside of their data directories. */
async function partsOf({
  catalogue,
  blobs,
  cacheBytes,
  serverName,
  dataDirectory,
}: Config): Promise<Partial<Parts>> {
  if (blobs === null) return {};
  if (catalogue === null) {
    throw new StartError(
      "bad-setting",
      "AGLENS_BLOBS is for several servers, which have their catalogue in PostgreSQL: set AGLENS_CATALOGUE too.",
    );
  }
  // A server without a bucket need not load the module.
  const { openSharedStores } = await import("./shared-stores.ts");
  const mostBytes = cacheBytes ?? diskOf(dataDirectory).total / 2;
  return { several: { name: serverName, openStores: (disk) => openSharedStores(blobs, mostBytes, disk) } };
}

/** A large store takes a while to open: the process lives meanwhile, and cannot work yet. @returns false for other addresses */
function answersProbe({ url }: IncomingMessage, response: ServerResponse): boolean {
  if (url !== "/healthz" && url !== "/readyz") return false;
  const isHealth = url === "/healthz";
  response.writeHead(isHealth ? 200 : 503, {
    "content-type": "application/json",
    "cache-control": "no-store",
  });
  response.end(JSON.stringify(isHealth ? { status: "ok" } : { status: "starting", checks: {} }));
  return true;
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(
        error.code === "EADDRINUSE"
          ? new StartError("port-in-use", `Port ${port} is in use. Set PORT to another one.`)
          : new StartError("address-unusable", `${host}:${port} cannot be listened on: ${error.message}.`),
      );
    });
    server.listen(port, host, resolve);
  });
}

function addressOf(server: Server, config: Config): string {
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : config.port;
  const host = ["127.0.0.1", "0.0.0.0", "::", "::1"].includes(config.host) ? "localhost" : config.host;
  return `${config.tlsCertificate === null ? "http" : "https"}://${host}:${port}`;
}
