/** Arguments of `analyze` -> models of the captures that they are. What a model is built with is loaded while threads read. */
import { readFile } from "node:fs/promises";
import type { EventColumns } from "../src/events/index.ts";
import type { CaptureModel, Role, Topology } from "../src/replication/index.ts";
import { mergeTopologies, readTopology, xmlText } from "../src/replication/topology.ts";
import { readGivenFiles, type GivenFiles, type ReadingOptions } from "./given-files.ts";
import { bytesAt, withUnpacked, type UnpackedFile } from "./unpack.ts";

/** The command line or the files given cannot be analysed; the message says what to do. */
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

/** Bytes of a file that show what it is. */
const HEAD_BYTES = 64 * 1024;

/** Also where `what-if`, `waiting` or `tables` was asked for: they read their files by what is here. */
const USAGE =
  "Usage: xel analyze FILE... [--primary FILE...] [--secondary FILE...] [--topology XML...] [--json] [--force]; " +
  "what-if, waiting and tables take files in the same way, and xel alone says what else they take.";

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
  /** The events that the model was built from, a server each; none where they were not kept. */
  readonly sources: readonly EventColumns[];
  /** What has to be known of the grouping, in sentences. */
  readonly warnings: readonly string[];
}

/**
 * Reads the files, and those in zips, groups them and builds a model of each capture that they are, newest first.
 * @param reading how the files are read, beside what the arguments say
 * @throws AnalyzeError for wrong usage, or where of no capture it can be known which server wrote a file
 */
export async function analyzeFiles(
  args: readonly string[],
  reading: Omit<ReadingOptions, "force"> = {},
): Promise<AnalyzedCapture[]> {
  const { given, topologies, force } = parseArguments(args);
  return withUnpacked(
    given.map(({ files }) => files),
    async (unpacked) => {
      const zipped = await topologiesInZips(unpacked.flat());
      const groups = given.map(({ role }, i) => ({
        role,
        files: unpacked[i].filter((file) => !zipped.has(file)),
      }));
      const texts = await Promise.all(topologies.map(topologyText));
      return analyzeUnpacked(groups, [...texts, ...zipped.values()].map(readTopology), { ...reading, force });
    },
  );
}

/** Text of each topology file among those of zips. One that was named itself is given with --topology. */
async function topologiesInZips(files: readonly UnpackedFile[]): Promise<ReadonlyMap<UnpackedFile, string>> {
  const found = new Map<UnpackedFile, string>();
  for (const file of files) {
    if (!file.isOfZip) continue;
    const head = xmlText(await bytesAt(file.path, 0, HEAD_BYTES));
    if (head?.includes("<AGInfoRoot") === true) found.set(file, await topologyText(file.path));
  }
  return found;
}

const topologyText = async (path: string): Promise<string> => xmlText(await readFile(path)) ?? "";

async function analyzeUnpacked(
  given: readonly GivenFiles[],
  topologies: readonly Topology[],
  reading: ReadingOptions,
): Promise<AnalyzedCapture[]> {
  const { captures, unused } = await readGivenFiles(given, topologies, reading);
  const topology = topologies.length > 0 ? mergeTopologies(topologies) : undefined;
  if (captures.length === 0) throw new AnalyzeError("analyze.nothing", unused.join("\n"));
  const refused = captures.flatMap(({ name, refusal }) => (refusal === null ? [] : [`${name}: ${refusal}`]));
  const possible = captures.filter(({ refusal }) => refusal === null);
  if (possible.length === 0) throw new AnalyzeError("analyze.undecided", refused.join("\n"));
  const { buildModel } = await import("../src/replication/index.ts");
  return possible.map(({ name, inputs, warnings }, i) => ({
    name,
    model: buildModel(inputs, topology, undefined, { eventIndex: reading.keepsEvents === true }),
    sources: inputs.flatMap(({ columns }) => columns ?? []),
    warnings: i === 0 ? [...unused, ...refused, ...warnings] : warnings,
  }));
}

/**
 * The model of files that are one capture.
 * @throws AnalyzeError as `analyzeFiles`, and where they are several captures
 */
export async function analyzeOneCapture(args: readonly string[]): Promise<CaptureModel> {
  const captures = await analyzeFiles(args);
  if (captures.length === 1) return captures[0].model;
  const names = captures.map(({ name }) => name).join("; ");
  throw new AnalyzeError(
    "analyze.several",
    `The files are ${captures.length} captures: ${names}. Give the files of one.`,
  );
}

/** Errors that carry a sentence for the user: the product's own, and files that are not there. */
export const isExpected = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && "code" in error && typeof error.code === "string";
