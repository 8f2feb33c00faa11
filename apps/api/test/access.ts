/** Settings of a service that people sign in to, and requests of theirs. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import request from "supertest";
import type { Service } from "../src/service/open-service.ts";
import type { Config } from "../src/settings/config.ts";

export const TOKENS = {
  admin: "admin-token-of-at-least-20",
  ann: "anns-token-of-at-least-20-c",
  bob: "bobs-token-of-at-least-20-c",
  viewer: "viewers-token-of-at-least-20",
};

/** Tokens of an admin, of two contributors (Ann, Bob) and of a viewer (Vera), but `without` some. */
export async function tokenAccess(without: readonly string[] = []): Promise<Partial<Config>> {
  const tokenFile = join(await mkdtemp(join(tmpdir(), "aglens-token-")), "token");
  const lines = [
    "# made for tests",
    TOKENS.admin,
    `${TOKENS.ann} contributor Ann`,
    `${TOKENS.bob} contributor Bob`,
    `${TOKENS.viewer} viewer Vera`,
  ];
  const kept = lines.filter((line) => without.every((token) => !line.startsWith(token)));
  await writeFile(tokenFile, kept.join("\n"));
  return { tokenFile };
}

/** Requests of a script with an access token. */
export function as(service: Pick<Service, "app">, token: string) {
  const send = (method: "get" | "post" | "patch" | "delete", path: string) =>
    request(service.app)[method](`/api/v1${path}`).set("authorization", `Bearer ${token}`);
  return {
    get: (path: string) => send("get", path),
    post: (path: string) => send("post", path),
    patch: (path: string) => send("patch", path),
    delete: (path: string) => send("delete", path),
  };
}
