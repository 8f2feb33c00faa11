/** The OpenAPI 3.1 document, made from the same schemas that validate requests. */
import * as contract from "@aglens/contract";
import { z } from "zod";
import { CONTROL_HEADER } from "./live.ts";
import { ARROW, PARQUET } from "./media.ts";
import {
  CommitQuery,
  DistributionQuery,
  FindQuery,
  HitCountsQuery,
  HitsQuery,
  OverviewQuery,
  EventDensityQuery,
  RawEventsQuery,
  ReleasesQuery,
  ReplicaRowsQuery,
  ScopeQuery,
  SlowCommitsQuery,
  SlowestQuery,
  SpreadQuery,
  StatisticsQuery,
  TableQuery,
  WhatIfQuery,
  WindowQuery,
} from "@aglens/engine/answers";
import {
  AuditQuery,
  AuditTableQuery,
  CaptureListQuery,
  DeletionQuery,
  DirectoryQuery,
  FleetQuery,
  FileQuery,
  SavedCaptureQuery,
  LibraryQuery,
  PictureQuery,
} from "./parameters.ts";

type JsonSchema = Record<string, unknown>;
type Method = "get" | "head" | "post" | "patch" | "delete";

export interface Operation {
  readonly method: Method;
  /** As Express has it: `/captures/:id`. */
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  /** A schema's name, or bytes. */
  readonly body?: SchemaName | "octets" | "part";
  /** Headers of the request, each with what it says; of tus 1.0. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** A schema's name, or a media type. */
  readonly answer: SchemaName | keyof typeof MEDIA | "nothing";
  readonly bearer?: boolean;
  /** Needs the control key of a live run. */
  readonly control?: boolean;
}

/** By their names in the document. */
export const SCHEMAS = {
  Capture: contract.Capture,
  ReadyCapture: contract.ReadyCapture,
  CaptureList: contract.CaptureList,
  LibraryPage: contract.LibraryPage,
  Fleet: contract.Fleet,
  ServerStatus: contract.ServerStatus,
  CaptureFile: contract.CaptureFile,
  CaptureFiles: z.object({ files: z.array(contract.CaptureFile) }),
  NewCapture: contract.NewCapture,
  CaptureChange: contract.CaptureChange,
  NewTag: contract.NewTag,
  CaptureParts: contract.CaptureParts,
  TrashedCaptures: contract.TrashedCaptures,
  LostCaptures: contract.LostCaptures,
  UploadInParts: contract.UploadInParts,
  UploadsInParts: contract.UploadsInParts,
  FileCorrection: contract.FileCorrection,
  Progress: contract.Progress,
  Problem: contract.Problem,
  Summary: contract.Summary,
  ScopeSummary: contract.ScopeSummary,
  Overview: contract.Overview,
  RangeStatistics: contract.RangeStatistics,
  SlowBlocks: contract.SlowBlocks,
  FoundBlocks: contract.FoundBlocks,
  Hits: contract.Hits,
  HitCounts: contract.HitCounts,
  Distribution: contract.Distribution,
  PercentileSpread: contract.PercentileSpread,
  Waiting: contract.Waiting,
  WhatIf: contract.WhatIf,
  Sequence: contract.Sequence,
  RawEvents: contract.RawEvents,
  EventDensity: contract.EventDensity,
  SlowCommits: contract.SlowCommits,
  Releases: contract.Releases,
  ReplicaRows: contract.ReplicaRows,
  NewLink: contract.NewLink,
  Link: contract.Link,
  LinkList: contract.LinkList,
  LinkRenewal: contract.LinkRenewal,
  LinkPassphrase: contract.LinkPassphrase,
  Note: contract.Note,
  Notes: contract.Notes,
  NewNote: contract.NewNote,
  NoteText: contract.NoteText,
  OpenedLink: contract.OpenedLink,
  Samples: z.object({ samples: z.array(z.string()) }),
  LiveAllowance: contract.LiveAllowance,
  LiveLeftSessions: contract.LiveLeftSessions,
  LiveCheckRequest: contract.LiveCheckRequest,
  LiveCheck: contract.LiveCheck,
  FirstContactRequest: contract.FirstContactRequest,
  ContactProgress: contract.ContactProgress,
  FirstContact: contract.FirstContact,
  LeftoverRemoval: contract.LeftoverRemoval,
  LeftoverRemovalResult: contract.LeftoverRemovalResult,
  NewLiveRun: contract.NewLiveRun,
  LiveRunCreated: contract.LiveRunCreated,
  LivePicture: contract.LivePicture,
  LiveStop: contract.LiveStop,
  LiveStopped: contract.LiveStopped,
  NewLiveReplica: contract.NewLiveReplica,
  LiveReplicaAdded: z.object({ index: z.number() }),
  LiveKeepLast: contract.LiveKeepLast,
  LiveKept: z.object({ captureId: z.string() }),
  LiveStopAfter: contract.LiveStopAfter,
  LiveLastStatement: contract.LiveLastStatement,
  NewLiveMark: contract.NewLiveMark,
  LiveMark: contract.LiveMark,
  SqlRequest: contract.SqlRequest,
  SqlResult: contract.SqlResult,
  SqlTables: contract.SqlTables,
  AccessState: contract.AccessState,
  SignedOut: contract.SignedOut,
  TokenSignIn: contract.TokenSignIn,
  AuditPage: contract.AuditPage,
  Health: z.object({ status: z.literal("ok") }),
  OpenApi: z.record(z.string(), z.unknown()),
} as const;
type SchemaName = keyof typeof SCHEMAS;

