/** An OpenID Connect directory without a network: it signs in the person that the test names, once for each code. */
import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { CustomFetch } from "openid-client";

type Claims = Readonly<Record<string, unknown>>;

interface Key {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export interface StubDirectory {
  readonly issuer: string;
  readonly fetch: CustomFetch;
  /** Signs a person in. @param address of the directory that the browser was sent to @returns query with which it returns */
  signIn(address: string, claims: Claims): string;
  /** Claims of a subject from now on, when the directory is asked again; null refuses. */
  change(subject: string, claims: Claims | null): void;
  /** Signs with another key. @param isPublished whether the directory shows it */
  rotateKey(isPublished: boolean): void;
  /** Whether the directory can't be reached. */
  isAway: boolean;
  /** How often the directory was asked again about a person. */
  readonly confirmations: number;
}

export interface StubDirectoryOptions {
  /** ms since 1970, of the clock that openid-client compares with: the machine's. */
  readonly now?: () => number;
  /** Whether it has an address that ends its own sessions. */
  readonly endsSessions?: boolean;
  /** Whether it sends refresh tokens, each valid once. */
  readonly refreshes?: boolean;
}

export function stubDirectory({
  now = () => Date.now(),
  endsSessions = false,
  refreshes = false,
}: StubDirectoryOptions = {}): StubDirectory {
  const issuer = "https://login.example/tenant";
  const codes = new Map<string, { claims: Claims; challenge: string; client: string }>();
  const people = new Map<string, Claims | null>();
  const grants = new Map<string, { subject: string; client: string }>();
  let key = newKey();
  const published = [key];
  let confirmations = 0;
  const answer = (body: object, status = 200): Response => Response.json(body, { status });
  const times = () => ({ iat: Math.floor(now() / 1000), exp: Math.floor(now() / 1000) + 300 });
  const tokens = (claims: Claims, client: string): Response => {
    const refreshToken = randomUUID();
    if (refreshes) grants.set(refreshToken, { subject: String(claims["sub"]), client });
    return answer({
      access_token: "not-used",
      token_type: "bearer",
      id_token: signed({ iss: issuer, aud: client, ...times(), ...claims }, key),
      ...(refreshes ? { refresh_token: refreshToken } : {}),
    });
  };
  const refuse = (): Response => answer({ error: "invalid_grant" }, 400);
  const refresh = (token: string): Response => {
    confirmations += 1;
    const grant = grants.get(token);
    grants.delete(token);
    const claims = grant === undefined ? null : (people.get(grant.subject) ?? null);
    return grant === undefined || claims === null ? refuse() : tokens(claims, grant.client);
  };
  const redeem = (sent: URLSearchParams): Response => {
    const found = codes.get(sent.get("code") ?? "");
    codes.delete(sent.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(sent.get("code_verifier") ?? "")
      .digest("base64url");
    return found === undefined || challenge !== found.challenge
      ? refuse()
      : tokens(found.claims, found.client);
  };
  const directory = {
    issuer,
    isAway: false,
    get confirmations() {
      return confirmations;
    },
    signIn: (address: string, claims: Claims) => {
      const asked = new URL(address).searchParams;
      const code = `code-${codes.size}-${randomUUID()}`;
      people.set(String(claims["sub"]), claims);
      codes.set(code, {
        claims: { nonce: asked.get("nonce"), ...claims },
        challenge: asked.get("code_challenge") ?? "",
        client: asked.get("client_id") ?? "",
      });
      return `?code=${code}&state=${asked.get("state")}`;
    },
    change: (subject: string, claims: Claims | null) =>
      void people.set(subject, claims && { sub: subject, ...claims }),
    rotateKey: (isPublished: boolean) => {
      key = newKey();
      if (isPublished) published.push(key);
    },
  };
  const fetch: CustomFetch = async (url, { body }) => {
    if (directory.isAway) throw new TypeError("fetch failed");
    if (url.endsWith("/keys")) return answer({ keys: published.map(asJwk) });
    if (url.endsWith("/.well-known/openid-configuration")) {
      return answer({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        id_token_signing_alg_values_supported: ["ES256"],
        ...(endsSessions ? { end_session_endpoint: `${issuer}/logout` } : {}),
      });
    }
    const sent = new URLSearchParams(body as URLSearchParams);
    return sent.get("grant_type") === "refresh_token"
      ? refresh(sent.get("refresh_token") ?? "")
      : redeem(sent);
  };
  return Object.assign(directory, { fetch });
}

function newKey(): Key {
  return { id: randomUUID(), ...generateKeyPairSync("ec", { namedCurve: "P-256" }) };
}

const asJwk = ({ id, publicKey }: Key): object => ({
  ...publicKey.export({ format: "jwk" }),
  kid: id,
  alg: "ES256",
  use: "sig",
});

function signed(claims: object, { id, privateKey }: Key): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg: "ES256", typ: "JWT", kid: id })}.${part(claims)}`;
  return `${text}.${sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}
