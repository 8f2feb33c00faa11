import type { Capture, CaptureFile, UploadInParts } from "@aglens/contract";
import { describe, expect, test, vi, type Mock } from "vitest";
import { createStore } from "zustand/vanilla";
import { captureFile } from "../../../../test/capture-file.ts";
import { captureOf } from "../../../../test/capture.ts";
import { LEAST_BYTES_IN_PARTS, type PartsListener } from "../../../data/parts-upload.ts";
import { ProblemError } from "../../../data/problem.ts";
import { createDraft } from "./draft.ts";
import type { DraftClient } from "./draft-types.ts";
import { pickedOf, type PickedFile } from "./picked-files.ts";

interface Sent {
  readonly capture: string;
  readonly name: string;
  readonly path: string;
  readonly report: (bytes: number) => void;
  readonly finish: () => void;
  readonly fail: (error: Error) => void;
}

interface SentInParts extends Sent {
  readonly uploadId: string | null;
  readonly listener: PartsListener;
  readonly pause: Mock<() => void>;
  readonly goOn: Mock<() => void>;
}

/** An upload of 10 bytes of which the server has 4. */
function keptUpload(some: Partial<UploadInParts>): UploadInParts {
  const name = some.name ?? "large.xel";
  return {
    id: "upload-1",
    captureId: "capture-9",
    name,
    path: name,
    size: 10,
    received: 4,
    head: "0123",
    begun: "2026-11-21T20:36:12Z",
    lastReceived: "2026-11-21T20:38:47Z",
    expires: "2026-11-22T20:38:47Z",
    files: null,
    ...some,
  };
}

/** A server on which every upload waits for the test, and stops when it is aborted. */
function fakeServer() {
  const sent: Sent[] = [];
  const inParts: SentInParts[] = [];
  const kept: UploadInParts[] = [];
  const captures = new Map<string, Capture>();
  let made = 0;
  const client: DraftClient = {
    openAglensFile: vi.fn<DraftClient["openAglensFile"]>(),
    createCapture: vi.fn(async () => {
      const capture = captureOf({ id: `capture-${++made}` });
      captures.set(capture.id, capture);
      return capture;
    }),
    readCapture: vi.fn(async (id: string) => {
      const capture = captures.get(id);
      if (capture === undefined) throw new ProblemError("not-found", 404, "There is no such capture.");
      return capture;
    }),
    uploadFile: (id, { file, path }, onBytes, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<CaptureFile[]>();
      signal.addEventListener("abort", () => reject(new DOMException("Upload stopped", "AbortError")));
      const finish = (): void => {
        const added = captureFile({ id: file.name, name: file.name });
        const capture = captures.get(id);
        if (capture) captures.set(id, { ...capture, files: [...capture.files, added] });
        resolve([added]);
      };
      sent.push({ capture: id, name: file.name, path, report: onBytes, finish, fail: reject });
      return promise;
    },
    uploadsOfServer: vi.fn(async () => kept),
    headOf: async (file) => await file.slice(0, 4).text(),
    discardUpload: vi.fn(async ({ id }) => {
      kept.splice(
        kept.findIndex((upload) => upload.id === id),
        1,
      );
    }),
    sendInParts: (request) => {
      const { promise, resolve, reject } = Promise.withResolvers<UploadInParts>();
      const { captureId, picked, listener, signal, uploadId } = request;
      const { file, path } = picked;
      signal.addEventListener("abort", () => reject(new DOMException("Upload stopped", "AbortError")));
      const finish = (): void => {
        const added = captureFile({ id: file.name, name: file.name, size: file.size });
        const capture = captures.get(captureId);
        if (capture) captures.set(captureId, { ...capture, files: [...capture.files, added] });
        resolve({ ...keptUpload({ name: file.name }), files: [added] });
      };
      const pause = vi.fn<() => void>();
      const goOn = vi.fn<() => void>();
      const own = {
        capture: captureId,
        name: file.name,
        path,
        report: listener.onBytes,
        finish,
        fail: reject,
      };
      sent.push(own);
      inParts.push({ ...own, uploadId, listener, pause, goOn });
      return { done: promise, pause, goOn };
    },
    correctFile: vi.fn(async () => undefined),
    removeFile: vi.fn(async () => undefined),
    renameCapture: vi.fn(async (id: string) => captures.get(id) ?? captureOf({ id })),
  };
  return { client, sent, inParts, kept, captures };
}

