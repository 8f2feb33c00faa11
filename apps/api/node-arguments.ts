import manifest from "./package.json" with { type: "json" };

/** The arguments that node has wherever the server is started: those of `npm run serve`. */
export const NODE_ARGUMENTS: readonly string[] = manifest.scripts.serve
  .split(" ")
  .filter((word) => word.startsWith("--"));
