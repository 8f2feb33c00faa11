/** All routes under /api/v1. */
import type { Access } from "../access/access.ts";
import type { Passing } from "../access/passing.ts";
import { Quotas } from "../access/quotas.ts";
import type { Analyzer } from "../captures/analysis/analyzer.ts";
import { accessRoutes } from "../http/routes/access.ts";
import { aglensFileRoutes } from "../http/routes/aglens-file.ts";
import { analysisRoutes } from "../http/routes/analysis.ts";
import { answerRoutes } from "../http/routes/answers.ts";
import { captureRoutes } from "../http/routes/captures.ts";
import { fileRoutes } from "../http/routes/files.ts";
import { fleetRoutes } from "../http/routes/fleet.ts";
import { libraryRoutes } from "../http/routes/library.ts";
import { linkPictureRoutes } from "../http/routes/link-picture.ts";
import { linkRoutes } from "../http/routes/links.ts";
import { LinkDoor } from "../http/routes/link-door.ts";
import { liveRoutes } from "../http/routes/live.ts";
import { noteRoutes } from "../http/routes/notes.ts";
import { openApiDocument } from "../http/openapi.ts";
import type { Route } from "../http/route.ts";
import { sampleRoutes } from "../http/routes/samples.ts";
import { serviceRoutes } from "../http/routes/service.ts";
import { sqlRoutes } from "../http/routes/sql.ts";
import { statusRoutes } from "../http/routes/status.ts";
import { tableRoutes } from "../http/routes/tables.ts";
import { trashRoutes } from "../http/routes/trash.ts";
import { uploadRoutes } from "../http/routes/uploads.ts";
import { watchRoutes } from "../http/routes/watches.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Live } from "../live/live.ts";
import { CaptureNotes } from "../notes/notes.ts";
import type { Config } from "../settings/config.ts";
import type { SqlProcesses } from "../sql/sql-processes.ts";
import type { ServerStatusReader } from "../status/server-status.ts";
import type { Catalog } from "../store/catalog.ts";
import type { Watches } from "../watch/watches.ts";
import type { CaptureServices } from "./captures.ts";

interface RouteParts extends CaptureServices {
  readonly config: Config;
  readonly catalogue: Catalog;
  readonly analyzer: Analyzer;
  readonly live: Live;
  readonly watches: Watches;
  readonly sql: SqlProcesses;
  /** Null where users don't sign in. */
  readonly access: Access | null;
  readonly passing: Passing;
  readonly status: ServerStatusReader;
  readonly clock: Clock;
}

export interface Routes {
  readonly routes: readonly Route[];
  readonly links: LinkDoor;
  /** The OpenAPI document of all routes; made once. */
  readonly document: () => Record<string, unknown>;
}

export function createRoutes(parts: RouteParts): Routes {
  const { config, captures, uploads, answers, dataset, catalogue, access, clock } = parts;
  const { library, records } = captures;
  const quotas = new Quotas(catalogue, config, (owner) => uploads.unfinishedBytes(owner));
  const linkParts = { ...parts, hasAccess: access !== null };
  const links = new LinkDoor(linkParts);
  let made: Record<string, unknown> | null = null;
  const document = (): Record<string, unknown> => (made ??= openApiDocument(routes));
  const routes = [
    ...serviceRoutes(document),
    ...captureRoutes(captures),
    ...libraryRoutes(library),
    ...fleetRoutes(library),
    ...trashRoutes(captures),
    ...fileRoutes(captures, quotas, config.maxUploadBytes),
    ...aglensFileRoutes(captures, quotas, config.maxUploadBytes),
    ...uploadRoutes(uploads, records, quotas),
    ...analysisRoutes(captures, answers, quotas),
    ...answerRoutes(answers),
    ...linkRoutes(links, linkParts),
    ...answerRoutes(answers, links),
    ...linkPictureRoutes({ captures, links }),
    ...noteRoutes(new CaptureNotes(records, clock), links),
    ...sampleRoutes(captures, config.samplesDirectory),
    ...tableRoutes(answers, dataset),
    ...liveRoutes(parts.live),
    ...watchRoutes(parts.watches),
    ...sqlRoutes({ sql: parts.sql, atRest: dataset, records, library, links }),
    ...accessRoutes(access, config),
    ...statusRoutes(parts.status),
  ];
  return { routes, links, document };
}
