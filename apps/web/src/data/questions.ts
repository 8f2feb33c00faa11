/** Questions that are one GET of the API: its address is their key. */
import type { z } from "zod";
import { readColumns, readJson, send } from "./request.ts";
import type { Question } from "./use-answer.ts";

/** A JSON answer, validated by its schema. */
export function jsonFrom<T extends z.ZodType>(schema: T, path: string): Question<z.infer<T>> {
  return { key: path, ask: (signal) => readJson(schema, path, { signal }) };
}

/** An Arrow answer, decoded to columns. */
export function columnsFrom<T>(decode: (bytes: Uint8Array) => T, path: string): Question<T> {
  return { key: path, ask: (signal) => readColumns(decode, path, { signal }) };
}

/** An answer that is saved as it is. */
export function fileFrom(path: string): Question<Blob> {
  return { key: path, ask: async (signal) => (await send(path, { signal })).blob() };
}

/** A question whose answer changes on the server. */
export function changing<T>(question: Question<T>): Question<T> {
  return { ...question, changes: true };
}
