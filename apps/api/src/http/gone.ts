import type { Response } from "express";

/** Fires when the client has disconnected before its answer. */
export function gone(response: Response): AbortSignal {
  const abort = new AbortController();
  // For a client that has already left, no event follows.
  if (response.destroyed) abort.abort();
  else response.on("close", () => abort.abort());
  return abort.signal;
}
