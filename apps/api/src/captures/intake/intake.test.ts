import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import pino from "pino";
import type { CaptureFile } from "@aglens/contract";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { stubAnalyzer } from "../../../test/stub-analyzer.ts";
import type { StubAnalyzer } from "../../../test/stub-analyzer.ts";
import { problem } from "@aglens/engine/problems";
import { CancelledError } from "../jobs/job.ts";
import { openBlobs } from "../../store/blobs.ts";
import type { Blobs } from "../../store/blobs.ts";
import { expectFileName, Intake } from "./intake.ts";

let folder: string;
let hasRoom: boolean;
let blobs: Blobs;
let analyzer: StubAnalyzer;
let intake: Intake;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-intake-"));
  hasRoom = true;
  blobs = await openBlobs(folder, {
    expectRoom: () => (hasRoom ? Promise.resolve() : Promise.reject(problem("disk-full", "full"))),
  });
  analyzer = stubAnalyzer();
  intake = new Intake(blobs, analyzer, { maxUploadBytes: 10_000, maxFiles: 3 }, pino({ level: "silent" }));
});
afterEach(() => rm(folder, { recursive: true }));

async function* chunksOf(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

const receive = (path: string, ...chunks: readonly Uint8Array[]): Promise<CaptureFile[]> =>
  intake.receive("c", expectFileName(path), chunksOf(...chunks));
const kept = (): Promise<string[]> => readdir(join(folder, "captures", "c")).catch(() => []);
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: { problem?: { code: string } }) => error.problem?.code ?? error,
  );

/** The first bytes of a .xel file. */
const XEL = [0x5a, 0x37, 0xab, 0xef];

/** Records the calls about files that are read while they arrive; their recognition finds a secondary. */
function followed(): string[] {
  const said: string[] = [];
  const secondary = analyzer.recognise({ path: "", name: "a.xel", sha256: "" }, "c").done;
  analyzer.follow = ({ name }, _, size) => {
    said.push(`follow ${name} of ${size}`);
    return {
      done: secondary.then((file) => ({ ...file, detectedRole: "secondary" as const })),
      cancel: () => Promise.resolve(void said.push("cancel")),
      arrived: (bytes) => void said.push(`arrived ${bytes}`),
      soFar: () => ({ bytes: 0, points: [] }),
      end: (bytes, sha256) => void said.push(`end ${bytes} ${sha256?.slice(0, 4)}`),
    };
  };
  return said;
}

describe("a .xel file whose size is announced", () => {
  const send = (chunks: AsyncIterable<Uint8Array>, announced?: number) =>
    intake.receive("c", expectFileName("a.xel"), chunks, { announced });

  test("is read while it arrives", async () => {
    const said = followed();
    const [file] = await send(chunksOf(new Uint8Array(XEL), strToU8("abc")), 7);
    expect(file).toMatchObject({ detectedRole: "secondary", size: 7 });
    // The checksum is sha256sum's.
    expect(said.slice(0, 4)).toEqual(["follow a.xel of 7", "arrived 4", "arrived 7", "end 7 5c1a"]);
  });

  test("ends that reading when it breaks off", async () => {
    const said = followed();
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(XEL);
      throw new Error("aborted");
    }
    await expect(send(broken(), 9)).rejects.toThrow("aborted");
    expect(said).toEqual(["follow a.xel of 9", "arrived 4", "cancel"]);
  });

  test("is as another one without that size, or without the first bytes of one", async () => {
    const said = followed();
    expect((await send(chunksOf(new Uint8Array(XEL))))[0]).toMatchObject({ detectedRole: "primary" });
    expect((await send(chunksOf(strToU8("abcd")), 4))[0]).toMatchObject({ detectedRole: "primary" });
    expect(said).toEqual([]);
  });
});

