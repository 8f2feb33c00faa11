import type { Router } from "express";
import { openApiDocument } from "./openapi.ts";

/** What the API says about itself. */
export function addServiceRoutes(router: Router): void {
  router.get("/health", (_request, response) => {
    response.json({ status: "ok" });
  });

  router.get("/openapi.json", (_request, response) => {
    response.json(openApiDocument());
  });
}
