/** The OpenAPI 3.1 document, made of the rows that requests are answered by. */
import * as contract from "@aglens/contract";
import { z } from "zod";
import * as answerShapes from "./routes/answer-shapes.ts";
import { CONTROL_HEADER } from "./routes/live.ts";
import { MEDIA } from "./route.ts";
import type { Route } from "./route.ts";

type JsonSchema = Record<string, unknown>;

/** The document of all routes below /api/v1. */
export const openApiDocument = (routes: readonly Route[]): JsonSchema => ({
  openapi: "3.1.0",
  info: {
    title: "AG Lens",
    version: "1",
    description: "Times and durations are µs relative to the capture's origin on the primary's clock.",
  },
  servers: [{ url: "/api/v1" }],
  paths: paths(routes),
  components: {
    schemas: schemas(routes),
    securitySchemes: {
      deleteToken: { type: "http", scheme: "bearer" },
      liveControl: { type: "apiKey", in: "header", name: CONTROL_HEADER },
    },
  },
});

/** An Express path as OpenAPI writes it. */
export function templated(path: string): string {
  return path.replaceAll(/:(\w+)/gu, "{$1}");
}

function paths(routes: readonly Route[]): JsonSchema {
  const all: Record<string, JsonSchema> = {};
  for (const route of routes) {
    const path = (all[templated(route.path)] ??= {});
    path[route.method] = describe(route);
  }
  return all;
}

function describe(route: Route): JsonSchema {
  const { says, status, answer, key, body = route.ownBody, query = route.ownQuery } = route;
  return {
    operationId: operationId(route),
    summary: says,
    parameters: [
      ...pathParameters(route.path),
      ...queryParameters(query),
      ...headerParameters(route.headers),
    ],
    ...(body ? { requestBody: { required: typeof body === "string", content: requestContent(body) } } : {}),
    ...(key === undefined ? {} : { security: [{ [key]: [] }] }),
    responses: {
      [status]: { description: says, ...answerContent(answer) },
      default: {
        description: "A problem document (RFC 9457)",
        content: { "application/problem+json": { schema: reference(contract.Problem) } },
      },
    },
  };
}

function operationId({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z]+/u);
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function pathParameters(path: string): JsonSchema[] {
  return [...path.matchAll(/:(\w+)/gu)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: name === "row" ? { type: "integer", minimum: 0 } : { type: "string" },
  }));
}

function queryParameters(query: z.ZodObject | undefined): JsonSchema[] {
  if (!query) return [];
  const schema = jsonSchema(query) as { properties: Record<string, JsonSchema>; required?: string[] };
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: "query",
    required: schema.required?.includes(name) ?? false,
    schema: property,
  }));
}

function headerParameters(headers: Route["headers"] = {}): JsonSchema[] {
  return Object.entries(headers).map(([name, description]) => ({
    name,
    in: "header",
    required: true,
    description,
    schema: { type: "string" },
  }));
}

function requestContent(body: NonNullable<Route["body"]>): JsonSchema {
  if (typeof body === "string") {
    const type = body === "part" ? "application/offset+octet-stream" : "application/octet-stream";
    return { [type]: { schema: { type: "string", format: "binary" } } };
  }
  return { "application/json": { schema: reference(body) } };
}

function answerContent(answer: Route["answer"]): JsonSchema {
  if (answer === null) return {};
  if (typeof answer === "string") return { content: { [MEDIA[answer]]: {} } };
  return { content: { "application/json": { schema: reference(answer) } } };
}

/** The name of each shape that routes refer to: the one that it is exported by. */
const NAMES = new Map(
  Object.entries({ ...contract, ...answerShapes }).flatMap(([name, shape]) =>
    shape instanceof z.ZodType ? [[shape as z.ZodType, name] as const] : [],
  ),
);

function reference(shape: z.ZodType): JsonSchema {
  return { $ref: `#/components/schemas/${nameOf(shape)}` };
}

function nameOf(shape: z.ZodType): string {
  const name = NAMES.get(shape);
  if (name === undefined) throw new Error("A route's shape is exported by no name.");
  return name;
}

/** Schemas by their names: those that requests and answers refer to. */
function schemas(routes: readonly Route[]): JsonSchema {
  const shapes = routes.flatMap(({ body, ownBody, answer, events = {} }) => [
    body,
    ownBody,
    answer,
    ...Object.values(events),
  ]);
  const named = new Set([contract.Problem, ...shapes.filter((shape) => shape instanceof z.ZodType)]);
  return Object.fromEntries([...named].map((shape) => [nameOf(shape), jsonSchema(shape)]));
}

function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return rest;
}
