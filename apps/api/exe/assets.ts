/** Names of the assets in the single executable. */
export const PROGRAM = "program.zip";
export const VERSION = "version";
