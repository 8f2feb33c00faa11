import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { session } from "./session.ts";

afterEach(() => vi.restoreAllMocks());

/** Output of the command, which ends without an error. */
async function printed(...args: string[]): Promise<string> {
  let text = "";
  expect(await session(args, (part) => (text += part))).toBe(0);
  return text;
}

const guide = readFileSync(new URL("../../../docs/guide/record.md", import.meta.url), "utf8");
const scriptsOfGuide = Array.from(guide.matchAll(/```sql\n(.*?)\n```/gsu), ([, sql]) => sql);

test("the script is the one of the guide", async () => {
  expect(scriptsOfGuide).toContain(await printed());
});

test("each step is one batch, and together they are the script", async () => {
  const [create, start] = [await printed("create"), await printed("start")];
  expect(`${create}\nGO\n${start}\nGO`).toBe(await printed());
  expect(await printed("stop")).toContain("ALTER EVENT SESSION [AGLens] ON SERVER STATE = STOP;");
  expect(await printed("drop")).toBe(
    "IF EXISTS (SELECT 1 FROM sys.server_event_sessions WHERE name = N'AGLens')\n  DROP EVENT SESSION [AGLens] ON SERVER;",
  );
  expect(await printed("file")).toMatch(/^SELECT COALESCE\(.* AS path;$/su);
});

test("a name of its own is the session's name and the beginning of its files", async () => {
  const script = await printed("--name", "AGLens_0317");
  expect(script).toContain("CREATE EVENT SESSION [AGLens_0317] ON SERVER");
  expect(script).toContain("filename = N'AGLens_0317'");
  expect(script).not.toMatch(/AGLens\b(?!_0317)/u);
  expect(await printed("file", "--name", "AGLens_0317")).toContain("s.name = N'AGLens_0317'");
});

test("options are those of the capture guide", async () => {
  expect(await printed("create", "--without-commits")).not.toContain("hadr_db_commit_mgr_harden ");
  expect(await printed("create", "--file-writes")).toContain(
    "ADD EVENT sqlserver.file_write_completed (ACTION (package0.event_sequence) WHERE file_id = 2)",
  );
  expect(await printed("create", "--clients")).toContain("sqlserver.client_app_name");
});

test.each([
  [["--name", "x]; DROP DATABASE y; --"], /name has letters, digits/u],
  [["--name", ""], /name has letters, digits/u],
  [["begin"], /Name one step/u],
  [["create", "start"], /Name one step/u],
  [["--nome", "x"], /--nome/u],
  [["--clients", "--without-commits"], /--clients or --without-commits/u],
])("%j is wrong usage", async (args, message) => {
  const error = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  expect(await session(args)).toBe(2);
  expect(error.mock.calls[0]?.[0]).toMatch(message);
});
