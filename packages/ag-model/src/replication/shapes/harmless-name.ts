/** Characters of the longest name that SQL Server has for anything (sysname). */
const SYSNAME_CHARACTERS = 128;

/**
 * A name from a file of others, in a form that is safe to show and keep: at most as long as a sysname, on one line, and
 * without characters that reverse the direction of text or are invisible. A shortened name ends in "…".
 */
export function harmlessName(text: string): string {
  const name = withoutHiddenCharacters(text.slice(0, 4 * SYSNAME_CHARACTERS)).trim();
  if (name.length <= SYSNAME_CHARACTERS) return name;
  // Half of a surrogate pair would be no character.
  return `${name.slice(0, SYSNAME_CHARACTERS - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}

/** Text without control, format and direction characters, and on one line. */
export function withoutHiddenCharacters(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "");
}
