import type { AddressInfo } from "node:net";
import type { Server } from "node:http";
import request from "supertest";
import type { Progress } from "@aglens/contract";
import { afterEach, beforeEach, expect, test } from "vitest";
import { elementAt } from "../../../test/element-at.ts";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";
import { STUB_RESULT, stubAnalyzer } from "../../../test/stub-analyzer.ts";
import type { StubAnalyzer } from "../../../test/stub-analyzer.ts";
import { AnalysisError, SUMMARY_FILE } from "@aglens/engine/analysis";
import { until } from "../../../test/until.ts";

let service: TestService;
let analyzer: StubAnalyzer;
let server: Server;
let id: string;
beforeEach(async () => {
  analyzer = stubAnalyzer();
  service = await testService({}, analyzer);
  server = service.app.listen(0);
  id = (await request(server).post("/api/v1/captures").send({})).body.id;
  await request(server)
    .post(`/api/v1/captures/${id}/files?name=a.xel`)
    .type("application/octet-stream")
    .send("abc")
    .expect(201);
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await service.end();
});

const at = (path: string): string => `/api/v1/captures/${id}/${path}`;
const start = () => request(server).post(at("analysis")).expect(202);

interface News {
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** Follows the progress as a browser does; `ended` resolves when the stream has. */
async function follow(): Promise<{ news: News[]; ended: Promise<void>; leave: () => void }> {
  const { port } = server.address() as AddressInfo;
  const abort = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${port}${at("progress")}`, { signal: abort.signal });
  const news: News[] = [];
  const read = async (): Promise<void> => {
    let text = "";
    for await (const chunk of answer.body ?? []) {
      text += new TextDecoder().decode(chunk);
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const [, event = "", data = "null"] = /^event: (.*)\ndata: (.*)$/u.exec(text.slice(0, end)) ?? [];
        if (event !== "") news.push({ event, data: JSON.parse(data) as Record<string, unknown> });
        text = text.slice(end + 2);
      }
    }
  };
  const ended = read().catch(() => {});
  return { news, ended, leave: () => abort.abort() };
}

const progress = (phase: Progress["phase"]): Progress => ({
  phase,
  bytesDone: 1,
  bytesTotal: 3,
  events: 2,
  blocks: 1,
  files: [],
});

test("whoever follows gets the progress of now, what comes, and the end", async () => {
  await start();
  const analysis = elementAt(analyzer.analyses, 0);
  analysis.report(progress("join"));
  const { news, ended } = await follow();
  analysis.report(progress("align"));
  analysis.finish();
  await ended;
  expect(news.map(({ event }) => event)).toEqual(["progress", "progress", "ready"]);
  expect(news.map(({ data }) => data["phase"])).toEqual(["join", "align", undefined]);
  expect(news[2]?.data).toMatchObject({ id, state: "ready", verdict: "Commits wait for the network." });
});

test("the news that a capture is analyzed brings its summary, which a page asks next", async () => {
  await start();
  const { news, ended } = await follow();
  elementAt(analyzer.analyses, 0).finish();
  await ended;
  const { body: summary } = await request(server).get(at("summary")).expect(200);
  expect(news.at(-1)).toMatchObject({ event: "ready", data: { id, state: "ready", summary } });
});

test("where the summary cannot be read the news comes without it", async () => {
  await start();
  const { news, ended } = await follow();
  const unreadable = new TextEncoder().encode("no JSON");
  elementAt(analyzer.analyses, 0).finish({ files: { ...STUB_RESULT.files, [SUMMARY_FILE]: unreadable } });
  await ended;
  expect(news.at(-1)).toMatchObject({ event: "ready", data: { id, state: "ready" } });
  expect(news.at(-1)?.data).not.toHaveProperty("summary");
});

test("an analysis that waits for others shows its place and why, until it runs", async () => {
  await start();
  const analysis = elementAt(analyzer.analyses, 0);
  const waiting = { place: 2, reason: "2 analyses run." };
  analysis.wait(waiting);
  const { body } = await request(server).get(`/api/v1/captures/${id}`).expect(200);
  expect(body).toMatchObject({ state: "analysing", progress: { phase: "waiting", waiting } });
  const { news, ended } = await follow();
  analysis.wait(null);
  analysis.finish();
  await ended;
  expect(news.map(({ data }) => [data["phase"], data["waiting"]])).toEqual([
    ["waiting", waiting],
    ["decode", undefined],
    [undefined, undefined],
  ]);
});

test("a failure is the end too", async () => {
  await start();
  const { news, ended } = await follow();
  elementAt(analyzer.analyses, 0).fail(
    new AnalysisError("no-primary", "There is no primary among the files."),
  );
  await ended;
  expect(news.at(-1)).toMatchObject({
    event: "failed",
    data: { code: "analysis-failed", detail: "There is no primary among the files." },
  });
});

test("of a capture that is done, or has failed, the end comes at once", async () => {
  await start();
  elementAt(analyzer.analyses, 0).finish();
  await until(async () => (await service.captures.get(id)).state === "ready");
  const done = await follow();
  await done.ended;
  expect(done.news).toMatchObject([{ event: "ready", data: { id } }]);
  await start();
  elementAt(analyzer.analyses, 1).fail(new Error("x"));
  await until(async () => (await service.captures.get(id)).state === "failed");
  const failed = await follow();
  await failed.ended;
  expect(failed.news).toMatchObject([{ event: "failed", data: { code: "analysis-failed" } }]);
});

test("one can follow before it is started, and leave before it ends", async () => {
  const { news, leave, ended } = await follow();
  expect(news).toEqual([]);
  await start();
  elementAt(analyzer.analyses, 0).report(progress("join"));
  await until(() => news.length === 1);
  leave();
  await ended;
  elementAt(analyzer.analyses, 0).finish();
  await until(async () => (await service.captures.get(id)).state === "ready");
  expect(news).toHaveLength(1);
});

test("an unknown capture has neither progress nor a picture", async () => {
  for (const path of ["progress", "preview"]) {
    await request(server).get(`/api/v1/captures/nothing/${path}`).expect(404);
  }
  await request(server).post("/api/v1/captures/nothing/analysis").expect(404);
  await request(server).delete("/api/v1/captures/nothing/analysis").expect(404);
});

test("the first picture comes while the analysis runs", async () => {
  await request(server).get(at("preview")).expect(409);
  await start();
  await request(server).get(at("preview")).expect(409);
  elementAt(analyzer.analyses, 0).preview(new Uint8Array([7, 8]));
  const { body, type } = await request(server).get(at("preview")).responseType("blob").expect(200);
  expect(type).toBe("application/vnd.apache.arrow.stream");
  expect([...(body as Buffer)]).toEqual([7, 8]);
});
