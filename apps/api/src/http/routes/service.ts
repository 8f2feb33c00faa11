import { Health, OpenApi } from "./answer-shapes.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";

/**
 * Facts about the API itself, also for clients without an account. @param document the OpenAPI document of all routes
 */
export const serviceRoutes = (document: () => Record<string, unknown>): Route[] => [
  route({
    method: "get",
    path: "/health",
    says: "Health of the API",
    needs: "anyone",
    answer: Health,
    handle: () => ({ status: "ok" as const }),
  }),
  route({
    method: "get",
    path: "/openapi.json",
    says: "This document",
    needs: "anyone",
    answer: OpenApi,
    handle: document,
  }),
];
