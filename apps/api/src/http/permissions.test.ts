/**
 * Permissions of every kind of person: the status of every route, written by hand and requested over HTTP. The table is
 * not derived from the rules, because it would then also expect a rule that is too weak.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Capture, Link, Problem } from "@aglens/contract";
import { appendFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TOKENS, tokenAccess } from "../../test/access.ts";
import { testService } from "../../test/service.ts";
import type { TestService } from "../../test/service.ts";

/**
 * People in the order of the list:
 * - no one: is not signed in; links in these requests are for people who are.
 * - viewer: Vera, and the capture is Ann's and shared.
 * - contributor: Bob, and the capture is Ann's and shared.
 * - outsider: Bob, and the capture is Ann's alone.
 * - owner: Ann, a contributor.
 * - demoted: Ann, now a viewer.
 * - admin: an admin, and the capture is Ann's alone.
 * - link: is not signed in and has a link for anyone, whose id takes the place of the capture's.
 */
const PEOPLE = ["nobody", "viewer", "contributor", "outsider", "owner", "demoted", "admin", "link"] as const;
type Who = (typeof PEOPLE)[number];

/**
 * Statuses in the order of `PEOPLE`. 401, 403 and the outsider's 404 are refusals; every other status is the route's
 * own, which is often 400, 404 or 409 because most requests have no body and name missing objects.
 */
