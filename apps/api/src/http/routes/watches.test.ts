import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import request from "supertest";
import { Watch, WatchDefinition, WatchEpisodes, Watches } from "@aglens/contract";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { as, TOKENS, tokenAccess } from "../../../test/access.ts";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";
import { stubAnalyzer } from "../../../test/stub-analyzer.ts";
import { until } from "../../../test/until.ts";
import { definitionOf } from "../../../test/watch.ts";

const SECRETS = {
  logins: { sales: { kind: "sql", user: "aglens_watch", password: { value: "correct horse" } } },
  receivers: {
    "DBA alerts": { kind: "teams", url: { value: "https://teams.example/hook?secret" } },
    "on call": { kind: "email", to: ["dba@example.com"] },
  },
};
/** Nothing listens there. */
const SQL1 = { host: "127.0.0.1", port: 9 };
const definition = (more: Partial<WatchDefinition> = {}): WatchDefinition => definitionOf([SQL1], more);

let service: TestService;
let watchFile: string;
beforeEach(async () => {
  watchFile = join(await mkdtemp(join(tmpdir(), "aglens-watches-")), "watch.json");
  await writeFile(watchFile, JSON.stringify(SECRETS));
});
afterEach(() => service.end());

const open = async (changes: object = {}): Promise<void> => {
  service = await testService({ watchFile, liveHosts: "127.0.0.1", ...changes }, stubAnalyzer());
};
const post = (path: string, body: object) => request(service.app).post(`/api/v1/watches${path}`).send(body);
const made = async (body: object = definition()): Promise<Watch> =>
  Watch.parse((await post("", body).expect(201)).body);

describe("a watch", () => {
  beforeEach(() => open());

  test("is there after it was made, changed, paused, and not after it was deleted", async () => {
    const { id, state, mayChange } = await made();
    expect([state, mayChange]).not.toEqual(["paused", true]);
    await post(`/${id}`, definition({ group: "CRM-AG" })).expect(200);
    await post(`/${id}/pause`, { isPaused: true }).expect(200);
    const list = Watches.parse((await request(service.app).get("/api/v1/watches").expect(200)).body);
    expect(list.watches).toMatchObject([
      { id, state: "paused", definition: { group: "CRM-AG", login: "sales" } },
    ]);
    await request(service.app).delete(`/api/v1/watches/${id}`).expect(204);
    await request(service.app).get(`/api/v1/watches/${id}`).expect(404);
  });

  test.each([
    ["a login", { login: "crm" }, 'The file of AGLENS_WATCH_FILE has no login "crm".'],
    ["a receiver", { receivers: ["#dba"] }, 'The file of AGLENS_WATCH_FILE has no receiver "#dba".'],
  ])("is refused without %s in the file", async (_what, more, detail) => {
    const { body } = await post("", definition(more)).expect(422);
    expect(body).toMatchObject({ code: "watch-refused", detail });
  });

  test("connects to allowed hosts only", async () => {
    const { body } = await post("", definitionOf([{ host: "sql9" }])).expect(403);
    expect(body.code).toBe("live-not-allowed");
    const check = await post("/check", { server: { host: "sql9" }, login: "sales" }).expect(403);
    expect(check.body.code).toBe("live-not-allowed");
  });

  test("is one of at most 50", async () => {
    for (let count = 0; count < 50; count++) await made();
    const { body } = await post("", definition()).expect(409);
    expect(body.code).toBe("too-many-watches");
  });

  test("begins no recording by HTTP where its trigger is off", async () => {
    const { id } = await made();
    const { body } = await post(`/${id}/record`, { rule: "http" }).expect(422);
    expect(body.detail).toBe("The watch of SALES-AG does not record by HTTP. Switch the trigger on.");
  });
});

test("a check of a server without an answer says why, without the password", async () => {
  await open();
  const { body, text } = await post("/check", { server: SQL1, login: "sales" }).expect(200);
  expect(body).toMatchObject({ maySignIn: false, mayWatch: false, mayRecord: false, answer: null });
  expect(body.problem.code).toBe("live-unreachable");
  expect(text).not.toContain("correct horse");
});

