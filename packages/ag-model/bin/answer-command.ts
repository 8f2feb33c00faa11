/** Defines how a command that analyzes files ends: its answer, sentences on standard error, its exit code. */
import { EXIT, reportGaps } from "xel-parser/commands";
import { isExpected, type Analysis } from "./analyzed-captures.ts";

/**
 * Runs a command and returns its exit code (`EXIT`). Skipped files are reported on standard error before the answer,
 * unreadable parts after it, one sentence per line.
 * @param answer writes what the command prints about the analysis
 */
export async function answerCommand(
  read: () => Promise<Analysis>,
  answer: (analysis: Analysis) => void | Promise<void>,
): Promise<number> {
  try {
    const analysis = await read();
    for (const sentence of analysis.skipped) console.error(sentence);
    await answer(analysis);
    return exitCodeOf(analysis);
  } catch (error) {
    if (!isExpected(error)) throw error;
    console.error(error.message);
    return isUsage(error.code) ? EXIT.usage : EXIT.nothing;
  }
}

/** Damage has priority over skipped files, because the answer depends on damaged data. */
function exitCodeOf({ captures, skipped, withoutEvents, hasDamagedZip }: Analysis): number {
  const files = [...captures.flatMap(({ model }) => model.files), ...withoutEvents];
  const codes = files.map((file) => reportGaps(file.name, file));
  if (hasDamagedZip || codes.includes(EXIT.damaged)) return EXIT.damaged;
  return skipped.length > 0 ? EXIT.skipped : EXIT.complete;
}

const isUsage = (code: string): boolean =>
  code.endsWith(".usage") ||
  code.startsWith("change.") ||
  code === "analyze.role" ||
  code === "analyze.several";
