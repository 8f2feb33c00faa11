/** Captures that somebody saved (`.aglens`, docs/aglens-file.md), for commands that else analyse event files. */
import { open } from "node:fs/promises";
import {
  analyze as analyzeEventFiles,
  analyzeFiles,
  isExpected,
  type AnalyzedCapture,
} from "@aglens/ag-model/commands";
import { ProblemError } from "@aglens/engine/problems";

type Write = (text: string) => void;

const isSaved = (arg: string): boolean => /\.aglens$/iu.test(arg);

/** What cannot be read, or not together; the message says what to do. */
export class SavedError extends Error {
  readonly code: "saved.unreadable" | "saved.usage";
  constructor(code: SavedError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The captures of the arguments: saved ones as they were analysed, else those that event files are.
 * @throws SavedError, and as `analyzeFiles`
 */
export async function capturesOf(args: readonly string[]): Promise<AnalyzedCapture[]> {
  const saved = args.filter(isSaved);
  if (saved.length === 0) return analyzeFiles(args, { keepsEvents: true });
  const others = args.filter((arg) => !isSaved(arg) && arg !== "--json");
  if (others.length > 0)
    throw new SavedError(
      "saved.usage",
      `A saved capture was analysed already: give .aglens files alone, without ${others[0]}.`,
    );
  return Promise.all(saved.map(readSaved));
}

async function readSaved(path: string): Promise<AnalyzedCapture> {
  // It brings Arrow and the contract with it: two thirds of what there is to load, and event files need none of it.
  const { readAglensFile } = await import("@aglens/engine/aglens-file");
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = async (offset: number, length: number): Promise<Uint8Array> => {
      const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    };
    const { capture, model } = await readAglensFile({ size, read });
    return { name: capture.name, model, sources: [], warnings: [] };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    throw new SavedError("saved.unreadable", `${path}: ${error.message}`);
  } finally {
    await file.close();
  }
}

/** `xel analyze` for event files and saved captures. Exit codes as its own. */
export async function analyze(
  args: readonly string[],
  write: Write = (text) => console.log(text),
): Promise<number> {
  if (!args.some(isSaved)) return analyzeEventFiles(args, write);
  try {
    const { printAnalysis } = await import("@aglens/ag-model/report");
    return printAnalysis(await capturesOf(args), args.includes("--json"), write);
  } catch (error) {
    if (!isExpected(error)) throw error;
    console.error(error.message);
    return error.code === "saved.usage" ? 2 : 1;
  }
}
