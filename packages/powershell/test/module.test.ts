/** The module without PowerShell: its syntax, its help, what it calls, and what `xel` answers to it. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { CMDLETS, SQL_COMMANDS } from "./cmdlets.ts";
import { faultsIn, functionsIn, listsIn, nodesIn, nodesOf, parse, type Values } from "./script.ts";

const XEL = fileURLToPath(new URL("../../cli/bin/xel.ts", import.meta.url));
const CAPTURE = fileURLToPath(new URL("../../../fixtures/captures/slow-network/", import.meta.url));
const PUBLIC = ["Read-AgLensXel", "Test-AgLensSyncCommit", "Start-AgLensCapture"];

const script = await parse({ file: "AgLens.psm1" });
const manifest = await parse({ file: "AgLens.psd1" });
const functions = functionsIn(script);

const xel = (args: readonly string[]) =>
  spawnSync(process.execPath, [XEL, ...args], { encoding: "utf8", timeout: 120_000 });

function functionOf(name: string): NonNullable<ReturnType<typeof functions.get>> {
  const found = functions.get(name);
  if (found === undefined) throw new Error(`No function ${name}`);
  return found;
}

describe("syntax", () => {
  test("the grammar understands every line", () => {
    expect(faultsIn(script)).toEqual([]);
    expect(faultsIn(manifest)).toEqual([]);
  });

  test("a fault would be found", async () => {
    expect(faultsIn(await parse({ text: "if ($true) { 'a'" }))).toHaveLength(1);
  });

  test("files are ASCII: without a BOM, Windows PowerShell reads other characters in the code page", () => {
    for (const { text } of [script, manifest]) expect(text).toMatch(/^[\t\n\r -~]+$/u);
  });

  test("nothing needs a later version than Windows PowerShell 5.1", () => {
    const leaves = nodesIn(script).filter(({ childCount }) => childCount === 0);
    expect(leaves.filter(({ type }) => ["&&", "||", "??", "??=", "?.", "?"].includes(type))).toEqual([]);
  });

  test("the manifest exports the functions that the module exports", () => {
    const entry = nodesOf(manifest, "hash_entry").find(({ text }) => text.startsWith("FunctionsToExport"));
    const exported = script.text.split("\n").findLast((line) => line.startsWith("Export-ModuleMember")) ?? "";
    for (const text of [entry?.text ?? "", exported])
      expect(Array.from(text.matchAll(/'([^']+)'/gu), ([, name]) => name)).toEqual(PUBLIC);
  });
});

describe("help", () => {
  const helpOf = (name: string): string => nodesOf(functionOf(name), "comment")[0]?.text ?? "";

  test.each([...functions.keys()])("%s has a synopsis", (name) => {
    expect(helpOf(name)).toMatch(/^<#\s+\.SYNOPSIS\n +\S.+\.\n/u);
  });

  test("a line that begins with a dot is a keyword: any other one would hide the complete help", () => {
    const keywords = ["SYNOPSIS", "DESCRIPTION", "PARAMETER", "OUTPUTS", "EXAMPLE", "LINK"];
    for (const name of functions.keys())
      for (const [, word = ""] of helpOf(name).matchAll(/^ *\.(\S+)/gmu)) expect(keywords).toContain(word);
  });

  test.each(PUBLIC)("%s has each parameter, its output and examples", (name) => {
    const block = nodesOf(functionOf(name), "param_block")[0];
    const parameters = (block === undefined ? [] : nodesOf(block, "script_parameter")).map(
      (parameter) => parameter.children.findLast((part) => part.type === "variable")?.text.slice(1) ?? "",
    );
    const help = helpOf(name);
    const described = Array.from(help.matchAll(/^ +\.PARAMETER (\w+)$/gmu), ([, parameter]) => parameter);
    expect(new Set(described)).toEqual(new Set(parameters));
    expect(described).toHaveLength(parameters.length);
    expect(help).toContain(".OUTPUTS");
    expect(help.match(/\.EXAMPLE/gu)?.length).toBeGreaterThanOrEqual(2);
  });

  /** Verifies that an example has no fault, and calls commands of the module with parameters that they have. */
  async function expectValid(example: string): Promise<void> {
    const root = await parse({ text: example });
    expect(faultsIn(root)).toEqual([]);
    for (const command of nodesOf(root, "command")) {
      const called = nodesOf(command, "command_name")[0]?.text ?? "";
      if (!PUBLIC.includes(called)) continue;
      for (const parameter of nodesOf(command, "command_parameter"))
        expect(`${helpOf(called)}\n.PARAMETER WhatIf\n`).toContain(`.PARAMETER ${parameter.text.slice(1)}\n`);
    }
  }

  test.each(PUBLIC)("the examples of %s have no fault, and only parameters that exist", async (name) => {
    for (const [, example = ""] of helpOf(name).matchAll(/\.EXAMPLE\n(.*?)\n\n/gsu))
      await expectValid(example);
  });

  test.each(["packages/powershell/README.md", "docs/guide/automate.md"])(
    "so have those of %s",
    async (page) => {
      const text = readFileSync(new URL(`../../../${page}`, import.meta.url), "utf8");
      const examples = Array.from(text.matchAll(/```powershell\n(.*?)```/gsu), ([, example = ""]) => example);
      expect(examples.join("")).toContain("Start-AgLensCapture");
      for (const example of examples) await expectValid(example);
      for (const [, property = ""] of text.matchAll(/\$(?:capture|result)\.(\w+)/gu))
        expect(script.text).toMatch(new RegExp(`^ +${property} += `, "mu"));
    },
  );
});

