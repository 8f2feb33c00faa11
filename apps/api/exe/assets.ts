/** Names of what the single executable carries. */
export const PROGRAM = "program.zip";
export const VERSION = "version";