test("files are prepared while they are read as long as their capture has four at most", async () => {
  const prepared: unknown[] = [];
  const recognise = analyzer.recognise.bind(analyzer);
  analyzer.recognise = (file, id) => {
    prepared.push(file.prepares);
    return recognise(file, id);
  };
  analyzer.follow = (file) => {
    prepared.push(`followed: ${file.prepares}`);
    return null;
  };
  const send = (present: number, bytes: Uint8Array, name = "a.xel", announced = 0) =>
    intake.receive("c", expectFileName(name), chunksOf(bytes), { present, announced });
  await send(3, strToU8("x"));
  await send(4, strToU8("x"));
  const two = zipSync({ "a.xel": strToU8("x"), "b.xel": strToU8("y") });
  await send(2, two, "night.zip");
  await send(3, two, "night.zip");
  expect(prepared.splice(0)).toEqual([true, false, true, true, false, false]);
  for (const present of [3, 4]) {
    await send(present, new Uint8Array(XEL), "a.xel", 4);
    intake.follow("c", "f", expectFileName("a.xel"), "here", { present, announced: 4 });
  }
  const followed = prepared.filter((each) => typeof each === "string");
  expect(followed).toEqual(["true", "true", "false", "false"].map((is) => `followed: ${is}`));
});

describe("a file", () => {
  test("is stored as it came, whatever its chunks", async () => {
    const [file] = await receive("SQL1/a.xel", strToU8("ab"), strToU8(""), strToU8("c"));
    expect(file).toMatchObject({
      name: "a.xel",
      folder: "SQL1",
      path: "SQL1",
      size: 3,
      // SHA-256 of "abc" (FIPS 180-4).
      sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    });
    expect(await readFile(blobs.path("c", file?.id ?? ""), "utf8")).toBe("abc");
  });

  test("that the decoder breaks on is kept and named", async () => {
    analyzer.recognised.set("a.xel", new Error("undefined"));
    expect(await receive("a.xel", strToU8("x"))).toMatchObject([
      {
        kind: "unreadable",
        role: "ignored",
        message: "a.xel, byte 0: the decoder stopped unexpectedly. The analysis skips the file.",
      },
    ]);
    expect(await kept()).toHaveLength(1);
  });

  test("has no bytes in the capture before it was recognized and lost what is sensitive", async () => {
    const stub = stubAnalyzer();
    const read = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<string>();
    analyzer.recognise = (file, captureId) => {
      asked.resolve(file.path);
      const job = stub.recognise(file, captureId);
      return { ...job, done: read.promise.then(() => job.done) };
    };
    const receiving = receive("a.xel", strToU8("abc"));
    expect(await readFile(await asked.promise, "utf8")).toBe("abc");
    expect(await kept()).toEqual([]);
    // Until then the file is in `incoming`, which the next process empties.
    expect(await readdir(join(folder, "incoming"))).toHaveLength(1);
    read.resolve();
    expect(await receiving).toMatchObject([{ dropped: { values: 0, bytes: 0 } }]);
    expect(await kept()).toHaveLength(1);
    expect(await readdir(join(folder, "incoming"))).toEqual([]);
  });

  test("has the checksum of what was sent, and that which its reader found of what is left", async () => {
    const dropped = { values: 1, bytes: 0 };
    analyzer.recognised.set("a.xel", { dropped, keptSha256: "of the rest" });
    const [file] = await receive("a.xel", strToU8("abc"));
    expect(file).toMatchObject({
      dropped,
      // SHA-256 of "abc" (FIPS 180-4).
      sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      keptSha256: "of the rest",
    });
  });

  test("keeps what is sensitive when its uploader says so", async () => {
    const [file] = await intake.receive("c", expectFileName("a.xel"), chunksOf(strToU8("abc")), {
      keepSensitive: true,
    });
    expect(file?.dropped).toBeNull();
  });

  test("that nobody can read loses all its bytes, unless they are kept", async () => {
    analyzer.recognised.set("a.xel", new Error("undefined"));
    const zip = zipSync({ "b.xel": strToU8("b") });
    const files = await receive("outer.zip", zipSync({ "a.xel": strToU8("SELECT 1"), "inner.zip": zip }));
    expect(files.map(({ dropped }) => dropped)).toEqual([
      { values: 0, bytes: 8 },
      { values: 0, bytes: zip.length },
    ]);
    for (const { id, size } of files) {
      expect(await readFile(blobs.path("c", id))).toEqual(Buffer.alloc(size));
    }
    const [own] = await intake.receive("d", expectFileName("a.xel"), chunksOf(strToU8("SELECT 1")), {
      keepSensitive: true,
    });
    expect(await readFile(blobs.path("d", own?.id ?? ""), "utf8")).toBe("SELECT 1");
  });

  test("has as many bytes as the recognition left, when that replaced it", async () => {
    analyzer.recognised.set("a.csv", { size: 77 });
    expect(await receive("a.csv", strToU8("x"))).toMatchObject([{ size: 77 }]);
  });

  test("may have just as many bytes as the limit", async () => {
    expect(await codeOf(receive("a.xel", new Uint8Array(10_000)))).toBeNull();
    expect(await codeOf(receive("b.xel", new Uint8Array(10_000), new Uint8Array(1)))).toBe("too-big");
    expect(await kept()).toHaveLength(1);
    expect(await readdir(join(folder, "incoming"))).toEqual([]);
  });

  test("whose client leaves is not kept", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield strToU8("x");
      throw new Error("aborted");
    }
    await expect(intake.receive("c", expectFileName("a.xel"), broken())).rejects.toThrow("aborted");
    expect(await kept()).toEqual([]);
    expect(await readdir(join(folder, "incoming"))).toEqual([]);
  });

  test("of a live run is moved, not copied", async () => {
    await writeFile(join(folder, "0_0000.xel"), "abcd");
    const file = await intake.adopt("c", "f1", "SQL1_1.xel", join(folder, "0_0000.xel"));
    expect(file).toMatchObject({ id: "f1", name: "SQL1_1.xel", folder: null, size: 4 });
    expect(await readFile(blobs.path("c", "f1"), "utf8")).toBe("abcd");
    expect(await readdir(folder)).not.toContain("0_0000.xel");
    // A process that was interrupted has moved the file already.
    expect(await intake.adopt("c", "f1", "SQL1_1.xel", join(folder, "0_0000.xel"))).toEqual(file);
    expect(await intake.adopt("c", "f2", "SQL1_1.xel", join(folder, "0_0000.xel"))).toBeNull();
  });
});

