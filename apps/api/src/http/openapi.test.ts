import { afterAll, describe, expect, test } from "vitest";
import { stubAnalyzer } from "../../test/stub-analyzer.ts";
import { testService } from "../../test/service.ts";
import { openApiDocument, templated } from "./openapi.ts";

interface Described {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: object;
  }[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Record<string, { readonly schema: object }>;
  };
  readonly security?: readonly object[];
  readonly responses: Record<
    string,
    { readonly description: string; readonly content?: Record<string, object> }
  >;
}
const service = await testService({}, stubAnalyzer());
afterAll(() => service.end());
const document = openApiDocument(service.routes) as {
  readonly paths: Record<string, Record<string, Described>>;
  readonly components: {
    readonly schemas: Record<string, { readonly properties?: object }>;
    readonly securitySchemes: object;
  };
};
const operation = (method: string, path: string): Described => {
  const found = document.paths[path]?.[method];
  if (found === undefined) throw new Error(`There is no ${method} ${path}.`);
  return found;
};

test("a path's parameters are named and typed", () => {
  expect(templated("/captures/:id/files/:fileId")).toBe("/captures/{id}/files/{fileId}");
  const { parameters } = operation("get", "/captures/{id}/blocks/{row}");
  expect(parameters).toEqual([
    { name: "id", in: "path", required: true, schema: { type: "string" } },
    { name: "row", in: "path", required: true, schema: { type: "integer", minimum: 0 } },
  ]);
});

test("a query's parameters have their bounds, their defaults and their description", () => {
  const { parameters } = operation("get", "/captures/{id}/slowest");
  const limit = parameters.find(({ name }) => name === "limit");
  expect(limit).toMatchObject({
    in: "query",
    required: false,
    schema: { type: "integer", minimum: 1, maximum: 1000, default: 50 },
  });
  const upload = operation("post", "/captures/{id}/files").parameters;
  expect(upload.map(({ name, required }) => [name, required])).toEqual([
    ["id", true],
    ["name", true],
    ["path", false],
    ["replaces", false],
    ["completeBytes", false],
    ["keepSensitive", false],
  ]);
  expect(upload.find(({ name }) => name === "path")?.schema).toMatchObject({
    description: expect.stringContaining("SQL2/trace_0.xel"),
  });
});

describe("bodies", () => {
  test("are JSON by their schema, or bytes", () => {
    expect(operation("post", "/captures").requestBody).toEqual({
      required: false,
      content: { "application/json": { schema: { $ref: "#/components/schemas/NewCapture" } } },
    });
    expect(operation("post", "/captures/{id}/files").requestBody).toEqual({
      required: true,
      content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
    });
    expect(operation("get", "/captures")).not.toHaveProperty("requestBody");
  });

  test("of answers are JSON, tables, events or nothing, and problems", () => {
    const { responses } = operation("get", "/captures/{id}");
    expect(responses["200"]?.content).toEqual({
      "application/json": { schema: { $ref: "#/components/schemas/Capture" } },
    });
    expect(responses["default"]?.content).toEqual({
      "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
    });
    const contentOf = (method: string, path: string, status: string) =>
      Object.keys(operation(method, path).responses[status]?.content ?? {});
    expect(contentOf("get", "/captures/{id}/window", "200")).toEqual(["application/vnd.apache.arrow.stream"]);
    expect(contentOf("get", "/live/runs/{id}/events", "200")).toEqual(["text/event-stream"]);
    expect(contentOf("delete", "/captures/{id}", "204")).toEqual([]);
    expect(contentOf("post", "/samples/{name}", "201")).toEqual(["application/json"]);
  });
});

test("what needs a key says which", () => {
  expect(operation("delete", "/links/{id}").security).toEqual([{ deleteToken: [] }]);
  for (const action of ["presence", "marks", "stop"]) {
    expect(operation("post", `/live/runs/{id}/${action}`).security).toEqual([{ liveControl: [] }]);
  }
  expect(operation("get", "/live/runs/{id}")).not.toHaveProperty("security");
  expect(document.components.securitySchemes).toEqual({
    deleteToken: { type: "http", scheme: "bearer" },
    liveControl: { type: "apiKey", in: "header", name: "x-aglens-control" },
  });
});

test("each operation is one sentence under a name of its own", () => {
  const ids = service.routes.map(({ method, path }) => operation(method, templated(path)).operationId);
  expect(new Set(ids).size).toBe(service.routes.length);
  expect(operation("get", "/captures/{id}/blocks/{row}").operationId).toBe("getCapturesIdBlocksRow");
  for (const { says } of service.routes) expect(says).toMatch(/^[A-Z]/u);
});
