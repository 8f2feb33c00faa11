import type { RequestHandler, Router } from "express";
import { openApiDocument } from "./openapi.ts";

/** What the API says about itself. */
export function addServiceRoutes(router: Router): void {
  router.get("/health", (_request, response) => {
    response.json({ status: "ok" });
  });

  router.get("/openapi.json", serveOpenApi);
}

/** The document describes the API to whoever has no account yet, too. */
export const serveOpenApi: RequestHandler = (_request, response) => {
  response.json(openApiDocument());
};
