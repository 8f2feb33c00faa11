/**
 * Every documented operation, requested from a running server: the answer has the documented form, and no other fields.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestClock } from "@aglens/fixtures/clock";
import { startStandIn } from "@aglens/fixtures/replica-standin";
import type { StandIn } from "@aglens/fixtures/replica-standin";
import { Problem, Progress, ReadyCapture } from "@aglens/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TOKENS, tokenAccess } from "../../test/access.ts";
import { elementAt } from "../../test/element-at.ts";
import { attach } from "../../test/live-run.ts";
import { testService } from "../../test/service.ts";
import type { TestService } from "../../test/service.ts";
import { stubDirectory } from "../../test/stub-directory.ts";
import { definitionOf } from "../../test/watch.ts";
import { workerAnalyzer } from "../captures/analysis/analyzer.ts";
import { CONTROL_HEADER } from "./routes/live.ts";
import { MEDIA } from "./route.ts";
import type { Route } from "./route.ts";

type Json = Record<string, unknown>;

const SAMPLE = "damaged";
const directory = stubDirectory();
const clock = new TestClock();
const asked = new Set<string>();
let service: TestService;
let server: Server;
let standIns: StandIn[];

beforeAll(async () => {
  standIns = [await startStandIn({ clock, name: "SQL1" }), await startStandIn({ clock, name: "SQL2" })];
  service = await testService(
    {
      ...(await tokenAccess()),
      watchFile: await watchFileOf(elementAt(standIns, 0)),
      oidcIssuer: directory.issuer,
      oidcClient: "aglens",
      publicUrl: "http://localhost",
      viewers: ["*"],
      keepsTables: true,
    },
    workerAnalyzer(),
    { clock, directoryFetch: directory.fetch },
  );
  server = createServer(service.app).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await clock.during(service.end());
  for (const standIn of standIns) await standIn.close();
});

async function watchFileOf({ user, password }: StandIn): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), "aglens-watches-")), "watch.json");
  const receivers = { "on call": { kind: "email", to: ["dba@example.com"] } };
  const sales = { kind: "sql", user, password: { value: password } };
  await writeFile(path, JSON.stringify({ logins: { sales }, receivers }));
  return path;
}

interface Asking {
  /** JSON, or bytes. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether a problem is an answer too, because the answer depends on the progress of the stand-in. */
  readonly mayRefuse?: boolean;
}

/**
 * Requests an operation, by its method and pattern, at a path; compares status, media type and body with the document.
 */
async function ask(
  name: string,
  path: string,
  { body, headers, mayRefuse = false }: Asking = {},
): Promise<Response> {
  const operation = service.routes.find(({ method, path }) => `${method} ${path}` === name);
  if (operation === undefined) throw new Error(`${name} is not documented.`);
  asked.add(name);
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method: operation.method.toUpperCase(),
    redirect: "manual",
    headers: {
      authorization: `Bearer ${TOKENS.admin}`,
      ...(body !== undefined && !(body instanceof Buffer) && { "content-type": "application/json" }),
      ...(body instanceof Buffer && {
        "content-type":
          operation.body === "part" ? "application/offset+octet-stream" : "application/octet-stream",
      }),
      ...headers,
    },
    ...(body !== undefined && {
      body: body instanceof Buffer ? new Blob([new Uint8Array(body)]) : JSON.stringify(body),
    }),
  });
  if (mayRefuse && !answer.ok) await expectProblem(name, answer);
  else await expectDocumented(name, operation, answer);
  return answer;
}

async function expectProblem(name: string, answer: Response): Promise<void> {
  expect([name, answer.headers.get("content-type")]).toEqual([
    name,
    "application/problem+json; charset=utf-8",
  ]);
  const body: unknown = await answer.clone().json();
  expect(Problem.parse(body)).toEqual(body);
}

async function expectDocumented(
  name: string,
  { status, answer: kind }: Route,
  answer: Response,
): Promise<void> {
  expect
    .soft([name, answer.status, answer.status === status ? "" : await answer.clone().text()])
    .toEqual([name, status, ""]);
  const type = answer.headers.get("content-type")?.split(";", 1)[0] ?? null;
  if (kind === null) return;
  if (typeof kind === "string") {
    expect([name, type]).toEqual([name, MEDIA[kind]]);
    return;
  }
  const body: unknown = await answer.clone().json();
  // Parsing removes fields that the schema does not name: equal means that the answer has no undocumented field.
  expect.soft([name, kind.parse(body)]).toEqual([name, body]);
}

const json = async (answer: Promise<Response>): Promise<Json> => (await (await answer).json()) as Json;
const cookieIn = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");

