import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { WatchSecrets } from "./watch-file.ts";

async function fileWith(
  content: unknown,
  others: Readonly<Record<string, string>> = {},
): Promise<WatchSecrets> {
  const directory = await mkdtemp(join(tmpdir(), "aglens-watch-"));
  for (const [name, text] of Object.entries(others)) await writeFile(join(directory, name), text);
  const path = join(directory, "watch.json");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return new WatchSecrets(path);
}

const LOGIN = { kind: "sql", user: "aglens_watch" };

describe("the file of watches", () => {
  test("gives a login its password from the file, another file, or a variable", async () => {
    process.env["WATCH_TEST_PASSWORD"] = "of the variable";
    const secrets = await fileWith(
      {
        logins: {
          here: { ...LOGIN, password: { value: "in the file" } },
          there: { ...LOGIN, password: { file: "password" } },
          around: { ...LOGIN, password: { variable: "WATCH_TEST_PASSWORD" } },
        },
      },
      { password: "of a file\n" },
    );
    const passwords = await Promise.all(["here", "there", "around"].map((each) => secrets.login(each)));
    expect(passwords).toEqual(
      ["in the file", "of a file", "of the variable"].map((password) => ({ ...LOGIN, password })),
    );
  });

  test("is read again at each use", async () => {
    const directory = await mkdtemp(join(tmpdir(), "aglens-watch-"));
    const path = join(directory, "watch.json");
    const write = (value: string) =>
      writeFile(path, JSON.stringify({ logins: { one: { ...LOGIN, password: { value } } } }));
    const secrets = new WatchSecrets(path);
    await write("old");
    await secrets.login("one");
    await write("new");
    expect(await secrets.login("one")).toMatchObject({ password: "new" });
  });

  test.each([
    [null, "AGLENS_WATCH_FILE is not set. It names the file with the logins of watches."],
    ["not JSON", /watch\.json is not JSON\.$/u],
    [{ logins: { one: { ...LOGIN, password: "plain" } } }, /logins\.one\.password is wrong/u],
    [{ logins: {}, secret: 1 }, /It has an unknown key: secret\.$/u],
    [{ logins: {} }, 'The file of AGLENS_WATCH_FILE has no login "one".'],
    [{ logins: { one: { ...LOGIN, password: { file: "none" } } } }, /Can't read .*none: ENOENT\.$/u],
    [
      { logins: { one: { ...LOGIN, password: { variable: "WATCH_TEST_NONE" } } } },
      "The variable WATCH_TEST_NONE is not set.",
    ],
  ])("%j: says in a sentence what is wrong, without a secret", async (content, sentence) => {
    const secrets = content === null ? new WatchSecrets(null) : await fileWith(content);
    const { message } = await secrets.login("one").then(
      () => new Error("it was read"),
      (error: Error) => error,
    );
    if (typeof sentence === "string") expect(message).toBe(sentence);
    else expect(message).toMatch(sentence);
    expect(message).not.toContain("plain");
  });
});
