import compression from "compression";
import express from "express";
import type { Express, Request, RequestHandler, Router } from "express";
import { rateLimit } from "express-rate-limit";
import helmet from "helmet";
import type { Logger } from "pino";
import { openAccess } from "./access/access.ts";
import type { Access } from "./access/access.ts";
import { accessSettings } from "./access/access-settings.ts";
import { passingInMemory } from "./access/passing.ts";
import type { Passing } from "./access/passing.ts";
import { Quotas } from "./access/quotas.ts";
import { trustedProxies } from "./access/trusted-proxies.ts";
import type { CustomFetch } from "openid-client";
import { AnswerThread } from "./captures/answers/answer-thread.ts";
import { isSmall, SharedAnswerThreads } from "./captures/answers/shared-answer-thread.ts";
import { Answers } from "./captures/answers/answers.ts";
import { Captures } from "./captures/captures.ts";
import { removeDeletedCopies } from "./captures/records/deleted-copies.ts";
import { limitsOfMachine } from "./captures/analysis/analysis-queue.ts";
import { workerAnalyser } from "./captures/analysis/analyser.ts";
import type { Analyser } from "./captures/analysis/analyser.ts";
import { openPaces } from "./captures/analysis/paces.ts";
import { Records } from "./captures/records/records.ts";
import { OwnWork } from "./captures/work/own-work.ts";
import { SharedWork, WORK_TIMES } from "./captures/work/shared-work.ts";
import type { WorkTimes } from "./captures/work/shared-work.ts";
import type { AnalysisWork } from "./captures/work/work.ts";
import { systemClock } from "./clock.ts";
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import { isLoopback } from "./network-reach.ts";
import { addAccessRoutes } from "./http/access.ts";
import { addAglensFileRoutes } from "./http/aglens-file.ts";
import { addAnalysisRoutes } from "./http/analysis.ts";
import { addAnswerRoutes } from "./http/answers.ts";
import { basePathOf, underBasePath } from "./http/base-path.ts";
import { addCaptureRoutes } from "./http/captures.ts";
import { addFileRoutes } from "./http/files.ts";
import { Dataset } from "./dataset/dataset.ts";
import { datasetFolder, DATASET_FOLDER } from "./dataset/dataset-folder.ts";
import { writeTables } from "./dataset/write-tables.ts";
import { addFleetRoutes } from "./http/fleet.ts";
import { credentialsOf, guard } from "./http/guard.ts";
import { addLiveRoutes } from "./http/live.ts";
import { addLibraryRoutes } from "./http/library.ts";
import { maySee } from "./access/rules.ts";
import { addLinkPictureRoute, linkTags, wordsAskedOnce } from "./http/link-picture.ts";
import { preloadTags } from "./http/preload-tags.ts";
import { addLinkRoutes, type LinkDoor } from "./http/links.ts";
import { Drain, isStream } from "./http/drain.ts";
import { addNoteRoutes } from "./http/notes.ts";
import { addMetricsRoute, addProbeRoutes } from "./http/operations.ts";
import type { ReadyCheck } from "./http/operations.ts";
import { requestLog } from "./http/request-log.ts";
import { addServiceRoutes, serveOpenApi } from "./http/service.ts";
import { expectedTypesOnly, isWrite, ownNamesOnly, ownPagesOnly } from "./http/own-site.ts";
import { noSuchAddress, problemHandler } from "./http/problem-handler.ts";
import { problem } from "@aglens/engine/problems";
import { addSampleRoutes } from "./http/samples.ts";
import { stalledBodies } from "./http/stalled-bodies.ts";
import { addSqlRoutes } from "./http/sql.ts";
import { addTableRoute } from "./http/tables.ts";
import { addStatusRoutes } from "./http/status.ts";
import { addTrashRoutes } from "./http/trash.ts";
import { serveWeb } from "./http/static.ts";
import { readAllowList } from "./live/server/allow-list.ts";
import { PATIENCE } from "./live/server/connection.ts";
import type { Patience } from "./live/server/connection.ts";
import type { AmongServers } from "./live/among-servers.ts";
import { Live } from "./live/live.ts";
import { notesInFile } from "./live/server/left-notes.ts";
import type { NotesPlace } from "./live/server/left-notes.ts";
import { addUploadRoutes } from "./http/uploads.ts";
import { openUploadFiles } from "./uploads/upload-files.ts";
import { Uploads } from "./uploads/uploads.ts";
import { createMetrics } from "./metrics.ts";
import type { Metrics } from "./metrics.ts";
import { CaptureNotes } from "./notes/notes.ts";
import { noteDiskUse } from "./status/disk-use.ts";
import { watchEventLoop } from "./status/event-loop.ts";
import { RequestFigures } from "./status/request-figures.ts";
import type { FileStores, OwnDisk, SharedStores } from "./shared-stores.ts";
import { openSql } from "./sql/sql-processes.ts";
import { ServerStatusReader } from "./status/server-status.ts";
import { openRecordStores } from "./record-stores.ts";
import type { RecordStores } from "./record-stores.ts";
import { openBlobs } from "./store/blobs.ts";
import type { Catalogue } from "./store/catalogue.ts";
import { factsOfServer } from "./store/facts-of-server.ts";
import type { Facts } from "./store/facts-of-server.ts";
import { openLostAndFound } from "./store/lost-and-found.ts";
import type { OtherServers } from "./store/other-servers.ts";
import { diskOf, openSpace } from "./store/space.ts";
import type { DiskBytes, Space } from "./store/space.ts";
import { ThreadActivity } from "./threads/thread-activity.ts";