async function askAccess(): Promise<void> {
  await ask("get /health", "/health");
  await ask("get /openapi.json", "/openapi.json");
  await ask("get /access", "/access");
  const signedIn = await ask("post /access/token", "/access/token", { body: { token: TOKENS.ann } });
  await ask("delete /access/session", "/access/session", {
    headers: { cookie: cookieIn(signedIn), origin: origin() },
  });
  const begun = await ask("get /access/directory", "/access/directory?returnTo=/live");
  const back = directory.signIn(begun.headers.get("location") ?? "", { sub: "s1", name: "Ann" });
  await ask("get /access/directory/answer", `/access/directory/answer${back}`, {
    headers: { cookie: cookieIn(begun) },
  });
  await ask("get /access/audit", "/access/audit?q=ann");
  await ask("get /access/audit.csv", "/access/audit.csv");
}

const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function askCaptures(): Promise<void> {
  const { id } = await json(ask("post /captures", "/captures", { body: { name: "Night" } }));
  const folder = join(service.config.samplesDirectory, SAMPLE, "primary");
  const bytes = await readFile(join(folder, elementAt(await readdir(folder), 0)));
  const at = `/captures/${String(id)}`;
  const added = await json(ask("post /captures/:id/files", `${at}/files?name=a.xel`, { body: bytes }));
  const fileId = String(elementAt(added["files"] as Json[], 0)["id"]);
  await ask("patch /captures/:id/files/:fileId", `${at}/files/${fileId}`, { body: { replica: "SQL1" } });
  await askUploads(at);
  await ask("get /captures", "/captures");
  await ask("get /library", "/library");
  await ask("get /fleet", "/fleet");
  await ask("get /status", "/status");
  await ask("get /captures/:id", at);
  await ask("patch /captures/:id", at, { body: { name: "Friday" } });
  await ask("post /captures/:id/tags", `${at}/tags`, { body: { tag: "Nightly" } });
  await ask("delete /captures/:id/tags/:tag", `${at}/tags/nightly`);
  await ask("post /captures/:id/parts", `${at}/parts`);
  await ask("post /captures/:id/analysis", `${at}/analysis`);
  await ask("delete /captures/:id/analysis", `${at}/analysis`);
  await ask("delete /captures/:id/files/:fileId", `${at}/files/${fileId}`);
  await ask("delete /captures/:id", at);
  await ask("get /trash", "/trash");
  await ask("post /captures/:id/restore", `${at}/restore`);
  await ask("delete /captures/:id", at);
  await ask("delete /trash", "/trash");
  await ask("get /lost-captures", "/lost-captures");
  await ask("post /lost-captures/:id/restore", "/lost-captures/none/restore", { mayRefuse: true });
  await ask("delete /lost-captures/:id", "/lost-captures/none", { mayRefuse: true });
}

async function askUploads(at: string): Promise<void> {
  const tus = { "tus-resumable": "1.0.0" };
  const begin = (name: string): Promise<Response> =>
    ask("post /captures/:id/uploads", `${at}/uploads`, {
      headers: { ...tus, "upload-length": "3", "upload-metadata": `filename ${btoa(name)}` },
    });
  const pathOf = (answer: Response): string => (answer.headers.get("location") ?? "").replace("/api/v1", "");
  const upload = pathOf(await begin("b.xel"));
  const headers = { ...tus, "upload-offset": "0" };
  await ask("get /uploads", "/uploads");
  await ask("head /captures/:id/uploads/:uploadId", upload, { headers: tus });
  await ask("patch /captures/:id/uploads/:uploadId", upload, { headers, body: Buffer.from("abc") });
  await ask("get /captures/:id/uploads/:uploadId", upload);
  await ask("delete /captures/:id/uploads/:uploadId", pathOf(await begin("c.xel")), { headers: tus });
}

