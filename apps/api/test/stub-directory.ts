/** An OpenID Connect directory without a network: it signs in whoever the test says, once for each code. */
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import type { CustomFetch } from "openid-client";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

export interface StubDirectory {
  readonly issuer: string;
  readonly fetch: CustomFetch;
  /** What the person's browser brings back from the directory, for the address it was sent to. */
  signIn(address: string, claims: Readonly<Record<string, unknown>>): string;
}

/** @param now ms since 1970, of the clock that openid-client compares with: the machine's */
export function stubDirectory(now = (): number => Date.now()): StubDirectory {
  const issuer = "https://login.example/tenant";
  const codes = new Map<string, { claims: object; challenge: string }>();
  const answer = (body: object, status = 200): Response => Response.json(body, { status });
  return {
    issuer,
    signIn: (address, claims) => {
      const asked = new URL(address).searchParams;
      const code = `code-${codes.size}`;
      codes.set(code, {
        claims: {
          iss: issuer,
          aud: asked.get("client_id"),
          iat: Math.floor(now() / 1000),
          exp: Math.floor(now() / 1000) + 300,
          nonce: asked.get("nonce"),
          ...claims,
        },
        challenge: asked.get("code_challenge") ?? "",
      });
      return `?code=${code}&state=${asked.get("state")}`;
    },
    fetch: (url, { body }) => {
      if (url.endsWith("/.well-known/openid-configuration")) {
        return Promise.resolve(
          answer({
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/keys`,
            id_token_signing_alg_values_supported: ["ES256"],
          }),
        );
      }
      const sent = new URLSearchParams(body as URLSearchParams);
      const found = codes.get(sent.get("code") ?? "");
      codes.delete(sent.get("code") ?? "");
      const challenge = createHash("sha256")
        .update(sent.get("code_verifier") ?? "")
        .digest("base64url");
      if (found === undefined || challenge !== found.challenge) {
        return Promise.resolve(answer({ error: "invalid_grant" }, 400));
      }
      return Promise.resolve(
        answer({ access_token: "not-used", token_type: "bearer", id_token: signed(found.claims) }),
      );
    },
  };
}

function signed(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg: "ES256", typ: "JWT" })}.${part(claims)}`;
  return `${text}.${sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}