const TABLE = `
GET    /health                                                   200 200 200 200 200 200 200 200
GET    /openapi.json                                             200 200 200 200 200 200 200 200
GET    /access                                                   200 200 200 200 200 200 200 200
POST   /access/token                                             400 400 400 400 400 400 400 400
DELETE /access/session                                           200 200 200 200 200 200 200 200
GET    /access/directory                                         404 404 404 404 404 404 404 404
GET    /access/directory/answer                                  404 404 404 404 404 404 404 404
GET    /access/audit                                             401 403 403 403 403 403 200 401
GET    /access/audit.csv                                         401 403 403 403 403 403 200 401
GET    /captures                                                 401 200 200 200 200 200 200 401
GET    /library                                                  401 200 200 200 200 200 200 401
GET    /fleet                                                    401 200 200 200 200 200 200 401
GET    /status                                                   401 403 200 200 200 403 200 401
POST   /captures                                                 401 403 201 201 201 403 201 401
POST   /captures/aglens-file                                     401 403 422 422 422 403 422 401
GET    /captures/:id/aglens-file                                 401 200 200 404 200 200 200 401
GET    /captures/:id                                             401 200 200 404 200 200 200 401
GET    /captures/:id/summary                                     401 200 200 404 200 200 200 401
POST   /captures/:id/sql                                         401 200 200 404 200 200 200 401
GET    /captures/:id/sql/tables                                  401 200 200 404 200 200 200 401
POST   /sql                                                      401 200 200 200 200 200 200 401
GET    /sql/tables                                               401 200 200 200 200 200 200 401
GET    /captures/:id/overview                                    401 200 200 404 200 200 200 401
GET    /captures/:id/scope                                       401 200 200 404 200 200 200 401
GET    /captures/:id/window                                      401 200 200 404 200 200 200 401
GET    /captures/:id/commits                                     401 200 200 404 200 200 200 401
GET    /captures/:id/markers                                     401 200 200 404 200 200 200 401
GET    /captures/:id/statistics                                  401 200 200 404 200 200 200 401
GET    /captures/:id/slowest                                     401 200 200 404 200 200 200 401
GET    /captures/:id/hits                                        401 200 200 404 200 200 200 401
GET    /captures/:id/hit-counts                                  401 200 200 404 200 200 200 401
GET    /captures/:id/find                                        401 200 200 404 200 200 200 401
GET    /captures/:id/distribution                                401 200 200 404 200 200 200 401
GET    /captures/:id/spread                                      401 200 200 404 200 200 200 401
GET    /captures/:id/raw-events                                  401 200 200 404 200 200 200 401
GET    /captures/:id/event-density                               401 200 200 404 200 200 200 401
GET    /captures/:id/slow-commits                                401 200 200 404 200 200 200 401
GET    /captures/:id/releases                                    401 200 200 404 200 200 200 401
GET    /captures/:id/replicas                                    401 200 200 404 200 200 200 401
GET    /captures/:id/waiting                                     401 200 200 404 200 200 200 401
GET    /captures/:id/what-if                                     401 200 200 404 200 200 200 401
GET    /captures/:id/who-waited                                  401 200 200 404 200 200 200 401
GET    /captures/:id/evidence                                    401 200 200 404 200 200 200 401
GET    /captures/:id/evidence/samples                            401 200 200 404 200 200 200 401
GET    /captures/:id/blocks/:row                                 401 200 200 404 200 200 200 401
GET    /captures/:id/tables/:name                                401 200 200 404 200 200 200 401
GET    /captures/:id/export/csv/:table                           401 200 200 404 200 200 200 401
GET    /captures/:id/export/arrow/:table                         401 200 200 404 200 200 200 401
GET    /captures/:id/export/parquet/:table                       401 200 200 404 200 200 200 401
GET    /captures/:id/export/perfetto                             401 200 200 404 200 200 200 401
GET    /captures/:id/preview                                     401 200 200 404 200 200 200 401
GET    /captures/:id/progress                                    401 200 200 404 200 200 200 401
PATCH  /captures/:id                                             401 403 403 404 200 403 200 401
DELETE /captures/:id                                             401 403 403 404 204 403 204 401
POST   /captures/:id/tags                                        401 403 403 404 200 403 200 401
DELETE /captures/:id/tags/:tag                                   401 403 403 404 200 403 200 401
POST   /captures/:id/restore                                     401 403 403 404 200 403 200 401
GET    /trash                                                    401 200 200 200 200 200 200 401
DELETE /trash                                                    401 403 204 204 204 403 204 401
GET    /lost-captures                                            401 403 403 403 403 403 200 401
POST   /lost-captures/:id/restore                                401 403 403 403 403 403 404 401
DELETE /lost-captures/:id                                        401 403 403 403 403 403 404 401
POST   /captures/:id/parts                                       401 403 403 404 200 403 200 401
POST   /captures/:id/files                                       401 403 403 404 400 403 400 401
PATCH  /captures/:id/files/:fileId                               401 403 403 404 404 403 404 401
DELETE /captures/:id/files/:fileId                               401 403 403 404 404 403 404 401
GET    /uploads                                                  401 403 200 200 200 403 200 401
POST   /captures/:id/uploads                                     401 403 403 404 412 403 412 401
GET    /captures/:id/uploads/:uploadId                           401 403 403 404 404 403 404 401
HEAD   /captures/:id/uploads/:uploadId                           401 403 403 404 404 403 404 401
PATCH  /captures/:id/uploads/:uploadId                           401 403 403 404 404 403 404 401
DELETE /captures/:id/uploads/:uploadId                           401 403 403 404 404 403 404 401
GET    /captures/:id/notes                                       401 200 200 404 200 200 200 401
POST   /captures/:id/notes                                       401 403 403 404 201 403 201 401
PATCH  /captures/:id/notes/:noteId                               401 403 403 404 400 403 400 401
DELETE /captures/:id/notes/:noteId                               401 403 403 404 404 403 404 401
POST   /captures/:id/notes/:noteId/restore                       401 403 403 404 404 403 404 401
POST   /captures/:id/analysis                                    401 403 403 404 422 403 422 401
DELETE /captures/:id/analysis                                    401 403 403 404 409 403 409 401
GET    /samples                                                  401 200 200 200 200 200 200 401
POST   /samples/:name                                            401 403 404 404 404 403 404 401
POST   /links                                                    401 403 403 404 201 403 201 401
GET    /captures/:id/links                                       401 403 403 404 200 403 200 401
GET    /links/:id                                                401 200 200 200 200 200 200 200
POST   /links/:id/passphrase                                     401 204 204 204 204 204 204 204
GET    /links/:id/summary                                        401 200 200 200 200 200 200 200
GET    /links/:id/picture.png                                    200 200 200 200 200 200 200 200
GET    /links/:id/notes                                          401 200 200 200 200 200 200 200
GET    /links/:id/overview                                       401 200 200 200 200 200 200 200
GET    /links/:id/scope                                          401 200 200 200 200 200 200 200
GET    /links/:id/window                                         401 200 200 200 200 200 200 200
GET    /links/:id/commits                                        401 200 200 200 200 200 200 200
GET    /links/:id/markers                                        401 200 200 200 200 200 200 200
GET    /links/:id/statistics                                     401 200 200 200 200 200 200 200
GET    /links/:id/slowest                                        401 200 200 200 200 200 200 200
GET    /links/:id/hits                                           401 200 200 200 200 200 200 200
GET    /links/:id/hit-counts                                     401 200 200 200 200 200 200 200
GET    /links/:id/find                                           401 200 200 200 200 200 200 200
GET    /links/:id/distribution                                   401 200 200 200 200 200 200 200
GET    /links/:id/spread                                         401 200 200 200 200 200 200 200
GET    /links/:id/raw-events                                     401 200 200 200 200 200 200 200
GET    /links/:id/event-density                                  401 200 200 200 200 200 200 200
GET    /links/:id/slow-commits                                   401 200 200 200 200 200 200 200
GET    /links/:id/releases                                       401 200 200 200 200 200 200 200
GET    /links/:id/replicas                                       401 200 200 200 200 200 200 200
GET    /links/:id/waiting                                        401 200 200 200 200 200 200 200
GET    /links/:id/what-if                                        401 200 200 200 200 200 200 200
GET    /links/:id/who-waited                                     401 200 200 200 200 200 200 200
GET    /links/:id/evidence                                       401 200 200 200 200 200 200 200
GET    /links/:id/evidence/samples                               401 200 200 200 200 200 200 200
GET    /links/:id/blocks/:row                                    401 200 200 200 200 200 200 200
POST   /links/:id/sql                                            401 200 200 200 200 200 200 200
GET    /links/:id/sql/tables                                     401 200 200 200 200 200 200 200
PATCH  /links/:id                                                401 403 403 404 200 403 200 401
DELETE /links/:id                                                401 403 403 404 204 403 204 401
GET    /live/allowance                                           401 403 200 200 200 403 200 401
GET    /live/leftovers                                           401 403 200 200 200 403 200 401
POST   /live/checks                                              401 403 400 400 400 403 400 401
POST   /live/first-contacts                                      401 403 400 400 400 403 400 401
DELETE /live/leftovers/:id                                       401 403 204 204 204 403 204 401
POST   /live/leftovers/removal                                   401 403 400 400 400 403 400 401
POST   /live/runs                                                401 403 400 400 400 403 400 401
GET    /live/runs/:id                                            401 403 404 404 404 403 404 401
GET    /live/runs/:id/events                                     401 403 404 404 404 403 404 401
POST   /live/runs/:id/presence                                   401 403 404 404 404 403 404 401
POST   /live/runs/:id/marks                                      401 403 404 404 404 403 404 401
POST   /live/runs/:id/captures                                   401 403 400 400 400 403 400 401
POST   /live/runs/:id/stop-after                                 401 403 404 404 404 403 404 401
POST   /live/runs/:id/health                                     401 403 404 404 404 403 404 401
POST   /live/runs/:id/replicas                                   401 403 400 400 400 403 400 401
POST   /live/runs/:id/replicas/:index/retry                      401 403 404 404 404 403 404 401
GET    /live/runs/:id/replicas/:index/sessions/:session          401 403 404 404 404 403 404 401
POST   /live/runs/:id/stop                                       401 403 400 400 400 403 400 401
GET    /watches                                                  401 200 200 200 200 200 200 401
GET    /watches/:id                                              401 404 404 404 404 404 404 401
GET    /watches/:id/series                                       401 400 400 400 400 400 400 401
GET    /watches/:id/episodes                                     401 404 404 404 404 404 404 401
POST   /watches/check                                            401 403 400 400 400 403 400 401
POST   /watches/:id/check                                        401 403 400 400 400 403 400 401
POST   /watches/rehearsal                                        401 403 400 400 400 403 400 401
POST   /watches/messages/test                                    401 403 400 400 400 403 400 401
POST   /watches                                                  401 403 400 400 400 403 400 401
POST   /watches/:id                                              401 403 400 400 400 403 400 401
DELETE /watches/:id                                              401 403 404 404 404 403 404 401
POST   /watches/:id/pause                                        401 403 400 400 400 403 400 401
POST   /watches/:id/record                                       401 403 404 404 404 403 404 401
`;

