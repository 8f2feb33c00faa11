/** What comes into a capture: files, zips of files and files of a live run, each kept as a blob and recognised. */
import { createHash } from "node:crypto";
import type { Hash } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Logger } from "pino";
import type { CaptureFile } from "@aglens/contract";
import { looksLikeZip, shownName } from "@aglens/zip";
import type { ShownName } from "@aglens/zip";
import { problem } from "../problems.ts";
import type { Blobs } from "../store/blobs.ts";
import { TooBigError } from "../store/blobs.ts";
import { checksumOfFile } from "../store/checksum.ts";
import { isDiskFull } from "../store/space.ts";
import { newId } from "../identity.ts";
import type { Analyser } from "./analyser.ts";
import { bytesAt } from "./random-access.ts";
import { unreadable } from "./recognised.ts";
import type { Recognised } from "./recognised.ts";
import type { UnpackedFile, UnpackRequest } from "./unpack.ts";

export interface IntakeLimits {
  readonly maxUploadBytes: number;
  /** Files of one capture. */
  readonly maxFiles: number;
}

interface Received {
  readonly fileId: string;
  readonly name: ShownName;
  readonly size: number;
  /** SHA-256 of the bytes, hex; "" where they were not seen. */
  readonly sha256: string;
}

/** Turns bytes into files of a capture; which capture may take them, and when, is not known here. */
export class Intake {
  readonly #blobs: Blobs;
  readonly #analyser: Analyser;
  readonly #limits: IntakeLimits;
  readonly #log: Logger;

  constructor(blobs: Blobs, analyser: Analyser, limits: IntakeLimits, log: Logger) {
    this.#blobs = blobs;
    this.#analyser = analyser;
    this.#limits = limits;
    this.#log = log;
  }

  /**
   * Stores one file, or the files of a zip, and recognises each.
   * @param name as `expectFileName` gave it
   * @throws ProblemError `too-big`, `bad-zip`, `too-many-files`; nothing is kept then
   */
  async receive(id: string, name: ShownName, source: AsyncIterable<Uint8Array>): Promise<CaptureFile[]> {
    const fileId = newId();
    const hash = createHash("sha256");
    const size = await this.#store(id, fileId, hashed(source, hash));
    const path = this.#blobs.path(id, fileId);
    if (!looksLikeZip(await bytesAt(path, 0, 4))) {
      return this.#recogniseAll(id, [{ fileId, name, size, sha256: hash.digest("hex") }]);
    }
    try {
      return await this.#recogniseAll(id, await this.#unpack(id, path, name, newId));
    } finally {
      await this.#blobs.remove(id, fileId);
    }
  }

  /**
   * Takes in a file of the data directory as `receive` takes one in that comes; it stays where it is, for who calls this to
   * delete once the capture has what is returned.
   * @param fileId of the file in the capture; those of a zip have `FILEID-0` and so on
   * @throws what `receive` throws
   */
  async takeIn(id: string, fileId: string, name: ShownName, path: string): Promise<CaptureFile[]> {
    if (looksLikeZip(await bytesAt(path, 0, 4))) {
      let count = 0;
      return this.#recogniseAll(id, await this.#unpack(id, path, name, () => `${fileId}-${count++}`));
    }
    const { sha256 } = await checksumOfFile(path);
    const size = await this.#blobs.share(id, fileId, path);
    return this.#recogniseAll(id, [{ fileId, name, size, sha256 }]);
  }

