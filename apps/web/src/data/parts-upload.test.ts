import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { HttpRequest, HttpResponse, HttpStack, UploadOptions } from "tus-js-client";
import { ProblemError } from "./problem.ts";
import { headOf, type PartsListener, type PartsSending, sendInParts } from "./parts-upload.ts";

const MIB = 1024 * 1024;
const SIZE = 40 * MIB;

/** A tus server behind a network that a test breaks: its received bytes stay. */
class FakeServer implements HttpStack {
  received = 0;
  isComplete = false;
  readonly asked: string[] = [];
  /** Faults of the next requests: the network breaks after so many bytes, or the server refuses. */
  readonly faults: (
    | { readonly breaksAfter: number }
    | { readonly status: number; readonly body?: string }
  )[] = [];

  getName = (): string => "fake";

  createRequest(method: string, url: string): HttpRequest {
    const headers = new Map<string, string>();
    let progress: (sent: number) => void = () => {};
    return {
      getMethod: () => method,
      getURL: () => url,
      setHeader: (name, value) => void headers.set(name, value),
      getHeader: (name) => headers.get(name),
      setProgressHandler: (handler) => {
        progress = handler;
      },
      send: async (body: Blob | null) => {
        // The browser counts the bytes that it passed to the network.
        progress(body?.size ?? 0);
        return this.#answer(method, headers, body);
      },
      abort: async () => {},
      getUnderlyingObject: () => null,
    };
  }

  #answer(method: string, headers: ReadonlyMap<string, string>, body: Blob | null): HttpResponse {
    this.asked.push(method === "PATCH" ? `PATCH ${headers.get("Upload-Offset")}` : method);
    const fault = this.faults.shift();
    if (fault !== undefined && "breaksAfter" in fault) {
      this.received += Math.min(fault.breaksAfter, body?.size ?? 0);
      throw new Error("broken");
    }
    if (fault !== undefined) return response(fault.status, {}, fault.body);
    if (method === "POST") return response(201, { Location: "/api/v1/captures/c1/uploads/u1" });
    if (method === "PATCH") this.received += body?.size ?? 0;
    this.isComplete = this.received === SIZE;
    const shown = {
      "Upload-Offset": String(this.received),
      "Upload-Length": String(SIZE),
      "Upload-Expires": "Sun, 22 Nov 2026 20:41:00 GMT",
    };
    return response(method === "HEAD" ? 200 : 204, shown);
  }
}

const response = (status: number, headers: Readonly<Record<string, string>>, body = ""): HttpResponse => ({
  getStatus: () => status,
  getHeader: (name) => headers[name],
  getBody: () => body,
  getUnderlyingObject: () => null,
});

/** Files as the browser's reader returns them; Node's reader has no File. */
const fileReader: NonNullable<UploadOptions["fileReader"]> = {
  openFile: async (file: Blob) => ({
    size: file.size,
    slice: async (from, to) => ({ value: file.slice(from, to), done: to >= file.size }),
    close: () => {},
  }),
};

