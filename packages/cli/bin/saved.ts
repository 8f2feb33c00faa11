/** Saved captures (`.aglens`, docs/reference/aglens-file.md), for commands that otherwise analyze event files. */
import { open } from "node:fs/promises";
import {
  analyze as analyzeEventFiles,
  analyzeFiles,
  answerCommand,
  type Analysis,
  type AnalyzedCapture,
} from "@aglens/ag-model/commands";
import type { TabledEvidence } from "@aglens/ag-model/tables";
import type { UnpackedCapture } from "@aglens/engine/aglens-file";
import { ProblemError } from "@aglens/engine/problems";
import { unreadableText } from "xel-parser/commands";

type Write = (text: string) => void;

const isSaved = (arg: string): boolean => /\.aglens$/iu.test(arg);

/** Captures that cannot be read, or not together; the message has the next step. */
export class SavedError extends Error {
  readonly code: "saved.unreadable" | "saved.usage";
  constructor(code: SavedError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The captures of the arguments: saved ones as they were analyzed, otherwise those of event files.
 * @param temporary folder for the content of zips; the system's folder for temporary files by default
 * @throws SavedError where no saved capture can be read, or event files are provided too; otherwise as `analyzeFiles`
 */
export async function analysisOf(args: readonly string[], temporary?: string): Promise<Analysis> {
  const saved = args.filter(isSaved);
  if (saved.length === 0) return analyzeFiles(args, { keepsEvents: true, withEvidence: true, temporary });
  const others = args.filter((arg) => !isSaved(arg) && arg !== "--json");
  if (others.length > 0)
    throw new SavedError(
      "saved.usage",
      `A saved capture is already analyzed. Provide .aglens files alone, without ${others[0]}.`,
    );
  const read = await Promise.all(saved.map(readSavedOrReason));
  const captures = read.flatMap(({ capture }) => capture ?? []);
  const skipped = read.flatMap(({ notRead }) => notRead ?? []);
  if (captures.length === 0) throw new SavedError("saved.unreadable", skipped.join("\n"));
  return { captures, evidence: null, skipped, withoutEvents: [], hasDamagedZip: false };
}

interface SavedCapture {
  /** Null where it can't be read. */
  readonly capture: AnalyzedCapture | null;
  /** Sentences about the file or a part of it that isn't read; null without any. */
  readonly notRead: string | null;
}

async function readSavedOrReason(path: string): Promise<SavedCapture> {
  try {
    return await readSaved(path);
  } catch (error) {
    const text =
      error instanceof ProblemError ? `Can't read ${path}. ${error.message}` : unreadableText(path, error);
    if (text === undefined) throw error;
    return { capture: null, notRead: text };
  }
}

async function readSaved(path: string): Promise<SavedCapture> {
  // It loads Arrow and the contract: two thirds of the code, which event files do not need.
  const { readAglensFile } = await import("@aglens/engine/aglens-file");
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = async (offset: number, length: number): Promise<Uint8Array> => {
      const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    };
    const saved = await readAglensFile({ size, read });
    const { capture, model } = saved;
    const { tabled, notShown } = await evidenceOf(saved);
    return {
      capture: { name: capture.name, model, sources: [], warnings: [], evidence: tabled },
      notRead: notShown && `${path}: ${notShown}`,
    };
  } finally {
    await file.close();
  }
}

/** The evidence of a saved capture's other files, whose facts are in the file. */
async function evidenceOf({
  capture,
  model,
  sources,
}: UnpackedCapture): Promise<{ readonly tabled: TabledEvidence; readonly notShown: string | null }> {
  const { evidenceSources, tabledEvidence } = await import("@aglens/engine/answers");
  return tabledEvidence(model, evidenceSources(capture.files), async (id) => {
    const source = sources.find(({ file }) => file.id === id);
    if (source === undefined) return null;
    const chunks: Uint8Array[] = [];
    for await (const chunk of source.bytes()) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    return {
      size: bytes.length,
      read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
      close: () => Promise.resolve(),
    };
  });
}

/** `xel analyze` for event files and saved captures. */
export async function analyze(
  args: readonly string[],
  write: Write = (text) => console.log(text),
): Promise<number> {
  if (!args.some(isSaved)) return analyzeEventFiles(args, write);
  const { printAnalysis } = await import("@aglens/ag-model/report");
  return answerCommand(
    () => analysisOf(args),
    (analysis) => printAnalysis(analysis, args.includes("--json"), write),
  );
}
