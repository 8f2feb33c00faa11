import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { session } from "./session.ts";

/** Output of the command, which ends without an error. */
function printed(...args: string[]): string {
  let text = "";
  expect(session(args, (part) => (text += part))).toBe(0);
  return text;
}

const guide = readFileSync(new URL("../../../docs/guide/record.md", import.meta.url), "utf8");
const scriptsOfGuide = Array.from(guide.matchAll(/```sql\n(.*?)\n```/gsu), ([, sql]) => sql);

test("the script is the one of the guide", () => {
  expect(scriptsOfGuide).toContain(printed());
});

test("each step is one batch, and together they are the script", () => {
  const [create, start] = [printed("create"), printed("start")];
  expect(`${create}\nGO\n${start}\nGO`).toBe(printed());
  expect(printed("stop")).toContain("ALTER EVENT SESSION [AGLens] ON SERVER STATE = STOP;");
  expect(printed("drop")).toBe(
    "IF EXISTS (SELECT 1 FROM sys.server_event_sessions WHERE name = N'AGLens')\n  DROP EVENT SESSION [AGLens] ON SERVER;",
  );
  expect(printed("file")).toMatch(/^SELECT COALESCE\(.* AS path;$/su);
});

test("a name of its own is the session's name and the beginning of its files", () => {
  const script = printed("--name", "AGLens_0317");
  expect(script).toContain("CREATE EVENT SESSION [AGLens_0317] ON SERVER");
  expect(script).toContain("filename = N'AGLens_0317'");
  expect(script).not.toMatch(/AGLens\b(?!_0317)/u);
  expect(printed("file", "--name", "AGLens_0317")).toContain("s.name = N'AGLens_0317'");
});

test("options are those of the capture guide", () => {
  expect(printed("create", "--without-commits")).not.toContain("hadr_db_commit_mgr_harden ");
  expect(printed("create", "--file-writes")).toContain(
    "ADD EVENT sqlserver.file_write_completed (ACTION (package0.event_sequence) WHERE file_id = 2)",
  );
  expect(printed("create", "--clients")).toContain("sqlserver.client_app_name");
});

test.each([
  [["--name", "x]; DROP DATABASE y; --"], /name has letters, digits/u],
  [["--name", ""], /name has letters, digits/u],
  [["begin"], /Name one step/u],
  [["create", "start"], /Name one step/u],
  [["--nome", "x"], /--nome/u],
  [["--clients", "--without-commits"], /--clients or --without-commits/u],
])("%j is wrong usage", (args, message) => {
  expect(() => session(args)).toThrow(message);
});
