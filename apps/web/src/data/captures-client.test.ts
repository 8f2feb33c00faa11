import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { captureFile } from "../../test/capture-file.ts";
import { uploadFile } from "./captures-client.ts";
import { useKeepSensitive } from "./keep-sensitive.ts";

/** A request that a test answers. */
class FakeRequest extends EventTarget {
  static readonly all: FakeRequest[] = [];
  readonly upload = new EventTarget();
  readonly headers: Record<string, string> = {};
  asked = "";
  responseType = "";
  status = 0;
  response: unknown = null;
  sent: unknown = null;
  aborted = false;
  constructor() {
    super();
    FakeRequest.all.push(this);
  }
  open(method: string, address: string): void {
    this.asked = `${method} ${address}`;
  }
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  send(body: unknown): void {
    this.sent = body;
  }
  abort(): void {
    this.aborted = true;
    this.end("abort");
  }
  end(how: "load" | "error" | "abort"): void {
    this.dispatchEvent(new Event(how));
    this.dispatchEvent(new Event("loadend"));
  }
  answer(status: number, response: unknown): void {
    Object.assign(this, { status, response });
    this.end("load");
  }
}

beforeEach(() => {
  FakeRequest.all.length = 0;
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
  return () => vi.unstubAllGlobals();
});

const FILE = new File(["0123456789"], "trace 0.xel");

/** Sends a file to the capture `c`. */
function upload({ path = FILE.name, replaces }: { path?: string; replaces?: string } = {}) {
  const stopping = new AbortController();
  const onBytes = vi.fn<(sent: number) => void>();
  const sending = uploadFile("c", { file: FILE, path }, onBytes, stopping.signal, replaces);
  sending.catch(() => {});
  return { sending, stopping, onBytes, request: FakeRequest.all[0] };
}

describe("a file is sent", () => {
  test("up to its first bytes, with the size of the complete file", () => {
    void uploadFile(
      "c",
      { file: FILE, path: FILE.name, completeBytes: 9_000 },
      () => {},
      new AbortController().signal,
    );
    expect(FakeRequest.all[0].asked).toBe(
      "POST /api/v1/captures/c/files?name=trace+0.xel&completeBytes=9000",
    );
  });

  test("as bytes under its name", () => {
    const { request } = upload();
    expect(request.asked).toBe("POST /api/v1/captures/c/files?name=trace+0.xel");
    expect(request.headers).toEqual({ "content-type": "application/octet-stream" });
    expect(request.responseType).toBe("json");
    expect(request.sent).toBe(FILE);
  });

  test("with the folder it lay in, and the file whose place it takes", () => {
    const { request } = upload({ path: "SQL2/trace 0.xel", replaces: "f1" });
    expect(request.asked).toBe(
      "POST /api/v1/captures/c/files?name=trace+0.xel&path=SQL2%2Ftrace+0.xel&replaces=f1",
    );
  });

  test("with what is sensitive in it, when that is to be kept", () => {
    useKeepSensitive.setState({ keepSensitive: true });
    onTestFinished(() => useKeepSensitive.setState({ keepSensitive: false }));
    expect(upload().request.asked).toBe("POST /api/v1/captures/c/files?name=trace+0.xel&keepSensitive=true");
  });

  test("reporting the bytes that have left", () => {
    const { request, onBytes } = upload();
    for (const loaded of [4, 10])
      request.upload.dispatchEvent(Object.assign(new Event("progress"), { loaded }));
    expect(onBytes.mock.calls).toEqual([[4], [10]]);
  });
});

describe("the answer", () => {
  test.each([200, 201, 299])("with status %i has the files that were added", async (status) => {
    const { sending, request } = upload();
    request.answer(status, { files: [captureFile({ id: "f1" }), captureFile({ id: "f2" })] });
    expect((await sending).map(({ id }) => id)).toEqual(["f1", "f2"]);
  });

  test.each([199, 300, 413])("with status %i is a problem", async (status) => {
    const { sending, request } = upload();
    const problem = {
      type: "urn:aglens:problem:too-big",
      title: "Too big",
      status,
      detail: "The file is too big.",
      code: "too-big",
    };
    request.answer(status, problem);
    await expect(sending).rejects.toMatchObject({ status, message: "The file is too big." });
  });

  test("that never came names the file", async () => {
    const { sending, request } = upload();
    request.end("error");
    await expect(sending).rejects.toThrow(
      "trace 0.xel could not be sent: the connection to the server broke.",
    );
  });
});

describe("an upload that is stopped", () => {
  test("ends the request, once", async () => {
    const { sending, stopping, request } = upload();
    stopping.abort();
    expect(request.aborted).toBe(true);
    await expect(sending).rejects.toMatchObject({ name: "AbortError" });
  });

  test("before it began sends nothing", async () => {
    const sending = uploadFile("c", { file: FILE, path: FILE.name }, () => {}, AbortSignal.abort());
    await expect(sending).rejects.toMatchObject({ name: "AbortError" });
    expect(FakeRequest.all[0].sent).toBeNull();
  });

  test("after it was over ends nothing", async () => {
    const { sending, stopping, request } = upload();
    request.answer(201, { files: [] });
    await sending;
    stopping.abort();
    expect(request.aborted).toBe(false);
  });
});