const filesNamed = (...names: string[]) => pickedOf(names.map((name) => new File(["0123456789"], name)));
const six = () => filesNamed(...Array.from({ length: 6 }, (_, i) => `trace_${i}.xel`));
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

function draftOn(server: ReturnType<typeof fakeServer>) {
  const store = createStore(createDraft(server.client));
  const uploads = () => store.getState().uploads.map(({ name, sent, problem }) => [name, sent, problem]);
  return { store, uploads, get: store.getState };
}

test("files are sent while the capture is read with those before, once for all that came meanwhile; their rows stay until then", async () => {
  const server = fakeServer();
  const { get, uploads } = draftOn(server);
  const read = Promise.withResolvers<Capture>();
  vi.mocked(server.client.readCapture).mockReturnValueOnce(read.promise);
  const adding = get().add(six());
  await expect.poll(() => server.sent.length).toBe(2);
  for (const i of [0, 1, 2, 3, 4, 5]) {
    await expect.poll(() => server.sent.length).toBeGreaterThan(i);
    server.sent[i]?.finish();
  }
  await settled();
  expect(uploads()).toHaveLength(6);
  expect(server.client.readCapture).toHaveBeenCalledTimes(1);
  read.resolve(captureOf({ id: "capture-1" }));
  await adding;
  expect(server.client.readCapture).toHaveBeenCalledTimes(2);
  expect(uploads()).toEqual([]);
  expect(get().capture?.files).toHaveLength(6);
});

test("files are sent two at a time, and the first make the capture", async () => {
  const server = fakeServer();
  const { get, uploads } = draftOn(server);
  void get().add(filesNamed("SQL1_0.xel", "SQL1_1.xel", "SQL2_0.xel"));
  await settled();
  expect(server.client.createCapture).toHaveBeenCalledExactlyOnceWith();
  expect(server.sent.map(({ name }) => name)).toEqual(["SQL1_0.xel", "SQL1_1.xel"]);
  server.sent[0]?.report(4);
  expect(uploads()[0]).toEqual(["SQL1_0.xel", 4, null]);
  server.sent[0]?.finish();
  await settled();
  expect(server.sent.map(({ name }) => name)).toEqual(["SQL1_0.xel", "SQL1_1.xel", "SQL2_0.xel"]);
  expect(get().capture?.files.map(({ name }) => name)).toEqual(["SQL1_0.xel"]);
  expect(uploads()).toHaveLength(2);
});

test("why a saved capture could not be opened stays on the page, whatever else was dropped with it", async () => {
  const server = fakeServer();
  const broken = "case.aglens ends in the middle. Save it again.";
  vi.mocked(server.client.openAglensFile).mockRejectedValue(new ProblemError("unreadable", 422, broken));
  const { get } = draftOn(server);
  void get().add(filesNamed("case.aglens", "SQL1_0.xel"));
  await settled();
  expect(get().notice).toBe(broken);
  expect(server.sent.map(({ name }) => name)).toEqual(["SQL1_0.xel"]);
  await get().add(filesNamed("case.aglens", "readme.txt"));
  expect(get().notice).toBe(
    `${broken} readme.txt was skipped: no content that AG Lens uses. Add the .xel files of the event session, or a zip of them.`,
  );
});

test("the folder that a file lay in is sent with it", async () => {
  const server = fakeServer();
  const file = new File(["x"], "trace_0.xel");
  void draftOn(server)
    .get()
    .add([{ file, path: "SQL2/trace_0.xel" }]);
  await settled();
  expect(server.sent[0]?.path).toBe("SQL2/trace_0.xel");
});

test("two drops at once make one capture", async () => {
  const server = fakeServer();
  const { get } = draftOn(server);
  void get().add(filesNamed("a.xel"));
  void get().add(filesNamed("b.xel"));
  await settled();
  expect(server.captures.size).toBe(1);
  expect(server.sent.map(({ capture }) => capture)).toEqual(["capture-1", "capture-1"]);
});

