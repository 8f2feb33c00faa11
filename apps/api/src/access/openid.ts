/** Sign-in by OpenID Connect: authorization code with PKCE, by openid-client. */
import { readFile } from "node:fs/promises";
import * as client from "openid-client";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/identity.ts";
import { StartError } from "../kernel/start-error.ts";
import type { PendingSignIn, PendingSignIns } from "./passing.ts";
import type { OpenIdSettings } from "./access-settings.ts";

/** A person whom the directory identified. */
export interface DirectoryPerson {
  /** `sub`: the only claim that never identifies another person later. */
  readonly subject: string;
  readonly name: string;
  /** Values of the groups claim, which have roles. */
  readonly groups: readonly string[];
  /** Value that `AGLENS_PEOPLE` compares; null where the claim is missing, or the email address is not verified. */
  readonly named: string | null;
  /** `preferred_username`, which people may change: never compared with a setting that assigns a role. */
  readonly userName: string | null;
}

/** Tokens that confirm a session with the directory again, and that end it there. */
export interface DirectoryTokens {
  /** Null where the directory sends none. */
  readonly refresh: string | null;
  /** The last ID token, which an end of the directory's session names. */
  readonly id: string;
}

export interface SignedIn {
  readonly person: DirectoryPerson;
  readonly tokens: DirectoryTokens;
}

const PENDING_MS = 10 * 60_000;
/** A request waits for the directory as long. */
const ANSWER_SECONDS = 10;

export interface OpenId {
  readonly name: string;
  /** @returns where the browser has to be sent, and the key under which `finish` finds this sign-in */
  begin(returnTo: string): Promise<{ readonly url: string; readonly key: string }>;
  /** The page that a sign-in began on; "/" when it is not known. */
  returnTo(key: string): Promise<string>;
  /**
   * @param query of the address that the directory sent the browser to @throws when the directory did not sign the
   * person in
   */
  finish(key: string, query: string): Promise<SignedIn>;
  /**
   * Asks the directory again about a signed-in person.
   * @returns null when it refuses
   * @throws when it does not answer
   */
  confirm(refreshToken: string, before: SignedIn): Promise<SignedIn | null>;
  /**
   * Address at which a browser ends the directory's own session; null for a directory without such an address. @throws
   * when it does not answer
   */
  leaveAt(idToken: string): Promise<string | null>;
}

/**
 * @param publicUrl where browsers reach the server
 * @param answerPath path to which the directory sends browsers back, after that address
 * @param pending sign-ins that have not returned yet
 * @param fetch replaces the network in tests
 * @throws StartError `bad-setting` when the secret cannot be read
 */
export async function openOpenId(
  settings: OpenIdSettings,
  { publicUrl, answerPath }: { readonly publicUrl: string; readonly answerPath: string },
  clock: Clock,
  pending: PendingSignIns,
  fetch?: client.CustomFetch,
): Promise<OpenId> {
  const redirectUri = `${publicUrl}${answerPath}`;
  const configuration = configurationOf(settings, await secretOf(settings), fetch);
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
        scope: settings.scopes,
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
      if (claims === undefined || tokens.id_token === undefined)
        throw new Error("the directory sent no ID token");
      return {
        person: personOf(claims, settings),
        tokens: { refresh: tokens.refresh_token ?? null, id: tokens.id_token },
      };
    },
    confirm: async (refreshToken, before) => {
      const found = await configuration();
      const tokens = await orNullWhereRefused(client.refreshTokenGrant(found, refreshToken));
      if (tokens === null) return null;
      const claims = tokens.claims();
      const person = claims === undefined ? before.person : personOf(claims, settings);
      // OpenID Connect Core 12.2: a new ID token is of the same subject.
      if (person.subject !== before.person.subject) return null;
      return {
        person,
        tokens: { refresh: tokens.refresh_token ?? refreshToken, id: tokens.id_token ?? before.tokens.id },
      };
    },
    leaveAt: async (idToken) => {
      const found = await configuration();
      if (found.serverMetadata().end_session_endpoint === undefined) return null;
      return client.buildEndSessionUrl(found, {
        id_token_hint: idToken,
        post_logout_redirect_uri: `${publicUrl}/`,
      }).href;
    },
  };
}

/** The directory's configuration, requested when it is first needed. */
function configurationOf(
  settings: OpenIdSettings,
  secret: string | null,
  fetch: client.CustomFetch | undefined,
): () => Promise<client.Configuration> {
  let discovered: Promise<client.Configuration> | null = null;
  return () => {
    discovered ??= client.discovery(
      new URL(settings.issuer),
      settings.client,
      undefined,
      secret === null ? client.None() : client.ClientSecretPost(secret),
      {
        // Without these checks, an attacker who can read the TLS traffic of this server could sign in as any person.
        execute: [client.enableNonRepudiationChecks],
        timeout: ANSWER_SECONDS,
        ...(fetch === undefined ? {} : { [client.customFetch]: fetch }),
      },
    );
    // The directory may be away for a while: the next sign-in asks it again.
    discovered.catch(() => (discovered = null));
    return discovered;
  };
}

/**
 * RFC 6749 5.2: with these errors the grant itself has ended; any other error is a problem of the directory, or a wrong
 * setting.
 */
const REFUSALS: ReadonlySet<string> = new Set(["invalid_grant", "interaction_required", "login_required"]);

async function orNullWhereRefused<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof client.ResponseBodyError && REFUSALS.has(error.error)) return null;
    throw error;
  }
}

/** Groups have roles, and people by one claim that they cannot choose. */
function personOf(
  claims: client.IDToken,
  { groupsClaim, personClaim }: Pick<OpenIdSettings, "groupsClaim" | "personClaim">,
): DirectoryPerson {
  const { sub, name, preferred_username: userName, email } = claims as Record<string, unknown>;
  const groups = claims[groupsClaim];
  const texts = (values: readonly unknown[]): string[] =>
    values.filter((value): value is string => typeof value === "string" && value !== "");
  const [shown = String(sub)] = texts([name, userName, email]);
  const isVouchedFor = personClaim !== "email" || claims["email_verified"] === true;
  const [named = null] = isVouchedFor ? texts([claims[personClaim]]) : [];
  return {
    subject: String(sub),
    name: shown.slice(0, 200),
    groups: texts(Array.isArray(groups) ? groups : [groups]),
    named,
    userName: texts([userName])[0] ?? null,
  };
}

async function secretOf({ secretFile }: OpenIdSettings): Promise<string | null> {
  if (secretFile === null) return null;
  const text = await readFile(secretFile, "utf8").catch((error: Error) => {
    throw new StartError("bad-setting", `AGLENS_OIDC_SECRET_FILE cannot be read: ${error.message}.`);
  });
  if (text.trim() !== "") return text.trim();
  throw new StartError("bad-setting", `AGLENS_OIDC_SECRET_FILE, ${secretFile}, is empty.`);
}
