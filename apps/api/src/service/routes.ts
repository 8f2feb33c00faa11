/** All routes under /api/v1. */
import express from "express";
import type { Router } from "express";
import type { Access } from "../access/access.ts";
import type { Passing } from "../access/passing.ts";
import { Quotas } from "../access/quotas.ts";
import type { Analyser } from "../captures/analysis/analyser.ts";
import { addAccessRoutes } from "../http/access.ts";
import { addAglensFileRoutes } from "../http/aglens-file.ts";
import { addAnalysisRoutes } from "../http/analysis.ts";
import { addAnswerRoutes } from "../http/answers.ts";
import { addCaptureRoutes } from "../http/captures.ts";
import { addFileRoutes } from "../http/files.ts";
import { addFleetRoutes } from "../http/fleet.ts";
import { addLibraryRoutes } from "../http/library.ts";
import { addLinkPictureRoute } from "../http/link-picture.ts";
import { addLinkRoutes } from "../http/links.ts";
import type { LinkDoor } from "../http/links.ts";
import { addLiveRoutes } from "../http/live.ts";
import { addNoteRoutes } from "../http/notes.ts";
import { addSampleRoutes } from "../http/samples.ts";
import { addServiceRoutes } from "../http/service.ts";
import { addSqlRoutes } from "../http/sql.ts";
import { addStatusRoutes } from "../http/status.ts";
import { addTableRoute } from "../http/tables.ts";
import { addTrashRoutes } from "../http/trash.ts";
import { addUploadRoutes } from "../http/uploads.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Live } from "../live/live.ts";
import { CaptureNotes } from "../notes/notes.ts";
import type { Config } from "../settings/config.ts";
import type { SqlProcesses } from "../sql/sql-processes.ts";
import type { ServerStatusReader } from "../status/server-status.ts";
import type { Catalogue } from "../store/catalogue.ts";
import type { CaptureServices } from "./captures.ts";

interface RouteParts extends CaptureServices {
  readonly config: Config;
  readonly catalogue: Catalogue;
  readonly analyser: Analyser;
  readonly live: Live;
  readonly sql: SqlProcesses;
  /** Null where nobody signs in. */
  readonly access: Access | null;
  readonly passing: Passing;
  readonly status: ServerStatusReader;
  readonly clock: Clock;
}

export function createRoutes(parts: RouteParts): { readonly routes: Router; readonly links: LinkDoor } {
  const { config, captures, uploads, answers, dataset, catalogue, access, clock } = parts;
  const { library, records } = captures;
  const routes = express.Router();
  const quotas = new Quotas(catalogue, config, (owner) => uploads.unfinishedBytes(owner));
  addServiceRoutes(routes);
  addCaptureRoutes(routes, captures);
  addLibraryRoutes(routes, library);
  addFleetRoutes(routes, library);
  addTrashRoutes(routes, captures);
  addFileRoutes(routes, captures, quotas, config.maxUploadBytes);
  addAglensFileRoutes(routes, captures, quotas, config.maxUploadBytes);
  addUploadRoutes(routes, uploads, records, quotas);
  addAnalysisRoutes(routes, captures, answers, quotas);
  addAnswerRoutes(routes, answers);
  const links = addLinkRoutes(routes, { ...parts, hasAccess: access !== null });
  addAnswerRoutes(routes, answers, links);
  addLinkPictureRoute(routes, { captures, links });
  addNoteRoutes(routes, new CaptureNotes(records, clock), links);
  addSampleRoutes(routes, captures, parts.analyser, config.samplesDirectory);
  addTableRoute(routes, answers, dataset);
  addLiveRoutes(routes, parts.live);
  addSqlRoutes(routes, { sql: parts.sql, atRest: dataset, records, library, links });
  addAccessRoutes(routes, access, config);
  addStatusRoutes(routes, parts.status);
  return { routes, links };
}