test("Stop sending ends the queue as well as what is on the wire", async () => {
  const server = fakeServer();
  const { get, uploads } = draftOn(server);
  const added = get().add(six());
  await settled();
  expect(server.sent).toHaveLength(2);
  get().stop();
  await added;
  await settled();
  expect(server.sent).toHaveLength(2);
  expect(uploads()).toEqual([]);
  expect(get().notice).toBe(
    "Stopped: trace_0.xel, trace_1.xel, trace_2.xel and 3 more did not arrive. Choose them again to send them.",
  );
  expect(get().capture?.id).toBe("capture-1");
});

test("after Stop sending more files can be added to the same capture", async () => {
  const server = fakeServer();
  const { get } = draftOn(server);
  void get().add(six());
  await settled();
  get().stop();
  void get().add(filesNamed("late.xel"));
  await settled();
  expect(server.sent.at(-1)).toMatchObject({ capture: "capture-1", name: "late.xel" });
});

test("Start over sends nothing more into the capture that was given up", async () => {
  const server = fakeServer();
  const { get, uploads } = draftOn(server);
  const added = get().add(six());
  await settled();
  get().reset();
  await added;
  await settled();
  expect(server.sent).toHaveLength(2);
  expect(get()).toMatchObject({ capture: null, notice: null });
  expect(uploads()).toEqual([]);
});

test("Start over while the capture is made leaves the page empty, and the next files make another one", async () => {
  const server = fakeServer();
  const { get } = draftOn(server);
  const added = get().add(six());
  get().reset();
  await added;
  await settled();
  expect(get().capture).toBeNull();
  expect(server.sent).toEqual([]);
  void get().add(filesNamed("b.xel"));
  await settled();
  expect(server.sent.map(({ capture }) => capture)).toEqual(["capture-2"]);
});

test("a file that arrives after Start over does not bring its capture back", async () => {
  const server = fakeServer();
  const { get } = draftOn(server);
  void get().add(filesNamed("a.xel"));
  await settled();
  const { promise, resolve } = Promise.withResolvers<Capture>();
  vi.mocked(server.client.readCapture).mockReturnValueOnce(promise);
  server.sent[0]?.finish();
  await settled();
  get().reset();
  resolve(captureOf({ id: "capture-1" }));
  await settled();
  expect(get().capture).toBeNull();
});

test("a file that cannot be read stays with its reason until it is dismissed; the others go on", async () => {
  const server = fakeServer();
  const { get, uploads } = draftOn(server);
  void get().add(filesNamed("a.xel", "b.xel", "c.xel"));
  await settled();
  server.sent[0]?.fail(new ProblemError("too-large", 413, "a.xel is larger than this server takes."));
  await settled();
  expect(uploads()[0]).toEqual(["a.xel", 0, "a.xel is larger than this server takes."]);
  expect(server.sent).toHaveLength(3);
  get().dismiss(get().uploads[0]?.key ?? -1);
  expect(uploads().map(([name]) => name)).toEqual(["b.xel", "c.xel"]);
});

test("without a capture to add to nothing is sent, and the reason is said", async () => {
  const server = fakeServer();
  vi.mocked(server.client.createCapture).mockRejectedValueOnce(new TypeError("Failed to fetch"));
  const { get, uploads } = draftOn(server);
  await get().add(six());
  expect(get().notice).toMatch(/^The server does not answer\./u);
  expect(uploads()).toEqual([]);
  void get().add(filesNamed("a.xel"));
  await settled();
  expect(server.sent).toHaveLength(1);
});

test("files added to a replica are put to it", async () => {
  const server = fakeServer();
  const { get } = draftOn(server);
  void get().add(filesNamed("a.xel"), { role: "secondary", replica: "SQL2" });
  await settled();
  server.sent[0]?.finish();
  await settled();
  expect(server.client.correctFile).toHaveBeenCalledExactlyOnceWith("capture-1", "a.xel", {
    role: "secondary",
    replica: "SQL2",
  });
});

test("Start over while files are recognized sends none of them", async () => {
  const server = fakeServer();
  const { get } = draftOn(server);
  const added = get().add(filesNamed("a.xel", "notes.docx"));
  expect(get().notice).toBe("2 files are being recognized.");
  get().reset();
  await added;
  await settled();
  expect(get()).toMatchObject({ capture: null, notice: null, uploads: [] });
  expect(server.sent).toEqual([]);
});

