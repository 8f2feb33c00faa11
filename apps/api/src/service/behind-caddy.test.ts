/** docs/deploy/Caddyfile as Caddy reads it, in front of two servers of this build. */
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Capture, LiveRunCreated } from "@aglens/contract";
import { startGroup } from "@aglens/fixtures/replica-standin";
import type { StandInGroup } from "@aglens/fixtures/replica-standin";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CADDY_PROGRAM, startCaddy } from "../../test/caddy.ts";
import type { TestCaddy } from "../../test/caddy.ts";
import { attach } from "../../test/live-run.ts";
import { POSTGRES_PROGRAMS, startPostgres } from "../../test/postgres.ts";
import type { TestPostgres } from "../../test/postgres.ts";
import { skipsWithout } from "../../test/programs.ts";
import { S3_PROGRAM } from "../../test/s3.ts";
import { analyzedCapture, askAt, CAPTURE, sentCapture, sentInParts } from "../../test/sent-capture.ts";
import type { Ask } from "../../test/sent-capture.ts";
import { NAMES, twoProcesses } from "../../test/two-processes.ts";
import type { Name, TwoProcesses } from "../../test/two-processes.ts";

/** A proxy brings the network to them: people sign in. */
const TOKEN = "behind-caddy-behind-caddy";
const SIGNED_IN = { authorization: `Bearer ${TOKEN}` };