async function askAnswers(): Promise<void> {
  await ask("get /samples", "/samples");
  const { id } = await json(ask("post /samples/:name", `/samples/${SAMPLE}`));
  const at = `/captures/${String(id)}`;
  // The stream ends with the analysis.
  const news = await (await ask("get /captures/:id/progress", `${at}/progress`)).text();
  for (const [, event = "", data = ""] of news.matchAll(/^event: (\w+)\ndata: (.*)$/gmu)) {
    const sent: unknown = JSON.parse(data);
    const schema = event === "progress" ? Progress : event === "ready" ? ReadyCapture : Problem;
    expect(schema.parse(sent)).toEqual(sent);
  }
  expect(news).toContain("event: ready");
  await ask("get /captures/:id/preview", `${at}/preview`);
  await ask("get /captures/:id/tables/:name", `${at}/tables/blocks.arrow`);
  await ask("get /captures/:id/export/csv/:table", `${at}/export/csv/blocks?from=0&to=1e6`);
  await ask("get /captures/:id/export/arrow/:table", `${at}/export/arrow/hops?from=0&to=1e6`);
  await ask("get /captures/:id/export/parquet/:table", `${at}/export/parquet/hops?from=0&to=1e6`);
  await ask("get /captures/:id/export/perfetto", `${at}/export/perfetto?from=0&to=1e6`);
  const saved = await ask("get /captures/:id/aglens-file", `${at}/aglens-file`);
  await ask("post /captures/aglens-file", "/captures/aglens-file", {
    body: Buffer.from(await saved.arrayBuffer()),
  });
  await askQuestions("/captures/:id", at);
  await service.dataset.whenWritten(String(id));
  await askSql("", "");
  await askSql("/captures/:id", at);
  await askLink(String(id));
}

async function askSql(pattern: string, at: string): Promise<void> {
  await ask(`get ${pattern}/sql/tables`, `${at}/sql/tables`);
  await ask(`post ${pattern}/sql`, `${at}/sql`, {
    body: { sql: "SELECT utc, block, lsn, vlf_start FROM blocks" },
  });
}

/** The questions about an analysis, of a capture or of a link's capture. */
async function askQuestions(pattern: string, at: string): Promise<void> {
  await ask(`get ${pattern}/summary`, `${at}/summary`);
  await ask(`get ${pattern}/markers`, `${at}/markers`);
  await ask(`get ${pattern}/waiting`, `${at}/waiting`);
  await ask(`get ${pattern}/distribution`, `${at}/distribution?otherFrom=0&otherTo=1e6&stage=localFlush`);
  await ask(`get ${pattern}/spread`, `${at}/spread?from=0&to=1e6`);
  await ask(`get ${pattern}/who-waited`, `${at}/who-waited?by=session`);
  await ask(`get ${pattern}/slow-commits`, `${at}/slow-commits?order=wokenAfter&limit=3`);
  await ask(`get ${pattern}/releases`, `${at}/releases?bins=3`);
  await ask(`get ${pattern}/replicas`, `${at}/replicas?bins=3&columns=5`);
  await ask(`get ${pattern}/event-density`, `${at}/event-density?bins=3`);
  await ask(`get ${pattern}/raw-events`, `${at}/raw-events?read=20&replica=0&name=log_flush_start`);
  await ask(`get ${pattern}/slowest`, `${at}/slowest`);
  await ask(`get ${pattern}/statistics`, `${at}/statistics?from=0&to=1e6`);
  await ask(`get ${pattern}/scope`, `${at}/scope?database=0`);
  await ask(`get ${pattern}/overview`, `${at}/overview?bins=10`);
  await ask(`get ${pattern}/window`, `${at}/window?from=0&to=1e6&limit=10&bins=10`);
  await ask(`get ${pattern}/commits`, `${at}/commits?from=0&to=1e6`);
  await ask(`get ${pattern}/hits`, `${at}/hits?where=commit>0`);
  await ask(`get ${pattern}/hit-counts`, `${at}/hit-counts?where=commit>0&where=gate=local`);
  await ask(`get ${pattern}/find`, `${at}/find?at=1e6`);
  await ask(`get ${pattern}/what-if`, `${at}/what-if`);
  await ask(`get ${pattern}/evidence`, `${at}/evidence`);
  await ask(`get ${pattern}/evidence/samples`, `${at}/evidence/samples?bins=3&metric=0&metric=1`);
  await ask(`get ${pattern}/blocks/:row`, `${at}/blocks/0`);
}

async function askLink(captureId: string): Promise<void> {
  const passphrase = "a passphrase of some length";
  const body = { captureId, path: "/timeline", view: "v=1", title: "Slow", expiresInDays: 1 };
  const { id: open } = await json(ask("post /links", "/links", { body }));
  const { id: locked } = await json(ask("post /links", "/links", { body: { ...body, passphrase } }));
  const at = `/links/${String(open)}`;
  await ask("get /captures/:id/links", `/captures/${captureId}/links`);
  await ask("get /links/:id", at);
  await ask("get /links/:id/picture.png", `${at}/picture.png`);
  await askNotes(`/captures/${captureId}/notes`);
  await ask("get /links/:id/notes", `${at}/notes`);
  await askQuestions("/links/:id", at);
  await askSql("/links/:id", at);
  await ask("post /links/:id/passphrase", `/links/${String(locked)}/passphrase`, { body: { passphrase } });
  await ask("patch /links/:id", at, { body: { expiresInDays: 7 } });
  await ask("delete /links/:id", at);
}