const SWEEP_MS = 10 * 60 * 1000;
const MINUTE_MS = 60 * 1000;

export interface Service {
  readonly app: Express;
  /** The routes under /api/v1, for the check that the OpenAPI document has each. */
  readonly routes: Router;
  readonly captures: Captures;
  readonly dataset: Dataset;
  readonly uploads: Uploads;
  readonly metrics: Metrics;
  readonly drain: Drain;
  /** It is about to end: of several servers the others take what it has not begun. */
  rest(): void;
  close(): Promise<void>;
}

/** What a test may put in the place of threads, of the machine's clock and disk, of the network to a directory, and of how long servers are waited for. */
export interface Parts {
  readonly analyser: Analyser;
  readonly activity: ThreadActivity;
  readonly clock: Clock;
  readonly patience: Patience;
  readonly disk: (directory: string) => DiskBytes;
  readonly directoryFetch: CustomFetch;
  /** Absent where this server is the only one on its catalogue. */
  readonly several: OneOfSeveral;
}

/** This server among several on one catalogue in PostgreSQL, each with a data directory of its own. */
export interface OneOfSeveral {
  /** No two have the same. */
  readonly name: string;
  /** Opens what all of them have. */
  readonly openStores: (disk: OwnDisk) => Promise<SharedStores>;
  readonly times?: WorkTimes;
}

