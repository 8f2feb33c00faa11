import manifest from "./package.json" with { type: "json" };

/** The arguments of node for every start of the server: those of `npm run serve`. */
export const NODE_ARGUMENTS: readonly string[] = manifest.scripts.serve
  .split(" ")
  .filter((word) => word.startsWith("--"));
