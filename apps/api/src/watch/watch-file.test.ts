import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LiveServer } from "@aglens/contract";
import { WatchSecrets } from "./watch-file.ts";

const SQL1 = LiveServer.parse({ host: "sql1.corp.example", port: 1433 });

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
    const passwords = await Promise.all(["here", "there", "around"].map((each) => secrets.login(each, SQL1)));
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
    await secrets.login("one", SQL1);
    await write("new");
    expect(await secrets.login("one", SQL1)).toMatchObject({ password: "new" });
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
    const { message } = await secrets.login("one", SQL1).then(
      () => new Error("it was read"),
      (error: Error) => error,
    );
    if (typeof sentence === "string") expect(message).toBe(sentence);
    else expect(message).toMatch(sentence);
    expect(message).not.toContain("plain");
  });

  test("lets a login go only to the hosts that the operator wrote", async () => {
    const password = { value: "of the operator" };
    const secrets = await fileWith({
      logins: {
        here: { ...LOGIN, password, hosts: ["*.CORP.example", "sql9:1500"] },
        there: { ...LOGIN, password, hosts: ["sql2"] },
      },
    });
    expect(await secrets.login("here", SQL1)).toEqual({ ...LOGIN, password: "of the operator" });
    await expect(secrets.login("there", SQL1)).rejects.toThrow(
      'The file of AGLENS_WATCH_FILE does not allow the login "there" on sql1.corp.example:1433.',
    );
  });

  test("keeps a login without hosts where people could choose any host", async () => {
    const directory = await mkdtemp(join(tmpdir(), "aglens-watch-"));
    const path = join(directory, "watch.json");
    const logins = { one: { ...LOGIN, password: { value: "of the operator" } } };
    await writeFile(path, JSON.stringify({ logins }));
    await expect(new WatchSecrets(path, true).login("one", SQL1)).rejects.toThrow(
      /has no hosts in the file/u,
    );
  });
});
