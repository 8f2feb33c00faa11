import type { Response } from "express";

/** Fires when the client has gone away before its answer. */
export function gone(response: Response): AbortSignal {
  const abort = new AbortController();
  // Who is gone already says so no more.
  if (response.destroyed) abort.abort();
  else response.on("close", () => abort.abort());
  return abort.signal;
}