test("files without a use are named, whether others are taken or not", async () => {
  const server = fakeServer();
  const { get } = draftOn(server);
  await get().add(filesNamed("notes.docx"));
  expect(get().notice).toBe(
    "notes.docx was skipped: no content that AG Lens uses. Add the .xel files of the event session, or a zip of them.",
  );
  void get().add(filesNamed("a.xel", "b.doc", "c.doc"));
  await expect.poll(() => get().notice).toMatch(/^2 files were skipped: .* The others are read\.$/u);
  expect(get().uploads).toHaveLength(1);
});

test("a capture begun before is continued; one that is gone says so", async () => {
  const server = fakeServer();
  server.captures.set("old", captureOf({ id: "old", name: "Friday" }));
  const { get } = draftOn(server);
  await get().open("old");
  expect(get().capture?.name).toBe("Friday");
  await get().open("gone");
  expect(get().notice).toBe("There is no such capture.");
  expect(get().capture?.name).toBe("Friday");
});

test("a change is made to the draft's capture, which is read anew; a refused one says why", async () => {
  const server = fakeServer();
  server.captures.set("old", captureOf({ id: "old" }));
  const { get } = draftOn(server);
  await get().rename("Friday");
  expect(server.client.renameCapture).not.toHaveBeenCalled();
  await get().open("old");
  await get().correct("f", { role: "ignored" });
  expect(server.client.correctFile).toHaveBeenCalledExactlyOnceWith("old", "f", { role: "ignored" });
  await get().remove(["f"]);
  expect(server.client.removeFile).toHaveBeenCalledExactlyOnceWith("old", "f");
  expect(server.client.readCapture).toHaveBeenCalledTimes(3);
  vi.mocked(server.client.renameCapture).mockRejectedValueOnce(
    new ProblemError("busy", 409, "The capture is analyzed just now."),
  );
  await get().rename("Friday");
  expect(get().notice).toBe("The capture is analyzed just now.");
});