test("without the file, the list says what to do", async () => {
  await open({ watchFile: null });
  const { body } = await request(service.app).get("/api/v1/watches").expect(200);
  expect(body).toEqual({
    watches: [],
    logins: [],
    receivers: [],
    problem: "AGLENS_WATCH_FILE is not set. It names the file with the logins of watches.",
  });
  await post("", definition()).expect(422);
});

describe("people", () => {
  beforeEach(async () => open(await tokenAccess()));
  const list = async (token: string): Promise<Watches> =>
    Watches.parse((await as(service, token).get("/watches").expect(200)).body);

  test("see names by their role: an admin also addresses without secrets, a viewer no name of a login", async () => {
    await as(service, TOKENS.ann)
      .post("/watches")
      .send(definition({ receivers: ["on call"] }))
      .expect(201);
    expect((await list(TOKENS.admin)).receivers).toEqual([
      { name: "DBA alerts", kind: "teams", shown: "teams.example" },
      { name: "on call", kind: "email", shown: "dba@example.com" },
    ]);
    const contributor = await list(TOKENS.bob);
    expect(contributor.receivers.map(({ shown }) => shown)).toEqual(["", ""]);
    expect(contributor.logins).toEqual(["sales"]);
    const viewer = await list(TOKENS.viewer);
    expect(viewer).toMatchObject({ logins: [], receivers: [] });
    expect(viewer.watches[0]).toMatchObject({ mayChange: false, definition: { login: "", receivers: [] } });
  });

  test("see reasons of failures by their role: a viewer no name of a login, a file, or a receiver", async () => {
    const { body } = await as(service, TOKENS.ann)
      .post("/watches")
      .send(definition({ receivers: ["on call"] }))
      .expect(201);
    await writeFile(watchFile, JSON.stringify({ ...SECRETS, logins: {} }));
    await as(service, TOKENS.ann).post(`/watches/${body.id}/record`).send({}).expect(201);
    const replicaFor = async (token: string) => (await list(token)).watches[0]?.replicas[0]?.problem;
    await until(async () => (await replicaFor(TOKENS.bob))?.code === "watch-file");
    expect((await replicaFor(TOKENS.bob))?.detail).toContain('no login "sales"');
    expect((await replicaFor(TOKENS.viewer))?.detail).toBe("The login for 127.0.0.1:9 can't be read.");
    const episodesFor = async (token: string) =>
      WatchEpisodes.parse((await as(service, token).get(`/watches/${body.id}/episodes`).expect(200)).body)
        .episodes;
    // The message to the receiver fails too: the file has no mail server.
    await until(async () => (await episodesFor(TOKENS.bob))[0]?.steps.length === 3);
    expect(JSON.stringify(await episodesFor(TOKENS.bob))).toMatch(/no login .*on call/u);
    const [episode] = await episodesFor(TOKENS.viewer);
    expect(episode).toMatchObject({ state: "refused", refusal: "Contributors and admins see the reason." });
    expect(episode?.steps.map(({ text }) => text)).toEqual([
      "Trigger: Begun by hand",
      "Contributors and admins see the reason.",
      "Contributors and admins see the reason.",
    ]);
    const { lastEpisode } = (await list(TOKENS.viewer)).watches[0] ?? {};
    expect(lastEpisode).toEqual(episode);
  });

  test("change their own watches; an admin changes all; the audit log has it", async () => {
    const { body } = await as(service, TOKENS.ann).post("/watches").send(definition()).expect(201);
    const path = `/watches/${body.id}/pause`;
    const refused = await as(service, TOKENS.bob).post(path).send({ isPaused: true }).expect(403);
    expect(refused.body.detail).toBe("Only Ann or an admin can change this watch.");
    await as(service, TOKENS.ann).post(path).send({ isPaused: true }).expect(200);
    const paused = await as(service, TOKENS.bob).get(`/watches/${body.id}`).expect(200);
    expect(paused.body).toMatchObject({ state: "paused", pausedBy: "Ann", mayChange: false });
    await as(service, TOKENS.admin).delete(`/watches/${body.id}`).expect(204);
    const audit = await as(service, TOKENS.admin).get("/access/audit?q=SALES-AG").expect(200);
    expect(audit.body.entries.map(({ action }: { action: string }) => action)).toEqual([
      "deleted the watch of",
      "paused the watch of",
      "created a watch of",
    ]);
  });
});
