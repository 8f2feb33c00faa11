/** Finds the event files and topologies in the paths of a command line; folders and zips are opened. */
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { looksLikeZip, ZipError } from "@aglens/zip";
import { unreadableText } from "xel-parser/commands";
import { looksLikeXel } from "xel-parser/format";
import { TEXT_HEAD_BYTES, textKindOf } from "xel-parser/text-events";
import { readTopology, TopologyError, xmlText, type Topology } from "../src/replication/shapes/topology.ts";
import { filesIn, FolderError } from "./folders.ts";
import { bytesAt, unpackZip, type NamedFile } from "./unpack.ts";

/** Paths as the command line provides them: files, folders and zips; - is standard input. */
export interface ProvidedPaths {
  /** Paths of each group that was provided together. */
  readonly groups: readonly (readonly string[])[];
  /** Files that have to be topologies. */
  readonly topologies: readonly string[];
  /** Folder for the content of zips; the system's folder for temporary files by default. */
  readonly temporary?: string | undefined;
}

/** The files of the provided paths, by their content. */
export interface FoundFiles {
  /** Event files of each group, and standard input, which isn't read yet. */
  readonly groups: readonly (readonly NamedFile[])[];
  readonly topologies: readonly Topology[];
  /** Every file, also those without events and topologies; without zips and standard input. */
  readonly all: readonly NamedFile[];
  /** A sentence for each file or folder that isn't used. */
  readonly skipped: readonly string[];
  /** Those of the sentences that are about a file without events, by its name. */
  readonly withoutEvents: ReadonlyMap<string, string>;
  /** Those that are about a file that can't be read, by its name. */
  readonly unreadable: ReadonlyMap<string, string>;
  /** Whether a damaged zip is among the skipped. */
  readonly isDamaged: boolean;
}

/**
 * Finds the files, and unpacks zips into temporary folders that are removed after `work`. A path that can't be read, and
 * a file of another kind, is named among the skipped.
 */
export async function withFoundFiles<Result>(
  { groups, topologies, temporary = tmpdir() }: ProvidedPaths,
  work: (found: FoundFiles) => Promise<Result>,
): Promise<Result> {
  const search = new FileSearch(temporary);
  try {
    const found: NamedFile[][] = [];
    for (const paths of groups) found.push(await search.eventFilesOf(paths));
    for (const path of topologies) await search.readTopology({ path, name: path });
    return await work({ ...search.found(), groups: found });
  } finally {
    await search.removeUnpacked();
  }
}

/** Sentence for a file without events. */
export const notEventFile = (name: string): string =>
  /\.xel$/iu.test(name)
    ? `${name} isn't an event file, although it ends in .xel, and was skipped. Copy it from the server again.`
    : `${shown(name)} isn't an event file and was skipped.`;

/** Sentence for a file without a byte. */
export const emptyFile = (name: string): string => `${shown(name)} is empty and was skipped.`;

const shown = (name: string): string => (name === "-" ? "Standard input" : name);

/** Source of a file, which decides whether a zip is opened there. */
type Origin = "argument" | "folder" | "zip";

class FileSearch {
  readonly #topologies: Topology[] = [];
  readonly #all: NamedFile[] = [];
  readonly #skipped: string[] = [];
  readonly #withoutEvents = new Map<string, string>();
  readonly #unreadable = new Map<string, string>();
  #isDamaged = false;
  readonly #unpacked: string[] = [];
  readonly #temporary: string;

  constructor(temporary: string) {
    this.#temporary = temporary;
  }

  found(): Omit<FoundFiles, "groups"> {
    return {
      topologies: this.#topologies,
      all: this.#all,
      skipped: this.#skipped,
      withoutEvents: this.#withoutEvents,
      unreadable: this.#unreadable,
      isDamaged: this.#isDamaged,
    };
  }

  async eventFilesOf(paths: readonly string[]): Promise<NamedFile[]> {
    const files: NamedFile[] = [];
    for (const path of paths) files.push(...(await this.#eventFilesAt(path)));
    return files;
  }

  async readTopology(file: NamedFile): Promise<void> {
    await this.#reading(file, async () => {
      this.#topologies.push(readTopology(xmlText(await readFile(file.path)) ?? ""));
      return [];
    });
  }

