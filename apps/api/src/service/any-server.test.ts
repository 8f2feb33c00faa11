import { readdir, readFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { Capture, LibraryPage, OpenedLink, Progress, Summary } from "@aglens/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TOKENS, tokenAccess } from "../../test/access.ts";
import { POSTGRES_PROGRAMS, startPostgres } from "../../test/postgres.ts";
import type { TestPostgres } from "../../test/postgres.ts";
import { skipsWithout } from "../../test/programs.ts";
import { roundRobin, serverAt } from "../../test/round-robin.ts";
import type { RoundRobin } from "../../test/round-robin.ts";
import { S3_PROGRAM } from "../../test/s3.ts";
import { analyzedCapture, bodyOf, CAPTURE, sentCapture, sentInParts } from "../../test/sent-capture.ts";
import type { Ask } from "../../test/sent-capture.ts";
import { stubDirectory } from "../../test/stub-directory.ts";
import { twoProcesses } from "../../test/two-processes.ts";
import { sharedPlace } from "../../test/two-servers.ts";
import { limitsOfMachine } from "../captures/analysis/analysis-queue.ts";
import { workerAnalyzer } from "../captures/analysis/analyzer.ts";

describe.skipIf(skipsWithout(POSTGRES_PROGRAMS))(
  "each request at another of two servers, with PostgreSQL's programs in /usr/lib/postgresql:",
  () => describeServers(twoInThisProcess),
);
describe.skipIf(skipsWithout(POSTGRES_PROGRAMS, S3_PROGRAM))(
  "the same of two processes with a bucket, with PostgreSQL's programs and an S3 server (npm run s3-server):",
  () => describeServers(twoOfOneBucket),
);

/** Two servers, which a proxy asks in turn. */
interface Servers {
  readonly each: readonly RequestListener[];
  end(): Promise<void>;
}

const directory = stubDirectory();

async function twoInThisProcess(catalogue: string): Promise<Servers> {
  const place = await sharedPlace(catalogue);
  const settings = {
    ...(await tokenAccess()),
    publicUrl: "http://127.0.0.1",
    oidcIssuer: directory.issuer,
    oidcClient: "aglens",
    oidcName: "Contoso",
    contributors: ["*"],
  };
  const open = (name: string) =>
    place.open(name, settings, {
      analyzer: workerAnalyzer(limitsOfMachine(1, null)),
      directoryFetch: directory.fetch,
    });
  const [north, south] = [await open("north"), await open("south")];
  return { each: [north.app, south.app], end: () => place.end() };
}

async function twoOfOneBucket(catalogue: string): Promise<Servers> {
  const access = await tokenAccess();
  const servers = await twoProcesses(catalogue, { AGLENS_TOKEN_FILE: String(access.tokenFile) });
  const { north, south } = servers.ports;
  return {
    each: [north, south].map((port) => serverAt(`http://127.0.0.1:${port}`)),
    end: () => servers.end(),
  };
}

function describeServers(open: (catalogue: string) => Promise<Servers>): void {
  let postgres: TestPostgres;
  let servers: Servers;
  let proxy: RoundRobin;
  beforeAll(async () => {
    postgres = await startPostgres(POSTGRES_PROGRAMS);
    servers = await open(await postgres.newPlace());
    proxy = await roundRobin(servers.each);
  });
  afterAll(async () => {
    await proxy.end();
    await servers.end();
    await postgres.end();
  });

  /** Requests of one browser, which keeps its cookies. */
  function browser(): Ask {
    const jar = new Map<string, string>();
    return async (method, path, body, headers = {}) => {
      const response = await fetch(`${proxy.address}${path}`, {
        method,
        redirect: "manual",
        ...bodyOf(body, {
          origin: proxy.address,
          cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
          ...headers,
        }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/u.exec(cookie) ?? [];
        if (/expires=Thu, 01 Jan 1970/iu.test(cookie)) jar.delete(name);
        else jar.set(name, value);
      }
      return response;
    };
  }

  async function signedIn(): Promise<Ask> {
    const ask = browser();
    const answer = await ask("POST", "/api/v1/access/token", { token: TOKENS.ann });
    expect(answer.status).toBe(200);
    return ask;
  }

  test("a capture is sent, analyzed, opened, noted, shared and deleted", async () => {
    const ask = await signedIn();
    const id = await sentCapture(ask);
    const seen = await analyzedCapture(ask, id);
    // All servers report the same: the capture is analyzed, and then it is ready.
    expect(new Set(seen.slice(0, -1).map(({ state }) => state))).toEqual(new Set(["analysing"]));
    const summaries: Summary[] = [];
    for (let turn = 0; turn < 2; turn++)
      summaries.push(Summary.parse(await (await ask("GET", `/api/v1/captures/${id}/summary`)).json()));
    expect(summaries[1]).toEqual(summaries[0]);
    const questions = ["slowest?limit=5", "statistics", "window?from=0&to=1000000&bins=64", "preview"];
    for (const question of questions) {
      const [one, other] = [
        await ask("GET", `/api/v1/captures/${id}/${question}`),
        await ask("GET", `/api/v1/captures/${id}/${question}`),
      ];
      expect([question, one.status, other.status]).toEqual([question, 200, 200]);
      expect(Buffer.from(await other.arrayBuffer())).toEqual(Buffer.from(await one.arrayBuffer()));
    }
    const note = {
      text: "Look here",
      fromTicks: "131532631476045530",
      toTicks: "131532631476045530",
      lsn: null,
    };
    const written = await ask("POST", `/api/v1/captures/${id}/notes`, note);
    expect(written.status).toBe(201);
    for (let turn = 0; turn < 2; turn++)
      expect(await (await ask("GET", `/api/v1/captures/${id}/notes`)).text()).toContain("Look here");
    expect((await ask("DELETE", `/api/v1/captures/${id}`)).status).toBe(204);
    for (let turn = 0; turn < 2; turn++) {
      const page = LibraryPage.parse(await (await ask("GET", "/api/v1/library?view=trash")).json());
      expect(page.captures.map((capture) => capture.id)).toContain(id);
      expect((await ask("GET", `/api/v1/captures/${id}/summary`)).status).toBe(404);
    }
  });

  test.runIf(open === twoOfOneBucket)(
    "a file comes in parts, and is the same file at both (without a bucket parts stay with their server)",
    async () => {
      const ask = await signedIn();
      const { id } = Capture.parse(await (await ask("POST", "/api/v1/captures", {})).json());
      const folder = join(CAPTURE, "secondary");
      const [name = ""] = await readdir(folder);
      const bytes = await readFile(join(folder, name));
      const place = await sentInParts(ask, id, name, bytes, (parts) =>
        // A request in between, so that the next part arrives at the other server.
        parts === 1 ? ask("GET", "/api/v1/library") : Promise.resolve(),
      );
      for (let turn = 0; turn < 2; turn++) {
        const { files } = Capture.parse(await (await ask("GET", `/api/v1/captures/${id}`)).json());
        expect(files).toMatchObject([{ name, role: "secondary" }]);
        const upload = await ask("GET", place);
        expect(await upload.json()).toMatchObject({ size: bytes.length, files: [{ name }] });
        const list = await ask("GET", "/api/v1/uploads");
        expect(await list.json()).toEqual({ uploads: [] });
      }
    },
  );

  test("the stream of progress tells the end, whichever server analyses", async () => {
    const ask = await signedIn();
    const id = await sentCapture(ask);
    expect((await ask("POST", `/api/v1/captures/${id}/analysis`)).status).toBe(202);
    const streams = await Promise.all(
      [0, 1].map(async () => (await ask("GET", `/api/v1/captures/${id}/progress`)).text()),
    );
    for (const text of streams) {
      expect(text).toContain("event: ready");
      for (const [, json = ""] of text.matchAll(/event: progress\ndata: (.*)/gu))
        expect(() => Progress.parse(JSON.parse(json))).not.toThrow();
    }
  });

  test("a link with a passphrase is opened by somebody else, and wrong tries are counted together", async () => {
    const ask = await signedIn();
    const id = await sentCapture(ask);
    await analyzedCapture(ask, id);
    const made = await ask("POST", "/api/v1/links", {
      captureId: id,
      path: "/timeline",
      view: "v=1",
      title: "The night",
      expiresInDays: 7,
      audience: "anyone",
      passphrase: "four plain words here",
    });
    const { id: link } = (await made.json()) as { readonly id: string };
    const other = browser();
    const opened = async () => OpenedLink.parse(await (await other("GET", `/api/v1/links/${link}`)).json());
    expect(await opened()).toMatchObject({ isLocked: true });
    const tries: string[] = [];
    for (let turn = 0; turn < 2; turn++) {
      const refused = await other("POST", `/api/v1/links/${link}/passphrase`, { passphrase: "wrong" });
      tries.push(((await refused.json()) as { readonly detail: string }).detail);
    }
    expect(tries).toEqual([expect.stringMatching(/^4 tries left/u), expect.stringMatching(/^3 tries left/u)]);
    const unlocked = await other("POST", `/api/v1/links/${link}/passphrase`, {
      passphrase: "four plain words here",
    });
    expect(unlocked.status).toBe(204);
    for (let turn = 0; turn < 2; turn++) {
      expect(await opened()).toMatchObject({ isLocked: false, title: "The night" });
      expect((await other("GET", `/api/v1/links/${link}/summary`)).status).toBe(200);
    }
  });

  test.runIf(open === twoInThisProcess)(
    "who signs in by the directory is signed in, until they sign out (other processes do not reach the stub of a directory)",
    async () => {
      const ask = browser();
      // The directory's answer reaches the server that did not ask.
      const sentTo = await ask("GET", "/api/v1/access/directory?returnTo=/captures");
      const query = directory.signIn(sentTo.headers.get("location") ?? "", { sub: "s1" });
      const back = await ask("GET", `/api/v1/access/directory/answer${query}`);
      expect([back.status, back.headers.get("location")]).toEqual([302, "/captures"]);
      for (let turn = 0; turn < 2; turn++) expect((await ask("GET", "/api/v1/library")).status).toBe(200);
      expect((await ask("DELETE", "/api/v1/access/session")).status).toBe(200);
      for (let turn = 0; turn < 2; turn++) expect((await ask("GET", "/api/v1/library")).status).toBe(401);
      expect(proxy.counts[0]).toBeGreaterThan(2);
      expect(Math.abs((proxy.counts[0] ?? 0) - (proxy.counts[1] ?? 0))).toBeLessThanOrEqual(1);
    },
  );
}