describe("a zip", () => {
  const messageOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => "kept",
      (error: Error) => error.message,
    );
  /** Sets bytes of the local header (at 0) and of the directory's entry of a zip with one entry. */
  const patched = (zip: Uint8Array, local: number, entry: number, value: number): Uint8Array => {
    const bytes = Buffer.from(zip);
    bytes[local] = value;
    bytes[bytes.indexOf("PK\x01\x02") + entry] = value;
    return bytes;
  };

  test("with an entry whose checksum is wrong is refused, by the entry's name", async () => {
    const zip = zipSync({ "SQL1/a.xel": strToU8("123456789") });
    // CRC-32 of these digits is cbf43926.
    expect(await messageOf(receive("z.zip", patched(zip, 14, 16, 0x26)))).toBe("kept");
    expect(await messageOf(receive("z.zip", patched(zip, 14, 16, 0x27)))).toContain(
      "a.xel in the zip is damaged: its checksum is wrong.",
    );
    expect(await kept()).toHaveLength(1);
  });

  test("with an encrypted entry is refused, by the entry's name", async () => {
    const zip = zipSync({ "SQL1/a.xel": strToU8("123456789") });
    expect(await messageOf(receive("z.zip", patched(zip, 6, 8, 1)))).toBe(
      "a.xel is protected by a password. Unpack the zip and add its files.",
    );
    expect(await kept()).toEqual([]);
  });

  test("is unpacked elsewhere: this thread only moves its files", async () => {
    const asked: unknown[] = [];
    const { unpack } = analyzer;
    analyzer.unpack = (request, onBytes) => {
      asked.push(request);
      return unpack(request, onBytes);
    };
    const [file] = await receive("z.zip", zipSync({ "a.xel": strToU8("abc") }));
    expect(asked).toMatchObject([{ maxFiles: 3, maxBytes: 10_000 }]);
    expect(await readFile(blobs.path("c", file?.id ?? ""), "utf8")).toBe("abc");
    expect(await readdir(join(folder, "incoming"))).toEqual([]);
  });

  test("that fills the disk is ended, and leaves nothing", async () => {
    const cancelled = Promise.withResolvers<never>();
    analyzer.unpack = (request, onBytes) => {
      const done = mkdir(request.folder).then(() => {
        hasRoom = false;
        onBytes();
        return cancelled.promise;
      });
      return {
        done,
        cancel: async () => cancelled.reject(new CancelledError("")),
      };
    };
    expect(await codeOf(receive("z.zip", zipSync({ "a.xel": strToU8("abc") })))).toBe("disk-full");
    expect(await kept()).toEqual([]);
    expect(await readdir(join(folder, "incoming"))).toEqual([]);
  });

  test("inside a zip is named, and the files beside it are read", async () => {
    const inner = zipSync({ "b.xel": strToU8("b") });
    const files = await receive("z.zip", zipSync({ "inner.zip": inner, "a.xel": strToU8("a") }));
    expect(files.map(({ kind }) => kind)).toEqual(["unreadable", "xel"]);
    expect(files[0]?.message).toContain("inner.zip is a zip inside a zip. Unpack it");
  });

  test("is part of its entries' path, and each entry has its own hash", async () => {
    const zip = zipSync({ "SQL1/a.xel": strToU8("abc"), "b.xel": strToU8("x") });
    const [a, b] = await receive("night/z.zip", zip);
    expect(a).toMatchObject({
      path: "night/z.zip/SQL1",
      sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    });
    expect(b).toMatchObject({ path: "night/z.zip", folder: "night" });
  });

  test("is known by its bytes, not by its name", async () => {
    const files = await receive("capture.bin", zipSync({ "a.xel": strToU8("a") }));
    expect(files.map(({ name }) => name)).toEqual(["a.xel"]);
    expect(await receive("a.zip", strToU8("no zip"))).toMatchObject([{ name: "a.zip", size: 6 }]);
  });

  test("leaves out what archivers of desktops add", async () => {
    const zip = zipSync({
      "__MACOSX/x.xel": strToU8("x"),
      ".DS_Store": strToU8("x"),
      "SQL1/Thumbs.db": strToU8("x"),
      "SQL1/desktop.ini": strToU8("x"),
      "SQL1/not.DS_Store": strToU8("x"),
      "..": strToU8("x"),
      "SQL1/a.xel": strToU8("a"),
    });
    expect((await receive("z.zip", zip)).map(({ name }) => name)).toEqual(["not.DS_Store", "a.xel"]);
    expect(await kept()).toHaveLength(2);
  });

  test("of folders only is refused", async () => {
    expect(await codeOf(receive("z.zip", zipSync({ SQL1: {}, "SQL2/": new Uint8Array(0) })))).toBe("bad-zip");
    expect(await kept()).toEqual([]);
  });

  test("may hold just as many files as a capture", async () => {
    const zip = (count: number) =>
      zipSync(Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.xel`, strToU8("x")])));
    expect(await codeOf(receive("z.zip", zip(3)))).toBeNull();
    expect(await codeOf(receive("z.zip", zip(4)))).toBe("too-many-files");
    expect(await kept()).toHaveLength(3);
  });

  test("may have folders and clutter beside its files, within bounds", async () => {
    const clutter = (count: number) =>
      zipSync({
        "a.xel": strToU8("a"),
        ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`__MACOSX/${i}`, strToU8("x")])),
      });
    // Four entries for each of three files.
    expect(await codeOf(receive("z.zip", clutter(11)))).toBeNull();
    expect(await codeOf(receive("z.zip", clutter(12)))).toBe("too-many-files");
  });

  test("that holds more than the limit leaves nothing", async () => {
    const zip = zipSync({ "a.xel": new Uint8Array(6_000), "b.xel": new Uint8Array(6_000) });
    expect(await codeOf(receive("z.zip", zip))).toBe("too-big");
    expect(await kept()).toEqual([]);
    expect(await readdir(join(folder, "incoming"))).toEqual([]);
  });
});

test.each(["", "..", "/"])("%j is refused as a name", (name) => {
  expect(() => expectFileName(name)).toThrow(/is not a file name/u);
});

test("a name that is refused is shown up to its 80th character", () => {
  expect(() => expectFileName("/".repeat(81))).toThrow(`"${"/".repeat(80)}" is not a file name.`);
});
