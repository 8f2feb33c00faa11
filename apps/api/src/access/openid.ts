/** Sign-in by OpenID Connect: authorization code with PKCE, by openid-client. */
import { readFile } from "node:fs/promises";
import * as client from "openid-client";
import type { Clock } from "../clock.ts";
import { newId } from "../identity.ts";
import { StartError } from "../start-error.ts";
import type { PendingSignIn, PendingSignIns } from "./passing.ts";
import type { OpenIdSettings } from "./access-settings.ts";

/** Somebody whom the directory vouches for. */
export interface DirectoryPerson {
  /** `sub`: the one claim that never names somebody else. */
  readonly subject: string;
  readonly name: string;
  /** Groups or roles, the user name and the subject: what a role may be given to. */
  readonly groups: readonly string[];
}

const PENDING_MS = 10 * 60_000;

export interface OpenId {
  readonly name: string;
  /** @returns where the browser has to be sent, and the key under which `finish` finds this sign-in */
  begin(returnTo: string): Promise<{ readonly url: string; readonly key: string }>;
  /** The page that a sign-in began on; "/" when it is not known. */
  returnTo(key: string): Promise<string>;
  /** @param query of the address that the directory sent the browser to @throws when the directory did not sign anybody in */
  finish(key: string, query: string): Promise<DirectoryPerson>;
}

/**
 * @param redirectUri where the directory sends browsers back to
 * @param pending where sign-ins wait for their way back
 * @param fetch in the place of the network, for tests
 * @throws StartError `bad-setting` when the secret cannot be read
 */
export async function openOpenId(
  settings: OpenIdSettings,
  redirectUri: string,
  clock: Clock,
  pending: PendingSignIns,
  fetch?: client.CustomFetch,
): Promise<OpenId> {
  const secret = settings.secretFile === null ? null : await readSecret(settings.secretFile);
  let discovered: Promise<client.Configuration> | null = null;
  const configuration = (): Promise<client.Configuration> => {
    discovered ??= client.discovery(
      new URL(settings.issuer),
      settings.client,
      undefined,
      secret === null ? client.None() : client.ClientSecretPost(secret),
      fetch === undefined ? {} : { [client.customFetch]: fetch },
    );
    // The directory may be away for a while: the next sign-in asks it again.
    discovered.catch(() => (discovered = null));
    return discovered;
  };
  const take = async (key: string): Promise<PendingSignIn | null> => {
    const found = await pending.take(key);
    return found !== null && found.ends > clock.now() ? found : null;
  };
  return {
    name: settings.name,
    begin: async (returnTo) => {
      const found = await configuration();
      const key = newId();
      const one: PendingSignIn = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        returnTo,
        ends: clock.now() + PENDING_MS,
      };
      await pending.save(key, one);
      const url = client.buildAuthorizationUrl(found, {
        redirect_uri: redirectUri,
        scope: "openid profile email",
        state: one.state,
        nonce: one.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(one.verifier),
        code_challenge_method: "S256",
      });
      return { url: url.href, key };
    },
    returnTo: async (key) => (await pending.find(key))?.returnTo ?? "/",
    finish: async (key, query) => {
      const one = await take(key);
      if (one === null)
        throw new Error("the sign-in took longer than 10 minutes, or began in another browser");
      const tokens = await client.authorizationCodeGrant(
        await configuration(),
        new URL(`${redirectUri}${query}`),
        {
          expectedState: one.state,
          expectedNonce: one.nonce,
          pkceCodeVerifier: one.verifier,
          idTokenExpected: true,
        },
      );
      const claims = tokens.claims();
      if (claims === undefined) throw new Error("the directory sent no ID token");
      return personOf(claims, settings.groupsClaim);
    },
  };
}

/** Roles are given by groups, user name and subject, never by the email address, which people change themselves. */
function personOf(claims: client.IDToken, groupsClaim: string): DirectoryPerson {
  const { sub, name, preferred_username: userName, email } = claims as Record<string, unknown>;
  const groups = claims[groupsClaim];
  const texts = (values: readonly unknown[]): string[] =>
    values.filter((value): value is string => typeof value === "string" && value !== "");
  const [shown = String(sub)] = texts([name, userName, email]);
  return {
    subject: String(sub),
    name: shown.slice(0, 200),
    groups: texts([...(Array.isArray(groups) ? (groups as unknown[]) : [groups]), userName, sub]),
  };
}

async function readSecret(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw new StartError("bad-setting", `AGLENS_OIDC_SECRET_FILE cannot be read: ${error.message}.`);
  });
  if (text.trim() !== "") return text.trim();
  throw new StartError("bad-setting", `AGLENS_OIDC_SECRET_FILE, ${path}, is empty.`);
}
