/** Reads the arguments of `analyze` into models of their captures. */
import type { FolderEvidence } from "@aglens/evidence";
import type { EventColumns, EventFile } from "../src/events/index.ts";
import { buildModel, mergeTopologies, type CaptureModel, type Role } from "../src/replication/index.ts";
import type { TabledEvidence } from "../src/tables/index.ts";
import { withFoundFiles, type FoundFiles } from "./find-files.ts";
import { isHealthFile, isListed, readEvidence, recognizeFiles, topologyOf } from "./folder-evidence.ts";
import { readInputFiles, type InputFiles, type ReadingOptions } from "./input-files.ts";

/** The command line or its files cannot be analyzed; the message contains the remedy. */
export class AnalyzeError extends Error {
  readonly code: "analyze.usage" | "analyze.nothing" | "analyze.undecided" | "analyze.several";
  constructor(code: AnalyzeError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

interface Arguments {
  readonly given: readonly { readonly role: Role | null; readonly files: readonly string[] }[];
  readonly topologies: readonly string[];
  readonly json: boolean;
  readonly force: boolean;
}

/** Also for the commands `what-if`, `waiting` and `tables`: they read their files with this module. */
const USAGE =
  "Usage: xel analyze PATH... [--primary PATH...] [--secondary PATH...] [--topology XML...] [--json] [--force]. " +
  "A PATH is an event file, a folder or a zip. what-if, waiting and tables accept the same paths. xel COMMAND --help prints their options.";

export function parseArguments(args: readonly string[]): Arguments {
  const unsaid: string[] = [];
  const given: { role: Role | null; files: string[] }[] = [{ role: null, files: unsaid }];
  const topologies: string[] = [];
  let json = false;
  let force = false;
  let into = unsaid;
  for (const arg of args) {
    if (arg === "--json") json = true;
    else if (arg === "--force") force = true;
    else if (arg === "--topology") into = topologies;
    else if (arg === "--primary" || arg === "--secondary") {
      into = [];
      given.push({ role: arg === "--primary" ? "primary" : "secondary", files: into });
    } else if (arg.startsWith("--"))
      throw new AnalyzeError("analyze.usage", `Unknown argument ${arg}. ${USAGE}`);
    else into.push(arg);
  }
  const named = given.filter(({ role, files }) => role !== null || files.length > 0);
  if (named.length === 0 || named.some(({ files }) => files.length === 0))
    throw new AnalyzeError("analyze.usage", USAGE);
  return { given: named, topologies, json, force };
}

/** A capture of the command line with its model. */
export interface AnalyzedCapture {
  readonly name: string;
  readonly model: CaptureModel;
  /** The events that the model was built from, one entry per server; empty where they were not kept. */
  readonly sources: readonly EventColumns[];
  /** Warnings about the grouping, in sentences. */
  readonly warnings: readonly string[];
  /** Evidence that was saved with it; absent where that of the analysis is of all captures. */
  readonly evidence?: TabledEvidence;
}

/** The captures of a command line, and the files that are not in them. */
export interface Analysis {
  /** Newest first, at least one, but for files that only show what happened. */
  readonly captures: readonly AnalyzedCapture[];
  /** Evidence in the other files; null without such files, and where it wasn't asked for. */
  readonly evidence: FolderEvidence | null;
  /** A sentence for each file or folder that was provided and isn't used. */
  readonly skipped: readonly string[];
  /** The skipped event files without an event, with their unreadable parts. */
  readonly withoutEvents: readonly EventFile[];
  /** Whether a damaged zip is among the skipped. */
  readonly hasDamagedZip: boolean;
}

interface AnalyzingOptions extends Omit<ReadingOptions, "force"> {
  /** Reads other files in addition to data-movement events, too. */
  readonly withEvidence?: boolean;
  /** Folder for the content of zips; the system's folder for temporary files by default. */
  readonly temporary?: string | undefined;
}

/**
 * Reads the files, and those in folders and zips, groups them and builds a model of each of their captures.
 * @param reading how the files are read, in addition to the arguments
 * @throws AnalyzeError for wrong usage, or where for no capture it can be determined which server wrote a file
 */
export async function analyzeFiles(
  args: readonly string[],
  reading: AnalyzingOptions = {},
): Promise<Analysis> {
  const { given, topologies, force } = parseArguments(args);
  const groups = given.map(({ files }) => files);
  return withFoundFiles({ groups, topologies, temporary: reading.temporary }, (found) => {
    const files = given.map(({ role }, i) => ({ role, files: found.groups[i] }));
    const how = { ...reading, force };
    return reading.withEvidence === true ? analyzeFolder(files, found, how) : analyzeFound(files, found, how);
  });
}

const NO_EVENTS =
  "Can't analyze: no file contains events of log blocks. Provide the .xel files of the availability group's session, or their folder or zip.";

/** The same with the evidence of other files: the names of replicas in it, and a sentence for each damaged one. */
async function analyzeFolder(
  given: readonly InputFiles[],
  found: FoundFiles,
  reading: ReadingOptions,
): Promise<Analysis> {
  const recognized = await recognizeFiles(found);
  if (recognized === null) return analyzeFound(given, found, reading);
  const evidence = await readEvidence(recognized);
  const files = new Map(evidence.files.map((file) => [file.name, file]));
  const listed = new Set(
    [...found.withoutEvents].flatMap(([name, sentence]) => (isListed(files.get(name)) ? [sentence] : [])),
  );
  const damaged = evidence.files.filter((file) => file.state === "damaged" && isHealthFile(file));
  const rest: FoundFiles = {
    ...found,
    topologies: [...found.topologies, topologyOf(evidence)],
    skipped: [
      ...found.skipped.filter((sentence) => !listed.has(sentence)),
      ...damaged.map(({ name, use }) => `${name}: ${use}`),
    ],
    isDamaged: found.isDamaged || damaged.length > 0,
  };
  const movement = given.map(({ role, files: own }) => ({
    role,
    files: own.filter(({ name }) => !isHealthFile(files.get(name))),
  }));
  return analyzeFound(movement, rest, reading, evidence);
}

async function analyzeFound(
  given: readonly InputFiles[],
  { topologies, skipped, isDamaged }: FoundFiles,
  reading: ReadingOptions,
  evidence: FolderEvidence | null = null,
): Promise<Analysis> {
  const read = await readInputFiles(given, topologies, reading);
  const unused = [...skipped, ...read.skipped];
  const { withoutEvents } = read;
  if (read.captures.length === 0 && evidence !== null && evidence.events.length > 0)
    return { captures: [], evidence, skipped: unused, withoutEvents, hasDamagedZip: isDamaged };
  if (read.captures.length === 0)
    throw new AnalyzeError("analyze.nothing", [...unused, NO_EVENTS].join("\n"));
  const refused = read.captures.flatMap(({ name, refusal }) =>
    refusal === null ? [] : [`${name}: ${refusal}`],
  );
  const possible = read.captures.filter(({ refusal }) => refusal === null);
  if (possible.length === 0) throw new AnalyzeError("analyze.undecided", [...unused, ...refused].join("\n"));
  const topology = topologies.length > 0 ? mergeTopologies(topologies) : undefined;
  const captures = possible.map(({ name, inputs, warnings }, i) => ({
    name,
    model: buildModel(inputs, topology, undefined, { eventIndex: reading.keepsEvents === true }),
    sources: inputs.flatMap(({ columns }) => columns ?? []),
    warnings: i === 0 ? [...read.repeated, ...warnings] : warnings,
  }));
  return { captures, evidence, skipped: [...unused, ...refused], withoutEvents, hasDamagedZip: isDamaged };
}

/**
 * The analysis of files that are one capture.
 * @throws AnalyzeError as `analyzeFiles`, and where they are several captures
 */
export async function analyzeOneCapture(args: readonly string[]): Promise<Analysis> {
  const analysis = await analyzeFiles(args);
  const { captures } = analysis;
  if (captures.length === 1) return analysis;
  const names = captures.map(({ name }) => name).join("; ");
  throw new AnalyzeError(
    "analyze.several",
    `The files are ${captures.length} captures: ${names}. Provide the files of one.`,
  );
}

/** Errors with a sentence for the user: the product's own, and missing files. */
export const isExpected = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && "code" in error && typeof error.code === "string";
