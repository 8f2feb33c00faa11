/**
 * The form with which the user connects to a replica, and the request that is sent for it. Passwords and tokens stay in
 * the page's memory.
 */
import type {
  LiveCheck,
  LiveLogin,
  LiveReplicaProposal,
  LiveServer,
  ShownCertificate,
} from "@aglens/contract";
import { attachTexts as texts } from "../../../messages/attach.ts";
import { type ServerAddress, serverOf } from "../../server-form/server-address.ts";

export interface ServerForm extends ServerAddress {
  readonly key: string;
  /** Uses the login of the first server. */
  readonly sameLogin: boolean;
  readonly kind: LiveLogin["kind"];
  readonly user: string;
  readonly domain: string;
  readonly secret: string;
  /** An existing session to read from; "" makes one. */
  readonly session: string;
  /** Fingerprint of the old certificate that is accepted for this server; "" accepts none. */
  readonly oldCertificate: string;
  /** Records every user database instead of those of the group. */
  readonly everyDatabase: boolean;
}

export type CheckState =
  | { readonly is: "open" }
  | { readonly is: "busy" }
  | { readonly is: "answered"; readonly check: LiveCheck }
  | Refused
  | Waiting;

/** Final until the user changes something. */
export interface Refused {
  readonly is: "refused";
  readonly sentence: string;
  /** With an old certificate that could be accepted. */
  readonly certificate: ShownCertificate | null;
}

/** The server is not ready, and AG Lens asks it again automatically. */
export interface Waiting {
  readonly is: "waiting";
  readonly sentence: string;
  /** Instants of the tries so far, ms since 1970. */
  readonly tries: readonly number[];
  /** Instant of the next one. */
  readonly nextAt: number;
}

/** Problems after which a server that is being checked is asked again automatically. */
const TRIED_AGAIN: readonly string[] = ["live-starting", "live-busy", "live-connection-lost"];

export const isTriedAgain = (code: string): boolean => TRIED_AGAIN.includes(code);

const LONGEST_PAUSE_S = 60;

/** Pause after this number of tries, ms: 1, 2, 4, 8, 16, 32 s, then a minute. */
export const pauseAfter = (tries: number): number =>
  1000 * (tries > 6 ? LONGEST_PAUSE_S : 2 ** Math.max(0, tries - 1));

let made = 0;

/** An empty form; `like` provides the connection options of a server that works. */
export function newServer(server: string, like: ServerForm | null): ServerForm {
  made++;
  return {
    key: `server-${made}`,
    server,
    encryption: like?.encryption ?? "required",
    trustCertificate: like?.trustCertificate ?? false,
    certificateName: "",
    certificateAuthority: like?.certificateAuthority ?? "",
    sameLogin: like !== null,
    kind: like?.kind ?? "sql",
    user: "",
    domain: "",
    secret: "",
    session: "",
    oldCertificate: "",
    everyDatabase: false,
  };
}

function loginOf(form: ServerForm): LiveLogin | null {
  const { kind, user, domain, secret } = form;
  if (kind === "entra") return secret.trim() === "" ? null : { kind, token: secret.trim() };
  if (user.trim() === "") return null;
  if (kind === "sql") return { kind, user: user.trim(), password: secret };
  return domain.trim() === "" ? null : { kind, domain: domain.trim(), user: user.trim(), password: secret };
}

export interface Connection {
  readonly server: LiveServer;
  readonly login: LiveLogin;
}

/** The request for a form, or the sentence on what is missing. */
export function connectionOf(form: ServerForm, first: ServerForm): Connection | string {
  const server = serverOf(form);
  if (server === null) return texts.nameTheServerHost;
  const login = loginOf(form.sameLogin ? first : form);
  if (login === null) return texts.fillInTheLogin;
  const { oldCertificate } = form;
  return { server: { ...server, ...(oldCertificate === "" ? {} : { oldCertificate }) }, login };
}

/** State of a server on its card: whether it can be attached, and whether the user must do something. */
export interface Readiness {
  readonly kind: "open" | "asking" | "ready" | "limited" | "choice" | "rights" | "waiting" | "refused";
  readonly words: string;
}