/** Builds the whole API on the data directory, which this process must have taken (`takeDataDirectory`). */
export async function openService(
  config: Config,
  log: Logger,
  {
    clock = systemClock,
    activity = new ThreadActivity(() => systemClock.now()),
    analyser = workerAnalyser(
      limitsOfMachine(config.analyses, config.analysisMemoryBytes),
      undefined,
      activity,
    ),
    patience = PATIENCE,
    disk = diskOf,
    directoryFetch,
    several,
  }: Partial<Parts> = {},
): Promise<Service> {
  const space = openSpace(config.dataDirectory, config.keepFreeBytes, disk);
  const { dataDirectory } = config;
  const sharedStores = await several?.openStores({ dataDirectory, space, clock, log });
  const stores = sharedStores ?? (await storesOnDisk(dataDirectory, space, clock));
  const { blobs, lostAndFound } = stores;
  const makeRoom = (): boolean => {
    log.error("the disk of the data directory is full: its reserve is used");
    return space.giveReserve();
  };
  const recordStores = await openRecordStores(
    config,
    log,
    makeRoom,
    several && sharedStores
      ? { ...several, files: sharedStores.place, keepsTables: config.keepsTables }
      : null,
  );
  const { catalogue, others } = recordStores;
  const facts = factsOfServer(catalogue, several?.name ?? null);
  const { keepDays, publicUrl } = config;
  const passing = recordStores.passing ?? passingInMemory(clock);
  const settings = accessSettings(config);
  const access =
    settings === null
      ? null
      : await openAccess(settings, {
          store: recordStores.openAccessStore(),
          passing,
          clock,
          log,
          publicUrl,
          keepDays,
          directoryFetch,
        });
  const paces = await openPaces(config.dataDirectory, log);
  const records = new Records(catalogue, others);
  const captures = new Captures(
    records,
    workOf(records, recordStores, several, log),
    catalogue,
    blobs,
    lostAndFound,
    // What is deleted in a bucket makes no room on this disk; copies that are let go do.
    sharedStores === undefined ? space : { ...space, onShort: () => {} },
    analyser,
    paces,
    clock,
    config,
    log,
  );
  if (sharedStores !== undefined) {
    space.onShort(() => sharedStores.giveUp());
    void removeDeletedCopies(records, sharedStores.copies, log);
  }
  const uploads = new Uploads({
    files: stores.uploadFiles,
    captures,
    blobs,
    space,
    clock,
    limits: config,
    log,
  });
  await uploads.recover();
  await captures.recover();
  void uploads.finishWhole();
  space.restoreReserve();
  let sweeping: Promise<void> = Promise.resolve();
  const endSweeps = clock.every(SWEEP_MS, () => {
    sweeping = captures
      .sweep()
      .then(() => uploads.sweep())
      .then(() => {
        space.restoreReserve();
        return noteDiskUse(facts, disk(config.dataDirectory), clock.now());
      })
      .catch((error: unknown) => log.error({ err: error }, "expiry sweep failed"));
  });
  const beginAnswer = (): (() => void) => activity.begin("answers");
  const shared = new SharedAnswerThreads(beginAnswer);
  const answers = new Answers(
    captures,
    (capture, onEnded, onDamage) =>
      isSmall(capture)
        ? shared.open(capture, onEnded)
        : new AnswerThread(capture, onEnded, beginAnswer, onDamage),
    undefined,
    log,
  );
  const live = new Live(
    readAllowList(config),
    captures,
    `${config.dataDirectory}/live`,
    config.liveKeepBytes,
    (bytes) => space.expectRoom(bytes),
    log,
    {
      clock,
      patience,
      memoryBytes: config.liveMemoryBytes,
      leftNotes:
        several === undefined
          ? notesInFile(`${config.dataDirectory}/left-sessions.json`)
          : notesInFacts(facts),
      mostPerPerson: config.liveRunsPerPerson,
      among: several === undefined ? null : amongServers(several.name, catalogue, others),
    },
  );
  await live.recover();
  const dataset = new Dataset({
    isOn: config.keepsTables,
    store: stores.dataset,
    records: captures.records,
    blobs,
    heal: (id, stored, damage) => captures.analyses.heal(id, stored, damage),
    write: (request) => writeTables(request, activity),
    isQuiet: () => analyser.load.analysing + analyser.load.recognising === 0,
    clock,
    log,
  });
  await dataset.open();
  captures.alsoCount((id) => dataset.bytesOf(id));
  const sql = openSql(config, `${config.dataDirectory}/${DATASET_FOLDER}`);
  const stalled = stalledBodies(clock);
  const drain = new Drain(clock);
  const metrics = createMetrics({
    load: () => ({ ...analyser.load, analysesWaiting: captures.analyses.waiting }),
    disk: () => disk(config.dataDirectory),
    captures: () => catalogue.count({ fewestFiles: 0 }),
    liveRuns: () => live.running,
    tablesWaiting: () => dataset.waiting,
    queries: () => sql.load,
    unclaimed: () => captures.unclaimed,
  });
  const checks = {
    disk: () => space.expectRoom(),
    catalogue: async () => void (await catalogue.count({ fewestFiles: 0 })),
    threads: () => analyser.check(),
    ...(sharedStores && { bucket: () => sharedStores.check() }),
  };
  const { routes, links } = createRoutes(
    config,
    captures,
    uploads,
    answers,
    analyser,
    catalogue,
    passing,
    clock,
    access !== null,
  );
  addTableRoute(routes, answers, dataset);
  addLiveRoutes(routes, live);
  addSqlRoutes(routes, { sql, atRest: dataset, records: captures.records, library: captures.library, links });
  addAccessRoutes(routes, access, config);
  const requests = new RequestFigures(() => clock.now());
  // What this process does takes the machine's time, whatever clock captures and runs have.
  const eventLoop = watchEventLoop(systemClock, activity);
  const status = new ServerStatusReader({
    captures,
    analyser,
    live,
    facts,
    others,
    clock,
    config,
    disk,
    activity,
    requests,
    eventLoop,
  });
  addStatusRoutes(routes, status);
  return {
    app: createApp(config, log, {
      routes,
      links,
      answers,
      access,
      records: captures.records,
      watchBodies: stalled.watch,
      drain,
      metrics,
      requests,
      checks,
    }),
    routes,
    captures,
    dataset,
    uploads,
    metrics,
    drain,
    rest: () => captures.rest(),
    close: async () => {
      endSweeps();
      await sweeping;
      eventLoop.close();
      await status.close();
      stalled.end();
      await live.close();
      await uploads.close();
      await captures.close();
      await dataset.close();
      await answers.close();
      await shared.close();
      await sql.close();
      await access?.close();
      await recordStores.close();
      await sharedStores?.close();
    },
  };
}

