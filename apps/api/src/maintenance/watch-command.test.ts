import { readFileSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WatchDefinition } from "@aglens/contract";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TOKENS, tokenAccess } from "../../test/access.ts";
import { freePort } from "../../test/free-port.ts";
import { ROOT, testService } from "../../test/service.ts";
import type { TestService } from "../../test/service.ts";
import { stubAnalyzer } from "../../test/stub-analyzer.ts";
import { definitionOf } from "../../test/watch.ts";
import { runWatchCommand, WATCH_HELP } from "./watch-command.ts";

/** Nothing listens there. */
const SQL1 = { host: "127.0.0.1", port: 9 };

let folder: string;
let service: TestService | null = null;
let server: ReturnType<typeof createServer> | null = null;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-watch-command-"));
});
afterEach(async () => {
  server?.close();
  await service?.end();
  [server, service] = [null, null];
});

/** @returns exit code, and lines of both outputs */
async function run(...args: string[]): Promise<{ code: number; out: string; error: string }> {
  const [out, error]: [string[], string[]] = [[], []];
  const code = await runWatchCommand(args, {
    out: (line) => void out.push(line),
    error: (line) => void error.push(line),
  });
  return { code, out: out.join("\n"), error: error.join("\n") };
}

async function file(name: string, content: string): Promise<string> {
  await writeFile(join(folder, name), content);
  return join(folder, name);
}