export const MEDIA = {
  arrow: ARROW,
  events: "text/event-stream",
  csv: "text/csv",
  parquet: PARQUET,
  png: "image/png",
  zip: "application/zip",
} as const;

/** Whether an answer is no JSON but a file or a stream. */
export const isMedia = (answer: string): answer is keyof typeof MEDIA => answer in MEDIA;

const get = (path: string, summary: string, answer: Operation["answer"], query?: z.ZodObject): Operation => ({
  method: "get",
  path,
  summary,
  status: 200,
  answer,
  ...(query ? { query } : {}),
});

/** What screens ask of an analysed capture, by its own id and by a link's. */
const answerOperations = (path: string): Operation[] => [
  get(`${path}/summary`, "Verdict, replicas, clocks, statistics", "Summary"),
  get(
    `${path}/scope`,
    "Verdict and statistics of one database, of one stretch between changes of roles, or of a range of time",
    "ScopeSummary",
    ScopeQuery,
  ),
  get(`${path}/overview`, "The capture in equal bins of time", "Overview", OverviewQuery),
  get(`${path}/window`, "Blocks of a range, or bins when there are more than `limit`", "arrow", WindowQuery),
  get(`${path}/commits`, "Commits that overlap a range, longest first when cut", "arrow", CommitQuery),
  get(`${path}/markers`, "VLF switches, flow control and other instants", "arrow"),
  get(`${path}/statistics`, "Statistics of a range", "RangeStatistics", StatisticsQuery),
  get(`${path}/slowest`, "Blocks in order of one stage", "SlowBlocks", SlowestQuery),
  get(`${path}/hits`, "How many blocks a filter leaves, where, and what they cost", "Hits", HitsQuery),
  get(`${path}/hit-counts`, "Blocks and commits of several filters", "HitCounts", HitCountsQuery),
  get(`${path}/find`, "Blocks of an LSN, or the one at an instant", "FoundBlocks", FindQuery),
  get(
    `${path}/distribution`,
    "How long each stage takes block by block: histograms of one or two ranges, one stage by time and by size",
    "Distribution",
    DistributionQuery,
  ),
  get(
    `${path}/spread`,
    "How far the percentiles of a range could have come out by chance",
    "PercentileSpread",
    SpreadQuery,
  ),
  get(`${path}/waiting`, "How long blocks waited behind others and were served", "Waiting"),
  get(
    `${path}/what-if`,
    "What commits would take with one thing changed: every change, one in full",
    "WhatIf",
    WhatIfQuery,
  ),
  get(
    `${path}/slow-commits`,
    "Commits in order of their wait, with what released them",
    "SlowCommits",
    SlowCommitsQuery,
  ),
  get(
    `${path}/releases`,
    "Commits by what released them, in stretches of a range",
    "Releases",
    ReleasesQuery,
  ),
  get(
    `${path}/replicas`,
    "A row per replica: commits that it released, its path, how far it is behind",
    "ReplicaRows",
    ReplicaRowsQuery,
  ),
  get(
    `${path}/raw-events`,
    "Events of a range in the order they fired, by replica, name and text; a bounded number is read for one answer",
    "RawEvents",
    RawEventsQuery,
  ),
  get(
    `${path}/event-density`,
    "How many events of a range fired in each of equal bins, by replica",
    "EventDensity",
    EventDensityQuery,
  ),
  get(`${path}/blocks/:row`, "One log block from commit to commit, with its raw events", "Sequence"),
];

