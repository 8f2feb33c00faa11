import type { MissingPermission } from "@aglens/contract";

/** Statements that grant permissions, each with its purpose. */
export function grantScript(missing: readonly MissingPermission[]): string {
  const longest = Math.max(...missing.map(({ grant }) => grant.length));
  const lines = missing.map(({ grant, purpose }) => `${grant.padEnd(longest)}  -- ${purpose}`);
  return ["USE [master];", ...lines].join("\n");
}
