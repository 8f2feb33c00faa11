/** Access tokens: long random texts in a file that the operator keeps, one on each line. */
import { readFile } from "node:fs/promises";
import { Role } from "@aglens/contract";
import { hashOf, matchesHash } from "../kernel/identity.ts";
import { StartError } from "../kernel/start-error.ts";

export interface AccessToken {
  /** SHA-256, hex; the token itself is not kept. */
  readonly hash: string;
  readonly role: Role;
  /** Name of the person or script that uses the token. */
  readonly name: string;
}

/** Shorter ones could be guessed. */
const FEWEST_CHARACTERS = 20;

/**
 * Reads a file of tokens: `TOKEN`, `TOKEN ROLE` or `TOKEN ROLE NAME` on each line, `#` begins a comment. A token without a role
 * is an admin's: a team that shares one token shares everything.
 * @throws StartError `bad-setting`
 */
export async function readTokens(path: string): Promise<readonly AccessToken[]> {
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw wrong(`AGLENS_TOKEN_FILE cannot be read: ${error.message}.`);
  });
  const tokens = text.split(/\r?\n/u).flatMap((line, index) => tokenOf(line, `${path}, line ${index + 1}`));
  if (tokens.length === 0) throw wrong(`${path} has no token. Make one with: aglens token new`);
  const hashes = new Set(tokens.map(({ hash }) => hash));
  if (hashes.size < tokens.length) throw wrong(`${path} has the same token twice.`);
  return tokens;
}

/** The token that a client sent, if it is one of them. The time it takes depends on neither. */
export function matchingToken(tokens: readonly AccessToken[], sent: string): AccessToken | null {
  let match: AccessToken | null = null;
  for (const token of tokens) if (matchesHash(sent, token.hash)) match = token;
  return match;
}

function tokenOf(line: string, place: string): AccessToken[] {
  const [token, roleName = "admin", ...name] = line.replace(/#.*$/u, "").trim().split(/\s+/u);
  if (token === undefined || token === "") return [];
  if (token.length < FEWEST_CHARACTERS) {
    throw wrong(`${place}: a token has at least ${FEWEST_CHARACTERS} characters.`);
  }
  const role = Role.safeParse(roleName);
  if (!role.success) {
    throw wrong(
      `${place}: after the token comes viewer, contributor or admin, not "${roleName.slice(0, 40)}".`,
    );
  }
  const holder = name.join(" ").slice(0, 80);
  return [
    { hash: hashOf(token), role: role.data, name: holder === "" ? `Shared token (${role.data})` : holder },
  ];
}

const wrong = (sentence: string): StartError => new StartError("bad-setting", sentence);
