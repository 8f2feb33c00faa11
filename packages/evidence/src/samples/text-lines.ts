import { TextChunks } from "xel-parser/text-events";

/** Longest line in characters; the head of performance counters has some 80 for each of thousands of columns. */
const LONGEST = 4 * 1024 * 1024;

/** The lines of a text file, as many at a time as a chunk of its bytes completes; a line that is too long comes in parts. */
export async function* textLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const text = new TextChunks();
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + text.push(chunk)).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LONGEST) {
      lines.push(rest);
      rest = "";
    }
    yield lines.map(withoutReturn);
  }
  rest += text.end();
  if (rest !== "") yield [withoutReturn(rest)];
}

/** A complete text of at most `limit` characters; null for a longer one. */
export async function shortText(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<string | null> {
  const text = new TextChunks();
  let all = "";
  for await (const chunk of chunks) {
    all += text.push(chunk);
    if (all.length > limit) return null;
  }
  return all + text.end();
}

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);
