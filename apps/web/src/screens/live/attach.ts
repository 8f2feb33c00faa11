/** What the user types to reach a replica, and what is sent of it. Passwords and tokens stay in the page's memory. */
import type { LiveCheck, LiveLogin, LiveReplicaProposal, LiveServer } from "@aglens/contract";

export interface ServerForm {
  readonly key: string;
  /** As DBAs write it: HOST, HOST\INSTANCE, HOST,PORT or HOST:PORT. */
  readonly server: string;
  readonly encryption: LiveServer["encryption"];
  readonly trustCertificate: boolean;
  readonly certificateName: string;
  readonly certificateAuthority: string;
  /** Uses the login of the first server. */
  readonly sameLogin: boolean;
  readonly kind: LiveLogin["kind"];
  readonly user: string;
  readonly domain: string;
  readonly secret: string;
  /** An existing session to read from; "" makes one. */
  readonly session: string;
}

export type CheckState =
  | { readonly is: "open" }
  | { readonly is: "busy" }
  | { readonly is: "answered"; readonly check: LiveCheck }
  | { readonly is: "refused"; readonly sentence: string };

let made = 0;

/** An empty form; `like` gives the connection options of a server that works. */
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
  };
}

/** Host with port or instance of what was typed; null when it is none. An IPv6 address needs a comma before its port. */
export function serverName(text: string): Pick<LiveServer, "host" | "port" | "instance"> | null {
  const plain = text.trim().replace(/^tcp:/iu, "");
  const match =
    /^(?<host>[A-Za-z0-9_.-]+|[A-Fa-f0-9:]*:[A-Fa-f0-9:]*:[A-Fa-f0-9:.]*)(?:\\(?<instance>[A-Za-z0-9_$#]{1,64})|(?:,\s*|:)(?<port>\d{1,5}))?$/u.exec(
      plain,
    );
  const host = match?.groups?.["host"];
  if (host === undefined) return null;
  const { instance, port } = match?.groups ?? {};
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return null;
  // A default instance is the host itself.
  const named = instance !== undefined && instance.toUpperCase() !== "MSSQLSERVER";
  return { host, ...(port === undefined ? {} : { port: Number(port) }), ...(named ? { instance } : {}) };
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

/** What to send for a form, or the sentence that says what is missing. */
export function connectionOf(form: ServerForm, first: ServerForm): Connection | string {
  const name = serverName(form.server);
  if (name === null) return "Name the server: HOST, HOST\\INSTANCE or HOST,PORT.";
  const login = loginOf(form.sameLogin ? first : form);
  if (login === null) return "Fill in the login.";
  const certificateName = form.certificateName.trim();
  const authority = form.certificateAuthority.trim();
  return {
    server: {
      ...name,
      encryption: form.encryption,
      trustCertificate: form.encryption !== "off" && form.trustCertificate,
      ...(certificateName === "" ? {} : { certificateName }),
      ...(authority === "" ? {} : { certificateAuthority: authority }),
    },
    login,
  };
}

/** True when a server answered and lacks nothing that attaching needs. */
export const canAttach = (state: CheckState | undefined): boolean =>
  state?.is === "answered" && !state.check.missing.some((permission) => permission.blocking);

const sameName = (a: string, b: string): boolean => a.localeCompare(b, "en", { sensitivity: "base" }) === 0;

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
    if (taken.some((name) => sameName(name, replica.serverName))) return false;
    ids.add(replica.replicaId);
    return true;
  });
}
