import { readFileSync } from "node:fs";
import { CONFIG_FILE, SETTINGS, WrongValue } from "./settings.ts";
import type { Config } from "./settings.ts";
import { StartError } from "../kernel/start-error.ts";

export type { Config } from "./settings.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables of this repository's benchmarks and tests, which hand their own environment on to the API. */
const OF_OTHER_PROGRAMS = /^AGLENS_(?:BENCH|DEMO|E2E|REACH)_/u;

/**
 * Configuration from environment variables and from the file that AGLENS_CONFIG names; where both are there, the variable is used.
 * @param environment usually process.env
 * @param root the repository's root, where defaults live
 * @throws StartError `bad-setting` with a line for each setting that is unknown or cannot be read
 */
export function readConfig(environment: Environment, root: string): Config {
  const wrong: string[] = [];
  const file = settingsOfFile(environment[CONFIG_FILE], wrong);
  wrong.push(...unknownNames(environment, file));
  const values = Object.entries(SETTINGS).map(([key, setting]) => {
    const given = givenText(environment[setting.name], file.get(setting.name), setting.takesEmpty === true);
    try {
      return [key, given === null ? setting.read(setting.initial, root) : setting.read(given, "")];
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error;
      wrong.push(`${setting.name} ${error.message}`);
      return [key, null];
    }
  });
  if (wrong.length > 0) throw new StartError("bad-setting", wrong.join("\n"));
  return Object.fromEntries(values) as Config;
}

/** Null where the setting is not set. */
function givenText(
  variable: string | undefined,
  inFile: string | undefined,
  takesEmpty: boolean,
): string | null {
  if (takesEmpty) return variable ?? inFile ?? null;
  return variable || inFile || null;
}

function unknownNames(environment: Environment, file: ReadonlyMap<string, string>): string[] {
  const names = new Set(Object.values(SETTINGS).map(({ name }) => name));
  const variables = Object.keys(environment).filter(
    (name) => name.startsWith("AGLENS_") && name !== CONFIG_FILE && !OF_OTHER_PROGRAMS.test(name),
  );
  return [
    ...variables
      .filter((name) => !names.has(name))
      .map((name) => `${name} is not a setting. --help lists them.`),
    ...[...file.keys()]
      .filter((name) => !names.has(name))
      .map((name) => `${name} in the file of ${CONFIG_FILE} is not a setting. --help lists them.`),
  ];
}

/** Settings of the file as texts by name; its faults are added to `wrong`. */
function settingsOfFile(path: string | undefined, wrong: string[]): Map<string, string> {
  if (path === undefined || path === "") return new Map();
  try {
    const json: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof json !== "object" || json === null || Array.isArray(json))
      throw new Error("it is no JSON object");
    return new Map(Object.entries(json).map(([name, value]) => [name, textOf(name, value)]));
  } catch (error) {
    wrong.push(`${CONFIG_FILE}: ${path} cannot be read: ${(error as Error).message}.`);
    return new Map();
  }
}

/** A value of the file as a variable would have it. */
function textOf(name: string, value: unknown): string {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.every((each) => typeof each === "string" || typeof each === "number")) return values.join(",");
  throw new Error(`${name} must be a text, a number or a list of texts`);
}
