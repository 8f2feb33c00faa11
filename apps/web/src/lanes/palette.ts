/** Which color a stage has: hue is the place, strength the kind (docs/contribute/design.md 6). */
import { useSyncExternalStore } from "react";
import {
  STAGES,
  type StageDefinition,
  type StageId,
  stageName,
  type StageReplicas,
} from "@aglens/ag-model/replication";
import { chartsTexts as texts } from "../messages/charts.ts";

/** CSS custom property with a stage's color. */
export type StageToken =
  | "--p-disk"
  | "--p-work"
  | "--n-out"
  | "--n-back"
  | "--s-disk"
  | "--s-work"
  | "--wait";

/** The three places of the verdict and the minimap. */
export type Place = "primary" | "network" | "secondary" | "none";

/** Short names of the primary and of the secondary the figures are about. */
export type ReplicaNames = StageReplicas;

const definitions = new Map<string, StageDefinition>(STAGES.map((s) => [s.id, s]));

/** Color token of a stage; waiting gray for an id that is no stage (commits). */
export function stageToken(id: string): StageToken {
  const definition = definitions.get(id);
  if (!definition || definition.kind === "total") return "--wait";
  if (definition.place === "networkOut") return "--n-out";
  if (definition.place === "networkBack") return "--n-back";
  const disk = definition.kind === "disk";
  if (definition.place === "primary") return disk ? "--p-disk" : "--p-work";
  return disk ? "--s-disk" : "--s-work";
}

/**
 * The path to a replica as one bar without the color of its largest part: in bins, and at every level where the replica
 * is asynchronous, since no commit waits for a part of it.
 */
export const PATH_TOKEN: StageToken = "--s-disk";

/** Place a stage belongs to; both directions of the network are one place. */
export function placeOf(id: string): Place {
  const definition = definitions.get(id);
  if (!definition || definition.kind === "total") return "none";
  if (definition.place === "primary" || definition.place === "secondary") return definition.place;
  return "network";
}

const PLACE_TOKENS: Readonly<Record<Place, StageToken>> = {
  primary: "--p-disk",
  network: "--n-out",
  secondary: "--s-disk",
  none: "--wait",
};

/** Strong color of a place, as in the minimap. */
export const placeToken = (place: Place): StageToken => PLACE_TOKENS[place];

/** Name of each color: its only stage, or all handling on a server. */
const COLOR_NAMES: Readonly<Record<StageToken, (names: ReplicaNames) => string>> = {
  "--p-disk": (names) => stageName("localFlush", names),
  "--p-work": ({ primary }) => texts.handling(primary),
  "--n-out": (names) => stageName("wireOut", names),
  "--n-back": (names) => stageName("wireBack", names),
  "--s-disk": (names) => stageName("secondaryFlush", names),
  "--s-work": ({ secondary }) => texts.handling(secondary),
  "--wait": () => texts.sessionWaiting,
};

/** The stage that defines a color: its only one, or the first handling on a server. */
export const termOfColor = (token: StageToken): StageId | "commit" =>
  STAGES.find(({ id, kind }) => kind !== "total" && stageToken(id) === token)?.id ?? "commit";

/** Name of a color of lanes and bars. */
export const colorName = (token: StageToken, names: ReplicaNames): string => COLOR_NAMES[token](names);

/** Colors of a path to a secondary, in its order. */
export const PATH_COLORS: readonly StageToken[] = (Object.keys(COLOR_NAMES) as StageToken[]).filter(
  (token) => token !== "--wait",
);

export const TOKEN_NAMES = [
  "--bg", "--surface", "--raised", "--sunken", "--hover", "--line", "--line-2", "--grid",
  "--ink", "--ink-2", "--ink-3", "--ink-inv",
  "--p-disk", "--p-work", "--n-out", "--n-back", "--s-disk", "--s-work", "--wait", "--wait-soft",
  "--p-tint", "--n-tint", "--s-tint", "--p-ink", "--n-ink", "--s-ink",
  "--c-good", "--c-reasonable", "--c-busy", "--c-bad", "--bad-ink", "--bad-tint",
  "--accent", "--focus", "--select", "--select-tint", "--hatch", "--idle", "--on-strong",
  "--font", "--mono",
] as const; // prettier-ignore

export type TokenName = (typeof TOKEN_NAMES)[number];
/** Values of the design tokens as the document has them now, for canvas. */
export type Tokens = Readonly<Record<TokenName, string>>;

function readTokens(): Tokens {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(TOKEN_NAMES.map((name) => [name, style.getPropertyValue(name).trim()])) as Tokens;
}

let current: Tokens | null = null;
const listeners = new Set<() => void>();
let stopWatching: (() => void) | null = null;

function changed(): void {
  const next = readTokens();
  if (current && TOKEN_NAMES.every((name) => current![name] === next[name])) return;
  current = next;
  for (const listener of listeners) listener();
}

/** Theme lives in an attribute of the root element, or follows the browser, or arrives with a late style sheet. */
function watch(): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true });
  const queries = ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors: active)"].map(
    (q) => matchMedia(q),
  );
  for (const query of queries) query.addEventListener("change", changed);
  window.addEventListener("load", changed);
  return () => {
    observer.disconnect();
    for (const query of queries) query.removeEventListener("change", changed);
    window.removeEventListener("load", changed);
  };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  stopWatching ??= watch();
  // The theme may have changed between the first read and this subscription.
  changed();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    stopWatching?.();
    stopWatching = null;
  };
}

/** Colors and fonts for canvas; renders again when the theme changes. */
export function useTokens(): Tokens {
  return useSyncExternalStore(subscribe, () => (current ??= readTokens()));
}