/** A server on a port of its own. @returns its options on the command line */
async function serve(token: string | null, listener?: Parameters<typeof createServer>[1]): Promise<string[]> {
  if (listener === undefined) {
    const secrets = {
      logins: { sales: { kind: "sql", user: "aglens_watch", password: { value: "correct horse" } } },
      receivers: {},
    };
    const watchFile = await file("watch.json", JSON.stringify(secrets));
    const access = token === null ? {} : await tokenAccess();
    service = await testService({ watchFile, liveHosts: "127.0.0.1", ...access }, stubAnalyzer());
  }
  server = createServer(listener ?? service?.app).listen(0, "127.0.0.1");
  await new Promise((resolve) => void server?.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const address = ["--server", `http://127.0.0.1:${port}/`];
  return token === null ? address : [...address, "--token-file", await file("token", `${token}\n`)];
}

describe("two watches", () => {
  let options: string[];
  beforeEach(async () => {
    options = await serve(TOKENS.ann);
    const groups = ["SALES-AG", "CRM-AG"];
    for (const group of groups) {
      const path = await file(`${group}.json`, JSON.stringify(definitionOf([SQL1], { group })));
      const { code, out } = await run("add", path, ...options);
      expect([code, out]).toEqual([
        0,
        expect.stringMatching(`^The watch of ${group} is created. Its id is \\S+\\.$`),
      ]);
    }
  });

  test("are listed, and one is paused, resumed and removed by its group", async () => {
    expect((await run("pause", "CRM-AG", ...options)).out).toBe("The watch of CRM-AG is paused.");
    const { code, out } = await run("list", ...options);
    expect(code).toBe(0);
    expect(
      out.split("\n").filter((line) => /^CRM-AG {4}paused .*no trigger {2}\S+$/u.test(line)),
    ).toHaveLength(1);
    expect((await run("resume", "CRM-AG", ...options)).out).toBe("The watch of CRM-AG is resumed.");
    expect((await run("list", ...options)).out).not.toContain("paused");
    expect((await run("remove", "CRM-AG", ...options)).code).toBe(0);
    expect((await run("list", ...options)).out).not.toContain("CRM-AG");
  });

  test("of one group are told from each other by their ids", async () => {
    const path = await file("again.json", JSON.stringify(definitionOf([SQL1], { group: "CRM-AG" })));
    const id = /Its id is (\S+)\.$/u.exec((await run("add", path, ...options)).out)?.[1] ?? "";
    expect(await run("pause", "CRM-AG", ...options)).toMatchObject({
      code: 1,
      error: "CRM-AG has 2 watches. Enter an id: aglens watch list shows all.",
    });
    expect((await run("pause", id, ...options)).code).toBe(0);
  });

  test("are not others", async () => {
    expect(await run("record", "HR-AG", ...options)).toEqual({
      code: 1,
      out: "",
      error: "There is no watch HR-AG. aglens watch list shows all.",
    });
  });
});

test("a recording begins, and the list shows what became of it", async () => {
  const options = await serve(null);
  await run("add", await file("a.json", JSON.stringify(definitionOf([SQL1]))), ...options);
  expect(await run("record", "SALES-AG", ...options)).toEqual({
    code: 0,
    out: "AG Lens begins to record SALES-AG. aglens watch list shows the result.",
    error: "",
  });
  await expect.poll(async () => (await run("list", ...options)).out).toMatch(/Z Begun by hand, refused /u);
});

test("a refused recording is told with its reason", async () => {
  const options = await serve(null);
  await run("add", await file("a.json", JSON.stringify(definitionOf([SQL1]))), ...options);
  await run("pause", "SALES-AG", ...options);
  const { code, error } = await run("record", "SALES-AG", ...options);
  expect([code, error]).toEqual([1, expect.stringMatching(/paused.*\.$/u)]);
});

test("a refusal of the server is its sentence", async () => {
  const options = await serve(TOKENS.viewer);
  const path = await file("a.json", JSON.stringify(definitionOf([SQL1])));
  const { code, error } = await run("add", path, ...options);
  expect([code, error]).toEqual([1, expect.stringContaining("contributor")]);
  const wrong = await file("wrong.json", JSON.stringify({ group: "SALES-AG" }));
  expect((await run("add", wrong, "--server", options[1] ?? "")).code).toBe(1);
});

test("a server that doesn't answer, or isn't AG Lens, is named", async () => {
  const port = await freePort();
  const none = await run("list", "--server", `http://127.0.0.1:${port}`);
  expect(none).toMatchObject({ code: 69, error: expect.stringContaining(`http://127.0.0.1:${port}`) });
  const other = await serve(null, (_request, response) => void response.end("<html>"));
  expect(await run("list", ...other)).toMatchObject({
    code: 69,
    error: expect.stringContaining("answers with 200, but not as this version of AG Lens."),
  });
});

test.each([
  [["pause"], WATCH_HELP.trimEnd()],
  [["pause", "A", "B"], WATCH_HELP.trimEnd()],
  [["list", "A"], WATCH_HELP.trimEnd()],
  [["constructor", "A"], WATCH_HELP.trimEnd()],
  [["list", "--server", "sql1:4700"], "Can't use sql1:4700 as an address. Enter it as http://host:port."],
])("%j is wrong usage", async (args, error) => {
  expect(await run(...args)).toEqual({ code: 64, out: "", error });
});

test("files that can't be read are named", async () => {
  const text = await file("a.txt", "group: SALES-AG");
  const cases = [
    ["add", join(folder, "none.json")],
    ["add", text],
    ["list", "--token-file", join(folder, "none")],
    ["list", "--token-file", await file("empty", "\n")],
  ];
  for (const args of cases) {
    const { code, error } = await run(...args);
    expect([code, error]).toEqual([64, expect.stringContaining(folder)]);
  }
});

test("the document has the help, and a definition that is accepted", () => {
  const page = readFileSync(join(ROOT, "docs/reference/cli.md"), "utf8");
  expect(page).toContain(`\`\`\`\n${WATCH_HELP}\`\`\`\n`);
  const [, example = ""] = /```json\n(\{\n  "group".*?)```/su.exec(page) ?? [];
  expect(WatchDefinition.parse(JSON.parse(example)).triggers.schedules).toHaveLength(1);
});

test("help is no error", async () => {
  expect(await run("--help")).toEqual({ code: 0, out: WATCH_HELP.trimEnd(), error: "" });
});