interface Row {
  readonly method: string;
  readonly path: string;
  readonly statuses: readonly number[];
}

const ROWS: readonly Row[] = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [method = "", path = "", ...statuses] = line.split(/ +/u);
    return { method, path, statuses: statuses.map(Number) };
  });

/** Values of parameters in paths. */
const VALUES: Readonly<Record<string, string>> = {
  ":name": "blocks.arrow",
  ":table": "commits",
  ":row": "0",
  ":tag": "drill",
  ":index": "0",
  ":session": "51",
};

/** Queries of routes that refuse a request without one, by the end of the path. */
const QUERIES: Readonly<Record<string, string>> = {
  hits: "?where=commit>0",
  "hit-counts": "?where=commit>0",
  find: "?at=0",
};

/** Bodies of routes that would otherwise refuse the request too early, by method and path. */
const BODIES: Readonly<Record<string, object>> = {
  "POST /sql": { sql: "SELECT 1" },
  "POST /captures/:id/sql": { sql: "SELECT 1" },
  "POST /links/:id/sql": { sql: "SELECT 1" },
  "PATCH /captures/:id": { name: "Saturday" },
  "POST /captures/:id/tags": { tag: "drill" },
  "POST /captures/:id/notes": { fromTicks: "1", toTicks: "2", lsn: null, text: "Backup" },
  "PATCH /links/:id": { expiresInDays: 7 },
  "POST /live/runs/:id/stop-after": { minutes: 5 },
  "POST /live/runs/:id/health": { isOn: true },
};

