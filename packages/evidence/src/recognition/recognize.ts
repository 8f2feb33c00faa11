import { looksLikeXel } from "xel-parser/format";
import { headText, textKindOf } from "xel-parser/text-events";
import { relogCommand } from "../samples/counter-rules.ts";
import type { RecognizedFile } from "../shapes.ts";
import { eventFile, textEventFile } from "./event-file.ts";
import { serverInName } from "./server-names.ts";
import { textFile } from "./text-file.ts";
import { USES, type FoundFile } from "./uses.ts";

/** Bytes of a file's beginning that `recognizeFile` needs: metadata of a session with many events is that long. */
export const HEAD_BYTES = 256 * 1024;
/** Bytes of a file's end that help to recognize outputs of scripts. */
export const TAIL_BYTES = 16 * 1024;

/**
 * Decides by its content what a file is, which server wrote it and what it is used for.
 * @param name of the file, also with folders before it
 * @param head the first bytes, `HEAD_BYTES` if the file is as long
 * @param size of the complete file in bytes
 * @param tail the last bytes, `TAIL_BYTES` if the file is longer than the head
 */
export function recognizeFile(
  name: string,
  head: Uint8Array,
  size: number,
  tail: Uint8Array = new Uint8Array(),
): RecognizedFile {
  const found = foundIn(name, head, size, tail);
  const { kind, server = null, utcOffsetMinutes = null, use, state } = { ...USES[found.kind], ...found };
  const named = server ?? serverInName(name);
  return {
    name,
    kind,
    server: named,
    serverFrom: server !== null ? "content" : named !== null ? "name" : null,
    utcOffsetMinutes,
    use: kind === "counterLog" ? `${use} ${relogCommand(name, named)}` : use,
    state,
  };
}

function foundIn(name: string, head: Uint8Array, size: number, tail: Uint8Array): FoundFile {
  if (size === 0 || head.length === 0)
    return { kind: "unknown", state: "damaged", use: "The file is empty. Copy it from the server again." };
  if (looksLikeXel(head)) return eventFile(head);
  if (/\.xel$/iu.test(name))
    return {
      kind: "unknown",
      state: "damaged",
      use: "The name ends in .xel, but it isn't an event file. Copy it from the server again.",
    };
  const events = textKindOf(head);
  const text = headText(head);
  if (events !== undefined) return textEventFile(text);
  if (isBinary(text)) return { kind: /\.blg$/iu.test(name) ? "counterLog" : "unknown" };
  const end = size > head.length && tail.length > 0 ? headText(evenTail(tail, head)) : "";
  return textFile(name, text, end);
}

/** Text has no NUL and hardly any other control character; form feeds and tabs are text. */
function isBinary(text: string): boolean {
  let strange = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd || (code < 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13)) strange++;
  }
  return strange > text.length / 50;
}

/** A tail of UTF-16 may begin inside a character; the encoding is that of the head. */
function evenTail(tail: Uint8Array, head: Uint8Array): Uint8Array {
  const mark =
    head[0] === 0xff && head[1] === 0xfe
      ? [0xff, 0xfe]
      : head[0] === 0xfe && head[1] === 0xff
        ? [0xfe, 0xff]
        : [];
  return Uint8Array.of(...mark, ...tail.subarray(tail.length % 2));
}
