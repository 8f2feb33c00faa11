import { randomBytes } from "node:crypto";
import { Role } from "@aglens/contract";

/** 192 bits, as hex 48 characters. */
const TOKEN_BYTES = 24;
const LONGEST_NAME = 80;

/**
 * A new line for the file of AGLENS_TOKEN_FILE, without its end.
 * @param role viewer, contributor or admin
 * @param name owner of the token; "" for a shared token
 * @throws Error with a sentence for the user
 */
export function newTokenLine(role = "admin", name = ""): string {
  if (!Role.safeParse(role).success) {
    throw new Error(`The role is viewer, contributor or admin, not "${role.slice(0, 40)}".`);
  }
  // A line break would begin another token, and # a comment.
  if (name.length > LONGEST_NAME || /[\p{Cc}\u2028\u2029#]/u.test(name)) {
    throw new Error(`A name has at most ${LONGEST_NAME} characters, and neither # nor control characters.`);
  }
  return [randomBytes(TOKEN_BYTES).toString("hex"), role, ...(name === "" ? [] : [name])].join(" ");
}
