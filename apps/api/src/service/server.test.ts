import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Capture } from "@aglens/contract";
import { askAt, sentCapture } from "../../test/sent-capture.ts";
import { takeDataDirectory } from "../store/data-directory.ts";
import { startProcess } from "../../test/process.ts";
import type { ApiProcess } from "../../test/process.ts";
import { until } from "../../test/until.ts";

let data: string;
const started: ApiProcess[] = [];
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "aglens-server-"));
});
afterEach(async () => {
  for (const api of started.splice(0)) await api.kill("SIGKILL");
  await rm(data, { recursive: true });
});

function start(port = 0, changes: Readonly<Record<string, string>> = {}): ApiProcess {
  const api = startProcess(data, port, changes);
  started.push(api);
  return api;
}

const post = (address: string, path: string, body?: string) =>
  fetch(`${address}/api/v1${path}`, { method: "POST", ...(body === undefined ? {} : { body }) });

/** Unfinished work of another process: half an upload, and a live run that is being recorded. */
async function underWay(): Promise<readonly string[]> {
  await mkdir(join(data, "incoming"), { recursive: true });
  await mkdir(join(data, "live/run"), { recursive: true });
  const files = ["incoming/upload", "live/run/0_0000.xel", "live/run/run.json"].map((name) =>
    join(data, name),
  );
  for (const file of files) await writeFile(file, "{");
  // A directory that AG Lens has had; one that it has now keeps its lock.
  await appendFile(join(data, "lock"), "");
  return files;
}

test("a second process on the same data directory is refused and touches nothing", async () => {
  const first = start();
  const address = await first.address;
  const files = await underWay();
  const { code, output } = await start().ended;
  expect(code).toBe(75);
  expect(output).toContain(`${data} is in use by AG Lens, process ${first.process.pid} on `);
  for (const file of files) expect(await readFile(file, "utf8")).toBe("{");
  expect((await fetch(`${address}/api/v1/health`)).status).toBe(200);
});

test("a start that finds its port taken touches nothing", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const files = await underWay();
  const { code, output } = await start(port).ended;
  other.close();
  expect(code).toBe(75);
  expect(output).toBe(`Port ${port} is in use. Set PORT to another one.\n`);
  for (const file of files) expect(await readFile(file, "utf8")).toBe("{");
});

test("after an end by force the next start takes over at once", async () => {
  const first = start();
  const address = await first.address;
  const { id } = (await (await post(address, "/captures")).json()) as { id: string };
  await first.kill("SIGKILL");
  const second = await start().address;
  expect((await fetch(`${second}/api/v1/captures/${id}`)).status).toBe(200);
  // Only the account can read the files of both processes, regardless of the umask.
  const kept = await readdir(data, { recursive: true });
  expect(kept).toContain("catalogue.sqlite");
  const modes = await Promise.all(
    kept.map(async (name) => [name, (await stat(join(data, name))).mode & 0o077]),
  );
  expect(modes).toEqual(kept.map((name) => [name, 0]));
});

test("an analysis that an end by force interrupts goes on by itself at the next start", async () => {
  const first = start();
  const ask = askAt(await first.address);
  const id = await sentCapture(ask);
  expect((await ask("POST", `/api/v1/captures/${id}/analysis`)).status).toBe(202);
  await first.kill("SIGKILL");
  const askNext = askAt(await start().address);
  const state = async () =>
    Capture.parse(await (await askNext("GET", `/api/v1/captures/${id}`)).json()).state;
  expect(["analysing", "ready"]).toContain(await state());
  await until(async () => (await state()) === "ready");
});

test.each([{ HOST: "" }, { AGLENS_TRUSTED_PROXIES: "127.0.0.1" }])(
  "with %j and without access control, it does not start and takes nothing",
  async (settings) => {
    const { code, output } = await start(0, settings).ended;
    expect(code).toBe(78);
    expect(output).toMatch(/reachable from the network, and access control is off/u);
    expect(await readdir(data)).toEqual([]);
  },
);

test("asked to end in the middle of an upload, it answers that first, ends with 0 and leaves the directory free", async () => {
  const api = start();
  const address = await api.address;
  const { id } = (await (await post(address, "/captures")).json()) as { id: string };
  const upload = request(`${address}/api/v1/captures/${id}/files?name=a.xel`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
  });
  const answered = once(upload, "response");
  upload.write("ab");
  const incoming = join(data, "incoming");
  await until(async () => (await readdir(incoming)).length === 1);
  api.process.kill("SIGTERM");
  await until(async () => (await fetch(`${address}/api/v1/health`)).status === 503);
  upload.end("c");
  const [{ statusCode }] = (await answered) as [IncomingMessage];
  expect(statusCode).toBe(201);
  expect(await api.ended).toMatchObject({ code: 0 });
  await (await takeDataDirectory(data)).release();
});

test("connections above their limit are closed, which the log says once", async () => {
  const api = start(0, { AGLENS_CONNECTIONS: "2", AGLENS_LOG: "warn" });
  const port = Number(new URL(await api.address).port);
  const open = [connect(port), connect(port)];
  await Promise.all(open.map((socket) => once(socket, "connect")));
  for (let tooMany = 0; tooMany < 3; tooMany++) await once(connect(port), "close");
  expect(open.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  for (const socket of open) socket.destroy();
  // The disk has space again.
  await until(
    async () => (await fetch(`http://localhost:${port}/healthz`).catch(() => null))?.status === 200,
  );
  await api.kill("SIGKILL");
  expect(
    (await api.ended).output.match(/as many connections are open as AGLENS_CONNECTIONS allows/gu),
  ).toHaveLength(1);
});

test("a setting that cannot be read is named", async () => {
  const { code, output } = await start(-1).ended;
  expect(code).toBe(78);
  expect(output).toBe('PORT must be a whole number from 0 to 65535, it is "-1".\n');
});
