import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import request from "supertest";
import { Watch, WatchEpisodes, WatchMessageTested } from "@aglens/contract";
import { TestClock } from "@aglens/fixtures/clock";
import { startGroup } from "@aglens/fixtures/replica-standin";
import { expect, test } from "vitest";
import { attach } from "../../../test/live-run.ts";
import { testService } from "../../../test/service.ts";
import { until } from "../../../test/until.ts";
import { definitionOf } from "../../../test/watch.ts";
import { hookServer } from "../../../test/watch-message.ts";

const PATIENCE = { connectMs: 5_000, queryMs: 5_000, pollMs: 500, cancelMs: 200 };
const LOGIN = { kind: "sql", user: "lens_of_watch", password: "Tr0ub4dor&3-never-told" } as const;

test("a recording is told when it starts, and when it has a verdict, without logins and addresses", async () => {
  await using hook = await hookServer();
  const clock = new TestClock();
  const dataDirectory = await mkdtemp(join(tmpdir(), "aglens-told-"));
  const watchFile = join(dataDirectory, "watch.json");
  const receivers = { tickets: { kind: "webhook", url: { value: hook.url } } };
  const writeLogins = (logins: object): Promise<void> =>
    writeFile(watchFile, JSON.stringify({ logins, receivers }));
  await writeLogins({ sales: { ...LOGIN, password: { value: LOGIN.password } } });
  const group = await startGroup({ blocksPerSecond: 20, dispatchMs: 250, clock, login: LOGIN });
  const service = await testService(
    { dataDirectory, watchFile, publicUrl: "https://aglens.example.com", liveHosts: "127.0.0.1" },
    undefined,
    { clock, patience: PATIENCE },
  );
  const post = async (path: string, body: object): Promise<unknown> =>
    (await request(service.app).post(`/api/v1/watches${path}`).send(body)).body;
  const get = async (path: string): Promise<unknown> =>
    (await request(service.app).get(`/api/v1/watches${path}`)).body;
  const passUntil = (is: () => boolean | Promise<boolean>): Promise<void> =>
    until(async () => {
      await clock.pass(250, 50);
      return is();
    });
  try {
    const usual = definitionOf(group.replicas.map((replica) => attach(replica).server));
    const definition = {
      ...usual,
      group: "TestAG",
      receivers: ["tickets"],
      recording: { ...usual.recording, quietSeconds: 10, mostSeconds: 15, holdOffSeconds: 0 },
    };
    const { id } = Watch.parse(await post("", definition));
    await passUntil(async () =>
      Watch.parse(await get(`/${id}`)).replicas.every(({ polled }) => polled !== null),
    );
    await post(`/${id}/record`, { rule: "hand" });
    const stepsOf = async (): Promise<string[]> =>
      WatchEpisodes.parse(await get(`/${id}/episodes`)).episodes.flatMap(({ steps }) =>
        steps.map(({ text }) => text),
      );
    await passUntil(async () => (await stepsOf()).includes('End message sent to webhook "tickets".'));
    expect(await stepsOf()).toContain('Start message sent to webhook "tickets".');

    const bodies = new Map(
      hook.requests.map(({ body }) => {
        const told = JSON.parse(body);
        return [told.kind as string, told] as const;
      }),
    );
    expect([...bodies.keys()]).toEqual(["start", "end"]);
    expect(bodies.get("start")).toMatchObject({
      subject: "TestAG: recording started by a user",
      episode: { recordedOn: ["SQL1", "SQL2"], results: null },
    });
    const end = bodies.get("end");
    const { captureId, verdict } = end.episode;
    expect(verdict).toEqual(expect.any(String));
    expect(end.text).toContain(verdict);
    expect(end.links[0].url).toBe(`https://aglens.example.com/captures/${captureId}?from=watch`);
    expect(end.episode.results).toMatchObject({ checkNext: expect.any(Array) });
    expect(Buffer.from(end.picture.base64, "base64").subarray(1, 4).toString()).toBe("PNG");
    expect(end.picture.alt).toBe(verdict);
    // The login is no longer in the file: the next recording can't begin.
    await writeLogins({});
    await post(`/${id}/record`, { rule: "hand" });
    await passUntil(() => hook.requests.length > 2);
    const refused = JSON.parse(hook.requests[2]?.body ?? "");
    expect(refused).toMatchObject({ kind: "refused", episode: { refusal: null } });
    expect(refused.text).toContain("Not recorded: the page of the watch shows the reason.");
    const [{ refusal } = { refusal: "" }] = WatchEpisodes.parse(await get(`/${id}/episodes`)).episodes;
    expect(refusal).toBe('The file of AGLENS_WATCH_FILE has no login "sales".');
    const all = hook.requests.map(({ body }) => body.replace(/"base64":"[^"]*"/u, "")).join("\n");
    expect(all).not.toContain(LOGIN.user);
    expect(all).not.toContain("AGLENS_WATCH_FILE");
    expect(all).not.toContain(LOGIN.password);
    for (const { port } of usual.replicas.map(({ server }) => server)) expect(all).not.toContain(`:${port}`);

    const tested = post("/messages/test", { receiver: "tickets" });
    expect(WatchMessageTested.parse(await tested)).toEqual({
      isAccepted: true,
      text: "Accepted in 0.0\u00A0s.",
    });
  } finally {
    await clock.during(service.end());
    await group.close();
    await rm(dataDirectory, { recursive: true, force: true });
  }
}, 120_000);
