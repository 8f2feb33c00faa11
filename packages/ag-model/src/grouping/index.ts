/** Who is who: files -> servers -> captures, from what their events name. */
export type { FileToGroup } from "./files.ts";
export { groupFiles } from "./group-files.ts";
export { identityOf } from "./identity.ts";
