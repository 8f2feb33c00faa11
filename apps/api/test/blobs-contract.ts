/** The contract of every store of blobs (`store/blobs.ts`), as tests. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TooBigError, withBlobs } from "../src/store/blobs.ts";
import type { Blobs } from "../src/store/blobs.ts";
import { checksumOf, type Checksum } from "../src/store/checksum.ts";

/** Empty blobs of a test. */
export interface BlobsUnderTest {
  /** Opens them, as the next process would. */
  open(): Promise<Blobs>;
  end(): Promise<void>;
}

export async function* source(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

/** @param begin makes empty blobs */
export function describeBlobs(name: string, begin: () => Promise<BlobsUnderTest>): void {
  describe(`blobs in ${name}`, () => {
    let under: BlobsUnderTest;
    let blobs: Blobs;
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "aglens-blobs-"));
      under = await begin();
      blobs = await under.open();
    });
    afterEach(async () => {
      await under.end();
      await rm(folder, { recursive: true });
    });
    const put = (captureId: string, key: string, text: string): Promise<number> =>
      blobs.receive(captureId, key, source(Buffer.from(text)), 1_000);
    const read = (captureId: string, key: string): Promise<string> => readBy(captureId, key, undefined);
    const readBy = (captureId: string, key: string, checksum: Checksum | undefined): Promise<string> =>
      withBlobs(blobs, captureId, { [key]: checksum }, () => readFile(blobs.path(captureId, key), "utf8"));
    const file = async (text: string): Promise<string> => {
      const path = join(folder, "file");
      await writeFile(path, text);
      return path;
    };

    test("one is there when it is whole, and not before", async () => {
      async function* slow(): AsyncGenerator<Uint8Array> {
        yield Buffer.from("ab");
        expect([await blobs.keys("c"), await blobs.size("c", "k")]).toEqual([[], null]);
        yield Buffer.from("c");
      }
      await blobs.receive("c", "k", slow(), 1_000);
      expect([await blobs.keys("c"), await blobs.size("c", "k")]).toEqual([["k"], 3]);
      expect(await read("c", "k")).toBe("abc");
    });

    test("one takes the place of the one before, of a source that breaks off not", async () => {
      await put("c", "k", "before");
      await put("c", "k", "behind");
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield Buffer.from("half");
        throw new Error("broken off");
      }
      await expect(blobs.receive("c", "k", broken(), 1_000)).rejects.toThrow("broken off");
      expect(await read("c", "k")).toBe("behind");
    });

    test("one may have just as many bytes as the limit, or none", async () => {
      const receive = (bytes: number): Promise<number> =>
        blobs.receive("c", `k${bytes}`, source(new Uint8Array(2), new Uint8Array(bytes - 2)), 10);
      expect(await receive(10)).toBe(10);
      await expect(receive(11)).rejects.toEqual(new TooBigError(10));
      expect(await blobs.receive("c", "empty", source(), 10)).toBe(0);
      expect((await blobs.keys("c")).toSorted()).toEqual(["empty", "k10"]);
    });

    test("bytes that no capture has yet are received aside, and then taken over", async () => {
      const path = blobs.aside();
      expect(await blobs.receiveAside(path, source(Buffer.from("abc")), 3)).toBe(3);
      expect([await blobs.captures(), await readFile(path, "utf8")]).toEqual([[], "abc"]);
      await expect(blobs.receiveAside(blobs.aside(), source(Buffer.from("abcd")), 3)).rejects.toEqual(
        new TooBigError(3),
      );
      expect(await blobs.adopt("c", "k", path)).toBe(3);
      expect(await read("c", "k")).toBe("abc");
    });

    test("a file is taken over once; none is none", async () => {
      const path = await file("abcd");
      expect(await blobs.adopt("c", "k", path)).toBe(4);
      expect(await blobs.adopt("c", "k", path)).toBe(4);
      expect(await blobs.adopt("c", "other", path)).toBeNull();
    });

    test("a file gets a second name, which is of its own bytes", async () => {
      const path = await file("abc");
      const second = blobs.aside();
      expect(await blobs.share(path, second)).toBe(3);
      await rm(path);
      expect(await blobs.adopt("c", "k", second)).toBe(3);
      expect(await read("c", "k")).toBe("abc");
    });

    test("one moves to another capture, again is the same as once; none is none", async () => {
      await put("a", "k", "abc");
      expect(await blobs.move("a", "k", "b")).toBe(3);
      expect(await blobs.move("a", "k", "b")).toBe(3);
      expect([await blobs.size("a", "k"), await read("b", "k")]).toEqual([null, "abc"]);
      expect(await blobs.move("a", "none", "b")).toBeNull();
    });

    test("a copy has its own life; of none there is none", async () => {
      await put("a", "k", "abc");
      await put("b", "copy", "before");
      await blobs.copy("a", "k", "b", "copy");
      await blobs.remove("a", "k");
      expect([await blobs.size("a", "k"), await read("b", "copy")]).toEqual([null, "abc"]);
      await expect(blobs.copy("a", "k", "b", "other")).rejects.toThrow();
      expect(await blobs.keys("b")).toEqual(["copy"]);
    });

    test("one beside the others is written where the capture has some, anew where it differs", async () => {
      await blobs.writeInThread("c", "beside.json", "one");
      expect(await blobs.keys("c")).toEqual([]);
      await put("c", "k", "abc");
      for (const text of ["one", "one", "two"]) {
        await blobs.writeInThread("c", "beside.json", text);
        expect(await read("c", "beside.json")).toBe(text);
      }
      expect((await blobs.keys("c")).toSorted()).toEqual(["beside.json", "k"]);
    });

    test("captures that have some are listed, and removed with all of them; one that has none too", async () => {
      await put("other", "k", "abc");
      for (const remove of ["removeCapture", "removeCaptureSoon"] as const) {
        await put("c", "k", "abc");
        await put("c", "l", "abc");
        expect((await blobs.captures()).toSorted()).toEqual(["c", "other"]);
        await blobs[remove]("c");
        await blobs[remove]("c");
        expect([await blobs.captures(), await blobs.keys("c"), await blobs.size("c", "k")]).toEqual([
          ["other"],
          [],
          null,
        ]);
      }
      await blobs.remove("other", "none");
      expect(await blobs.keys("other")).toEqual(["k"]);
    });

    test("it is known when each was written", async () => {
      await put("a", "one", "abc");
      const { one, ...others } = await blobs.written("a");
      expect(Math.abs((one ?? 0) - Date.now())).toBeLessThan(60_000);
      expect(others).toEqual({});
      expect(await blobs.written("none")).toEqual({});
    });

    test("what is there is there for the next process, what was not ended is not", async () => {
      await put("c", "k", "abc");
      const ended = Promise.withResolvers<never>();
      async function* half(): AsyncGenerator<Uint8Array> {
        yield Buffer.from("ab");
        await ended.promise;
      }
      const receiving = blobs.receive("c", "half", half(), 1_000);
      blobs = await under.open();
      expect([await blobs.captures(), await blobs.keys("c"), await read("c", "k")]).toEqual([
        ["c"],
        ["k"],
        "abc",
      ]);
      ended.reject(new Error("ended"));
      await expect(receiving).rejects.toThrow("ended");
    });

    test.each(["", ".", "..", "a/b", "a\\b", "ä", "x".repeat(81)])("%j is no name of one", async (wrong) => {
      expect(() => blobs.path(wrong, "k")).toThrow("Not a blob name.");
      expect(() => blobs.path("c", wrong)).toThrow("Not a blob name.");
      await expect(put("c", wrong, "abc")).rejects.toThrow("Not a blob name.");
    });

    test("one that is missing is for who reads it to find", async () => {
      await put("c", "k", "abc");
      const fetched = await blobs.fetch("c", { k: undefined, other: undefined });
      expect(await readFile(blobs.path("c", "k"), "utf8")).toBe("abc");
      await expect(readFile(blobs.path("c", "other"))).rejects.toThrow("ENOENT");
      fetched.release();
    });

    test("one that was stored by its checksum is fetched by it", async () => {
      const [one, two] = ["one", "two"].map((text) => checksumOf(Buffer.from(text)));
      await blobs.receive("c", "k", source(Buffer.from("one")), 1_000, one);
      expect(await readBy("c", "k", one)).toBe("one");
      expect(await blobs.adopt("c", "k", await file("two"), two)).toBe(3);
      expect([await readBy("c", "k", two), await blobs.keys("c"), await blobs.size("c", "k")]).toEqual([
        "two",
        ["k"],
        3,
      ]);
      await blobs.move("c", "k", "d");
      expect([await readBy("d", "k", two), await blobs.keys("c")]).toEqual(["two", []]);
      await blobs.remove("d", "k");
      expect([await blobs.size("d", "k"), await blobs.keys("d")]).toEqual([null, []]);
    });

    test("a name has up to 80 characters", async () => {
      const longest = `A-z_0.${"x".repeat(74)}`;
      await put(longest, longest, "abc");
      expect(await read(longest, longest)).toBe("abc");
    });
  });
}