/** Queries in SQL over the tables at rest (docs/tables.md). @param of which captures these are of */
const sqlOperations = (path: string, of: string): Operation[] => [
  {
    method: "post",
    path: `${path}/sql`,
    summary: `Run a query over the tables of ${of}: rows as JSON, or as \`format\` says as CSV or Parquet. Where a limit stopped it, the rows that were there and the header AGLens-Stopped`,
    body: "SqlRequest",
    status: 200,
    answer: "SqlResult",
  },
  get(`${path}/sql/tables`, `Tables of ${of} with their columns, and what a query may take`, "SqlTables"),
];

const TUS = { "Tus-Resumable": "1.0.0" };

/** Every operation of the API; a test holds it against the routes. */
export const OPERATIONS: readonly Operation[] = [
  get("/health", "Whether the API answers", "Health"),
  get("/openapi.json", "This document", "OpenApi"),
  get("/access", "Who is signed in, and the ways to sign in", "AccessState"),
  {
    method: "post",
    path: "/access/token",
    summary: "Sign in with an access token; the answer sets the session's cookie",
    body: "TokenSignIn",
    status: 200,
    answer: "AccessState",
  },
  {
    method: "delete",
    path: "/access/session",
    summary: "Sign out, and where the directory's own session is ended",
    status: 200,
    answer: "SignedOut",
  },
  {
    method: "get",
    path: "/access/directory",
    summary: "Go to the directory (OpenID Connect) to sign in",
    query: DirectoryQuery,
    status: 302,
    answer: "nothing",
  },
  {
    method: "get",
    path: "/access/directory/answer",
    summary: "Where the directory sends the browser back to",
    status: 302,
    answer: "nothing",
  },
  get("/access/audit", "Who did what, newest first; for admins", "AuditPage", AuditQuery),
  get("/access/audit.csv", "The same as a table, all entries that have the words", "csv", AuditTableQuery),
  {
    method: "post",
    path: "/captures",
    summary: "Begin a capture",
    body: "NewCapture",
    status: 201,
    answer: "Capture",
  },
  get("/captures", "A page of captures, newest first", "CaptureList", CaptureListQuery),
  get(
    "/library",
    "Captures by view, facets and words, with the counts of each choice",
    "LibraryPage",
    LibraryQuery,
  ),
  get(
    "/fleet",
    "Captures of a group or two by night or week: percentiles of their stages, and what has changed",
    "Fleet",
    FleetQuery,
  ),
  get("/status", "How the server is: figures for admins, one's own jobs and room for others", "ServerStatus"),
  get("/captures/:id", "One capture with its files and state", "Capture"),
  {
    method: "patch",
    path: "/captures/:id",
    summary: "Rename a capture, let everybody who signs in open it, or keep it for good",
    body: "CaptureChange",
    status: 200,
    answer: "Capture",
  },
  {
    method: "post",
    path: "/captures/:id/tags",
    summary: "Give a capture a tag, one of the words by which people sort captures; kept in lower case",
    body: "NewTag",
    status: 200,
    answer: "Capture",
  },
  {
    method: "delete",
    path: "/captures/:id/tags/:tag",
    summary: "Take a tag off a capture",
    status: 200,
    answer: "Capture",
  },
  {
    method: "post",
    path: "/captures/:id/parts",
    summary: "Make a capture of each group of its files; answers all of them",
    status: 200,
    answer: "CaptureParts",
  },
  {
    method: "delete",
    path: "/captures/:id",
    summary: "Move a capture to the trash for a week, or delete it with its files and its links",
    query: DeletionQuery,
    status: 204,
    answer: "nothing",
  },
  {
    method: "post",
    path: "/captures/:id/restore",
    summary: "Take a capture, and its links, out of the trash",
    status: 200,
    answer: "Capture",
  },
  get("/trash", "Captures in the trash, the one deleted last first", "TrashedCaptures"),
  {
    method: "delete",
    path: "/trash",
    summary: "Delete all captures in the trash for good",
    status: 204,
    answer: "nothing",
  },
  get("/lost-captures", "Files of captures that the catalogue does not have", "LostCaptures"),
  {
    method: "post",
    path: "/lost-captures/:id/restore",
    summary: "Make a capture of such files",
    status: 201,
    answer: "Capture",
  },
  {
    method: "delete",
    path: "/lost-captures/:id",
    summary: "Delete such files for good",
    status: 204,
    answer: "nothing",
  },
  {
    method: "post",
    path: "/captures/aglens-file",
    summary: "Make a capture of an .aglens file (docs/aglens-file.md)",
    body: "octets",
    status: 201,
    answer: "Capture",
  },
  {
    method: "get",
    path: "/captures/:id/aglens-file",
    summary: "An analysed capture as one file, with its tables and notes (docs/aglens-file.md)",
    query: SavedCaptureQuery,
    status: 200,
    answer: "zip",
  },
  {
    method: "post",
    path: "/captures/:id/files",
    summary:
      "Add a .xel file, event XML, a CSV that SSMS saved, a topology XML, or a zip of them; answers what each file is",
    query: FileQuery,
    body: "octets",
    status: 201,
    answer: "CaptureFiles",
  },
  {
    method: "patch",
    path: "/captures/:id/files/:fileId",
    summary: "Correct a file's role or replica",
    body: "FileCorrection",
    status: 200,
    answer: "CaptureFile",
  },
  {
    method: "delete",
    path: "/captures/:id/files/:fileId",
    summary: "Remove a file",
    status: 204,
    answer: "nothing",
  },
  get("/uploads", "Uploads in parts that are not whole yet, of captures one may change", "UploadsInParts"),
  {
    method: "post",
    path: "/captures/:id/uploads",
    summary:
      "Begin an upload in parts (tus 1.0: creation, termination, expiration); Location is where its parts are sent",
    headers: {
      ...TUS,
      "Upload-Length": "Bytes of the whole file",
      "Upload-Metadata":
        "filename, and optional path, replaces, keepSensitive and head, each with a space and its value in Base64",
    },
    status: 201,
    answer: "nothing",
  },
  get(
    "/captures/:id/uploads/:uploadId",
    "An upload in parts; the files that it became, when it is whole",
    "UploadInParts",
  ),
  {
    method: "head",
    path: "/captures/:id/uploads/:uploadId",
    summary: "How many bytes of it are there: Upload-Offset",
    headers: TUS,
    status: 200,
    answer: "nothing",
  },
  {
    method: "patch",
    path: "/captures/:id/uploads/:uploadId",
    summary: "Send the next part; after the last one the file is in the capture",
    headers: { ...TUS, "Upload-Offset": "Bytes that are there" },
    body: "part",
    status: 204,
    answer: "nothing",
  },
  {
    method: "delete",
    path: "/captures/:id/uploads/:uploadId",
    summary: "Throw away what came of an upload",
    headers: TUS,
    status: 204,
    answer: "nothing",
  },
  get("/captures/:id/notes", "Notes on stretches and log blocks of a capture, in time", "Notes"),
  get("/links/:id/notes", "Notes of a link's capture, with names as the link shows them", "Notes"),
  {
    method: "post",
    path: "/captures/:id/notes",
    summary: "Write a note on a stretch or a log block",
    body: "NewNote",
    status: 201,
    answer: "Note",
  },
  {
    method: "patch",
    path: "/captures/:id/notes/:noteId",
    summary: "Give a note another text",
    body: "NoteText",
    status: 200,
    answer: "Note",
  },
  {
    method: "delete",
    path: "/captures/:id/notes/:noteId",
    summary: "Delete a note; it can be restored for a minute",
    status: 204,
    answer: "nothing",
  },
  {
    method: "post",
    path: "/captures/:id/notes/:noteId/restore",
    summary: "Undo the deletion of a note",
    status: 200,
    answer: "Note",
  },
  {
    method: "post",
    path: "/captures/:id/analysis",
    summary: "Start the analysis",
    status: 202,
    answer: "Capture",
  },
  {
    method: "delete",
    path: "/captures/:id/analysis",
    summary: "Cancel the analysis",
    status: 200,
    answer: "Capture",
  },
  get(
    "/captures/:id/progress",
    "Server-sent events: `progress` (Progress), then `ready` (ReadyCapture) or `failed` (Problem)",
    "events",
  ),
  get(
    "/captures/:id/preview",
    "The whole capture in bins, from the analysis while it runs and after it",
    "arrow",
  ),
  ...answerOperations("/captures/:id"),
  ...sqlOperations("/captures/:id", "a capture"),
  ...sqlOperations("", "all captures that one may see"),
  get(
    "/captures/:id/export/csv/:table",
    "A stretch of `blocks`, `hops` or `commits` for a spreadsheet (docs/tables.md), with UTC",
    "csv",
    TableQuery,
  ),
  get(
    "/captures/:id/export/arrow/:table",
    "The same as an Arrow IPC file, as `xel tables` writes it",
    "arrow",
    TableQuery,
  ),
  get(
    "/captures/:id/export/parquet/:table",
    "The same as a Parquet file, as `xel tables --parquet` writes it",
    "parquet",
    TableQuery,
  ),
  get(
    "/captures/:id/tables/:name",
    "A whole table to download: `blocks.arrow`, `commits.arrow`, `markers.arrow`; `blocks`, `hops`, `commits`, `stages`, `clocks` and `findings` as `.parquet` (docs/tables.md)",
    "arrow",
  ),
  {
    method: "post",
    path: "/links",
    summary: "Share a view of a capture",
    body: "NewLink",
    status: 201,
    answer: "Link",
  },
  get("/captures/:id/links", "Links of a capture, newest first", "LinkList"),
  get("/links/:id", "What a link opens; of a locked one only until when", "OpenedLink"),
  get(
    "/links/:id/picture.png",
    "What chat programs show of a pasted link: its verdict; of a link with a passphrase or one that has ended, nothing",
    "png",
    PictureQuery,
  ),
  ...answerOperations("/links/:id"),
  ...sqlOperations("/links/:id", "a link's capture"),
  {
    method: "post",
    path: "/links/:id/passphrase",
    summary: "Give a link's passphrase; the answer sets a cookie that opens it",
    body: "LinkPassphrase",
    status: 204,
    answer: "nothing",
  },
  {
    method: "patch",
    path: "/links/:id",
    summary: "Renew a link, also one that has expired; where nobody signs in with its delete token",
    body: "LinkRenewal",
    status: 200,
    answer: "Link",
    bearer: true,
  },
  {
    method: "delete",
    path: "/links/:id",
    summary: "Take a link back; where nobody signs in with its delete token",
    status: 204,
    answer: "nothing",
    bearer: true,
  },
  get("/samples", "Names of the sample captures", "Samples"),
  get("/samples/:name/preview", "A sample capture in bins", "arrow"),
  {
    method: "post",
    path: "/samples/:name",
    summary: "Make a capture of a sample and analyse it",
    status: 201,
    answer: "Capture",
  },
  get("/live/allowance", "Whether this API attaches to servers, and to which hosts", "LiveAllowance"),
  get("/live/leftovers", "Sessions that runs could not drop and that are tried again", "LiveLeftSessions"),
  {
    method: "delete",
    path: "/live/leftovers/:id",
    summary:
      "Take a session off that list that somebody dropped on its server; for who left it, and for admins",
    status: 204,
    answer: "nothing",
  },
  {
    method: "post",
    path: "/live/checks",
    summary:
      "Ask a server what it is, what the login may do and which replicas its groups have; changes nothing",
    body: "LiveCheckRequest",
    status: 200,
    answer: "LiveCheck",
  },
  {
    method: "post",
    path: "/live/first-contacts",
    summary:
      "Server-sent events: `progress` (ContactProgress) after each statement of live mode on a server, `report` (FirstContact) at the end",
    body: "FirstContactRequest",
    status: 200,
    answer: "events",
  },
  {
    method: "post",
    path: "/live/leftovers/removal",
    summary: "Stop and drop sessions that earlier runs left behind",
    body: "LeftoverRemoval",
    status: 200,
    answer: "LeftoverRemovalResult",
  },
  {
    method: "post",
    path: "/live/runs",
    summary:
      "Attach to replicas; answers the run's id, which shows it, and the control key, which is shown once",
    body: "NewLiveRun",
    status: 201,
    answer: "LiveRunCreated",
  },
  get("/live/runs/:id", "The whole picture of a run now", "LivePicture"),
  get(
    "/live/runs/:id/events",
    "Server-sent events: `picture` (LivePicture), first the whole, then once a second what changed",
    "events",
    contract.LiveFollow,
  ),
  {
    method: "post",
    path: "/live/runs/:id/presence",
    summary: "Keep a run going: without it for 60 s, the run stops and is kept",
    status: 204,
    answer: "nothing",
    control: true,
  },
  {
    method: "post",
    path: "/live/runs/:id/marks",
    summary: "Mark this instant",
    body: "NewLiveMark",
    status: 201,
    answer: "LiveMark",
    control: true,
  },
  {
    method: "post",
    path: "/live/runs/:id/captures",
    summary: "Make a capture of the last minutes; the run goes on",
    body: "LiveKeepLast",
    status: 201,
    answer: "LiveKept",
    control: true,
  },
  {
    method: "post",
    path: "/live/runs/:id/stop-after",
    summary: "Stop and keep the run after some minutes; null: only when somebody stops it",
    body: "LiveStopAfter",
    status: 204,
    answer: "nothing",
    control: true,
  },
  {
    method: "post",
    path: "/live/runs/:id/replicas",
    summary: "Attach to one more replica",
    body: "NewLiveReplica",
    status: 201,
    answer: "LiveReplicaAdded",
    control: true,
  },
  {
    method: "post",
    path: "/live/runs/:id/replicas/:index/retry",
    summary: "Try a replica that failed or waits again, now",
    status: 204,
    answer: "nothing",
    control: true,
  },
  {
    ...get(
      "/live/runs/:id/replicas/:index/sessions/:session",
      "Text of the request of a session that waits, asked of the server now and not stored; null when it has no request",
      "LiveLastStatement",
    ),
    control: true,
  },
  {
    method: "post",
    path: "/live/runs/:id/stop",
    summary: "End a run: its sessions are dropped and, with keep, it becomes a capture",
    body: "LiveStop",
    status: 200,
    answer: "LiveStopped",
    control: true,
  },
];