/** @param now ms since 1970 */
export function readinessOf(form: ServerForm, state: CheckState, now: number): Readiness {
  switch (state.is) {
    case "open":
      return { kind: "open", words: texts.notAskedYet };
    case "busy":
      return { kind: "asking", words: "asking…" };
    case "waiting": {
      const seconds = Math.max(0, Math.ceil((state.nextAt - now) / 1000));
      return { kind: "waiting", words: texts.tryingAgainInS(seconds) };
    }
    case "refused":
      return state.certificate === null
        ? { kind: "refused", words: "refused" }
        : { kind: "choice", words: texts.needsAChoice };
    default:
      return answered(form, state.check);
  }
}

function answered(form: ServerForm, check: LiveCheck): Readiness {
  const lacks = check.missing.filter(({ blocking }) => blocking).length;
  if (lacks > 0) return { kind: "rights", words: texts.rightsMissing(lacks) };
  if (needsEveryDatabase(form, check)) return { kind: "choice", words: texts.needsAChoice };
  const limited = check.missing.length > 0 || check.missingEvents.length > 0 || form.everyDatabase;
  return limited ? { kind: "limited", words: texts.readyWithALimit } : { kind: "ready", words: "ready" };
}

/** Whether the only session that can be created records every user database, and the user has not confirmed it yet. */
export const needsEveryDatabase = (form: ServerForm, check: LiveCheck): boolean =>
  form.session === "" && check.databases.length === 0 && !form.everyDatabase;

/** True when a server answered and lacks nothing that attaching needs. */
export function canAttach(form: ServerForm, state: CheckState): boolean {
  const { kind } = readinessOf(form, state, 0);
  return kind === "ready" || kind === "limited";
}

/** The sentence for a server that answered and is another replica than the one to attach; null when it is the one. */
export function otherServer(state: CheckState, name: string): string | null {
  if (state.is !== "answered" || isSameName(state.check.serverName, name)) return null;
  return texts.thisServerIsGive(state.check.serverName, name);
}

/** "Attach to 5 replicas of ORDERS-AG" and what their servers answered. */
export function headlineOf(
  forms: readonly ServerForm[],
  states: readonly CheckState[],
): { readonly title: string; readonly lead: string } | null {
  const kinds = forms.map((form, i) => readinessOf(form, states[i]!, 0).kind);
  const count = (...of: readonly Readiness["kind"][]): number =>
    kinds.filter((kind) => of.includes(kind)).length;
  const ready = count("ready", "limited");
  const waiting = count("waiting");
  const need = count("choice", "rights", "refused");
  if (ready + waiting + need === 0) return null;
  const group = states.flatMap((state) =>
    state.is === "answered" ? state.check.replicas.filter((replica) => replica.isThisServer) : [],
  )[0]?.group;
  const title = texts.attachTo(forms.length);
  const parts = [
    ready > 0 ? texts.ready(ready) : "",
    waiting > 0 ? texts.notReadyYet(waiting) : "",
    need > 0 ? texts.you(need) : "",
  ].filter((part) => part !== "");
  return {
    title: group ? texts.of(title, group) : title,
    lead: texts.runMayBegin(parts.join(", "), ready > 0 && ready < forms.length),
  };
}

const isSameName = (a: string, b: string): boolean => a.localeCompare(b, "en", { sensitivity: "base" }) === 0;

/** Replicas that a checked server names and that have no form yet. */
export function proposalsOf(
  forms: readonly ServerForm[],
  checks: Readonly<Record<string, CheckState>>,
): LiveReplicaProposal[] {
  const answered = forms.flatMap((form) => {
    const state = checks[form.key];
    return state?.is === "answered" ? [state.check] : [];
  });
  const taken = [...answered.map((check) => check.serverName), ...forms.map((form) => form.server)];
  const named = answered.flatMap((check) => check.replicas);
  const ids = new Set<string>();
  return named.filter((replica) => {
    const here =
      replica.isThisServer || named.some((n) => n.replicaId === replica.replicaId && n.isThisServer);
    if (here || ids.has(replica.replicaId)) return false;
    if (taken.some((name) => isSameName(name, replica.serverName))) return false;
    ids.add(replica.replicaId);
    return true;
  });
}