const DEMOTED = "anns-token-as-a-viewer-20";
const TOKEN_OF: Readonly<Record<Who, string | null>> = {
  nobody: null,
  viewer: TOKENS.viewer,
  contributor: TOKENS.bob,
  outsider: TOKENS.bob,
  owner: TOKENS.ann,
  demoted: DEMOTED,
  admin: TOKENS.admin,
  link: null,
};

let service: TestService;
let server: Server;
let address: string;
/** Ann's captures, analyzed: requests that change nothing are about these. */
let shared: string;
let own: string;

beforeAll(async () => {
  const access = await tokenAccess();
  await appendFile(access.tokenFile ?? "", `\n${DEMOTED} viewer Ann`);
  service = await testService({ ...access, keepsTables: true, writesPerMinute: 2000 });
  server = createServer(service.app).listen(0, "127.0.0.1");
  await once(server, "listening");
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  [shared, own] = [await analyzed(), await analyzed()];
  await share(shared);
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await service.end();
});

function ask(token: string | null, method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${address}${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      "content-type": typeOf(method, path),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** The type of body that a route accepts; a request with another one is refused before its sender is checked. */
function typeOf(method: string, path: string): string {
  if (method === "PATCH" && path.includes("/uploads/")) return "application/offset+octet-stream";
  const isFile = path.endsWith("/files") || path === "/captures/aglens-file";
  return method === "POST" && isFile ? "application/octet-stream" : "application/json";
}

/** @returns id of a capture of Ann's with tables */
async function analyzed(): Promise<string> {
  const made = await ask(TOKENS.ann, "POST", "/samples/damaged");
  const { id } = Capture.parse(await made.json());
  // The stream ends automatically when the analysis has ended.
  await (await ask(TOKENS.ann, "GET", `/captures/${id}/progress`)).text();
  return id;
}

/** @returns id of a capture of Ann's without files, which a request may change or delete */
async function empty(): Promise<string> {
  const made = await ask(TOKENS.ann, "POST", "/captures", { name: "Friday" });
  return Capture.parse(await made.json()).id;
}

async function share(id: string): Promise<void> {
  expect((await ask(TOKENS.ann, "PATCH", `/captures/${id}`, { shared: true })).status).toBe(200);
}

/** @returns id of a link of Ann's to a capture */
async function linkTo(captureId: string, audience: Link["audience"]): Promise<string> {
  const link = { captureId, path: "/", view: "", title: "Friday", audience };
  return Link.parse(await (await ask(TOKENS.ann, "POST", "/links", link)).json()).id;
}

/** Requests that only read are about the analyzed captures; each of the others has a new one. */
async function captureFor(who: Who, { method, path }: Row): Promise<string> {
  const isShared = who === "nobody" || who === "viewer" || who === "contributor" || who === "link";
  if (method === "GET" || path.endsWith("/sql")) return isShared ? shared : own;
  const id = await empty();
  if (isShared) await share(id);
  return id;
}

/** The request of a row for one kind of person. */
async function answerTo(who: Who, row: Row): Promise<Response> {
  const { method, path } = row;
  const needsCapture = path.startsWith("/captures/:id") || path.startsWith("/links");
  const captureId = needsCapture ? await captureFor(who, row) : "x";
  const needsLink = path.startsWith("/links/") || who === "link";
  const linkId =
    needsCapture && needsLink ? await linkTo(captureId, who === "link" ? "anyone" : "signed-in") : "x";
  const id = path.startsWith("/links/") || who === "link" ? linkId : captureId;
  if (path === "/captures/:id/restore") await ask(TOKENS.ann, "DELETE", `/captures/${captureId}`);
  const named = path.replaceAll(/:\w+/gu, (name) => (name === ":id" ? id : (VALUES[name] ?? "x")));
  const query = QUERIES[path.slice(path.lastIndexOf("/") + 1)] ?? "";
  return ask(TOKEN_OF[who], method, named + query, bodyOf(row, captureId));
}

function bodyOf({ method, path }: Row, captureId: string): object | undefined {
  if (method === "GET" || method === "HEAD") return undefined;
  if (path === "/links") return { captureId, path: "/", view: "", title: "Friday" };
  return BODIES[`${method} ${path}`] ?? {};
}

/** Status of a row's request, and the code of a refusal. */
async function outcomeOf(who: Who, row: Row): Promise<{ readonly status: number; readonly code: string }> {
  const answer = await answerTo(who, row);
  const { status, headers } = answer;
  const isProblem = headers.get("content-type")?.startsWith("application/problem+json") === true;
  if (isProblem && row.method !== "HEAD") return { status, code: Problem.parse(await answer.json()).code };
  await answer.body?.cancel();
  return { status, code: "" };
}

const isOfCapture = ({ path }: Row): boolean => /^\/(?:captures\/:id|links)\b/u.test(path);

test("the table has each route of the API, and no other", () => {
  const routes = service.routes.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(ROWS.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(routes.toSorted());
  expect(ROWS.filter(({ statuses }) => statuses.length !== PEOPLE.length)).toEqual([]);
});

test.each(ROWS)("$method $path", async (row) => {
  const outcomes = await Promise.all(PEOPLE.map((who) => outcomeOf(who, row)));
  expect(outcomes.map(({ status }) => status)).toEqual(row.statuses);
  // An answer to HEAD has no body.
  if (row.method === "HEAD") return;
  for (const [at, { status, code }] of outcomes.entries()) {
    if (status === 401) expect(code).toBe("sign-in-needed");
    if (status === 403) expect(code).toBe("not-allowed");
    // A route may answer 404 for its own reasons: only people who may not see the capture get "capture-not-found".
    if (status === 404 && isOfCapture(row))
      expect(code === "capture-not-found").toBe(PEOPLE[at] === "outsider");
  }
});
