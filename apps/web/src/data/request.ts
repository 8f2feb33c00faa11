import type { z } from "zod";
import { problemOf } from "./problem.ts";

export const API = "/api/v1";

/** A request to the API; rejects with ProblemError when it is refused. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(`${API}${path}`, init);
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => null);
  throw problemOf(response.status, body);
}

/** A JSON answer, validated at this door. */
export async function readJson<T extends z.ZodType>(
  schema: T,
  path: string,
  init: RequestInit = {},
): Promise<z.infer<T>> {
  const response = await send(path, init);
  return schema.parse(await response.json());
}

/** An Arrow answer as bytes. */
export async function readBytes(path: string, signal?: AbortSignal): Promise<Uint8Array> {
  const response = await send(path, signal === undefined ? {} : { signal });
  return new Uint8Array(await response.arrayBuffer());
}

/** Options of a request with a JSON body. */
export function jsonBody(method: string, body: unknown, signal?: AbortSignal): RequestInit {
  return {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  };
}