let made: JsonSchema | null = null;

/** The document; made once. */
export function openApiDocument(): JsonSchema {
  made ??= {
    openapi: "3.1.0",
    info: {
      title: "AG Lens",
      version: "1",
      description: "Times and durations are µs relative to the capture's origin on the primary's clock.",
    },
    servers: [{ url: "/api/v1" }],
    paths: paths(),
    components: {
      schemas: Object.fromEntries(
        Object.entries(SCHEMAS).map(([name, schema]) => [name, jsonSchema(schema)]),
      ),
      securitySchemes: {
        deleteToken: { type: "http", scheme: "bearer" },
        liveControl: { type: "apiKey", in: "header", name: CONTROL_HEADER },
      },
    },
  };
  return made;
}

/** An Express path as OpenAPI writes it. */
export function templated(path: string): string {
  return path.replaceAll(/:(\w+)/gu, "{$1}");
}

function paths(): JsonSchema {
  const all: Record<string, JsonSchema> = {};
  for (const operation of OPERATIONS) {
    const path = (all[templated(operation.path)] ??= {});
    path[operation.method] = describe(operation);
  }
  return all;
}

function describe(operation: Operation): JsonSchema {
  const { body, bearer, control } = operation;
  return {
    operationId: operationId(operation),
    summary: operation.summary,
    parameters: [
      ...pathParameters(operation.path),
      ...queryParameters(operation.query),
      ...headerParameters(operation.headers),
    ],
    ...(body
      ? { requestBody: { required: body === "octets" || body === "part", content: requestContent(body) } }
      : {}),
    ...(bearer === true ? { security: [{ deleteToken: [] }] } : {}),
    ...(control === true ? { security: [{ liveControl: [] }] } : {}),
    responses: {
      [operation.status]: { description: operation.summary, ...answerContent(operation.answer) },
      default: {
        description: "A problem document (RFC 9457)",
        content: { "application/problem+json": { schema: reference("Problem") } },
      },
    },
  };
}