/** Who works on a capture: decided by this server, or by all that share the catalogue. */
function workOf(
  records: Records,
  { catalogue, openWork }: RecordStores,
  several: OneOfSeveral | undefined,
  log: Logger,
): AnalysisWork {
  if (several === undefined || openWork === null) return new OwnWork(catalogue, records, log);
  const { name, times = WORK_TIMES } = several;
  return new SharedWork(name, openWork(times), records, log, times);
}

async function storesOnDisk(directory: string, space: Space, clock: Clock): Promise<FileStores> {
  return {
    blobs: await openBlobs(directory, space),
    lostAndFound: openLostAndFound(directory),
    uploadFiles: await openUploadFiles(directory, space, clock),
    dataset: datasetFolder(directory),
  };
}

/** What runs of a server left on SQL Servers, so that all servers know of it, also of one that does not run. */
function notesInFacts({ fact, saveFact }: Facts): NotesPlace {
  const name = "sessions left on servers";
  return { read: async () => (await fact(name)) ?? "", write: (text) => saveFact(name, text) };
}

function amongServers(name: string, catalogue: Facts, { list }: Pick<OtherServers, "list">): AmongServers {
  return {
    name,
    others: async () =>
      (await list())
        .filter(({ isThis }) => !isThis)
        .map((server) => ({ ...server, leftNotes: notesInFacts(factsOfServer(catalogue, server.name)) })),
  };
}

/** All routes under /api/v1. */
function createRoutes(
  config: Config,
  captures: Captures,
  uploads: Uploads,
  answers: Answers,
  analyser: Analyser,
  catalogue: Catalogue,
  passing: Passing,
  clock: Clock,
  hasAccess: boolean,
): { readonly routes: Router; readonly links: LinkDoor } {
  const routes = express.Router();
  const quotas = new Quotas(catalogue, config, (owner) => uploads.unfinishedBytes(owner));
  addServiceRoutes(routes);
  addCaptureRoutes(routes, captures);
  addLibraryRoutes(routes, captures.library);
  addFleetRoutes(routes, captures.library);
  addTrashRoutes(routes, captures);
  addFileRoutes(routes, captures, quotas, config.maxUploadBytes);
  addAglensFileRoutes(routes, captures, quotas, config.maxUploadBytes);
  addUploadRoutes(routes, uploads, captures.records, quotas);
  addAnalysisRoutes(routes, captures, answers, quotas);
  addAnswerRoutes(routes, answers);
  const links = addLinkRoutes(routes, { captures, catalogue, answers, passing, clock, config, hasAccess });
  addAnswerRoutes(routes, answers, links);
  addLinkPictureRoute(routes, { captures, links });
  addNoteRoutes(routes, new CaptureNotes(captures.records, clock), links);
  addSampleRoutes(routes, captures, analyser, config.samplesDirectory);
  return { routes, links };
}

