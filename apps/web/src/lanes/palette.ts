/** Which colour a stage has and what it is called: hue is the place, strength the kind (docs/design.md 6). */
import { useSyncExternalStore } from "react";
import { STAGES, type StageDefinition, type StageId } from "@aglens/ag-model/replication";

/** CSS custom property that holds a stage's colour. */
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
export interface ReplicaNames {
  readonly primary: string;
  readonly secondary: string;
}

const definitions = new Map<string, StageDefinition>(STAGES.map((s) => [s.id, s]));

/** Colour token of a stage; waiting grey for an id that is no stage (commits). */
export function stageToken(id: string): StageToken {
  const definition = definitions.get(id);
  if (!definition || definition.kind === "total") return "--wait";
  if (definition.place === "networkOut") return "--n-out";
  if (definition.place === "networkBack") return "--n-back";
  const disk = definition.kind === "disk";
  if (definition.place === "primary") return disk ? "--p-disk" : "--p-work";
  return disk ? "--s-disk" : "--s-work";
}

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

/** Strong colour of a place, as in the minimap. */
export const placeToken = (place: Place): StageToken => PLACE_TOKENS[place];

const WORDS: Readonly<Record<StageId, (names: ReplicaNames) => string>> = {
  commitQueue: (n) => `${n.primary} commit queue`,
  localFlush: (n) => `${n.primary} log write`,
  captureLag: (n) => `${n.primary} capture lag`,
  compression: (n) => `${n.primary} compression`,
  send: (n) => `${n.primary} capture, send`,
  wireOut: () => "Network out",
  secondaryAppend: (n) => `${n.secondary} receive, append`,
  decompression: (n) => `${n.secondary} decompression`,
  secondaryFlush: (n) => `${n.secondary} log write`,
  ackBuild: (n) => `${n.secondary} ack build`,
  ackSend: (n) => `${n.secondary} ack send`,
  secondaryTotal: (n) => `${n.secondary}, all`,
  wireBack: () => "Network back",
  ackReceive: (n) => `${n.primary} ack receive`,
  commitWakeUp: (n) => `${n.primary} commit wake-up`,
  remoteHarden: () => "Remote harden",
  networkRoundTrip: () => "Network round trip",
};

/** Words on screen for a stage, with the replicas' names ("SQL2 log write"); the id itself when unknown. */
export function stageWords(id: string, names: ReplicaNames): string {
  return id in WORDS ? WORDS[id as StageId](names) : id;
}

/** What each colour of lanes and bars means, in the order of the path. */
export const COLOUR_WORDS: readonly {
  readonly token: StageToken;
  readonly words: (names: ReplicaNames) => string;
}[] = [
  { token: "--p-disk", words: ({ primary }) => `${primary} log write` },
  { token: "--p-work", words: ({ primary }) => `${primary} handling` },
  { token: "--n-out", words: () => "Network out" },
  { token: "--n-back", words: () => "Network back" },
  { token: "--s-disk", words: ({ secondary }) => `${secondary} log write` },
  { token: "--s-work", words: ({ secondary }) => `${secondary} handling` },
  { token: "--wait", words: () => "Session waiting" },
];

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

/** Colours and fonts for canvas; renders again when the theme changes. */
export function useTokens(): Tokens {
  return useSyncExternalStore(subscribe, () => (current ??= readTokens()));
}
