/** Replaces names of servers, databases, files, applications and the capture for visitors of a link. */
import type { Summary } from "./shapes/summary.ts";
import type { z } from "./zod.ts";

export interface ReplacedNames {
  /** Each name with its replacement; names of replicas first. */
  readonly pairs: readonly (readonly [name: string, instead: string])[];
  /** A text with the names replaced. */
  readonly hide: (text: string) => string;
  /** A text that a visitor sends, with the names as the capture has them. */
  readonly find: (text: string) => string;
}

/** The verdict of a capture without data-movement events: the real one names a group that the summary doesn't have. */
const NEUTRAL_VERDICT = "The availability group failed over or went offline.";

/** @param summary as it is stored; the capture's name may have changed since */
export function replacedNames(
  {
    replicas,
    databases,
    files,
    clients,
    verdict,
  }: Pick<Summary, "replicas" | "databases" | "files" | "clients"> & Partial<Pick<Summary, "verdict">>,
  captureName: string,
): ReplacedNames {
  const pairs = new Map<string, string>();
  const add = (name: string, instead: string): void => {
    if (name !== "" && !pairs.has(name)) pairs.set(name, instead);
  };
  replicas.forEach(({ name }, index) => add(name, `Replica ${index + 1}`));
  databases.forEach(({ name }, index) => add(name, `Database ${index + 1}`));
  files.forEach(({ name }, index) => add(name, `File ${index + 1}`));
  clients?.names.forEach((name, index) => add(name, `Application ${index}`));
  add(captureName, "Group 1");
  const isAlone = replicas.every(({ hasCapture }) => !hasCapture);
  const hidden =
    isAlone && verdict?.cause === "role_change"
      ? new Map([...pairs, [verdict.sentence, NEUTRAL_VERDICT] as const])
      : pairs;
  return {
    pairs: [...pairs],
    hide: replacer(hidden),
    find: replacer(new Map([...pairs].map(([name, instead]) => [instead, name]))),
  };
}

/** Complete words only, in any case, the longest name first: "SQL1" is not part of "SQL10". */
function replacer(pairs: ReadonlyMap<string, string>): (text: string) => string {
  if (pairs.size === 0) return (text) => text;
  const names = [...pairs.keys()].toSorted((a, b) => b.length - a.length);
  const byLowerCase = new Map([...pairs].map(([name, instead]) => [name.toLowerCase(), instead]));
  // With the flag u only these may follow a backslash.
  const escaped = names.map((name) => name.replaceAll(/[$()*+./?[\\\]^{|}]/gu, "\\$&"));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${escaped.join("|")})(?![\\p{L}\\p{N}_])`, "giu");
  return (text) => text.replace(pattern, (found) => byLowerCase.get(found.toLowerCase()) ?? "…");
}

/**
 * A value of the contract with each free text mapped: the values that the schema declares as strings. Words of AG Lens
 * (enums) and numbers stay unchanged, so that a database called "network" does not change the name of a place.
 */
export function mapTexts(schema: z.core.$ZodType, value: unknown, map: (text: string) => string): unknown {
  if (!holdsText(schema)) return value;
  if (value === null || value === undefined) return value;
  const def = defOf(schema);
  switch (def.type) {
    case "string":
      return map(value as string);
    case "object":
      return mapEntries(value, (key, each) => {
        const part = def.shape[key];
        return part === undefined ? each : mapTexts(part, each, map);
      });
    case "array":
      return (value as unknown[]).map((each) => mapTexts(def.element, each, map));
    case "tuple":
      return (value as unknown[]).map((each, index) => {
        const part = def.items[index];
        return part === undefined ? each : mapTexts(part, each, map);
      });
    case "record":
      return mapEntries(value, (_, each) => mapTexts(def.valueType, each, map));
    case "nullable":
    case "optional":
    case "default":
      return mapTexts(def.innerType, value, map);
    case "unknown":
      return mapAllTexts(value, map);
    default:
      return value;
  }
}

type Def =
  | { readonly type: "string" | "unknown" }
  | { readonly type: "object"; readonly shape: Readonly<Record<string, z.core.$ZodType>> }
  | { readonly type: "array"; readonly element: z.core.$ZodType }
  | { readonly type: "tuple"; readonly items: readonly z.core.$ZodType[] }
  | { readonly type: "record"; readonly valueType: z.core.$ZodType }
  | { readonly type: "nullable" | "optional" | "default"; readonly innerType: z.core.$ZodType };

const known = new WeakMap<z.core.$ZodType, boolean>();

/** Whether a free text is somewhere in it; long arrays of numbers are not walked through. */
function holdsText(schema: z.core.$ZodType): boolean {
  const found = known.get(schema) ?? (isText(schema) || partsOf(schema).some(holdsText));
  known.set(schema, found);
  return found;
}

const defOf = ({ _zod }: z.core.$ZodType): Def => _zod.def as unknown as Def;

const isText = (schema: z.core.$ZodType): boolean => ["string", "unknown"].includes(defOf(schema).type);

function partsOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const def = defOf(schema);
  switch (def.type) {
    case "object":
      return Object.values(def.shape);
    case "array":
      return [def.element];
    case "tuple":
      return def.items;
    case "record":
      return [def.valueType];
    case "nullable":
    case "optional":
    case "default":
      return [def.innerType];
    default:
      return [];
  }
}

function mapEntries(value: unknown, map: (key: string, each: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(value as object).map(([key, each]) => [key, map(key, each)]));
}

function mapAllTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((each) => mapAllTexts(each, map));
  return typeof value === "object" && value !== null
    ? mapEntries(value, (_, each) => mapAllTexts(each, map))
    : value;
}