describe("commands", () => {
  const called = nodesOf(script, "command").map((command) => ({
    name:
      nodesIn(command).find(({ type }) =>
        ["command_name", "foreach-object", "command_invokation_operator"].includes(type),
      )?.text ?? "",
    parameters: (command.children.find(({ type }) => type === "command_elements")?.children ?? [])
      .filter(({ type }) => type === "command_parameter")
      .map((parameter) => parameter.text),
    text: command.text,
  }));

  test("each command is a function of the module or a cmdlet with its parameters", () => {
    for (const { name, parameters, text } of called.filter(({ name }) => name !== "&")) {
      if (functions.has(name) || name in SQL_COMMANDS) continue;
      expect(Object.keys(CMDLETS)).toContain(name);
      for (const parameter of parameters) expect(CMDLETS[name]?.parameters, text).toContain(parameter);
    }
  });

  test("the list has no cmdlet that isn't called", () => {
    const names = called.map(({ name }) => name);
    expect(
      [...Object.keys(CMDLETS), ...Object.keys(SQL_COMMANDS)].filter((name) => !names.includes(name)),
    ).toEqual([]);
  });

  test("xel is the only program, and starts in one place", () => {
    const programs = called.filter(({ name }) => name === "&");
    expect(programs.map(({ text }) => text)).toEqual([expect.stringMatching(/^& \$Xel @Arguments /u)]);
    expect(nodesOf(functionOf("Invoke-AgLensXel"), "command").map(({ text }) => text)).toContain(
      programs[0]?.text,
    );
  });

  test("the executable of AG Lens gets xel as its first argument, before the program starts", () => {
    const { text } = functionOf("Invoke-AgLensXel");
    const added = text.indexOf("-eq 'ag-lens') { $Arguments = @('xel') + $Arguments }");
    expect(added).toBeGreaterThan(0);
    expect(text.indexOf("& $Xel @Arguments")).toBeGreaterThan(added);
  });

  test("T-SQL runs with parameters that Invoke-DbaQuery and Invoke-Sqlcmd have", () => {
    const { text } = functionOf("Invoke-AgLensQuery");
    const keys = (part: string): string[] =>
      Array.from(part.matchAll(/(?:\['|(?:@\{|;) ?)(\w+)(?:'\]| =)/gu), ([, key = ""]) => key).filter(
        (key) => key !== "options",
      );
    const [common = "", dba = "", sqlcmd = ""] = text.split(
      /(?=if \(\$command\.Name)|(?=\$options\['ServerInstance)/u,
    );
    for (const [name, part] of [
      ["Invoke-DbaQuery", dba],
      ["Invoke-Sqlcmd", sqlcmd],
    ] as const) {
      const used = [...keys(common), ...keys(part)];
      expect(used.length).toBeGreaterThan(6);
      expect(used.filter((key) => !SQL_COMMANDS[name]?.parameters.includes(key))).toEqual([]);
    }
  });
});

describe("files of a recording", () => {
  const capture = functionOf("Start-AgLensCapture").text;

  test.each([
    [".", "localhost"],
    ["SQL1", "SQL1"],
    [String.raw`SQL1\PROD`, "SQL1_PROD"],
    [String.raw`.\PROD`, "localhost_PROD"],
    ["tcp:sql1.corp.example,1500", "tcp_sql1.corp.example_1500"],
  ])("those of %s are in a folder of their own in the zip: %s", (server, folder) => {
    const { text } = functionOf("Copy-AgLensServerFile");
    const replacements = Array.from(text.matchAll(/-replace '(.+?)', '(.+?)'\)?/gu));
    expect(replacements.length).toBeGreaterThan(0);
    expect(
      replacements.reduce(
        (name, [, pattern = "", by = ""]) => name.replaceAll(new RegExp(pattern, "giu"), by),
        server,
      ),
    ).toBe(folder);
  });

  test("nothing is recorded while a file or folder of an earlier recording is there", () => {
    const [before = ""] = capture.split("ShouldProcess(");
    expect(before).toMatch(/\[System\.IO\.File\]::Exists\(\$target\)\) \{ throw /u);
    expect(before).toMatch(/\[System\.IO\.Directory\]::Exists\(\$work\)\) \{ throw /u);
    // The zip is written in that folder, so that no other name can exist before.
    expect(functionOf("New-AgLensZip").text).toContain("$part = [System.IO.Path]::Combine($Folder, ");
  });

  test("after any error, sessions are dropped first, and then files on servers are named", () => {
    const [, last = ""] = capture.split("    finally {\n");
    const places = ["-Query $drop", "Delete($work", "-not $isZipped"].map((part) => last.indexOf(part));
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    expect(places).not.toContain(-1);
    expect(capture.indexOf("$isZipped = $true")).toBeGreaterThan(capture.indexOf("New-AgLensZip -Folder"));
  });
});

describe("xel", () => {
  const filesOf = (role: string): string[] =>
    readdirSync(`${CAPTURE}${role}`)
      .toSorted((left, right) => (left < right ? -1 : 1))
      .map((name) => `${CAPTURE}${role}/${name}`);
  const argumentsOf = (name: string, values: Values): string[][] =>
    listsIn(functionOf(name), "$arguments", values);

  test("answers Read-AgLensXel with the properties that it reads", () => {
    const [file = ""] = filesOf("primary");
    // Times as $format prints them.
    const [from, to] = ["2016-05-06T02:16:55.1000000Z", "2016-05-06T02:16:55.5000000Z"];
    expect(functionOf("Read-AgLensXel").text).toContain("\"yyyy-MM-dd'T'HH:mm:ss.fffffff'Z'\"");
    const [args = []] = argumentsOf("Read-AgLensXel", { file, name: "hadr_capture_log_block", from, to });
    const options = `--event hadr_capture_log_block --since ${from} --until ${to}`.split(" ");
    expect(args).toEqual(["dump", file, ...options]);
    const { status, stdout, stderr } = xel(args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const lines = stdout.trim().split("\n");
    const [line = ""] = lines;
    for (const text of lines) {
      expect(JSON.parse(text)).toMatchObject({ name: "hadr_capture_log_block" });
      expect(JSON.parse(text).timestamp >= from && JSON.parse(text).timestamp < to).toBe(true);
    }
    const record = JSON.parse(line);
    const read = functionOf("Read-AgLensXel").text.matchAll(/\$record\.(\w+)/gu);
    for (const [, property = ""] of read) expect(Object.keys(record)).toContain(property);
    // DateTime has units of 100 ns, so that nothing is lost.
    expect(record.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/u);
  });

  test("answers Test-AgLensSyncCommit with the figures that it returns", () => {
    const values = { files: [...filesOf("primary"), ...filesOf("secondary")] };
    const roles = { primaryFiles: filesOf("primary"), secondaryFiles: filesOf("secondary") };
    const lists = argumentsOf("Test-AgLensSyncCommit", { ...values, ...roles });
    expect(lists).toEqual([
      ["analyze", "--json", "--primary", ...roles.primaryFiles, "--secondary", ...roles.secondaryFiles],
      ["analyze", "--json", ...values.files],
    ]);
    const answers = lists.map((args) => xel(args));
    for (const { status, stderr } of answers) expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const [report, other] = answers.map(({ stdout }) => JSON.parse(stdout));
    expect(other).toEqual(report);
    // The answer as the function reads it: the fixture's network is slow.
    expect(report.verdict).toMatchObject({ severity: "slow", cause: "network" });
    expect(report.replicas[1]).toEqual({ id: report.secondaries[0], name: expect.any(String) });
    const { text } = functionOf("ConvertTo-AgLensSyncCommit");
    const paths = Array.from(text.matchAll(/\$Report((?:\.\w+)+)/gu), ([, path = ""]) =>
      path.slice(1).split("."),
    );
    expect(paths.length).toBeGreaterThan(8);
    for (const path of paths)
      expect(
        path.reduce((value, key) => value?.[key], report),
        path.join("."),
      ).toBeDefined();
    const stages = { ...report.stagesUs[report.secondaries[0]], all: report.commits.latencyUs };
    for (const [, stage = "", figure = ""] of text.matchAll(/-Stage (\w+) -Figure (\w+)/gu))
      expect(stages[stage]?.[figure], `${stage} ${figure}`).toEqual(expect.any(Number));
    for (const [, list = ""] of text.matchAll(/findings \| Select-Object -Property ('.*')\)/gu))
      expect(Object.keys(report.verdict.findings[0])).toEqual(
        expect.arrayContaining(list.split(", ").map((name) => name.slice(1, -1))),
      );
  });

  test("has the session of the guide for Start-AgLensCapture", () => {
    const [options = []] = listsIn(functionOf("Start-AgLensCapture"), "$options", {});
    const steps = Array.from(
      functionOf("Start-AgLensCapture").text.matchAll(/-Step (\w+)/gu),
      ([, step = ""]) => step,
    );
    expect(steps).toEqual(["create", "start", "file", "stop", "drop"]);
    const Session = "AGLens_0123456789ab";
    const batches = steps.map((Step) => {
      const [args = []] = argumentsOf("Get-AgLensSessionSql", {
        Step,
        Session,
        Options: Step === "create" ? options.filter((option) => option !== "--without-commits") : [],
      });
      const { status, stdout, stderr } = xel(args);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      return stdout;
    });
    expect(batches[0]).toContain(`CREATE EVENT SESSION [${Session}] ON SERVER`);
    // Files are found by this beginning of their names.
    expect(batches[0]).toContain(`filename = N'${Session}'`);
    for (const part of ["file_write_completed", "client_app_name"]) expect(batches[0]).toContain(part);
    expect(options).toContain("--without-commits");
    expect(xel(["session", "create", "--without-commits"])).toMatchObject({ status: 0 });
    // The column that the module reads.
    expect(batches[2]).toMatch(/ AS path;\n$/u);
    // The modules SqlServer and dbatools send a batch as it is, without variables of sqlcmd.
    for (const batch of batches) expect(batch).not.toMatch(/^\s*GO\s*$|\$\(/mu);
  });

  test("ends with the codes that the module distinguishes", () => {
    const { text } = functionOf("Invoke-AgLensXel");
    // A batch file doesn't start with more than 8,191 characters, two of which are paths of node and xel.
    expect(Number(/Length -gt (\d+)/u.exec(text)?.[1])).toBeLessThan(8191 - 2 * 260);
    expect(text).toContain("-in 0, 1, 3");
    const [file = ""] = filesOf("primary");
    expect(xel(["analyze", "--json", file, `${CAPTURE}none.xel`])).toMatchObject({ status: 3 });
    expect(xel(["analyze", "--json", `${CAPTURE}none.xel`])).toMatchObject({ status: 4, stdout: "" });
    expect(xel(["dump", file, "--nothing"])).toMatchObject({ status: 2, stdout: "" });
  });
});
