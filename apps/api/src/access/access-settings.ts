/** Ways to sign in, from all settings together. */
import type { Role } from "@aglens/contract";
import type { Config } from "../settings/settings.ts";
import { StartError } from "../kernel/start-error.ts";

/** Sign-in by OpenID Connect, as Entra ID and Keycloak offer it. */
export interface OpenIdSettings {
  readonly issuer: string;
  readonly client: string;
  /** File with the client's secret; null for a public client, which PKCE alone protects. */
  readonly secretFile: string | null;
  /** Name of the directory on the sign-in button. */
  readonly name: string;
  /** Claim of the ID token that lists groups or roles. */
  readonly groupsClaim: string;
  /** Claim of the ID token that names one person for `AGLENS_PEOPLE`. */
  readonly personClaim: string;
  /** Scopes to request, separated by spaces. */
  readonly scopes: string;
  /** Minutes until the directory is asked again about who signed in. */
  readonly confirmMinutes: number;
}

export interface AccessSettings {
  readonly tokenFile: string | null;
  readonly openId: OpenIdSettings | null;
  /** Header by which a reverse proxy names who is signed in, lower case. */
  readonly userHeader: string | null;
  /** Header with the person's groups, commas between them. */
  readonly groupsHeader: string | null;
  /** Groups of each role; `*` means all signed-in users. */
  readonly members: Readonly<Record<Role, readonly string[]>>;
  /** People who have a role: by the directory's claim, or as the proxy names them. */
  readonly people: Readonly<Record<Role, readonly string[]>>;
  /** Hours until a session ends. */
  readonly sessionHours: number;
}

/**
 * Access that the settings configure; null admits anyone who can reach the server.
 * @throws StartError `bad-setting` when settings are missing that others need
 */
export function accessSettings(config: Config): AccessSettings | null {
  const { tokenFile, userHeader, groupsHeader, sessionHours } = config;
  const openId = openIdSettings(config);
  if (tokenFile === null && openId === null && userHeader === null) return null;
  if (userHeader !== null && config.trustedProxies.length === 0) {
    throw wrong(
      `AGLENS_USER_HEADER needs AGLENS_TRUSTED_PROXIES: otherwise anyone who can reach the server could send ${userHeader}.`,
    );
  }
  const members = { viewer: config.viewers, contributor: config.contributors, admin: config.admins };
  const { people } = config;
  const hasMembers = [members, people].flatMap(Object.values).some((names) => names.length > 0);
  if ((openId !== null || userHeader !== null) && !hasMembers) {
    throw wrong(
      'Set AGLENS_ADMINS, AGLENS_CONTRIBUTORS or AGLENS_VIEWERS: groups with commas between them, or "*" for all signed-in users. AGLENS_PEOPLE assigns roles to single users. Without these settings, no user has a role.',
    );
  }
  return { tokenFile, openId, userHeader, groupsHeader, members, people, sessionHours };
}

function openIdSettings(config: Config): OpenIdSettings | null {
  const { oidcIssuer: issuer, oidcClient: client, oidcSecretFile: secretFile, oidcName: name } = config;
  if (issuer === null && client === null) return null;
  if (issuer === null || client === null) {
    throw wrong("OpenID Connect needs both AGLENS_OIDC_ISSUER and AGLENS_OIDC_CLIENT.");
  }
  if (config.publicUrl === null) {
    throw wrong(
      "Set AGLENS_PUBLIC_URL to the address that browsers use, such as https://aglens.corp.example: OpenID Connect sends people back to it.",
    );
  }
  return {
    issuer,
    client,
    secretFile,
    name: name ?? new URL(issuer).hostname,
    groupsClaim: config.oidcGroupsClaim,
    personClaim: config.oidcPersonClaim,
    scopes: config.oidcScopes,
    confirmMinutes: config.oidcConfirmMinutes,
  };
}

const wrong = (sentence: string): StartError => new StartError("bad-setting", sentence);
