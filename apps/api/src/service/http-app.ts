/** The Express app around the routes. */
import compression from "compression";
import express from "express";
import type { Express, Request, RequestHandler } from "express";
import type { Logger } from "pino";
import type { Access } from "../access/access.ts";
import { maySee } from "../access/rules.ts";
import { trustedProxies } from "../access/trusted-proxies.ts";
import type { Answers } from "../captures/answers/answers.ts";
import type { Records } from "../captures/records/records.ts";
import { basePathOf, underBasePath } from "../http/base-path.ts";
import { isStream } from "../http/drain.ts";
import type { Drain } from "../http/drain.ts";
import { credentialsOf, guard } from "../http/guard.ts";
import { linkTags, linkTextOnce } from "../http/routes/link-picture.ts";
import type { LinkDoor } from "../http/routes/link-door.ts";
import { addMetricsRoute, addProbeRoutes } from "../http/operations.ts";
import type { ReadyCheck } from "../http/operations.ts";
import { expectedTypesOnly, isWrite, ownNamesOnly, ownPagesOnly } from "../http/own-site.ts";
import { preloadTags } from "../http/preload-tags.ts";
import { noSuchAddress, problemHandler } from "../http/problem-handler.ts";
import { requestLimit } from "../http/request-limit.ts";
import { requestLog } from "../http/request-log.ts";
import { securityHeaders } from "../http/security-headers.ts";
import { routeFinder, routerOf } from "../http/route.ts";
import type { Route } from "../http/route.ts";
import { serveWeb } from "../http/static.ts";
import type { Config } from "../settings/config.ts";
import type { Metrics } from "../status/metrics.ts";
import type { RequestFigures } from "../status/request-figures.ts";

interface AppParts {
  /** All under /api/v1. */
  readonly routes: readonly Route[];
  /** The OpenAPI document. */
  readonly document: () => object;
  /** Descriptions of links for the places where they are pasted. */
  readonly links: Pick<LinkDoor, "inWords">;
  readonly answers: Pick<Answers, "summary">;
  /** Null where users don't sign in. */
  readonly access: Access | null;
  readonly records: Records;
  /** Sees each request, to end those whose bodies stall. */
  readonly watchBodies: RequestHandler;
  readonly drain: Drain;
  readonly metrics: Metrics;
  readonly requests: RequestFigures;
  readonly checks: Readonly<Record<string, ReadyCheck>>;
}

/** The Express app: protections first, then the API, the web app, and problems last. */
export function createApp(
  config: Config,
  log: Logger,
  {
    routes,
    document,
    links,
    answers,
    access,
    records,
    watchBodies,
    drain,
    metrics,
    requests,
    checks,
  }: AppParts,
): Express {
  const app = express();
  const isProxy = trustedProxies(config.trustedProxies);
  app.set("trust proxy", isProxy);
  app.disable("x-powered-by");
  app.set("query parser", "simple");
  app.use(underBasePath(basePathOf(config)));
  app.use(
    requestLog(log, (answered, response) => {
      metrics.answered(answered, isStream(response));
      requests.answered(answered, isStream(response));
    }),
  );
  app.use(watchBodies);
  app.use(securityHeaders(config));
  // A proxy calls each server by its internal name, which is not a name for browsers.
  addProbeRoutes(app, { isEnding: () => drain.isEnding, checks });
  app.use(ownNamesOnly({ ...config, hosts: [...config.hosts, ...publicName(config)] }));
  addMetricsRoute(app, {
    metrics,
    mayMeasure: async (request) =>
      access === null ||
      ((await access.identify(credentialsOf(request, access, isProxy, config)))?.person.role ?? null) !==
        null,
  });
  app.use(drain.watch);
  app.use(compression({ filter: compressible }));
  app.use(
    "/api",
    ownPagesOnly,
    requestLimit(config.writesPerMinute, "writing", isWrite),
    requestLimit(config.readsPerMinute, "reading", (request) => !isWrite(request)),
    expectedTypesOnly,
    neverStored,
  );
  // A run's request may bring certificates and tokens for several replicas.
  app.use("/api/v1/live", express.json({ limit: "1mb", strict: true }));
  app.use("/api", express.json({ limit: "64kb", strict: true }), emptyWithoutBody);
  if (access !== null) {
    app.use("/api/v1", guard({ access, records, isProxy, config, find: routeFinder(routes) }));
  }
  app.use("/api/v1", routerOf(routes));
  // The document also describes the API to clients without an account.
  app.get("/api/openapi.json", (_request, response) => void response.json(document()));
  app.use("/api", noSuchAddress);
  const base = basePathOf(config);
  const maySeeCapture = async (request: Request, id: string): Promise<boolean> => {
    if (access === null) return true;
    const person = (await access.identify(credentialsOf(request, access, isProxy, config)))?.person;
    const record = await records.stored(id);
    return person !== undefined && record !== null && maySee(person, record);
  };
  serveWeb(app, config.webDirectory, access !== null, base, async (request) => {
    const words = linkTextOnce(links);
    const tags = await Promise.all([
      linkTags(words, config, base)(request),
      preloadTags({ records, answers, links: words, maySeeCapture }, base)(request),
    ]);
    return tags.flat();
  });
  app.use(noSuchAddress);
  app.use(problemHandler);
  return app;
}

/** Browsers behind a proxy send the name of the public address. */
function publicName({ publicUrl }: Config): string[] {
  return publicUrl === null ? [] : [new URL(publicUrl).hostname];
}

/** A request without a JSON body counts as empty: missing fields are then reported one by one. */
const emptyWithoutBody: RequestHandler = (request, _response, next) => {
  request.body ??= {};
  next();
};

/** Answers belong to the person of the request; a capture may be gone a moment later. */
const neverStored: RequestHandler = (_request, response, next) => {
  response.set("cache-control", "private, no-cache");
  next();
};

const compressible: compression.CompressionFilter = (request, response) => {
  const type = String(response.getHeader("content-type") ?? "");
  if (type.startsWith("text/event-stream")) return false;
  return type.startsWith("application/vnd.apache.arrow") || compression.filter(request, response);
};
