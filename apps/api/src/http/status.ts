import type { Router } from "express";
import type { ServerStatusReader } from "../status/server-status.ts";
import { personOf } from "./guard.ts";
import { readerOf } from "./library.ts";

/** How the server is. */
export function addStatusRoutes(router: Router, status: ServerStatusReader): void {
  router.get("/status", async (_request, response) => {
    response.json(await status.read(readerOf(personOf(response))));
  });
}