describe("files in parts", () => {
  const large = (name: string, content = "0123456789", size = LEAST_BYTES_IN_PARTS): PickedFile => {
    const file = new File([content], name);
    Object.defineProperty(file, "size", { value: size });
    return { file, path: name };
  };

  test("are those from a size on, one byte less is sent at once", async () => {
    const server = fakeServer();
    const { get } = draftOn(server);
    void get().add([large("large.xel"), large("small.xel", "0123456789", LEAST_BYTES_IN_PARTS - 1)]);
    await settled();
    expect(server.inParts.map(({ name }) => name)).toEqual(["large.xel"]);
    expect(server.sent.map(({ name }) => name).toSorted()).toEqual(["large.xel", "small.xel"]);
    expect(get().uploads.map(({ parts }) => parts === null)).toEqual([false, true]);
  });

  test("wait for the network, and go on behind what the server has", async () => {
    const server = fakeServer();
    const { get } = draftOn(server);
    void get().add([large("large.xel")]);
    await settled();
    const [sending] = server.inParts;
    sending?.report(700);
    sending?.listener.onWaiting("The connection broke.", 4_000);
    expect(get().uploads[0]?.parts?.waiting?.sentence).toBe("The connection broke.");
    sending?.listener.onWaiting("The connection broke.", 8_000);
    sending?.listener.onGoesOn(500);
    expect(get().uploads[0]).toMatchObject({ sent: 500, parts: { kept: 500, breaks: [500], waiting: null } });
    // Each interruption once, however often it was tried again.
    expect(get().events.map(({ what }) => what)).toEqual(["large.xel was interrupted", "large.xel resumed"]);
    sending?.finish();
    await settled();
    expect(get().uploads).toEqual([]);
    expect(get().capture?.files).toHaveLength(1);
  });

  test("have what the server read of them on the way, also when they are whole or are read no further", async () => {
    const server = fakeServer();
    const { get } = draftOn(server);
    void get().add([large("large.xel")]);
    await settled();
    const reading = () => get().uploads[0]?.parts?.reading;
    expect(reading()).toEqual({ read: null, isLater: false });
    const read = { bytes: 300, points: [{ at: "2016-05-06T02:16:56.0000000Z", events: 40 }] };
    const [sending] = server.inParts;
    sending?.listener.onRead(read);
    expect(reading()).toEqual({ read, isLater: false });
    sending?.listener.onRead(null);
    expect(reading()).toEqual({ read, isLater: true });
    sending?.finish();
    await settled();
    expect([...get().readings]).toEqual([["large.xel", { read, isLater: true, key: 1 }]]);
    get().reset();
    expect(get().readings.size).toBe(0);
  });

  test("pause and go on together, also one that begins meanwhile", async () => {
    const server = fakeServer();
    const { get } = draftOn(server);
    void get().add([large("a.xel"), large("b.xel"), large("c.xel")]);
    await settled();
    get().pause();
    expect(get().isPaused).toBe(true);
    server.inParts[0]?.finish();
    await settled();
    expect(server.inParts.map(({ pause }) => pause.mock.calls.length)).toEqual([1, 1, 1]);
    get().goOn();
    expect(server.inParts.map(({ goOn }) => goOn.mock.calls.length)).toEqual([0, 1, 1]);
    expect(get().isPaused).toBe(false);
  });

  test("that are chosen again carry on their upload, in its capture", async () => {
    const server = fakeServer();
    server.captures.set("capture-9", captureOf({ id: "capture-9" }));
    server.kept.push(keptUpload({ size: LEAST_BYTES_IN_PARTS, received: 400 }));
    const { get } = draftOn(server);
    void get().add([large("large.xel")]);
    await settled();
    expect(get().capture?.id).toBe("capture-9");
    expect(server.inParts).toMatchObject([{ capture: "capture-9", uploadId: "upload-1" }]);
    const reading = { read: null, isLater: true };
    expect(get().uploads).toMatchObject([{ sent: 400, parts: { kept: 400, breaks: [400], reading } }]);
    expect(server.client.createCapture).not.toHaveBeenCalled();
  });

  test("of which the capture has some whole: those are not sent again", async () => {
    const server = fakeServer();
    const whole = captureFile({ id: "w", name: "whole.xel", size: LEAST_BYTES_IN_PARTS });
    server.captures.set("capture-9", captureOf({ id: "capture-9", files: [whole] }));
    server.kept.push(keptUpload({ size: LEAST_BYTES_IN_PARTS }));
    const { get } = draftOn(server);
    await get().open("capture-9");
    expect(get().kept).toHaveLength(1);
    void get().add([large("large.xel"), large("whole.xel")]);
    await settled();
    expect(server.inParts.map(({ name }) => name)).toEqual(["large.xel"]);
    expect(get().kept).toEqual([]);
    expect(get().events.at(-1)?.detail).toMatch(/; 1 other is already complete$/u);
  });

  test.each([
    ["another beginning", large("large.xel", "9999"), /its first 64 kB differ/u],
    ["another size", { file: new File(["0123"], "large.xel"), path: "large.xel" }, /its size differs/u],
  ])("with the same name and %s wait for a word", async (_, other, reason) => {
    const server = fakeServer();
    server.captures.set("capture-9", captureOf({ id: "capture-9" }));
    server.kept.push(keptUpload({ size: LEAST_BYTES_IN_PARTS }));
    const { get } = draftOn(server);
    await get().open("capture-9");
    await get().add([other]);
    expect(server.sent).toEqual([]);
    expect(get().uploads[0]?.problem).toMatch(reason);
    expect(get().kept).toHaveLength(1);
    void get().sendAnew(get().uploads[0]?.key ?? 0);
    await settled();
    expect(server.kept).toEqual([]);
    expect(server.sent.map(({ name }) => name)).toEqual(["large.xel"]);
  });

  test("are thrown away with what the server has of them", async () => {
    const server = fakeServer();
    server.captures.set("capture-9", captureOf({ id: "capture-9" }));
    server.kept.push(
      keptUpload({}),
      keptUpload({ id: "upload-2" }),
      keptUpload({ id: "x", captureId: "other" }),
    );
    const { get } = draftOn(server);
    await get().open("capture-9");
    expect(get().kept.map(({ id }) => id)).toEqual(["upload-1", "upload-2"]);
    await get().throwAway();
    expect(server.kept.map(({ id }) => id)).toEqual(["x"]);
    expect(get()).toMatchObject({ kept: [], uploads: [], isPaused: false });
  });
});
