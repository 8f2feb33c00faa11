import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { SETTINGS } from "../settings/settings.ts";
import { ACCESS_HELP } from "./access-help.ts";
import { newTokenLine } from "./new-token.ts";
import { matchingToken, readTokens } from "./tokens.ts";

test("lines of new tokens are a file of tokens that the server reads, each with its role and name", async () => {
  const folder = await mkdtemp(join(tmpdir(), "aglens-token-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const lines = [newTokenLine(), newTokenLine("viewer"), newTokenLine("contributor", "Ann Lee")];
  await writeFile(join(folder, "token"), `${lines.join("\n")}\n`);
  const tokens = await readTokens(join(folder, "token"));
  const holders = lines.map((line) => matchingToken(tokens, line.split(" ")[0] ?? ""));
  expect(holders).toMatchObject([
    { role: "admin", name: "Shared token (admin)" },
    { role: "viewer", name: "Shared token (viewer)" },
    { role: "contributor", name: "Ann Lee" },
  ]);
  expect(lines[0]).toMatch(/^[0-9a-f]{48} admin$/u);
});

test.each([
  ["boss", "", 'The role is viewer, contributor or admin, not "boss".'],
  ["b".repeat(41), "", `not "${"b".repeat(40)}".`],
  ["admin", "Ann # Lee", "neither # nor control characters"],
  ["admin", "Ann\n0000000000000000000000", "neither # nor control characters"],
  ["admin", "a".repeat(81), "at most 80 characters"],
])("%j %j is refused with a sentence", (role, name, sentence) => {
  expect(() => newTokenLine(role, name)).toThrow(sentence);
});

test("a name may have 80 characters", () => {
  expect(newTokenLine("admin", "a".repeat(80))).toMatch(/ a{80}$/u);
});

test("the help names settings that there are, all ways to sign in and all roles", () => {
  const names = new Set(Object.values(SETTINGS).map(({ name }) => name));
  const named = ACCESS_HELP.match(/AGLENS_[A-Z_]+/gu) ?? [];
  expect(named.filter((name) => !names.has(name))).toEqual([]);
  for (const text of [
    "AGLENS_TOKEN_FILE",
    "AGLENS_OIDC_ISSUER",
    "AGLENS_USER_HEADER",
    "viewer ",
    "contributor ",
    "admin ",
  ])
    expect(ACCESS_HELP).toContain(text);
});