  async removeUnpacked(): Promise<void> {
    for (const folder of this.#unpacked) await rm(folder, { recursive: true, force: true });
  }

  #eventFilesAt(path: string): Promise<NamedFile[]> {
    const file = { path, name: path };
    return this.#reading(file, async () => {
      if (path === "-") return [file];
      const found = await stat(path);
      if (found.isDirectory()) return this.#eventFilesIn(path);
      if (found.isFile()) return this.#eventFilesOf(file, "argument");
      throw new FolderError("it's neither a file nor a folder. Provide its content as a file.");
    });
  }

  async #eventFilesIn(folder: string): Promise<NamedFile[]> {
    const { files, unreadable } = filesIn(folder);
    for (const { path, error } of unreadable) this.#skip(path, error);
    if (files.length + unreadable.length === 0)
      this.#skipped.push(`${folder} contains no files and was skipped. Check the path.`);
    return this.#eventFilesAmong(
      files.map((path) => ({ path, name: path })),
      "folder",
    );
  }

  async #eventFilesAmong(files: readonly NamedFile[], origin: Origin): Promise<NamedFile[]> {
    const found: NamedFile[] = [];
    for (const file of files)
      found.push(...(await this.#reading(file, () => this.#eventFilesOf(file, origin))));
    return found;
  }

  /** The file itself, those of a zip, or no file. */
  async #eventFilesOf(file: NamedFile, origin: Origin): Promise<NamedFile[]> {
    const { path, name } = file;
    const head = await bytesAt(path, 0, TEXT_HEAD_BYTES);
    if (isZip(file, head, origin)) return this.#eventFilesInZip(file);
    if (!isSavedCapture(name) && !looksLikeZip(head)) this.#all.push(file);
    if (looksLikeXel(head) || textKindOf(head) !== undefined) return [file];
    if (xmlText(head)?.includes("<AGInfoRoot") === true) await this.readTopology(file);
    else {
      const sentence = skippedText(name, head, origin);
      this.#skipped.push(sentence);
      this.#withoutEvents.set(name, sentence);
    }
    return [];
  }

  async #eventFilesInZip(zip: NamedFile): Promise<NamedFile[]> {
    const folder = await mkdtemp(join(this.#temporary, "aglens-zip-"));
    this.#unpacked.push(folder);
    try {
      return await this.#eventFilesAmong(await unpackZip(zip, folder), "zip");
    } catch (error) {
      // The extracted files take space that the next zip may need.
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Runs `read`; where the file can't be read, names it among the skipped. */
  async #reading(file: NamedFile, read: () => Promise<NamedFile[]>): Promise<NamedFile[]> {
    try {
      return await read();
    } catch (error) {
      this.#skip(file.name, error);
      return [];
    }
  }

  /** @throws an error that is a fault of AG Lens */
  #skip(name: string, error: unknown): void {
    const isKnown =
      error instanceof ZipError || error instanceof TopologyError || error instanceof FolderError;
    const text = isKnown ? refusedText(name, error) : unreadableText(name, error);
    if (text === undefined) throw error;
    this.#skipped.push(text);
    this.#unreadable.set(name, text);
    this.#isDamaged ||= error instanceof ZipError && error.code === "unreadable";
  }
}

const refusedText = (name: string, error: Error): string =>
  error instanceof FolderError
    ? `Can't read ${name}: ${error.message}`
    : `Can't read ${name}. ${error.message}`;

/** Files in folders are recognized by their names only: documents and saved captures begin as zips, too. */
const isZip = ({ name }: NamedFile, head: Uint8Array, origin: Origin): boolean =>
  looksLikeZip(head) &&
  !isSavedCapture(name) &&
  (origin === "argument" || (origin === "folder" && /\.zip$/iu.test(name)));

const isSavedCapture = (name: string): boolean => /\.aglens$/iu.test(name);

function skippedText(name: string, head: Uint8Array, origin: Origin): string {
  if (head.length === 0) return emptyFile(name);
  if (isSavedCapture(name))
    return `${name} is a saved capture and was skipped. Provide it on its own to xel analyze or xel tables.`;
  if (origin === "zip" && looksLikeZip(head))
    return `${name} is a zip in a zip and was skipped. Unpack it and provide its files.`;
  return notEventFile(name);
}
