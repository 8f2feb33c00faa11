/** Who may use the server: what an operator sets, before any file is read or any server is asked. */
import { isIP } from "node:net";
import type { Role } from "@aglens/contract";
import { StartError } from "../start-error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Sign-in by OpenID Connect, as Entra ID and Keycloak offer it. */
export interface OpenIdSettings {
  readonly issuer: string;
  readonly client: string;
  /** File with the client's secret; null for a public client, which PKCE alone protects. */
  readonly secretFile: string | null;
  /** What the button calls it. */
  readonly name: string;
  /** Claim of the ID token that lists groups or roles. */
  readonly groupsClaim: string;
}

/** A reverse proxy that signs people in and names them in a header. */
export interface UserHeaderSettings {
  /** Lower case. */
  readonly header: string;
  /** Header with the person's groups, commas between them; null when the proxy sends none. */
  readonly groupsHeader: string | null;
}

export interface AccessSettings {
  readonly tokenFile: string | null;
  readonly openId: OpenIdSettings | null;
  readonly userHeader: UserHeaderSettings | null;
  /** Groups and user names that have a role; `*` is everybody who signs in. */
  readonly members: Readonly<Record<Role, readonly string[]>>;
  /** Hours until a session ends. */
  readonly sessionHours: number;
}

/** The variables of this room; config.ts reads the other ones. */
export const ACCESS_VARIABLES = [
  "AGLENS_TOKEN_FILE",
  "AGLENS_OIDC_ISSUER",
  "AGLENS_OIDC_CLIENT",
  "AGLENS_OIDC_SECRET_FILE",
  "AGLENS_OIDC_NAME",
  "AGLENS_OIDC_GROUPS_CLAIM",
  "AGLENS_USER_HEADER",
  "AGLENS_GROUPS_HEADER",
  "AGLENS_TRUSTED_PROXIES",
  "AGLENS_VIEWERS",
  "AGLENS_CONTRIBUTORS",
  "AGLENS_ADMINS",
  "AGLENS_SESSION_HOURS",
  "AGLENS_PUBLIC_URL",
] as const;
type AccessVariable = (typeof ACCESS_VARIABLES)[number];

/**
 * Access as the environment sets it; null leaves the server open to whoever reaches it.
 * @throws StartError `bad-setting` when the variables do not make a whole
 */
export function readAccess(environment: Environment): AccessSettings | null {
  const text = (name: AccessVariable): string | null => environment[name]?.trim() || null;
  const settings: AccessSettings = {
    tokenFile: text("AGLENS_TOKEN_FILE"),
    openId: readOpenId(text),
    userHeader: readUserHeader(text),
    members: {
      viewer: commaList(text("AGLENS_VIEWERS")),
      contributor: commaList(text("AGLENS_CONTRIBUTORS")),
      admin: commaList(text("AGLENS_ADMINS")),
    },
    sessionHours: sessionHours(text("AGLENS_SESSION_HOURS")),
  };
  const { tokenFile, openId, userHeader, members } = settings;
  if (tokenFile === null && openId === null && userHeader === null) return null;
  const hasMembers = Object.values(members).some((names) => names.length > 0);
  if ((openId !== null || userHeader !== null) && !hasMembers) {
    throw wrong(
      'Set AGLENS_ADMINS, AGLENS_CONTRIBUTORS or AGLENS_VIEWERS: groups or user names with commas between them, or "*" for everybody who signs in. Nobody has a role without them.',
    );
  }
  return settings;
}

/**
 * Where browsers reach the server, without a slash at its end; null leaves it to the Host header.
 * @throws StartError `bad-setting`
 */
export function readPublicUrl(environment: Environment): string | null {
  const text = environment["AGLENS_PUBLIC_URL"]?.trim();
  if (text === undefined || text === "") {
    if ((environment["AGLENS_OIDC_ISSUER"] ?? "") === "") return null;
    throw wrong(
      "Set AGLENS_PUBLIC_URL to the address that browsers use, such as https://aglens.corp.example: OpenID Connect sends people back to it.",
    );
  }
  const url = URL.parse(text);
  if (url === null || !/^https?:$/u.test(url.protocol) || url.search !== "" || url.hash !== "") {
    throw wrong(`AGLENS_PUBLIC_URL must be an address such as https://aglens.corp.example, it is "${text}".`);
  }
  return url.href.replace(/\/$/u, "");
}

/**
 * Addresses and networks (10.4.0.0/16) whose X-Forwarded-For and user header are believed.
 * @throws StartError `bad-setting`
 */
export function readTrustedProxies(environment: Environment): readonly string[] {
  const list = commaList(environment["AGLENS_TRUSTED_PROXIES"] ?? null);
  for (const entry of list) {
    const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/u.exec(entry) ?? [];
    const family = isIP(address);
    if (family === 0 || Number(bits ?? 0) > (family === 4 ? 32 : 128)) {
      throw wrong(
        `AGLENS_TRUSTED_PROXIES must be addresses or networks with commas between them, such as 10.4.0.10 or 10.4.0.0/16; "${entry}" is none.`,
      );
    }
  }
  return list;
}

function readOpenId(text: (name: AccessVariable) => string | null): OpenIdSettings | null {
  const issuer = text("AGLENS_OIDC_ISSUER");
  const client = text("AGLENS_OIDC_CLIENT");
  if (issuer === null && client === null) return null;
  if (issuer === null || client === null) {
    throw wrong("OpenID Connect needs both AGLENS_OIDC_ISSUER and AGLENS_OIDC_CLIENT.");
  }
  const url = URL.parse(issuer);
  if (url === null || url.protocol !== "https:") {
    throw wrong(`AGLENS_OIDC_ISSUER must be an https address, it is "${issuer}".`);
  }
  return {
    issuer,
    client,
    secretFile: text("AGLENS_OIDC_SECRET_FILE"),
    name: text("AGLENS_OIDC_NAME") ?? url.hostname,
    groupsClaim: text("AGLENS_OIDC_GROUPS_CLAIM") ?? "groups",
  };
}

function readUserHeader(text: (name: AccessVariable) => string | null): UserHeaderSettings | null {
  const header = text("AGLENS_USER_HEADER");
  if (header === null) return null;
  const groupsHeader = text("AGLENS_GROUPS_HEADER");
  const bad = [header, groupsHeader ?? "X-Groups"].find((name) => !/^[A-Za-z0-9-]+$/u.test(name));
  if (bad !== undefined) throw wrong(`"${bad}" is not the name of a header.`);
  if (text("AGLENS_TRUSTED_PROXIES") === null) {
    throw wrong(
      `AGLENS_USER_HEADER needs AGLENS_TRUSTED_PROXIES: whoever else reaches the server could send ${header} too.`,
    );
  }
  return { header: header.toLowerCase(), groupsHeader: groupsHeader?.toLowerCase() ?? null };
}

const MOST_SESSION_HOURS = 24 * 30;

function sessionHours(text: string | null): number {
  const hours = Number(text ?? 12);
  if (Number.isSafeInteger(hours) && hours >= 1 && hours <= MOST_SESSION_HOURS) return hours;
  throw wrong(
    `AGLENS_SESSION_HOURS must be a whole number from 1 to ${MOST_SESSION_HOURS}, it is "${text}".`,
  );
}

function commaList(text: string | null): string[] {
  return (text ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

const wrong = (sentence: string): StartError => new StartError("bad-setting", sentence);