async function askNotes(at: string): Promise<void> {
  const body = { fromTicks: "131069746000000000", toTicks: "131069746000000010", lsn: null, text: "Backup" };
  const { id } = await json(ask("post /captures/:id/notes", at, { body }));
  const one = `${at}/${String(id)}`;
  await ask("patch /captures/:id/notes/:noteId", one, { body: { text: "Log backup" } });
  await ask("delete /captures/:id/notes/:noteId", one);
  await ask("post /captures/:id/notes/:noteId/restore", `${one}/restore`);
  await ask("get /captures/:id/notes", at);
}

async function askLive(): Promise<void> {
  const [first, second] = standIns.map((standIn) => ({ ...attach(standIn), everyDatabase: true }));
  await ask("get /live/allowance", "/live/allowance");
  await ask("get /live/leftovers", "/live/leftovers");
  await ask("delete /live/leftovers/:id", "/live/leftovers/none");
  await ask("post /live/checks", "/live/checks", { body: { ...first } });
  const contact = await ask("post /live/first-contacts", "/live/first-contacts", { body: { ...first } });
  await contact.text();
  await ask("post /live/leftovers/removal", "/live/leftovers/removal", {
    body: { ...first, names: ["aglens_web01_20261121T0244Z_7f3a"] },
  });
  const { id, control } = await json(ask("post /live/runs", "/live/runs", { body: { replicas: [first] } }));
  const at = `/live/runs/${String(id)}`;
  const headers = { [CONTROL_HEADER]: String(control) };
  await ask("get /live/runs/:id", at);
  const events = await ask("get /live/runs/:id/events", `${at}/events`);
  await events.body?.cancel();
  await ask("post /live/runs/:id/presence", `${at}/presence`, { headers });
  await ask("post /live/runs/:id/marks", `${at}/marks`, { headers, body: { label: "here" } });
  await ask("post /live/runs/:id/stop-after", `${at}/stop-after`, { headers, body: { minutes: 5 } });
  await ask("post /live/runs/:id/health", `${at}/health`, { headers, body: { isOn: true } });
  await ask("post /live/runs/:id/replicas", `${at}/replicas`, { headers, body: { ...second } });
  const replica = `${at}/replicas/0`;
  await ask("post /live/runs/:id/replicas/:index/retry", `${replica}/retry`, { headers });
  // The clock of the test does not move, so no more data arrives over the sockets.
  await ask("get /live/runs/:id/replicas/:index/sessions/:session", `${replica}/sessions/51`, {
    headers,
    mayRefuse: true,
  });
  await ask("post /live/runs/:id/captures", `${at}/captures`, {
    headers,
    body: { minutes: 1 },
    mayRefuse: true,
  });
  await clock.during(ask("post /live/runs/:id/stop", `${at}/stop`, { headers, body: { keep: false } }));
}

async function askWatches(): Promise<void> {
  const { server } = attach(elementAt(standIns, 0));
  const body = definitionOf([server]);
  const { id } = await json(ask("post /watches", "/watches", { body }));
  const at = `/watches/${String(id)}`;
  await ask("get /watches", "/watches");
  await ask("get /watches/:id", at);
  await ask("post /watches/:id", at, { body });
  await ask("get /watches/:id/series", `${at}/series?from=0&to=60000&bins=2`);
  await ask("get /watches/:id/episodes", `${at}/episodes`);
  await ask("post /watches/check", "/watches/check", { body: { server, login: "sales" } });
  await ask("post /watches/:id/check", `${at}/check`, { body: { replica: 0 } });
  await ask("post /watches/rehearsal", "/watches/rehearsal", { body: { definition: body, watch: id } });
  await ask("post /watches/messages/test", "/watches/messages/test", { body: { receiver: "on call" } });
  await ask("post /watches/:id/record", `${at}/record`, { body: {} });
  await ask("post /watches/:id/pause", `${at}/pause`, { body: { isPaused: true } });
  await ask("delete /watches/:id", at);
}

test("answers are as documented, each operation has been asked, and the document needs no account", async () => {
  await askAccess();
  await askCaptures();
  await askAnswers();
  await askLive();
  await askWatches();
  const documented = service.routes.map(({ method, path }) => `${method} ${path}`);
  expect(documented.filter((name) => !asked.has(name))).toEqual([]);
  const served = await fetch(`${origin()}/api/openapi.json`);
  expect(Object.keys(((await served.json()) as { paths: object }).paths)).toContain("/captures/{id}/window");
});
