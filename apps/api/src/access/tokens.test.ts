import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { matchingToken, readTokens } from "./tokens.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-tokens-"));
  path = join(folder, "token");
});
afterEach(() => rm(folder, { recursive: true }));

const ONE = "a".repeat(20);
const TWO = "b".repeat(20);
const tokensOf = async (text: string) => {
  await writeFile(path, text);
  return readTokens(path);
};

test("a token has a role and a name, without them it is an admin's that is shared", async () => {
  const tokens = await tokensOf(
    `# for all\r\n\n ${ONE} # nobody's\r\n${TWO}\tviewer  Vera   Smith # since May`,
  );
  expect(tokens).toEqual([
    { hash: createHash("sha256").update(ONE).digest("hex"), role: "admin", name: "Shared token (admin)" },
    { hash: createHash("sha256").update(TWO).digest("hex"), role: "viewer", name: "Vera Smith" },
  ]);
  expect([matchingToken(tokens, TWO)?.name, matchingToken(tokens, `${TWO}b`)]).toEqual(["Vera Smith", null]);
});

test("of a name 80 characters are kept", async () => {
  expect((await tokensOf(`${ONE} viewer ${"x".repeat(81)}`))[0]?.name).toBe("x".repeat(80));
});

test.each([
  [`${ONE}\n${"c".repeat(19)}`, "line 2: a token has at least 20 characters."],
  [
    `${ONE} boss${"s".repeat(50)}`,
    `line 1: after the token comes viewer, contributor or admin, not "boss${"s".repeat(36)}".`,
  ],
  [`${ONE}\n${ONE} viewer`, "has the same token twice."],
  ["# none\n", "has no token. Make one with: aglens token new"],
])("%j is refused with its place", async (text, sentence) => {
  const refused = await tokensOf(text).then(
    () => null,
    (error: Error) => error,
  );
  expect(refused).toMatchObject({ code: "bad-setting" });
  expect(refused?.message).toContain(path);
  expect(refused?.message).toContain(sentence);
});

test("a file that is not there is named with its setting", async () => {
  await expect(readTokens(join(folder, "none"))).rejects.toMatchObject({
    code: "bad-setting",
    message: expect.stringMatching(/^AGLENS_TOKEN_FILE cannot be read: ENOENT/u),
  });
});