  /** Recognises each; when one fails, none is kept. */
  async #recogniseAll(id: string, received: readonly Received[]): Promise<CaptureFile[]> {
    const recognised = await Promise.allSettled(received.map((file) => this.#recognise(id, file)));
    const failure = recognised.find((each) => each.status === "rejected");
    if (failure === undefined) {
      return recognised.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
    }
    for (const file of received) await this.#blobs.remove(id, file.fileId);
    throw failure.reason;
  }

  /**
   * Takes over a file that lies in the data directory already, and recognises it.
   * @returns null when there is none any more: it was taken over before, and deleted since
   */
  async adopt(id: string, fileId: string, name: string, path: string): Promise<CaptureFile | null> {
    const size = await this.#blobs.adopt(id, fileId, path);
    if (size === null) return null;
    return this.#recognise(id, {
      fileId,
      name: { name, folder: null, path: "" },
      size,
      sha256: "",
    });
  }

  async #store(id: string, fileId: string, source: AsyncIterable<Uint8Array>): Promise<number> {
    try {
      return await this.#blobs.receive(id, fileId, source, this.#limits.maxUploadBytes);
    } catch (error) {
      if (error instanceof TooBigError) throw tooBig(error.limit);
      throw error;
    }
  }

  /** The files of a zip. @throws what `receive` throws */
  async #unpack(id: string, path: string, name: ShownName, nextId: () => string): Promise<Received[]> {
    const folder = this.#blobs.aside();
    const { maxFiles, maxUploadBytes: maxBytes } = this.#limits;
    const received: Received[] = [];
    try {
      for (const file of await this.#unpacked({ path, name, folder, maxFiles, maxBytes })) {
        const fileId = nextId();
        await this.#blobs.adopt(id, fileId, file.path);
        received.push({ fileId, name: file.name, size: file.size, sha256: file.sha256 });
      }
      return received;
    } catch (error) {
      for (const { fileId } of received) await this.#blobs.remove(id, fileId);
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Unpacks in a thread, as long as there is room on the disk. */
  async #unpacked(request: UnpackRequest): Promise<readonly UnpackedFile[]> {
    let full: unknown = null;
    const job = this.#analyser.unpack(request, () => {
      try {
        this.#blobs.expectRoom();
      } catch (error) {
        full ??= error;
        void job.cancel();
      }
    });
    try {
      return await job.done;
    } catch (error) {
      // Only an ended thread writes no more into the folder.
      await job.cancel();
      throw full ?? error;
    }
  }

  async #recognise(id: string, { fileId, name, size, sha256 }: Received): Promise<CaptureFile> {
    const path = this.#blobs.path(id, fileId);
    // A zip that came by itself was unpacked.
    const isNested = looksLikeZip(await bytesAt(path, 0, 4));
    const recognised = isNested ? nestedZip(name.name) : await this.#recognised(id, path, name.name);
    return {
      id: fileId,
      ...name,
      size,
      sha256,
      // Another one where the file was written anew, or moved here without being read.
      keptSha256:
        sha256 === "" || recognised.size !== undefined ? (await checksumOfFile(path)).sha256 : sha256,
      ...recognised,
      given: {},
      // The grouping of all files says which role and server it has.
      role: "ignored",
      replica: "",
    };
  }

  #recognised(id: string, path: string, name: string): Promise<Recognised> {
    return this.#analyser.recognise({ path, name }, id).done.catch((error: unknown): Recognised => {
      // Events that were saved as text are written anew, as a .xel file.
      if (isDiskFull(error)) throw error;
      this.#log.error({ err: error }, "recognition failed");
      return unreadable(
        `${name}, byte 0: the decoder stopped unexpectedly. The file is left out of the analysis.`,
      );
    });
  }
}

/** @throws ProblemError `bad-file-name` when a client's text is no name a file can have */
export function expectFileName(text: string): ShownName {
  const name = shownName(text);
  if (name !== null) return name;
  throw problem(
    "bad-file-name",
    `"${text.slice(0, 80)}" is not a file name. Give ?name= the file's own name.`,
  );
}

async function* hashed(source: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const bytes of source) {
    hash.update(bytes);
    yield bytes;
  }
}

export function tooBig(limit: number): Error {
  return problem(
    "too-big",
    `The file is larger than ${limit.toLocaleString("en")} bytes, the API's limit (AGLENS_MAX_UPLOAD_BYTES).`,
  );
}

export function tooManyFiles(limit: number): Error {
  return problem(
    "too-many-files",
    `A capture holds at most ${limit} files. Make a second capture for the others.`,
  );
}

const nestedZip = (name: string): Recognised =>
  unreadable(
    `${name} is a zip inside a zip. Unpack it and add its files; until then it is left out of the analysis.`,
  );
