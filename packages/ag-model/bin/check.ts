/**
 * `xel check PATH... [--report FILE]`: checks whether the files are as AG Lens expects, in counts without a name or id
 * of a customer, so that a DBA can send the result. Files that make no capture are checked one by one: the check may
 * show why they make none.
 */
import { writeFile } from "node:fs/promises";
import { EXIT } from "xel-parser/commands";
import { XelFormatError } from "xel-parser/format";
import { checkCapture, checkFiles, checkReport, type CaptureCheck } from "../src/check/index.ts";
import type { EventFile } from "../src/events/index.ts";
import { analyzeFiles, AnalyzeError, isExpected, parseArguments } from "./analyzed-captures.ts";
import { answerCommand } from "./answer-command.ts";
import { withFoundFiles } from "./find-files.ts";
import { columnsIn } from "./source.ts";

type Write = (text: string) => void;

/**
 * Runs the command and returns its exit code: that of the other commands, and 5 where all files were read and an
 * expectation isn't met.
 */
export async function check(
  args: readonly string[],
  write: Write = (text) => process.stdout.write(text),
): Promise<number> {
  const { paths, report } = takeReport(args);
  const texts: string[] = [];
  const code = await checkPaths(paths, texts);
  if (texts.length > 0) {
    const text = texts.join("\n");
    if (report === null) write(text);
    else await writeFile(report, text);
  }
  return code;
}

/** @param texts receives the report of each capture */
async function checkPaths(paths: readonly string[], texts: string[]): Promise<number> {
  let isMet = true;
  const add = (checked: CaptureCheck, text: string): void => {
    texts.push(text);
    isMet &&= checked.expectations.every(({ state }) => state !== "not");
  };
  const code = await answerCommand(
    async () => {
      try {
        return await analyzeFiles(paths);
      } catch (error) {
        if (!isWithoutCapture(error)) throw error;
        const files = await filesAt(paths);
        if (files.length > 0) {
          const checked = checkFiles(files);
          add(checked, checkReport(checked, files, null));
        }
        throw error;
      }
    },
    ({ captures }) => {
      for (const { model } of captures) {
        const checked = checkCapture(model);
        add(checked, checkReport(checked, model.files, model));
      }
    },
  );
  // Without a capture the files were still checked: only their answer is missing.
  if (!isMet && (code === EXIT.complete || code === EXIT.nothing)) return EXIT.unexpected;
  return code;
}

/** Whether the files make no capture but can still be read. */
const isWithoutCapture = (error: unknown): boolean =>
  isExpected(error) && !(error instanceof AnalyzeError && error.code === "analyze.usage");

/** The event files of the paths as they read alone. */
function filesAt(args: readonly string[]): Promise<EventFile[]> {
  const { given, topologies, force } = parseArguments(args);
  return withFoundFiles({ groups: given.map(({ files }) => files), topologies }, async ({ groups }) => {
    const files: EventFile[] = [];
    for (const file of groups.flat().filter(({ path }) => path !== "-")) {
      try {
        files.push(...(await columnsIn(file.path, { force }, file.name)).files);
      } catch (error) {
        if (!(error instanceof XelFormatError)) throw error;
      }
    }
    return files;
  });
}

/** @returns the arguments without `--report FILE`, and the file; null to print */
function takeReport(args: readonly string[]): { paths: string[]; report: string | null } {
  const at = args.indexOf("--report");
  if (at < 0) return { paths: [...args], report: null };
  return { paths: [...args.slice(0, at), ...args.slice(at + 2)], report: args[at + 1] ?? null };
}