const file = new File([new Uint8Array(SIZE)], "large.xel");
let server: FakeServer;
let stopping: AbortController;
let heard: string[];
let bytes: number;
let keptUntilMs: number | null;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  server = new FakeServer();
  stopping = new AbortController();
  heard = [];
  bytes = 0;
  keptUntilMs = null;
  vi.stubGlobal("fetch", async (url: string) => {
    heard.push(`asked ${url}`);
    const upload = {
      id: "u1",
      captureId: "c1",
      name: "large.xel",
      path: "large.xel",
      size: SIZE,
      received: SIZE,
      head: null,
      begun: "",
      lastReceived: "",
      expires: "",
      files: [],
    };
    return Response.json(upload);
  });
});
afterEach(() => {
  stopping.abort();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function begin(uploadId: string | null = null): PartsSending {
  const listener: PartsListener = {
    onBytes: (sent) => {
      bytes = sent;
    },
    onWaiting: (sentence, waitMs) => heard.push(`waits ${waitMs}: ${sentence}`),
    onGoesOn: (bytes) => heard.push(`goes on ${bytes}`),
    onKeptUntil: (untilMs) => {
      keptUntilMs = untilMs;
    },
    onRead: (read) => heard.push(`read ${read === null ? "later" : read.bytes}`),
  };
  const sending = sendInParts(
    {
      captureId: "c1",
      picked: { file, path: "large.xel" },
      head: "h",
      uploadId,
      listener,
      signal: stopping.signal,
    },
    { httpStack: server, fileReader },
  );
  sending.done.catch(() => {});
  return sending;
}

/** Runs all tasks that do not wait for time. */
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
const WHOLE = "asked /api/v1/captures/c1/uploads/u1";

test("a file is sent in parts of 16 MiB, and the server says what it became", async () => {
  await expect(begin().done).resolves.toMatchObject({ id: "u1", files: [] });
  expect(server.asked).toEqual(["POST", "PATCH 0", `PATCH ${16 * MIB}`, `PATCH ${32 * MIB}`]);
  expect(heard).toEqual([WHOLE]);
  expect(keptUntilMs).toBe(Date.UTC(2026, 10, 22, 20, 41));
});

test("a network that breaks is waited for, longer each time, and the sending goes on behind what came", async () => {
  const { done } = begin("u1");
  server.faults.push({ breaksAfter: 0 }, { breaksAfter: 0 });
  await settle();
  const sentence = "The connection to the server broke.";
  expect(heard).toEqual([`waits 1000: ${sentence}`]);
  await vi.advanceTimersByTimeAsync(999);
  expect(server.asked).toEqual(["HEAD"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(server.asked).toEqual(["HEAD", "HEAD"]);
  expect(heard).toEqual([`waits 1000: ${sentence}`, `waits 2000: ${sentence}`]);
  await vi.advanceTimersByTimeAsync(2_000);
  await done;
  expect(heard.slice(2)).toEqual(["goes on 0", WHOLE]);
});

test("a part that breaks in the middle goes on where it broke, and a part that came whole ends the long waits", async () => {
  server.received = 0;
  const { done } = begin("u1");
  server.faults.push({ status: 503 }, { status: 503 });
  await settle();
  await vi.advanceTimersByTimeAsync(1_000);
  // The third HEAD is answered; 5 bytes of the second part arrive.
  const answered = server.faults;
  const answer = server.createRequest.bind(server);
  let parts = 0;
  server.createRequest = (method, url) => {
    if (method === "PATCH" && ++parts === 2) answered.push({ breaksAfter: 5 });
    return answer(method, url);
  };
  await vi.advanceTimersByTimeAsync(2_000);
  expect(heard.at(-1)).toMatch(/^waits 1000/u);
  expect(bytes).toBe(16 * MIB);
  await vi.advanceTimersByTimeAsync(1_000);
  await done;
  expect(heard).toContain(`goes on ${16 * MIB + 5}`);
  expect(server.asked.at(-1)).toBe(`PATCH ${32 * MIB + 5}`);
});

test.each([408, 429, 500, 502, 503, 504])("status %d is waited for", async (status) => {
  begin("u1");
  server.faults.push({ status });
  await settle();
  expect(heard[0]).toMatch(/^waits 1000/u);
});

test("a refusal ends it with the server's sentence", async () => {
  const { done } = begin();
  const problem = { type: "t", title: "t", status: 507, detail: "The disk is full.", code: "disk-full" };
  server.faults.push({ status: 507, body: JSON.stringify(problem) });
  await expect(done).rejects.toMatchObject({ code: "disk-full", message: "The disk is full." });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.asked).toEqual(["POST"]);
});

test.each([404, 410])("an upload that is gone (%d) is not begun anew without a word", async (status) => {
  const { done } = begin("u1");
  server.faults.push({ status });
  await expect(done).rejects.toThrow(/^The server no longer has what was sent of large\.xel/u);
  expect(server.asked).toEqual(["HEAD"]);
});

test("a file whose last answer was lost is whole when it goes on", async () => {
  server.received = SIZE;
  await expect(begin("u1").done).resolves.toMatchObject({ id: "u1" });
  expect(server.asked).toEqual(["HEAD"]);
});

test("a pause lasts until somebody ends it, and goes on behind what came", async () => {
  const sending = begin("u1");
  sending.pause();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(server.isComplete).toBe(false);
  sending.goOn();
  await sending.done;
  expect(server.isComplete).toBe(true);
});

test("somebody who does not want to wait goes on at once", async () => {
  const sending = begin("u1");
  server.faults.push({ breaksAfter: 0 });
  await settle();
  sending.goOn();
  await sending.done;
});

test("it ends when it is stopped, also while it waits", async () => {
  const { done } = begin("u1");
  server.faults.push({ breaksAfter: 0 });
  await settle();
  stopping.abort();
  await expect(done).rejects.toThrow(DOMException);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.asked).toEqual(["HEAD"]);
});

test("the mark of a file is of its first 64 kB, byte for byte", async () => {
  // FNV-1a of "a" with 32 bits, as its authors publish it.
  expect(await headOf(new Blob(["a"]))).toMatch(/^e40c292c[0-9a-f]{8}$/u);
  const begin = new Uint8Array(64 * 1024);
  const changed = begin.slice();
  changed[64 * 1024 - 1] = 1;
  expect(await headOf(new Blob([begin]))).not.toBe(await headOf(new Blob([changed])));
  expect(await headOf(new Blob([begin]))).toBe(await headOf(new Blob([begin, "more"])));
});

test("problems are ProblemErrors", async () => {
  const { done } = begin("u1");
  server.faults.push({ status: 409 });
  await expect(done).rejects.toBeInstanceOf(ProblemError);
});