describe.skipIf(skipsWithout(POSTGRES_PROGRAMS, S3_PROGRAM, CADDY_PROGRAM))(
  "behind Caddy two servers, with caddy, PostgreSQL's programs and an S3 server (npm run s3-server):",
  () => {
    let postgres: TestPostgres;
    let servers: TwoProcesses;
    let caddy: TestCaddy;
    let group: StandInGroup;
    let ask: Ask;
    let folder: string;
    beforeAll(async () => {
      postgres = await startPostgres(POSTGRES_PROGRAMS);
      folder = await mkdtemp(join(tmpdir(), "aglens-caddy-"));
      const tokenFile = join(folder, "tokens");
      await writeFile(tokenFile, TOKEN);
      servers = await twoProcesses(await postgres.newPlace(), {
        AGLENS_TRUSTED_PROXIES: "127.0.0.1",
        AGLENS_TOKEN_FILE: tokenFile,
        AGLENS_LIVE_HOSTS: "127.0.0.1",
        AGLENS_LEAVE_SECONDS: "",
      });
      caddy = await startCaddy(CADDY_PROGRAM, servers.ports);
      group = await startGroup({ blocksPerSecond: 20, dispatchMs: 250 });
      const askAnyone = askAt(caddy.address);
      ask = (method, path, body, headers) => askAnyone(method, path, body, { ...SIGNED_IN, ...headers });
    });
    afterAll(async () => {
      await caddy.end();
      await servers.end();
      await group.close();
      await postgres.end();
      await rm(folder, { recursive: true });
    });

    /** A live run, on the server that the proxy chose. */
    async function attached(): Promise<{
      readonly path: string;
      readonly control: Readonly<Record<string, string>>;
      readonly at: Name;
    }> {
      const replicas = group.replicas.map((replica) => attach(replica));
      const made = await ask("POST", "/api/v1/live/runs", { title: "Tonight", replicas });
      expect(made.status).toBe(201);
      const { id, control } = LiveRunCreated.parse(await made.json());
      const at = NAMES.find((name) => id.startsWith(`${name}~`));
      if (at === undefined) throw new Error(`${id} names no server.`);
      return { path: `/api/v1/live/runs/${id}`, control: { "x-aglens-control": control }, at };
    }
    /** Events that a stream has sent after a number of them, while it is still open. */
    async function eventsOf(path: string, count: number): Promise<string[]> {
      const { body } = await ask("GET", path, undefined, { "accept-encoding": "gzip" });
      let text = "";
      for await (const bytes of body ?? []) {
        text += Buffer.from(bytes as Uint8Array).toString();
        const names = [...text.matchAll(/^event: (.*)$/gmu)].map(([, name = ""]) => name);
        // Leaving the loop closes the stream.
        if (names.length >= count) return names;
      }
      throw new Error(`The stream ended: ${text}`);
    }

    test("a capture is sent, its progress streamed, and its link opened", async () => {
      const id = await sentCapture(ask);
      expect((await ask("POST", `/api/v1/captures/${id}/analysis`)).status).toBe(202);
      const progress = await (await ask("GET", `/api/v1/captures/${id}/progress`)).text();
      expect(progress).toContain("event: ready");
      const made = await ask("POST", "/api/v1/links", {
        captureId: id,
        path: "/timeline",
        view: "v=1",
        title: "The night",
        expiresInDays: 7,
      });
      const { id: link } = (await made.json()) as { readonly id: string };
      expect((await ask("GET", `/api/v1/links/${link}/summary`)).status).toBe(200);
    });

    test("limits are of who asks, as the proxy in front says, and not of Caddy", async () => {
      const clientFor = async (address: string): Promise<string | null> => {
        const made = await ask("POST", "/api/v1/captures", {}, { "x-forwarded-for": address });
        // `pk` identifies clients (RateLimit header fields, draft 8).
        return /pk=([^;]+)/u.exec(made.headers.get("ratelimit-policy") ?? "")?.[1] ?? null;
      };
      const first = await clientFor("203.0.113.1");
      expect(first).not.toBeNull();
      expect(await clientFor("203.0.113.1")).toBe(first);
      expect(await clientFor("203.0.113.2")).not.toBe(first);
    });

    test("a live run is followed as it goes on, and reached at its server alone, also when the other is killed", async () => {
      const { path, control, at } = await attached();
      const other: Name = at === "north" ? "south" : "north";
      expect(await eventsOf(`${path}/events`, 3)).toEqual(["picture", "picture", "picture"]);
      const presences = async (): Promise<number[]> => {
        const answers = Array.from({ length: 8 }, () => ask("POST", `${path}/presence`, {}, control));
        return (await Promise.all(answers)).map(({ status }) => status);
      };
      expect(new Set(await presences())).toEqual(new Set([204]));
      await servers.kill(other, "SIGKILL");
      expect(new Set(await presences())).toEqual(new Set([204]));
      expect(await eventsOf(`${path}/events`, 2)).toHaveLength(2);
      await servers.begin(other);
      const stopped = await ask("POST", `${path}/stop`, { keep: true }, control);
      const { captureId } = (await stopped.json()) as { readonly captureId: string };
      expect((await ask("GET", `/api/v1/captures/${captureId}`)).status).toBe(200);
    });

    test("whoever asks notices nothing when a server is killed, not even in an upload", async () => {
      const name: Name = "south";
      const { id } = Capture.parse(await (await ask("POST", "/api/v1/captures", {})).json());
      const [file = ""] = await readdir(join(CAPTURE, "secondary"));
      const bytes = await readFile(join(CAPTURE, "secondary", file));
      await sentInParts(ask, id, file, bytes, async (parts) => {
        if (parts === 1) await servers.kill(name, "SIGKILL");
        const answers = Array.from({ length: 20 }, () => ask("GET", "/api/v1/library"));
        expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
      });
      await servers.begin(name);
      const { files } = Capture.parse(await (await ask("GET", `/api/v1/captures/${id}`)).json());
      expect(files).toMatchObject([{ name: file, role: "secondary", size: bytes.length }]);
    });

    test("nobody is refused when a server is asked to end: the proxy has left it out by then", async () => {
      const { id } = Capture.parse(await (await ask("POST", "/api/v1/captures", {})).json());
      // The server waits for the end of it, and refuses others meanwhile.
      const upload = request(
        `http://127.0.0.1:${servers.ports.south}/api/v1/captures/${id}/files?name=a.xel`,
        {
          method: "POST",
          headers: { "content-type": "application/octet-stream", ...SIGNED_IN },
        },
      );
      const answered = once(upload, "response");
      upload.write("ab");
      const untilRefused = async (): Promise<void> => {
        const status = async () =>
          (await fetch(`http://127.0.0.1:${servers.ports.south}/api/v1/health`)).status;
        await expect.poll(status).toBe(503);
        upload.end("c");
      };
      let hasEnded = false;
      const ending = servers.kill("south", "SIGTERM").then(() => (hasEnded = true));
      const statuses = new Set<number>();
      const refused = untilRefused();
      while (!hasEnded) {
        const answers = Array.from({ length: 4 }, () => ask("GET", "/api/v1/library"));
        for (const { status } of await Promise.all(answers)) statuses.add(status);
      }
      await refused;
      expect((await answered)[0]).toMatchObject({ statusCode: 201 });
      await ending;
      await servers.begin("south");
      expect(statuses).toEqual(new Set([200]));
    });

    test("what both had acknowledged is there when both were killed", async () => {
      const id = await sentCapture(ask);
      await Promise.all(NAMES.map((name) => servers.kill(name, "SIGKILL")));
      expect((await ask("GET", "/api/v1/library")).status).toBeGreaterThanOrEqual(502);
      await Promise.all(NAMES.map((name) => servers.begin(name)));
      await expect.poll(async () => (await ask("GET", "/readyz")).status).toBe(200);
      await analyzedCapture(ask, id);
    });
  },
);
