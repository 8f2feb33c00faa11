import type { Tokens } from "../src/lanes/palette.ts";

/** Design tokens for tests: every one is its own name, so that a log of draw calls says which one was used. */
export const NAMED = new Proxy({}, { get: (_, name) => name }) as Tokens;