interface AppParts {
  /** All under /api/v1. */
  readonly routes: Router;
  /** What links say of themselves where they are pasted. */
  readonly links: Pick<LinkDoor, "inWords">;
  readonly answers: Pick<Answers, "summary">;
  /** Null where nobody signs in. */
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
  { routes, links, answers, access, records, watchBodies, drain, metrics, requests, checks }: AppParts,
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
  // A proxy asks each server by the name that it has for it, which is none of browsers.
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
  if (access !== null) app.use("/api/v1", guard(access, records, isProxy, config));
  app.use("/api/v1", routes);
  app.get("/api/openapi.json", serveOpenApi);
  app.use("/api", noSuchAddress);
  const base = basePathOf(config);
  const maySeeCapture = async (request: Request, id: string): Promise<boolean> => {
    if (access === null) return true;
    const person = (await access.identify(credentialsOf(request, access, isProxy, config)))?.person;
    const record = await records.stored(id);
    return person !== undefined && record !== null && maySee(person, record);
  };
  serveWeb(app, config.webDirectory, access !== null, base, async (request) => {
    const words = wordsAskedOnce(links);
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

/** Browsers that come by a proxy send the name of the public address. */
function publicName({ publicUrl }: Config): string[] {
  return publicUrl === null ? [] : [new URL(publicUrl).hostname];
}

/** A year: what helmet and the preload list of browsers ask for. */
const HSTS_SECONDS = 365 * 24 * 3600;

/**
 * Whether browsers may be told to use HTTPS alone for the name of the public address. They apply it to all ports of the name, so one
 * with a port of its own keeps what else runs under that name; a loopback name is other programs' too.
 */
function isHttpsOnly({ publicUrl }: Pick<Config, "publicUrl">): boolean {
  if (publicUrl === null) return false;
  const { protocol, port, hostname } = new URL(publicUrl);
  return protocol === "https:" && port === "" && !isLoopback(hostname);
}

/** Everything comes from this origin; charts are canvas and SVG, whose element styles React sets as properties. */
function securityHeaders(config: Pick<Config, "publicUrl">): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // Radix and the virtual lists place their parts through style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:", "blob:"],
        workerSrc: ["'self'", "blob:"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: isHttpsOnly(config) && { maxAge: HSTS_SECONDS, includeSubDomains: false },
    referrerPolicy: { policy: "no-referrer" },
    frameguard: { action: "deny" },
  });
}

/** A request without a JSON body is one that gives nothing: what it lacks is then named field by field. */
const emptyWithoutBody: RequestHandler = (request, _response, next) => {
  request.body ??= {};
  next();
};

/** Answers belong to whoever asked; a capture may be gone a moment later. */
const neverStored: RequestHandler = (_request, response, next) => {
  response.set("cache-control", "private, no-cache");
  next();
};

/** Requests of one client, an address, within a minute. @param limit 0 for none */
function requestLimit(
  limit: number,
  words: string,
  isCounted: (request: Request) => boolean,
): RequestHandler {
  return rateLimit({
    windowMs: MINUTE_MS,
    limit,
    standardHeaders: "draft-8",
    legacyHeaders: false,
    skip: (request) => limit === 0 || !isCounted(request),
    handler: () => {
      throw problem(
        "too-many-requests",
        `More than ${limit} ${words} requests within a minute. Wait a minute.`,
      );
    },
  });
}

const compressible: compression.CompressionFilter = (request, response) => {
  const type = String(response.getHeader("content-type") ?? "");
  if (type.startsWith("text/event-stream")) return false;
  return type.startsWith("application/vnd.apache.arrow") || compression.filter(request, response);
};