function operationId({ method, path }: Operation): string {
  const words = path.split(/[^A-Za-z]+/u);
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function pathParameters(path: string): JsonSchema[] {
  return [...path.matchAll(/:(\w+)/gu)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: name === "row" ? { type: "integer", minimum: 0 } : { type: "string" },
  }));
}

function queryParameters(query: z.ZodObject | undefined): JsonSchema[] {
  if (!query) return [];
  const schema = jsonSchema(query) as { properties: Record<string, JsonSchema>; required?: string[] };
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: "query",
    required: schema.required?.includes(name) ?? false,
    schema: property,
  }));
}

function headerParameters(headers: Operation["headers"] = {}): JsonSchema[] {
  return Object.entries(headers).map(([name, description]) => ({
    name,
    in: "header",
    required: true,
    description,
    schema: { type: "string" },
  }));
}

function requestContent(body: SchemaName | "octets" | "part"): JsonSchema {
  if (body === "octets" || body === "part") {
    const type = body === "part" ? "application/offset+octet-stream" : "application/octet-stream";
    return { [type]: { schema: { type: "string", format: "binary" } } };
  }
  return { "application/json": { schema: reference(body) } };
}

function answerContent(answer: Operation["answer"]): JsonSchema {
  if (answer === "nothing") return {};
  if (isMedia(answer)) return { content: { [MEDIA[answer]]: {} } };
  return { content: { "application/json": { schema: reference(answer) } } };
}

function reference(name: SchemaName): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return rest;
}
